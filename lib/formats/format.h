/* SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause) */
/*
 * A description of a sampling format, in memory.
 */
#ifndef PERFMON_FORMATS_FORMAT_H
#define PERFMON_FORMATS_FORMAT_H

#include <stdbool.h>
#include <stddef.h>

#include <perfmon/perfmon.h>

/* More of anything than the kernel takes. */
#define PFMI_FORMAT_ARGS_MAX	64
#define PFMI_FORMAT_ENTRIES_MAX 16
#define PFMI_FORMAT_FIELDS_MAX	128
#define PFMI_FORMAT_SIZE_MAX	(1U << 20)

/* As many elements as smpl_pmds of the register has bits */
#define PFMI_SMPL_PMDS "smpl_pmds"

/**
 * struct pfmi_fields - fields in the order of the description
 * @list: the fields
 * @count: elements of @list
 */
struct pfmi_fields {
	struct pfm_format_field *list;
	unsigned int count;
};

/**
 * struct pfmi_entry - a type of entries
 * @head: what users see
 * @when: the field of the entry, or
 * @with: the flag of the argument that tells types apart; both NULL: the only type
 * @is: its value for this type
 * @fields: the fixed part
 * @tails: what follows it
 */
struct pfmi_entry {
	struct pfm_format_entry head;
	const char *when;
	const char *with;
	uint64_t is;
	struct pfmi_fields fields;
	struct pfmi_fields tails;
};

/**
 * struct pfm_format - a format
 * @info: what users see
 * @args: fields of the argument
 * @hdr: fields of the header
 * @entries: types of entries
 * @text: memory that the strings are in
 */
struct pfm_format {
	struct pfm_format_info info;
	struct pfm_format_arg *args;
	struct pfmi_fields hdr;
	struct pfmi_entry *entries;
	char *text;
};

/* The field of that name; NULL if there is none. */
const struct pfm_format_field *
pfmi_format_find(const struct pfmi_fields *fields, const char *name);

/* The first field of that kind; NULL if there is none. */
const struct pfm_format_field *
pfmi_format_kind(const struct pfmi_fields *fields, uint32_t kind);

/* The field of the argument of that name; NULL if there is none. */
const struct pfm_format_arg *pfmi_format_arg(const struct pfm_format *format,
					     const char *name);

/* A number of 1, 2, 4 or 8 bytes. */
uint64_t pfmi_format_load(const void *at, uint32_t size);

/*
 * Reads a number that is the whole text, decimal or hexadecimal with 0x.  Returns 0, -EINVAL if it is
 * none, or -ERANGE if it has more than 64 bits.
 */
int pfmi_format_number(const char *text, uint64_t *number);

/* The bits that a number of this size has. */
uint64_t pfmi_format_bits(uint32_t size);

#endif

/* SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause) */
/*
 * Files with a table of events, and the index of their folder, which tells for which processors they are.
 */
#ifndef PERFMON_PMU_VENDOR_FILE_H
#define PERFMON_PMU_VENDOR_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Most kinds of cores of a processor. */
#define PFMI_VENDOR_TABLES 4

#define PFMI_VENDOR_NAME_LEN 48

/**
 * struct pfmi_vendor_event - an event of a table
 * @name: the vendor's name
 * @code: code of the event in the PMU
 * @has_extra: it needs the value @extra in a second register
 * @extra: that value
 * @counters: bit n: general-purpose counter n can count it; 0: all can, or it has a counter of its own
 * @deprecated: the vendor advises against it
 * @instead: the event that replaces it; "" if none does
 * @desc: what it counts; "" in tables that are installed with the library
 */
struct pfmi_vendor_event {
	const char *name;
	uint64_t code;
	bool has_extra;
	uint64_t extra;
	uint32_t counters;
	bool deprecated;
	const char *instead;
	const char *desc;
};

/**
 * struct pfmi_vendor_cpu - what identifies the processor
 * @vendor: from CPUID; "" on Arm
 * @family: from CPUID, with its extension
 * @model: from CPUID, with its extension
 * @midr: the register MIDR_EL1 of Arm; 0: unknown
 */
struct pfmi_vendor_cpu {
	char vendor[13];
	unsigned int family;
	unsigned int model;
	uint64_t midr;
};

/**
 * struct pfmi_vendor_table - a table that is in a file
 * @name: its name
 * @folder: folder of the file; the string lives as long as the library
 * @loaded: the file has been read, into what follows
 * @err: 0, or a negative errno value of that
 * @line: line of the file that is damaged
 * @arch: name of the PMU description whose codes the table has
 * @source: what it was made from
 * @events: its events
 * @count: number of elements of @events
 * @text: memory that the strings are in
 */
struct pfmi_vendor_table {
	char name[PFMI_VENDOR_NAME_LEN];
	const char *folder;
	bool loaded;
	int err;
	unsigned int line;
	const char *arch;
	const char *source;
	struct pfmi_vendor_event *events;
	size_t count;
	char *text;
};

/*
 * Adds the tables of @folder for the processor that are not in the list yet.  A folder without an
 * index has none.
 */
void pfmi_vendor_file_find(const char *folder,
			   const struct pfmi_vendor_cpu *cpu,
			   struct pfmi_vendor_table *tables,
			   unsigned int *count);

/* Reads the table, once.  Returns table->err. */
int pfmi_vendor_file_load(struct pfmi_vendor_table *table);

#endif

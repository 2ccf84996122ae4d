/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How a sampling format describes its argument and its entries, for consumers that do
 * not know it.
 *
 * Documentation/extend/format-descriptions.rst says what the terms mean, and what the core
 * checks.  The core makes a text of the tables when the format is registered, and does not
 * look at them later.
 */
#ifndef _PERFMON_FORMAT_DESC_H
#define _PERFMON_FORMAT_DESC_H

#include <linux/compiler.h>
#include <linux/stddef.h>
#include <linux/types.h>

/* Limits; the text of a description has at most 4096 bytes. */
#define PFM_DESC_NAME_MAX	31
#define PFM_DESC_TEXT_MAX	127
#define PFM_DESC_ARGS_MAX	32
#define PFM_DESC_ENTRIES_MAX	8
#define PFM_DESC_FIELDS_MAX	64
#define PFM_DESC_TAILS_MAX	8
#define PFM_DESC_ENTRY_SIZE_MAX 4096

/**
 * enum pfm_lane_layout - how a consumer finds the entries of a lane
 * @PFM_LAYOUT_NONE: not at all
 * @PFM_LAYOUT_LINEAR: as those of the format default
 * @PFM_LAYOUT_PARTS: as those of the format nway
 * @PFM_LAYOUT_ARRAY: they follow a header, and all have the same size
 * @PFM_NUM_LAYOUTS: number of layouts
 */
enum pfm_lane_layout {
	PFM_LAYOUT_NONE,
	PFM_LAYOUT_LINEAR,
	PFM_LAYOUT_PARTS,
	PFM_LAYOUT_ARRAY,
	PFM_NUM_LAYOUTS,
};

/**
 * enum pfm_use - what an entry stands for
 * @PFM_USE_STREAM: a sample
 * @PFM_USE_HISTOGRAM: samples, as many as its fields of kind count say
 * @PFM_USE_TABLE: itself, and it is valid when monitoring has ended
 * @PFM_NUM_USES: number of uses
 */
enum pfm_use {
	PFM_USE_STREAM,
	PFM_USE_HISTOGRAM,
	PFM_USE_TABLE,
	PFM_NUM_USES,
};

/**
 * enum pfm_kind - what a consumer may do with a value
 * @PFM_KIND_NUMBER: a number
 * @PFM_KIND_BITS: a number that is read in hexadecimal
 * @PFM_KIND_CODE: address of an instruction
 * @PFM_KIND_STACK: tails: addresses of a call stack, innermost first
 * @PFM_KIND_DATA: address of data
 * @PFM_KIND_TIME: ns of CLOCK_MONOTONIC
 * @PFM_KIND_PID: process id
 * @PFM_KIND_TID: thread id
 * @PFM_KIND_CPU: CPU
 * @PFM_KIND_SET: event set
 * @PFM_KIND_PMD: register that overflowed
 * @PFM_KIND_EVENT: eventid of the register
 * @PFM_KIND_RESET: value that the last reset of the register wrote: minus the period
 * @PFM_KIND_PERIOD: events that the entry stands for
 * @PFM_KIND_COUNT: samples that the entry stands for
 * @PFM_KIND_VALUE: value of a register in smpl_pmds
 * @PFM_KIND_BRANCH: tails: struct pfm_branch, the last branch first
 * @PFM_KIND_ENTRIES: header: entries that are in use
 * @PFM_KIND_SEEN: header: samples that the format was called for
 * @PFM_KIND_LOST: header: samples that are in no entry
 * @PFM_NUM_KINDS: number of kinds
 */
enum pfm_kind {
	PFM_KIND_NUMBER,
	PFM_KIND_BITS,
	PFM_KIND_CODE,
	PFM_KIND_STACK,
	PFM_KIND_DATA,
	PFM_KIND_TIME,
	PFM_KIND_PID,
	PFM_KIND_TID,
	PFM_KIND_CPU,
	PFM_KIND_SET,
	PFM_KIND_PMD,
	PFM_KIND_EVENT,
	PFM_KIND_RESET,
	PFM_KIND_PERIOD,
	PFM_KIND_COUNT,
	PFM_KIND_VALUE,
	PFM_KIND_BRANCH,
	PFM_KIND_ENTRIES,
	PFM_KIND_SEEN,
	PFM_KIND_LOST,
	PFM_NUM_KINDS,
};

/**
 * struct pfm_arg_field - a field of the argument
 * @name: its name
 * @unit: its unit; NULL if it has none
 * @help: what it is, in a few words; NULL if the name says it
 * @mask: flag: its bits in the word at @offset; 0 for a number
 * @dfl: default; of a flag 0 or 1
 * @min: smallest value of a number
 * @max: largest value of a number; if @min is 0, too, any that fits
 * @offset: its place in the argument
 * @size: its bytes: 1, 2, 4 or 8
 * @is_signed: @dfl, @min and @max are s64
 * @required: there is no default
 */
struct pfm_arg_field {
	const char *name;
	const char *unit;
	const char *help;
	u64 mask;
	u64 dfl;
	u64 min;
	u64 max;
	u16 offset;
	u8 size;
	bool is_signed;
	bool required;
};

/* The first members of the field of a number, which follow from the type of the argument */
#define PFM_ARG(type, member...)                           \
	.name = #member, .offset = offsetof(type, member), \
	.size = sizeof_field(type, member),                \
	.is_signed = is_signed_type(typeof(((type *)0)->member))

/* The same for a flag: bits of a member */
#define PFM_ARG_FLAG(of_name, bits, type, member...)         \
	.name = (of_name), .offset = offsetof(type, member), \
	.size = sizeof_field(type, member), .mask = (bits)

/**
 * struct pfm_field - a field of an entry or header, or a tail of an entry
 * @name: its name
 * @unit: its unit; NULL if it has none, or if @kind says it
 * @count: tail: name of the field that has the number of elements, or
 *	PFM_COUNT_SMPL_PMDS
 * @offset: its place; 0 for a tail
 * @size: its bytes, or those of an element: 1, 2, 4 or 8; those of struct pfm_branch, if it is a
 *	tail of these
 * @kind: enum pfm_kind
 * @is_signed: it has a sign
 */
struct pfm_field {
	const char *name;
	const char *unit;
	const char *count;
	u16 offset;
	u8 size;
	u8 kind;
	bool is_signed;
};

/* As many elements as smpl_pmds of the register has bits */
#define PFM_COUNT_SMPL_PMDS "smpl_pmds"

/* A field, of a kind without PFM_KIND_ */
#define PFM_FIELD(of_kind, type, member...)                               \
	{                                                                 \
		.name = #member, .offset = offsetof(type, member),        \
		.size = sizeof_field(type, member),                       \
		.kind = PFM_KIND_##of_kind,                               \
		.is_signed = is_signed_type(typeof(((type *)0)->member)), \
	}

/* A tail of 64-bit elements */
#define PFM_TAIL(of_name, of_kind, number)                             \
	{                                                              \
		.name = of_name, .count = number, .size = sizeof(u64), \
		.kind = PFM_KIND_##of_kind,                            \
	}

/* A tail of branches */
#define PFM_TAIL_BRANCHES(number)                         \
	{                                                 \
		.name = "branches", .count = number,      \
		.size = sizeof(struct pfm_branch),        \
		.kind = PFM_KIND_BRANCH,                  \
	}

/**
 * struct pfm_entry_desc - a type of entries
 * @name: its name
 * @when: the field of the entry, and
 * @with: or the flag of the argument, that tells types apart; both NULL for the only type
 * @is: its value for this type
 * @fields: fields of the fixed part
 * @tails: what follows it, in this order
 * @nfields: elements of @fields
 * @ntails: elements of @tails
 * @size: bytes of the fixed part
 * @use: enum pfm_use
 */
struct pfm_entry_desc {
	const char *name;
	const char *when;
	const char *with;
	u64 is;
	const struct pfm_field *fields;
	const struct pfm_field *tails;
	u16 nfields;
	u16 ntails;
	u16 size;
	u8 use;
};

/**
 * struct pfm_format_desc - description of a format
 * @help: what the format is for, in half a line; NULL if the name says it
 * @pmu: PMU whose samples it takes; NULL for all
 * @args: fields of the argument
 * @hdr: fields of the header of a lane
 * @entries: types of entries
 * @nargs: elements of @args
 * @nhdr: elements of @hdr
 * @nentries: elements of @entries
 * @hdr_size: bytes of the header
 * @layout: enum pfm_lane_layout
 */
struct pfm_format_desc {
	const char *help;
	const char *pmu;
	const struct pfm_arg_field *args;
	const struct pfm_field *hdr;
	const struct pfm_entry_desc *entries;
	u16 nargs;
	u16 nhdr;
	u16 nentries;
	u16 hdr_size;
	u8 layout;
};

#endif /* _PERFMON_FORMAT_DESC_H */

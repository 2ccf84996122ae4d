/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Columns of the CSV files of samples: those of ops and fetches are tables of these.
 */
#ifndef PFMON_IBS_IBS_COLUMN_H
#define PFMON_IBS_IBS_COLUMN_H

#include <stdbool.h>
#include <stddef.h>

#include "ibs/ibs_bits.h"
#include "ibs/ibs_header.h"
#include "ibs/ibs_row.h"
#include "ibs/ibs_sample.h"

/**
 * struct ibs_column - a column
 * @name: in the first row
 * @present: the samples of a format have the column; NULL if all have it
 * @print: prints the value of a sample; NULL: it is a field of a register
 * @offset: of the register in struct ibs_sample
 * @field: bits of that register
 */
struct ibs_column {
	const char *name;
	bool (*present)(const struct ibs_format *format);
	void (*print)(struct ibs_row *row, const struct ibs_format *format,
		      const struct ibs_sample *sample);
	size_t offset;
	struct ibs_field field;
};

/* A column that prints bits of a register as a number. */
#define IBS_FIELD_COLUMN(text, condition, member, bits)                      \
	{                                                                    \
		.name = text, .present = condition,                          \
		.offset = offsetof(struct ibs_sample, member), .field = bits \
	}

/* A column that a function prints. */
#define IBS_PRINT_COLUMN(text, condition, function)                   \
	{                                                             \
		.name = text, .present = condition, .print = function \
	}

/* Defines the condition that the processor has a feature. */
#define IBS_CONDITION(feature)                                     \
	static bool has_##feature(const struct ibs_format *format) \
	{                                                          \
		return format->features.feature;                   \
	}

/*
 * Prints an address.  In files of perfmon 0 stands for an address that the user who
 * recorded it may not see.
 */
static inline void ibs_print_address(struct ibs_row *row,
				     const struct ibs_format *format,
				     uint64_t address)
{
	if (!address && format->type == IBS_FILE_PERFMON)
		ibs_row_none(row);
	else
		ibs_row_address(row, address);
}

static inline void ibs_print_physad(struct ibs_row *row,
				    const struct ibs_format *format,
				    const struct ibs_sample *sample)
{
	ibs_print_address(row, format,
			  sample->physad &
				  ((1ULL << format->quirks.physad_bits) - 1));
}

static inline bool ibs_is_perfmon(const struct ibs_format *format)
{
	return format->type == IBS_FILE_PERFMON;
}

/* ibs_common_columns.c */

/* Each ends with a name that is NULL.  Those before the others, and those behind. */
extern const struct ibs_column ibs_first_columns[];
extern const struct ibs_column ibs_last_columns[];

/* ibs_op_columns.c */

/* Ends with a name that is NULL. */
extern const struct ibs_column ibs_op_columns[];

/* ibs_fetch_columns.c */

/* Ends with a name that is NULL. */
extern const struct ibs_column ibs_fetch_columns[];

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Output of 'pfmon ibs annotate'.
 */
#ifndef PFMON_IBS_IBS_ANNOTATION_H
#define PFMON_IBS_IBS_ANNOTATION_H

#include <stdio.h>

#include "ibs/ibs_rows.h"

/**
 * struct ibs_annotation - what is to be printed
 * @name: the file of samples
 * @tally: its samples
 * @rows: the rows
 * @view: what they are
 * @function: they are those of functions of this name only; NULL of all
 * @limit: rows to print; 0 for all
 */
struct ibs_annotation {
	const char *name;
	const struct ibs_tally *tally;
	const struct ibs_rows *rows;
	enum ibs_view view;
	const char *function;
	size_t limit;
};

/* Words of the views: "function", "line", "instruction". */
extern const char *const ibs_view_names[];

/* The stream keeps an error, which is told when it is closed. */
void ibs_annotation_print_text(FILE *out,
			       const struct ibs_annotation *annotation);
void ibs_annotation_print_json(FILE *out,
			       const struct ibs_annotation *annotation);

#endif

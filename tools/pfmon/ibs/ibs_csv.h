/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Samples of one kind as CSV: the columns of the decoder of AMD's IBS Toolkit, and in the
 * same order.
 */
#ifndef PFMON_IBS_IBS_CSV_H
#define PFMON_IBS_IBS_CSV_H

#include "ibs/ibs_column.h"

#define IBS_CSV_COLUMNS_MAX 64

/**
 * struct ibs_csv - a CSV file that is being written
 * @out: where to; the caller's
 * @format: how the samples are read; has to live as long as they are written
 * @count: elements of @columns
 * @columns: those that the samples have
 * @row: the row that is being made
 */
struct ibs_csv {
	FILE *out;
	const struct ibs_format *format;
	size_t count;
	const struct ibs_column *columns[IBS_CSV_COLUMNS_MAX];
	struct ibs_row row;
};

/**
 * ibs_csv_begin() - begin a file: write the names of its columns
 * @csv: the file
 * @out: where to
 * @format: format of the samples to come
 * @kind: their kind
 *
 * Return: 0, or -1 if @out has an error.
 */
int ibs_csv_begin(struct ibs_csv *csv, FILE *out,
		  const struct ibs_format *format, enum ibs_kind kind);

/**
 * ibs_csv_continue() - go on with samples of another file
 * @csv: a file that was begun
 * @format: format of the samples to come
 * @kind: their kind
 *
 * Return: 0, or -1 if they have other columns; then @csv is as before.
 */
int ibs_csv_continue(struct ibs_csv *csv, const struct ibs_format *format,
		     enum ibs_kind kind);

/**
 * ibs_csv_sample() - write a sample
 * @csv: a file that was begun
 * @sample: the sample, of the file's kind and format
 *
 * Return: 0, or -1 if @out has an error.
 */
int ibs_csv_sample(struct ibs_csv *csv, const struct ibs_sample *sample);

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A row of a CSV file, with a comma behind each value, also behind the last.
 */
#ifndef PFMON_IBS_IBS_ROW_H
#define PFMON_IBS_IBS_ROW_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* A row has some 50 values of 21 characters at most, or as many names of 25. */
#define IBS_ROW_SIZE 4096

/**
 * struct ibs_row - a row that is being made
 * @length: bytes of @text
 * @text: what is made of it so far
 */
struct ibs_row {
	size_t length;
	char text[IBS_ROW_SIZE];
};

/* Each adds a value and its comma. */
void ibs_row_text(struct ibs_row *row, const char *text);
void ibs_row_number(struct ibs_row *row, uint64_t value);
void ibs_row_signed(struct ibs_row *row, int32_t value);
/* An address: hexadecimal, with 0x. */
void ibs_row_address(struct ibs_row *row, uint64_t value);
/* A code that has no meaning. */
void ibs_row_reserved(struct ibs_row *row, uint64_t code);
/* There is no valid value. */
void ibs_row_none(struct ibs_row *row);

/**
 * ibs_row_write() - write a row, and empty it
 * @row: the row
 * @out: where to
 *
 * Return: 0, or -1 if the stream has an error.
 */
int ibs_row_write(struct ibs_row *row, FILE *out);

#endif

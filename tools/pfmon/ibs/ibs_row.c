// SPDX-License-Identifier: GPL-2.0-only
/*
 * Makes rows of CSV.  A file has millions of rows of some 40 values, most of them one
 * digit: printf() would take most of the time.
 */
#include <string.h>

#include "ibs/ibs_row.h"

/* Digits of the largest number, in base 10. */
#define DIGITS_MAX 20

static void add_digits(struct ibs_row *row, uint64_t value, unsigned int base)
{
	char digits[DIGITS_MAX];
	size_t at = sizeof(digits), count;

	do {
		digits[--at] = "0123456789abcdef"[value % base];
		value /= base;
	} while (value);
	count = sizeof(digits) - at;
	memcpy(row->text + row->length, digits + at, count);
	row->length += count;
}

static void add(struct ibs_row *row, char c)
{
	row->text[row->length++] = c;
}

void ibs_row_text(struct ibs_row *row, const char *text)
{
	size_t length = strlen(text);

	memcpy(row->text + row->length, text, length);
	row->length += length;
	add(row, ',');
}

void ibs_row_number(struct ibs_row *row, uint64_t value)
{
	if (value < 10)
		add(row, '0' + value);
	else
		add_digits(row, value, 10);
	add(row, ',');
}

void ibs_row_signed(struct ibs_row *row, int32_t value)
{
	if (value < 0)
		add(row, '-');
	ibs_row_number(row, value < 0 ? -(int64_t)value : value);
}

void ibs_row_address(struct ibs_row *row, uint64_t value)
{
	add(row, '0');
	add(row, 'x');
	add_digits(row, value, 16);
	add(row, ',');
}

void ibs_row_reserved(struct ibs_row *row, uint64_t code)
{
	static const char prefix[] = "Reserved-";

	memcpy(row->text + row->length, prefix, sizeof(prefix) - 1);
	row->length += sizeof(prefix) - 1;
	ibs_row_number(row, code);
}

void ibs_row_none(struct ibs_row *row)
{
	add(row, '-');
	add(row, ',');
}

int ibs_row_write(struct ibs_row *row, FILE *out)
{
	size_t length = row->length + 1;

	add(row, '\n');
	row->length = 0;
	return fwrite_unlocked(row->text, 1, length, out) == length ? 0 : -1;
}

/* SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause) */
/*
 * Strings: comparison independent of the locale, numbers, and text in a buffer.
 */
#ifndef PERFMON_BASE_TEXT_H
#define PERFMON_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Returns true if the strings are equal; the case of ASCII letters does not matter. */
bool pfmi_text_equal(const char *a, const char *b);

/* An ASCII letter in lower case, any other character as it is. */
char pfmi_text_lower(char c);

/*
 * Read a number that is the whole text; base 10 or 16, without 0x.  A number with too
 * many digits becomes the largest one.
 */
bool pfmi_text_digits(const char *text, int base, uint64_t *number);

/* The same for a decimal number, or a hexadecimal one with 0x. */
bool pfmi_text_number(const char *text, uint64_t *number);

/* As snprintf() at *@pos of @buf; moves *@pos.  False when the text does not fit. */
__attribute__((format(printf, 4, 5)))
bool pfmi_text_add(char *buf, size_t size, size_t *pos, const char *format, ...);

#endif

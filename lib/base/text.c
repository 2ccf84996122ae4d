// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/*
 * Strings: comparison independent of the locale, numbers, and text in a buffer.
 */
#include "base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* tolower() would depend on the program's locale. */
char pfmi_text_lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

bool pfmi_text_equal(const char *a, const char *b)
{
	while (*a && pfmi_text_lower(*a) == pfmi_text_lower(*b)) {
		a++;
		b++;
	}
	return pfmi_text_lower(*a) == pfmi_text_lower(*b);
}

bool pfmi_text_digits(const char *text, int base, uint64_t *number)
{
	const char *digits = base == 16 ? "0123456789abcdefABCDEF" : "0123456789";
	size_t length_max = base == 16 ? 16 : 19;

	/* strtoull() would accept signs, blanks and another 0x as well. */
	if (!*text || text[strspn(text, digits)])
		return false;
	/* With this many digits strtoull() never fails, so it leaves errno alone. */
	*number = strlen(text) > length_max ? UINT64_MAX :
					      strtoull(text, NULL, base);
	return true;
}

bool pfmi_text_number(const char *text, uint64_t *number)
{
	if (text[0] == '0' && (text[1] == 'x' || text[1] == 'X'))
		return pfmi_text_digits(text + 2, 16, number);
	return pfmi_text_digits(text, 10, number);
}

bool pfmi_text_add(char *buf, size_t size, size_t *pos, const char *format, ...)
{
	va_list args;
	int length;

	if (*pos >= size)
		return false;
	va_start(args, format);
	length = vsnprintf(buf + *pos, size - *pos, format, args);
	va_end(args);
	if (length < 0)
		return false;
	*pos += length;
	return *pos < size;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Fields of CSV.
 */
#include <string.h>

#include "base/quoting.h"

void csv_field_print(FILE *out, const char *text)
{
	csv_field_print_between(out, text, ",");
}

void csv_field_print_between(FILE *out, const char *text, const char *separator)
{
	if (!strpbrk(text, "\"\r\n") && !strstr(text, separator)) {
		fputs(text, out);
		return;
	}
	fputc('"', out);
	for (; *text; text++) {
		if (*text == '"')
			fputc('"', out);
		fputc(*text, out);
	}
	fputc('"', out);
}

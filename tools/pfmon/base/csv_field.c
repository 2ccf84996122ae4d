// SPDX-License-Identifier: GPL-2.0-only
/*
 * Fields of CSV.
 */
#include <string.h>

#include "base/quoting.h"

void csv_field_print(FILE *out, const char *text)
{
	if (!strpbrk(text, ",\"\r\n")) {
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

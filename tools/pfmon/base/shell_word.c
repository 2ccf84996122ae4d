// SPDX-License-Identifier: GPL-2.0-only
/*
 * Words as a shell reads them.
 */
#include <string.h>

#include "base/quoting.h"

void shell_word_print(FILE *out, const char *word)
{
	static const char plain[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
		"0123456789_@%+=:,./-";
	const unsigned char *s;

	if (*word && !word[strspn(word, plain)]) {
		fputs(word, out);
		return;
	}
	fputc('\'', out);
	for (s = (const unsigned char *)word; *s; s++) {
		if (*s == '\'')
			fputs("'\\''", out);
		else
			fputc(*s < 0x20 || *s == 0x7f ? '?' : *s, out);
	}
	fputc('\'', out);
}

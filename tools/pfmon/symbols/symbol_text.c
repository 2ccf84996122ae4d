// SPDX-License-Identifier: GPL-2.0-only
/*
 * Symbols as text, see symbols.h.
 */
#include <inttypes.h>
#include <string.h>

#include "symbols/symbols.h"

const char *symbols_base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

/* Replaces control characters, so that the text stays on one line. */
static void print_one_line(FILE *out, const char *text)
{
	for (; *text; text++)
		fputc((unsigned char)*text < 0x20 || *text == 0x7f ? '?'
								   : *text,
		      out);
}

void symbols_print(FILE *out, const struct symbol *symbol)
{
	if (symbol->name) {
		print_one_line(out, symbol->name);
		if (symbol->offset)
			fprintf(out, "+0x%" PRIx64, symbol->offset);
	} else {
		fprintf(out, "0x%" PRIx64, symbol->address);
	}
	if (symbol->module) {
		fputc('<', out);
		print_one_line(out, symbol->module);
		fputc('>', out);
	}
	if (symbol->unsure)
		fputc('?', out);
}

const char *symbols_frame_name(const struct symbol *symbol, char *text)
{
	const char *mark = symbol->unsure ? "?" : "";
	char *at;

	if (symbol->name)
		snprintf(text, FRAME_ROOM, "%s%s", symbol->name, mark);
	else if (!symbol->module)
		snprintf(text, FRAME_ROOM, "[unknown]%s", mark);
	else if (symbol->module[0] == '[')
		snprintf(text, FRAME_ROOM, "%s%s", symbol->module, mark);
	else if (symbol->kernel)
		snprintf(text, FRAME_ROOM, "[%s]%s", symbol->module, mark);
	else
		snprintf(text, FRAME_ROOM, "[%s+0x%" PRIx64 "]%s",
			 symbols_base_name(symbol->module), symbol->address,
			 mark);
	for (at = text; *at; at++)
		if ((unsigned char)*at < 0x20 || *at == 0x7f)
			*at = '?';
	return text;
}

const char *symbols_frame(const struct symbol *symbol, char *text)
{
	size_t length;

	symbols_frame_name(symbol, text);
	length = strnlen(text, FRAME_ROOM - sizeof(SYMBOLS_INLINED));
	if (symbol->inlined)
		memcpy(text + length, SYMBOLS_INLINED, sizeof(SYMBOLS_INLINED));
	return text;
}

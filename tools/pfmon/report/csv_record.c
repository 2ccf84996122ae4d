// SPDX-License-Identifier: GPL-2.0-only
/*
 * Records of CSV (RFC 4180), whose fields may have line ends between quotes.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "report/csv_record.h"

static int add_character(struct csv_record *record, size_t at, char c)
{
	if (array_reserve(&record->text, 1, &record->size, at + 1))
		return -1;
	record->text[at] = c;
	return 0;
}

int csv_record_read(struct csv_record *record, FILE *in)
{
	bool quoted = false, comment = false;
	size_t length = 0;
	int c;

	record->line = record->next + 1;
	errno = 0;
	while ((c = getc(in)) != EOF) {
		if (c == '\n') {
			record->next++;
			if (!quoted)
				break;
		}
		comment |= !length && c == '#';
		/* Quotes within quotes are doubled. */
		quoted ^= !comment && c == '"';
		if (add_character(record, length++, c))
			return -1;
	}
	if (c == EOF && ferror(in))
		return -1;
	if (c == EOF && !length)
		return 0;
	while (length && record->text[length - 1] == '\r')
		length--;
	return add_character(record, length, '\0') ? -1 : 1;
}

/* Takes a field in quotes, with "" for each quote in it, to its end. */
static char *take_quoted(char *at)
{
	char *to = at++;

	for (;; at++) {
		if (*at == '"' && at[1] == '"')
			at++;
		else if (*at == '"' || !*at)
			break;
		*to++ = *at;
	}
	if (!*at++)
		return NULL;
	*to = '\0';
	return at;
}

const char *csv_record_split(struct csv_record *record, const char *separator)
{
	size_t length = strlen(separator);
	char *at = record->text, *end;

	record->count = 0;
	for (;;) {
		if (record->count == CSV_FIELDS_MAX)
			return "it has too many columns";
		record->fields[record->count++] = at;
		if (*at == '"') {
			end = take_quoted(at);
			if (!end)
				return "a quote is not closed";
			if (*end && strncmp(end, separator, length))
				return "characters follow a closed quote";
		} else {
			end = strstr(at, separator);
		}
		if (!end || !*end)
			return NULL;
		*end = '\0';
		at = end + length;
	}
}

void csv_record_free(struct csv_record *record)
{
	free(record->text);
}

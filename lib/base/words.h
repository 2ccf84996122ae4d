/* SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause) */
/*
 * The components of an event string.
 */
#ifndef PERFMON_BASE_WORDS_H
#define PERFMON_BASE_WORDS_H

#include <stdbool.h>
#include <stdint.h>

#include <perfmon/perfmon.h>

/* Most fields behind the name in an event string. */
#define PFMI_FIELDS_MAX 16

/* PFM_PLM_* of "u", "uk", "hv" ...; 0 when the text does not name levels only. */
uint32_t pfmi_levels(const char *text);

/**
 * struct pfmi_words - the components of an event string
 * @table: text before "::"; NULL when there is none
 * @name: the event's name
 * @fields: unit masks and modifiers, without the levels
 * @num_fields: number of elements of @fields
 * @levels_on: PFM_PLM_* that are switched on by name
 * @levels_off: PFM_PLM_* that are switched off
 * @precise: number of letters p among them: samples must have no skid
 * @most_precise: the letter P is among them: samples have no skid where that is possible
 * @terms: the string is cpu/TERM,.../, or such with the name of an event of IBS: the text
 *	between the slashes.  NULL: it is not
 * @letters: then the text behind the second slash; NULL: that slash is missing
 * @text: memory that the strings are in
 */
struct pfmi_words {
	const char *table;
	const char *name;
	const char *fields[PFMI_FIELDS_MAX];
	unsigned int num_fields;
	uint32_t levels_on;
	uint32_t levels_off;
	unsigned int precise;
	bool most_precise;
	const char *terms;
	const char *letters;
	char text[PFM_EVENT_NAME_LEN];
};

/* Returns 0; -EINVAL when @text is not an event string; -ENAMETOOLONG. */
int pfmi_words_split(const char *text, struct pfmi_words *words);

/*
 * Compares the words with a name that may have dots, INST_RETIRED.ANY: a dot and a colon of an
 * event string are the same.  Returns the number of fields that belong to the name, or -1 if it is
 * another one.
 */
int pfmi_words_match(const struct pfmi_words *words, const char *name);

#endif

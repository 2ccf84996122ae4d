// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/*
 * Search for events by words in their names and descriptions.
 */
#include "base/text.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include <perfmon/perfmon.h>

/**
 * struct search - the words, and who wants to see the events
 * @words: the words, separated by blanks
 * @visit: called for each event that has them all
 * @arg: passed to @visit
 */
struct search {
	const char *words;
	int (*visit)(const struct pfm_event_desc *desc, void *arg);
	void *arg;
};

static char fold(char c)
{
	return c == '-' || c == '.' ? '_' : pfmi_text_lower(c);
}

static bool contains(const char *text, const char *word, size_t length)
{
	size_t i;

	for (; text && *text; text++) {
		for (i = 0; i < length && fold(text[i]) == fold(word[i]); i++)
			;
		if (i == length)
			return true;
	}
	return false;
}

static bool has_word(const struct pfm_event_desc *desc, const char *word,
		     size_t length)
{
	uint32_t i;

	if (contains(desc->name, word, length) ||
	    contains(desc->desc, word, length) ||
	    contains(desc->equiv, word, length) ||
	    contains(desc->pmu, word, length))
		return true;
	/* Modifiers are those of the counter, which all events have. */
	for (i = 0; i < desc->num_umasks; i++)
		if (!desc->umasks[i].is_modifier &&
		    (contains(desc->umasks[i].name, word, length) ||
		     contains(desc->umasks[i].desc, word, length)))
			return true;
	return false;
}

#define BLANKS " \t\n"

static int consider(const struct pfm_event_desc *desc, void *arg)
{
	const struct search *search = arg;
	const char *word = search->words;
	size_t length;

	while (*(word += strspn(word, BLANKS))) {
		length = strcspn(word, BLANKS);
		if (!has_word(desc, word, length))
			return 0;
		word += length;
	}
	return search->visit(desc, search->arg);
}

int pfm_event_search(const struct pfm_reg_map *map, const char *words,
		     int (*visit)(const struct pfm_event_desc *desc, void *arg),
		     void *arg)
{
	struct search search = { .words = words, .visit = visit, .arg = arg };

	if (!words[strspn(words, BLANKS)])
		return -EINVAL;
	return pfm_event_for_each(map, consider, &search);
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Suggestions for misspelled words.
 */
#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#include "base/spelling.h"

static unsigned int smallest(unsigned int a, unsigned int b, unsigned int c)
{
	if (a > b)
		a = b;
	return a < c ? a : c;
}

unsigned int spelling_distance(const char *a, size_t length, const char *b)
{
	unsigned int row[SPELLING_LENGTH_MAX + 1], corner, above;
	size_t i, j;

	for (i = 0; i <= length; i++)
		row[i] = i;
	for (j = 1; b[j - 1]; j++) {
		corner = row[0];
		row[0] = j;
		for (i = 1; i <= length; i++) {
			above = row[i];
			row[i] = smallest(corner + (a[i - 1] != b[j - 1]),
					  above + 1, row[i - 1] + 1);
			corner = above;
		}
	}
	return row[length];
}

void spelling_begin(struct spelling *spelling, const char *word)
{
	spelling->word = word;
	spelling->closest = NULL;
	spelling->distance = strlen(word) / 3 + 1;
}

static bool is_separator(char letter)
{
	return letter == '_' || letter == '-';
}

/*
 * True if each part of @word is the beginning of the same part of @candidate, as those of
 * "Top_L1" are of "Topdown_L1".
 */
static bool abbreviates(const char *word, const char *candidate)
{
	for (; *word; word++, candidate++) {
		if (is_separator(*word))
			while (*candidate && !is_separator(*candidate))
				candidate++;
		if (tolower(*word) != tolower(*candidate))
			return false;
	}
	return !strpbrk(candidate, "_-");
}

void spelling_consider(struct spelling *spelling, const char *candidate)
{
	size_t length = strlen(spelling->word);
	unsigned int distance;

	if (length > SPELLING_LENGTH_MAX)
		return;
	distance = spelling_distance(spelling->word, length, candidate);
	/* A word that is only misspelled comes before those that are longer. */
	if (distance > length / 3 && length > 1 &&
	    abbreviates(spelling->word, candidate))
		distance = length / 3;
	if (distance >= spelling->distance)
		return;
	spelling->distance = distance;
	spelling->closest = candidate;
}

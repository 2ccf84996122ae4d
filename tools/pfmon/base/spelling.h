/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Words that are spelled like each other.
 */
#ifndef PFMON_BASE_SPELLING_H
#define PFMON_BASE_SPELLING_H

#include <stddef.h>

/* Longer words are no misspelled ones. */
#define SPELLING_LENGTH_MAX 40

/*
 * Letters to insert, remove or replace to get from the first @length letters of @a, at
 * most SPELLING_LENGTH_MAX, to @b.
 */
unsigned int spelling_distance(const char *a, size_t length, const char *b);

/**
 * struct spelling - the word that is closest to a misspelled one
 * @word: the misspelled word
 * @closest: NULL if none is close: more than one letter in three differs, and the word is no
 *	abbreviation of one
 * @distance: of @closest; until there is one, more than it may be
 */
struct spelling {
	const char *word;
	const char *closest;
	unsigned int distance;
};

void spelling_begin(struct spelling *spelling, const char *word);

/* Compares another word. */
void spelling_consider(struct spelling *spelling, const char *candidate);

#endif

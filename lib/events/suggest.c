// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/*
 * Suggestions: known event names that are like an unknown one in spelling, or in their words.
 */
#include "base/text.h"
#include "base/words.h"

#include <errno.h>
#include <string.h>

#define SUGGESTIONS_MAX 16

/* A name that begins with the unknown one and a dot, INST_RETIRED of INST_RETIRED.ANY, is at this one. */
#define BEGINS_DISTANCE 1

/* Only this many characters of a name are compared. */
#define LENGTH_MAX 63

/*
 * A name that contains the unknown one, of at least INSIDE_LENGTH_MIN characters, is at
 * most at this distance.
 */
#define INSIDE_DISTANCE 2
#define INSIDE_LENGTH_MIN 4

/*
 * A name that has all words of the unknown one is at most at this distance; a word is compared
 * if it has at least WORD_LENGTH_MIN characters.
 */
#define WORDS_DISTANCE 3
#define WORD_LENGTH_MIN 2

/**
 * struct search - the closest names so far
 * @name: the unknown name, folded
 * @length: its bytes
 * @full: the name with all fields, as names with dots are compared
 * @full_length: its bytes
 * @limit: greatest distance of a suggestion
 * @out: the names, closest first
 * @distance: of each name
 * @count: number of names found
 * @room: number of elements of @out
 */
struct search {
	char name[LENGTH_MAX + 1];
	size_t length;
	char full[LENGTH_MAX + 1];
	size_t full_length;
	unsigned int limit;
	char (*out)[PFM_EVENT_NAME_LEN];
	unsigned int distance[SUGGESTIONS_MAX];
	unsigned int count;
	unsigned int room;
};

/* Convert to upper case, and - and dots to _. */
static size_t fold(const char *text, char *folded)
{
	size_t i;

	for (i = 0; text[i] && i < LENGTH_MAX; i++) {
		char c = text[i];

		if (c >= 'a' && c <= 'z')
			c = (char)(c - 'a' + 'A');
		folded[i] = c == '-' || c == '.' ? '_' : c;
	}
	folded[i] = 0;
	return i;
}

/* The same for a name and its fields: names of vendors have unit masks behind dots. */
static size_t fold_words(const struct pfmi_words *words, char *folded)
{
	char text[2 * PFM_EVENT_NAME_LEN];
	size_t pos = 0;
	unsigned int i;

	pfmi_text_add(text, sizeof(text), &pos, "%s", words->name);
	for (i = 0; i < words->num_fields; i++)
		pfmi_text_add(text, sizeof(text), &pos, ".%s",
			      words->fields[i]);
	return fold(text, folded);
}

static unsigned int min(unsigned int a, unsigned int b)
{
	return a < b ? a : b;
}

/* Number of characters to insert, delete, replace or swap with the next one. */
static unsigned int distance(const char *a, size_t a_length, const char *b,
			     size_t b_length)
{
	unsigned int rows[3][LENGTH_MAX + 1];
	size_t i, j;

	for (j = 0; j <= b_length; j++)
		rows[0][j] = j;
	for (i = 1; i <= a_length; i++) {
		unsigned int *row = rows[i % 3];
		const unsigned int *above = rows[(i + 2) % 3];
		const unsigned int *above2 = rows[(i + 1) % 3];

		row[0] = i;
		for (j = 1; j <= b_length; j++) {
			row[j] = min(above[j], row[j - 1]) + 1;
			row[j] = min(row[j],
				     above[j - 1] + (a[i - 1] != b[j - 1]));
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] &&
			    a[i - 2] == b[j - 1])
				row[j] = min(row[j], above2[j - 2] + 1);
		}
	}
	return rows[a_length % 3][b_length];
}

static void insert(struct search *search, const char *name, unsigned int dist)
{
	unsigned int place = search->count;
	unsigned int i;

	while (place && search->distance[place - 1] > dist)
		place--;
	if (place >= search->room)
		return;
	if (search->count < search->room)
		search->count++;
	for (i = search->count - 1; i > place; i--) {
		memcpy(search->out[i], search->out[i - 1], PFM_EVENT_NAME_LEN);
		search->distance[i] = search->distance[i - 1];
	}
	memcpy(search->out[place], name, strlen(name) + 1);
	search->distance[place] = dist;
}

/* True if a word of the folded name begins with these characters. */
static bool begins_word(const char *name, const char *word, size_t length)
{
	const char *at;

	for (at = name; at; at = strchr(at, '_')) {
		at += *at == '_';
		if (!strncmp(at, word, length))
			return true;
	}
	return false;
}

/* True if the name has all words of the unknown one, of which there are several. */
static bool has_words(const struct search *search, const char *name)
{
	const char *word = search->name;
	unsigned int count = 0;
	size_t length;

	for (; *word; word += length + (word[length] == '_')) {
		length = strcspn(word, "_");
		if (length < WORD_LENGTH_MIN)
			return false;
		if (!begins_word(name, word, length))
			return false;
		count++;
	}
	return count > 1;
}

static int consider(const struct pfm_event_desc *desc, void *arg)
{
	struct search *search = arg;
	char name[LENGTH_MAX + 1];
	unsigned int dist, i;
	size_t length;

	if (strlen(desc->name) >= PFM_EVENT_NAME_LEN)
		return 0;
	length = fold(desc->name, name);
	dist = distance(search->name, search->length, name, length);
	if (strchr(desc->name, '.')) {
		dist = min(dist, distance(search->full, search->full_length,
					  name, length));
		if (!strncmp(name, search->name, search->length) &&
		    desc->name[search->length] == '.')
			dist = min(dist, BEGINS_DISTANCE);
	}
	if (search->length >= INSIDE_LENGTH_MIN && strstr(name, search->name))
		dist = min(dist, INSIDE_DISTANCE);
	if (has_words(search, name))
		dist = min(dist, WORDS_DISTANCE);
	else if (dist > search->limit)
		return 0;
	/* Several tables may have the event. */
	for (i = 0; i < search->count; i++)
		if (pfmi_text_equal(search->out[i], desc->name))
			return 0;
	insert(search, desc->name, dist);
	return 0;
}

/* Take the events whose description has the words. */
static int take(const struct pfm_event_desc *desc, void *arg)
{
	struct search *search = arg;
	unsigned int i;

	if (strlen(desc->name) >= PFM_EVENT_NAME_LEN)
		return 0;
	for (i = 0; i < search->count; i++)
		if (pfmi_text_equal(search->out[i], desc->name))
			return 0;
	insert(search, desc->name, 0);
	return search->count == search->room;
}

static int search_words(const struct pfm_reg_map *map, struct search *search)
{
	char words[LENGTH_MAX + 1];
	size_t i;

	if (search->length < INSIDE_LENGTH_MIN || !search->room)
		return 0;
	for (i = 0; i <= search->length; i++)
		words[i] = search->name[i] == '_' ? ' ' : search->name[i];
	return pfm_event_search(map, words, take, search);
}

int pfm_event_suggest(const struct pfm_reg_map *map, const char *name,
		      char out[][PFM_EVENT_NAME_LEN], unsigned int count)
{
	struct search search = { .out = out };
	struct pfmi_words words;
	int ret;

	/* Not an event string: there is no name to compare. */
	ret = pfmi_words_split(name, &words);
	if (ret)
		return 0;
	search.room = min(count, SUGGESTIONS_MAX);
	search.length = fold(words.name, search.name);
	search.full_length = fold_words(&words, search.full);
	search.limit = search.length / 3 > 2 ? search.length / 3 : 2;
	/* With the name's length as limit, any other name of that length would be accepted. */
	if (search.limit >= search.length)
		search.limit = search.length ? search.length - 1 : 0;
	ret = pfm_event_for_each(map, consider, &search);
	if (ret >= 0 && !search.count)
		ret = search_words(map, &search);
	return ret < 0 ? ret : (int)search.count;
}

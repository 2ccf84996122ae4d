// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads features of a file of perf.  A string is its size, 4 bytes, and as many characters, of which zeros
 * at the end do not count.
 */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "data/data_format.h"
#include "data/perf_features.h"
#include "data/perf_file.h"

#define WORDS_MAX     65536
#define BUILD_HEAD    36 /* head of the record, process, build id with its size */
#define BUILD_ID_ROOM 20
#define BUILD_ID_SIZE (1U << 15) /* the byte behind the build id is its size */

/**
 * struct cursor - bytes that are read one field after the other
 * @at: the next one
 * @left: how many there are
 */
struct cursor {
	const uint8_t *at;
	size_t left;
};

static const uint8_t *take(struct cursor *cursor, uint64_t size)
{
	const uint8_t *at = cursor->at;

	if (size > cursor->left)
		return NULL;
	cursor->at += size;
	cursor->left -= size;
	return at;
}

static int get32(struct cursor *cursor, uint32_t *value)
{
	const uint8_t *at = take(cursor, 4);

	if (!at)
		return -1;
	*value = data_get32(at);
	return 0;
}

/* A copy without characters that would break a line; NULL if there is none. */
static char *get_text(struct cursor *cursor)
{
	const uint8_t *at;
	uint32_t size;
	char *text, *c;

	if (get32(cursor, &size))
		return NULL;
	at = take(cursor, size);
	text = at ? strndup((const char *)at, size) : NULL;
	for (c = text; c && *c; c++)
		if ((unsigned char)*c < 0x20 || *c == 0x7f)
			*c = '?';
	return text;
}

static void set_text(char **to, struct cursor *cursor)
{
	free(*to);
	*to = get_text(cursor);
}

static void free_words(struct perf_features *features)
{
	while (features->num_words)
		free(features->words[--features->num_words]);
	free(features->words);
	features->words = NULL;
}

static void take_words(struct perf_features *features, struct cursor *cursor)
{
	uint32_t count;
	char *word;

	if (features->words || get32(cursor, &count) || count > WORDS_MAX)
		return;
	features->words = calloc((size_t)count + 1, sizeof(char *));
	while (features->words && features->num_words < count) {
		word = get_text(cursor);
		if (!word)
			return free_words(features);
		features->words[features->num_words++] = word;
	}
}

/* The events are in the order of their attributes. */
static void take_events(struct perf_attrs *attrs, struct cursor *cursor)
{
	uint32_t count, size, ids, i;

	if (get32(cursor, &count) || get32(cursor, &size))
		return;
	for (i = 0; i < count && i < attrs->count; i++) {
		if (!take(cursor, size) || get32(cursor, &ids))
			return;
		set_text(&attrs->list[i].name, cursor);
		if (!take(cursor, 8 * (uint64_t)ids))
			return;
	}
}

void perf_features_take_build(struct perf_features *features,
			      const uint8_t *record, size_t size)
{
	struct perf_build *build;
	size_t length;

	if (size <= BUILD_HEAD)
		return;
	length = data_get16(record + 4) & BUILD_ID_SIZE
			 ? record[PERF_FILE_HEAD + 4 + BUILD_ID_ROOM]
			 : BUILD_ID_ROOM;
	if (!length || length > IMAGES_ID_MAX ||
	    array_reserve(&features->builds, sizeof(*features->builds),
			  &features->room, features->count + 1))
		return;
	build = &features->builds[features->count];
	build->path =
		strndup((const char *)record + BUILD_HEAD, size - BUILD_HEAD);
	if (!build->path)
		return;
	memcpy(build->id, record + PERF_FILE_HEAD + 4, length);
	build->size = length;
	if (!strncmp(build->path, "[kernel.kallsyms]", 17)) {
		memcpy(features->kernel_id, build->id, length);
		features->kernel_id_size = length;
	}
	if (hash_add(&features->table, hash_text(build->path)))
		free(build->path);
	else
		features->count++;
}

static void take_builds(struct perf_features *features, struct cursor *cursor)
{
	const uint8_t *record;
	size_t size;

	while (cursor->left >= PERF_FILE_HEAD) {
		size = data_get16(cursor->at + 6);
		record = size < PERF_FILE_HEAD ? NULL : take(cursor, size);
		if (!record)
			return;
		perf_features_take_build(features, record, size);
	}
}

void perf_features_take(struct perf_features *features,
			struct perf_attrs *attrs, unsigned int feature,
			const uint8_t *bytes, size_t size)
{
	struct cursor cursor = { bytes, size };

	switch (feature) {
	case PERF_FILE_BUILD_IDS:
		take_builds(features, &cursor);
		break;
	case PERF_FILE_HOST:
		set_text(&features->host, &cursor);
		break;
	case PERF_FILE_RELEASE:
		set_text(&features->release, &cursor);
		break;
	case PERF_FILE_MACHINE:
		set_text(&features->machine, &cursor);
		break;
	case PERF_FILE_COMMAND:
		take_words(features, &cursor);
		break;
	case PERF_FILE_EVENTS:
		take_events(attrs, &cursor);
		break;
	default:
		break;
	}
}

const struct perf_build *
perf_features_build(const struct perf_features *features, const char *path)
{
	uint32_t number;

	for (number = hash_find(&features->table, hash_text(path)); number;
	     number = hash_next(&features->table, number))
		if (!strcmp(features->builds[number - 1].path, path))
			return &features->builds[number - 1];
	return NULL;
}

void perf_features_free(struct perf_features *features)
{
	free(features->host);
	free(features->release);
	free(features->machine);
	free_words(features);
	while (features->count)
		free(features->builds[--features->count].path);
	free(features->builds);
	hash_free(&features->table);
	memset(features, 0, sizeof(*features));
}

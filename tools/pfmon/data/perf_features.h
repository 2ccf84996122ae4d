/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The features of a file of perf: where and how it was recorded, and the build ids of its files.
 */
#ifndef PFMON_DATA_PERF_FEATURES_H
#define PFMON_DATA_PERF_FEATURES_H

#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"
#include "data/perf_attrs.h"
#include "symbols/images.h"

struct data_info;

/**
 * struct perf_build - a file and its build id
 * @path: name of the file
 * @id: build id
 * @size: bytes of @id
 */
struct perf_build {
	char *path;
	uint8_t id[IMAGES_ID_MAX];
	size_t size;
};

/**
 * struct perf_features - what is known of the recording
 * @host: name of the machine; NULL if it is not known, as others
 * @release: release of its kernel
 * @machine: its architecture
 * @words: the command line of perf, terminated by NULL
 * @num_words: its length
 * @builds: files with build ids
 * @count: elements of @builds
 * @room: elements that fit in @builds
 * @table: finds them by path
 * @kernel_id: build id of the kernel
 * @kernel_id_size: bytes of @kernel_id
 */
struct perf_features {
	char *host;
	char *release;
	char *machine;
	char **words;
	size_t num_words;
	struct perf_build *builds;
	size_t count;
	size_t room;
	struct hash table;
	uint8_t kernel_id[IMAGES_ID_MAX];
	size_t kernel_id_size;
};

/*
 * Reads a feature that is known, of enum perf_file_feature; names of events go to @attrs.  What is malformed
 * is left out: nothing depends on it.
 */
void perf_features_take(struct perf_features *features,
			struct perf_attrs *attrs, unsigned int feature,
			const uint8_t *bytes, size_t size);

/* Reads a build id, a record of its own in the form of a pipe. */
void perf_features_take_build(struct perf_features *features,
			      const uint8_t *record, size_t size);

/* The build id of a file; NULL if it is not known. */
const struct perf_build *
perf_features_build(const struct perf_features *features, const char *path);

void perf_features_free(struct perf_features *features);

#endif

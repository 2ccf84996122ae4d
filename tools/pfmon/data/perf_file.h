/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The records of a file that perf has written, one after the other as the file has them, and what
 * precedes them.
 *
 * There are two forms.  A file has a head with places of its sections: the attributes of the events,
 * the records, and the features, which are behind the records.  What perf writes into a pipe has a
 * head of 16 bytes, and all else is records.
 */
#ifndef PFMON_DATA_PERF_FILE_H
#define PFMON_DATA_PERF_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "data/unpacker.h"

/* Kinds of records that perf itself adds to those of the kernel. */
enum perf_file_type {
	PERF_FILE_USER = 64, /* the first one; such a record has no time */
	PERF_FILE_ATTR = 64,
	PERF_FILE_TRACING_DATA = 66,
	PERF_FILE_BUILD_ID = 67,
	PERF_FILE_ROUND = 68,
	PERF_FILE_AUXTRACE = 71,
	PERF_FILE_FEATURE = 80,
	PERF_FILE_COMPRESSED = 81,
	PERF_FILE_COMPRESSED2 = 83,
};

/* Bits of the features that are read. */
enum perf_file_feature {
	PERF_FILE_BUILD_IDS = 2,
	PERF_FILE_HOST = 3,
	PERF_FILE_RELEASE = 4,
	PERF_FILE_MACHINE = 6,
	PERF_FILE_COMMAND = 11,
	PERF_FILE_EVENTS = 12,
	PERF_FILE_NUM_FEATURES = 256,
};

#define PERF_FILE_HEAD	     8
#define PERF_FILE_RECORD_MAX 65536

/**
 * struct perf_section - a part of the file
 * @offset: where it begins
 * @size: its bytes
 */
struct perf_section {
	uint64_t offset;
	uint64_t size;
};

/**
 * struct perf_file - a file that is being read
 * @name: its name in messages
 * @in: its stream
 * @force: a damaged file is read up to the damage
 * @pipe: it has the form of a pipe
 * @size: its bytes; UINT64_MAX if that is not known
 * @written: when it was written, seconds since 1970; 0 if that is not known
 * @attr_size: bytes of an element of @attrs
 * @attrs: attributes of the events
 * @records: the records
 * @features: bit mask of the features that the file has
 * @offset: where the next record begins
 * @at: where the last one did, or the packed record that it was in
 * @record: the last one
 * @record_size: its bytes
 * @again: perf_file_next() returns the same record once more
 * @stored: memory for a record as the file has it
 * @unpacker: unpacks records
 * @samples: samples that were read, for messages
 * @traced: records of an AUX trace were left out
 * @over: there is no more to read
 */
struct perf_file {
	const char *name;
	FILE *in;
	bool force;
	bool pipe;
	uint64_t size;
	uint64_t written;
	uint64_t attr_size;
	struct perf_section attrs;
	struct perf_section records;
	uint64_t features[PERF_FILE_NUM_FEATURES / 64];
	uint64_t offset;
	uint64_t at;
	const uint8_t *record;
	size_t record_size;
	bool again;
	uint8_t *stored;
	struct unpacker unpacker;
	uint64_t samples;
	bool traced;
	bool over;
};

/* True if a file begins as those of perf do.  It is as if nothing had been read. */
bool perf_file_knows(FILE *in);

/*
 * Reads the head.  @in is closed by perf_file_close(), unless it is standard input, and also after an
 * error.  Returns 0, or -1 after a message.
 */
int perf_file_open(struct perf_file *file, const char *name, FILE *in,
		   bool force);

/*
 * Reads a section.  Returns its bytes, which the caller frees, or NULL after a message.  @what: its
 * name in messages.
 */
uint8_t *perf_file_section(struct perf_file *file,
			   const struct perf_section *section,
			   const char *what);

/* Goes to the first record.  Returns 0, or -1 after a message. */
int perf_file_begin(struct perf_file *file);

/*
 * Reads the next record, which is unpacked, and whose size is right.  Returns 1; 0 at the end, or where
 * the file was cut; or -1 after a message.
 */
int perf_file_next(struct perf_file *file);

/*
 * Says that the file is damaged at byte @at, and why, which continues a sentence.  Returns 0 with
 * @force: what was read before is used; else -1.
 */
int perf_file_damaged(struct perf_file *file, uint64_t at, const char *why);

void perf_file_close(struct perf_file *file);

#endif

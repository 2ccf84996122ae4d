/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Unpacks the records of a file of perf that Zstandard has packed.
 *
 * The library, libzstd, is loaded when the first packed record comes.  Few files have any, so pfmon
 * also runs where the library is missing.
 */
#ifndef PFMON_DATA_UNPACKER_H
#define PFMON_DATA_UNPACKER_H

#include <stddef.h>
#include <stdint.h>

/**
 * struct unpacker - a stream of packed records
 * @library: libzstd; NULL before it is needed
 * @stream: its state
 * @plain: what was unpacked
 * @size: bytes of @plain that are used
 * @room: bytes of @plain
 * @at: bytes of @plain that were taken
 */
struct unpacker {
	void *library;
	void *stream;
	uint8_t *plain;
	size_t size;
	size_t room;
	size_t at;
};

/*
 * Unpacks the next piece of the stream, behind what was not taken.  Returns NULL, or what is wrong, to
 * continue a sentence.
 */
const char *unpacker_add(struct unpacker *unpacker, const uint8_t *packed,
			 size_t size);

void unpacker_free(struct unpacker *unpacker);

#endif

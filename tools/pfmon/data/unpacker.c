// SPDX-License-Identifier: GPL-2.0-only
/*
 * Loads libzstd, and unpacks with it.  The types below are those of its stable interface.
 */
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "data/unpacker.h"

#define LIBRARY "libzstd.so.1"

/*
 * A packed record has at most 64 KiB, and perf unpacks it into as much memory as one buffer of the
 * kernel has.  More than this is not a recording.
 */
#define PLAIN_MAX  (256U << 20)
#define PLAIN_ROOM (1U << 20)

/**
 * struct from - ZSTD_inBuffer
 */
struct from {
	const void *bytes;
	size_t size;
	size_t at;
};

/**
 * struct to - ZSTD_outBuffer
 */
struct to {
	void *bytes;
	size_t size;
	size_t at;
};

typedef void *(*create_function)(void);
typedef size_t (*free_function)(void *stream);
typedef size_t (*unpack_function)(void *stream, struct to *to,
				  struct from *from);
typedef unsigned int (*failed_function)(size_t code);

static const char *load(struct unpacker *unpacker)
{
	create_function create;

	unpacker->library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
	if (!unpacker->library)
		return "its records are packed by Zstandard, and the library " LIBRARY
		       " is missing; install it (Debian: libzstd1)";
	create =
		(create_function)dlsym(unpacker->library, "ZSTD_createDStream");
	if (!create || !dlsym(unpacker->library, "ZSTD_freeDStream") ||
	    !dlsym(unpacker->library, "ZSTD_decompressStream") ||
	    !dlsym(unpacker->library, "ZSTD_isError"))
		return "the library " LIBRARY " lacks a function";
	unpacker->stream = create();
	return unpacker->stream ? NULL : "out of memory for unpacking";
}

/* Moves what was not taken to the beginning. */
static void drop_taken(struct unpacker *unpacker)
{
	if (!unpacker->at)
		return;
	memmove(unpacker->plain, unpacker->plain + unpacker->at,
		unpacker->size - unpacker->at);
	unpacker->size -= unpacker->at;
	unpacker->at = 0;
}

static const char *make_room(struct unpacker *unpacker)
{
	uint8_t *plain;
	size_t room = unpacker->room ? 2 * unpacker->room : PLAIN_ROOM;

	if (unpacker->room - unpacker->size >= PLAIN_ROOM / 2)
		return NULL;
	if (room > PLAIN_MAX)
		return "a packed record is too large";
	plain = realloc(unpacker->plain, room);
	if (!plain)
		return "out of memory for unpacking";
	unpacker->plain = plain;
	unpacker->room = room;
	return NULL;
}

const char *unpacker_add(struct unpacker *unpacker, const uint8_t *packed,
			 size_t size)
{
	struct from from = { .bytes = packed, .size = size };
	const char *wrong = unpacker->stream ? NULL : load(unpacker);
	unpack_function unpack;
	failed_function failed;
	struct to to;

	if (wrong)
		return wrong;
	unpack = (unpack_function)dlsym(unpacker->library,
					"ZSTD_decompressStream");
	failed = (failed_function)dlsym(unpacker->library, "ZSTD_isError");
	drop_taken(unpacker);
	do {
		wrong = make_room(unpacker);
		if (wrong)
			return wrong;
		to.bytes = unpacker->plain + unpacker->size;
		to.size = unpacker->room - unpacker->size;
		to.at = 0;
		if (failed(unpack(unpacker->stream, &to, &from)))
			return "a packed record cannot be unpacked";
		unpacker->size += to.at;
		/* With its room full there may be more, also when all was taken. */
	} while (from.at < from.size || to.at == to.size);
	return NULL;
}

void unpacker_free(struct unpacker *unpacker)
{
	free_function release;

	if (unpacker->stream) {
		release = (free_function)dlsym(unpacker->library,
					       "ZSTD_freeDStream");
		release(unpacker->stream);
	}
	if (unpacker->library)
		dlclose(unpacker->library);
	free(unpacker->plain);
	memset(unpacker, 0, sizeof(*unpacker));
}

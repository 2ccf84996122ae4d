/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The sampling formats of this machine: those that are loaded, and those whose modules are
 * installed.
 */
#ifndef PFMON_CHECK_FORMATS_H
#define PFMON_CHECK_FORMATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <perfmon/perfmon.h>

/* Longest name, with the zero byte. */
#define FORMAT_NAME_ROOM 64

/**
 * struct found_format - a format
 * @name: its name; of one that is not loaded, what the name of its module says
 * @module: its module; "" if it has none of its own, or is not installed
 * @uuid: its UUID
 * @version: major << 16 | minor; 0 if it is not loaded
 * @loaded: it is loaded
 */
struct found_format {
	char name[FORMAT_NAME_ROOM];
	char module[FORMAT_NAME_ROOM];
	uint8_t uuid[PFM_UUID_LEN];
	uint32_t version;
	bool loaded;
};

/**
 * struct formats - the formats, in the order of their names
 * @list: the formats
 * @count: elements of @list
 * @room: elements that fit in @list
 */
struct formats {
	struct found_format *list;
	size_t count;
	size_t room;
};

/* Returns 0, or -1 after a message; formats_free() is needed in both cases. */
int formats_read(struct formats *formats);

/* The format of that name or UUID; NULL if there is none. */
const struct found_format *formats_find(const struct formats *formats,
					const char *name);

/*
 * Reads the description of a format that is named by name or UUID, and has the kernel load its
 * module if need be.  Returns 0, or -1 after a message.  @option is named in messages, and @words are
 * what else the name could be; NULL: nothing.
 */
int formats_describe(const char *option, const char *words, const char *name,
		     struct pfm_format **format);

/* Room for the text of a UUID. */
#define UUID_TEXT_ROOM 37

const char *formats_uuid_text(const uint8_t *uuid, char *text);

void formats_free(struct formats *formats);

#endif

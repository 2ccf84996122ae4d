/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The files in which the functions of --irange are looked for.
 */
#ifndef PFMON_SESSION_RANGE_FILES_H
#define PFMON_SESSION_RANGE_FILES_H

#include <stddef.h>
#include <stdint.h>

struct images;
struct session;

/**
 * struct range_files - the files in which functions are looked for
 * @images: the files
 * @list: their numbers, the program first
 * @count: elements of @list
 * @room: elements that fit in @list
 * @fds: descriptors of those that were opened, otherwise -1; NULL before
 * @root: what is before their paths, to reach them from here; NULL if nothing is
 */
struct range_files {
	struct images *images;
	uint32_t *list;
	size_t count;
	size_t room;
	int *fds;
	char *root;
};

int range_files_find(struct range_files *files, const struct session *session);
void range_files_free(struct range_files *files);

/*
 * Opens a file of the list for reading.  Returns the descriptor, which range_files_free() closes; -1
 * after a message.
 */
int range_files_open(struct range_files *files, uint32_t number);

#endif

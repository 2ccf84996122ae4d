/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Lines of source files, as they are on this machine now.
 */
#ifndef PFMON_PROFILES_SOURCE_TEXT_H
#define PFMON_PROFILES_SOURCE_TEXT_H

#include <stddef.h>

/**
 * struct source_file - a file
 * @path: its path
 * @text: its text; NULL if it cannot be read
 * @lines: where its lines begin, each terminated by 0
 * @count: elements of @lines
 */
struct source_file {
	char *path;
	char *text;
	const char **lines;
	size_t count;
};

/**
 * struct source_text - the files that were read
 * @list: the files
 * @count: elements of @list
 * @room: elements that fit in it
 */
struct source_text {
	struct source_file *list;
	size_t count;
	size_t room;
};

/**
 * source_text_line() - find a line
 * @sources: the files
 * @path: path of the source, as the program's debugging information has it
 * @line: number, from 1 on
 * @program: path of the program; a source that is newer than it gets a note
 *
 * Return: the line without its end, which lives as long as @sources; NULL if it cannot be read.
 */
const char *source_text_line(struct source_text *sources, const char *path,
			     unsigned int line, const char *program);

void source_text_free(struct source_text *sources);

#endif

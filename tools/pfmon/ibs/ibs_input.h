/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A file that is read once, from its beginning to its end: a pipe will do.
 */
#ifndef PFMON_IBS_IBS_INPUT_H
#define PFMON_IBS_IBS_INPUT_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/**
 * struct ibs_input - a file that is being read
 * @name: name in messages
 * @stream: the file
 * @offset: of the next byte in the file
 */
struct ibs_input {
	const char *name;
	FILE *stream;
	uint64_t offset;
};

/**
 * ibs_input_open() - open a file
 * @input: the file
 * @name: its name, which has to live as long as @input; "-" for standard input
 *
 * Return: 0, or -1 after a message.
 */
int ibs_input_open(struct ibs_input *input, const char *name);

void ibs_input_close(struct ibs_input *input);

/**
 * ibs_input_line() - read a line of text
 * @input: the file
 * @line: result, without the line feed; what does not fit is left out
 * @size: bytes of @line
 * @limit: offset in the file up to which to read
 *
 * Return: 1, 0 if the file or what may be read of it ends before the line does, or -1
 * after a message.
 */
int ibs_input_line(struct ibs_input *input, char *line, size_t size,
		   uint64_t limit);

/**
 * ibs_input_read() - read a sample, or the rest of one
 * @input: the file
 * @sample: where the sample goes; its first bytes, @have, are there already
 * @have: bytes of the sample that were read before
 * @size: bytes of the whole sample
 *
 * Return: 1, 0 if the file ends where the sample would begin, or -1 after a message:
 * the file cannot be read, or the sample is cut.
 */
int ibs_input_read(struct ibs_input *input, void *sample, size_t have,
		   size_t size);

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where results go: the file of --outfile, or standard error.
 */
#ifndef PFMON_BASE_OUTFILE_H
#define PFMON_BASE_OUTFILE_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/types.h>

/**
 * struct outfile - an open place for results
 * @file: stream, closed in the command
 * @name: what messages call it
 * @fresh: nothing is in it yet, or will be when there are results
 * @kept: what it holds is kept until then
 * @created: it was not there before, and nothing was written yet
 * @own: which file was created
 * @writer: process that writes it (writer.h); 0 pfmon itself
 */
struct outfile {
	FILE *file;
	const char *name;
	bool fresh;
	bool kept;
	bool created;
	struct stat own;
	pid_t writer;
};

/* Each returns 0, or -1 after saying why. */
/* @name: NULL standard error, "-" standard output. */
int outfile_open(struct outfile *output, const char *name, bool append);
int outfile_close(struct outfile *output);

/*
 * To be called once there are results, before the first of them is written: a
 * file that is not appended to loses what it holds.
 */
int outfile_start(struct outfile *output);

/* There are no results, or no more of them: closes it without a word. */
void outfile_abandon(struct outfile *output);

/* Standard output of the information options: all written? */
int outfile_finish_stdout(void);

/*
 * Makes sure that descriptors 0 to 2 are taken, so that no other file becomes
 * the standard error of pfmon by chance.  Writing to a replaced one fails.
 */
void outfile_hold_standard(void);

#endif

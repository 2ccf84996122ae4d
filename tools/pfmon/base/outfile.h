/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The file of the results: that of --outfile, or standard error.
 */
#ifndef PFMON_BASE_OUTFILE_H
#define PFMON_BASE_OUTFILE_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/types.h>

/**
 * struct outfile - a file that is open for results
 * @file: stream; closed in the command
 * @name: name of the file in messages
 * @fresh: the file is empty, or will be emptied once there are results
 * @kept: the file keeps its old content until there are results
 * @created: pfmon created the file and has not written to it yet
 * @own: identity of the created file
 * @writer: process that writes the file (outfile_writer.h); 0 for pfmon itself
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

/* Each returns 0, or -1 after a message. */
/* @name: NULL for standard error, "-" for standard output. */
int outfile_open(struct outfile *output, const char *name, bool append);
int outfile_close(struct outfile *output);

/*
 * Has to be called once there are results, before the first of them is written:
 * empties the file unless results are appended.
 */
int outfile_start(struct outfile *output);

/*
 * Closes the file without a message: there are no results, or no more of them.
 */
void outfile_abandon(struct outfile *output);

/*
 * Closes standard output, to which the information options write.  Returns 0, or
 * -1 after a message if not everything could be written.
 */
int outfile_finish_stdout(void);

/*
 * Opens those of descriptors 0 to 2 that are closed, so that no other file
 * becomes the standard error of pfmon by chance.  Writing to such a replacement
 * fails.
 */
void outfile_hold_standard(void);

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A process that writes the results to their file, so that pfmon never waits for
 * a disk or for the reader of a pipe while it counts.
 */
#ifndef PFMON_BASE_OUTFILE_WRITER_H
#define PFMON_BASE_OUTFILE_WRITER_H

#include <sys/types.h>

struct outfile;

/*
 * Everything that is written to @output from now on goes through a writer
 * process.  If there cannot be one, pfmon goes on writing itself.
 */
void outfile_writer_begin(struct outfile *output);

/*
 * Waits until the writer has written everything.  The stream has to be closed.
 * Returns 0, or the errno of the failed write.
 */
int outfile_writer_end(struct outfile *output);

#endif

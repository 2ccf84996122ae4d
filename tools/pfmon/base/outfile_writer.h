/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A process that writes results to their place, so that pfmon never waits for a
 * disk or a reader while it counts.
 */
#ifndef PFMON_BASE_OUTFILE_WRITER_H
#define PFMON_BASE_OUTFILE_WRITER_H

#include <sys/types.h>

struct outfile;

/*
 * Has what is written to @output from now on go through such a process.  Where
 * that cannot be, it stays as it is.
 */
void outfile_writer_begin(struct outfile *output);

/*
 * Everything was handed over and the stream is closed: waits until it is
 * written.  0, or the errno of the write that failed.
 */
int outfile_writer_end(struct outfile *output);

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Exports counts in a file for the textfile collector of node_exporter (--textfile), which reads
 * only the older text format.
 */
#ifndef PFMON_LIVE_TEXTFILE_H
#define PFMON_LIVE_TEXTFILE_H

struct session;
struct textfile;

/* Returns NULL after a message. */
struct textfile *textfile_create(struct session *session, const char *name);

/* Writes the file.  Returns 0, or -1 if the counts cannot be read. */
int textfile_write(struct textfile *textfile);

/* @textfile may be NULL. */
void textfile_free(struct textfile *textfile);

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Output of counts while a session goes on.
 */
#ifndef PFMON_LIVE_OUTPUTS_H
#define PFMON_LIVE_OUTPUTS_H

#include <stdint.h>

#include "session/live.h"
#include "session/loop.h"

struct exporter;
struct outfile;
struct session;
struct textfile;

/**
 * struct live_output - state of the live output
 * @live: for the session
 * @session: the session that counts
 * @file: file of the intervals
 * @exporter: --listen; NULL if not given
 * @textfile: --textfile; NULL if not given
 * @textfile_at: when to write --textfile again; 0 if it has not been written yet
 * @intervals: event source of --print-interval
 * @clients: event source of the exporter
 * @exports: event source of the text file
 */
struct live_output {
	struct live live;
	struct session *session;
	struct outfile *file;
	struct exporter *exporter;
	struct textfile *textfile;
	uint64_t textfile_at;
	struct source intervals;
	struct source clients;
	struct source exports;
};

void live_init(struct live_output *output, struct outfile *file);
void live_free(struct live_output *output);

#endif

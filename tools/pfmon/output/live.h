/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Output of counts while a session goes on.
 */
#ifndef PFMON_OUTPUT_LIVE_H
#define PFMON_OUTPUT_LIVE_H

#include <stdint.h>

#include "session/live.h"
#include "session/loop.h"

struct exporter;
struct outfile;
struct session;

/**
 * struct live_output - state of the live output
 * @live: for the session
 * @session: the session that counts
 * @file: file of the intervals
 * @exporter: --listen and --textfile; NULL if tasks are monitored
 * @textfile_at: when to write --textfile again; 0 it has not been written yet
 * @intervals: event source of --print-interval
 * @clients: event source of the exporter
 */
struct live_output {
	struct live live;
	struct session *session;
	struct outfile *file;
	struct exporter *exporter;
	uint64_t textfile_at;
	struct source intervals;
	struct source clients;
};

void live_init(struct live_output *output, struct outfile *file);
void live_free(struct live_output *output);

#endif

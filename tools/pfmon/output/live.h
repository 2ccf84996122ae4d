/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Counts that are told while a system-wide session goes on.
 */
#ifndef PFMON_OUTPUT_LIVE_H
#define PFMON_OUTPUT_LIVE_H

#include <stdint.h>

#include "session/loop.h"
#include "session/run_system_wide.h"

struct exporter;
struct outfile;
struct session;

/**
 * struct live_output - state of it
 * @live: for run_system_wide()
 * @session: whose counts
 * @file: where intervals go
 * @exporter: --listen and --textfile
 * @textfile_at: when to write --textfile again; 0 it was not written yet
 * @intervals: --print-interval in the event loop
 * @clients: the exporter there
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

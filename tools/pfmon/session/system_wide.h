/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A measurement of CPUs, whatever runs on them: --system-wide.
 */
#ifndef PFMON_SESSION_SYSTEM_WIDE_H
#define PFMON_SESSION_SYSTEM_WIDE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cpu_list.h"
#include "session/cpu_context.h"

struct events;
struct exporter;
struct options;
struct outfile;
struct sampling;
struct session;

/**
 * struct system - state and outcome, beside those of the session
 * @list: the CPUs, by number
 * @count: elements of @list
 * @refused: CPUs that came online and could not be monitored
 * @started: counting has begun
 * @stopped: it has ended
 * @next_interval: when to print the next interval; 0 never
 * @interval: number of the last interval that was printed
 * @interval_start: when that ended
 * @missed: intervals that were printed together with the next
 * @hotplug_at: when to look for CPUs that came online; 0 never
 * @peek_at: when to look for samples; 0 never
 * @names_at: when to read names again
 * @export_at: when to write --textfile; 0 never
 * @exporter: --listen and --textfile; NULL none
 * @output: where intervals go
 */
struct system {
	struct cpu *list;
	size_t count;
	struct cpu_list refused;
	bool started;
	bool stopped;
	uint64_t next_interval;
	uint64_t interval;
	uint64_t interval_start;
	uint64_t missed;
	uint64_t hotplug_at;
	uint64_t peek_at;
	uint64_t names_at;
	uint64_t export_at;
	struct exporter *exporter;
	struct outfile *output;
};

/*
 * Counts as the command line says.  Returns 0 when there are results to print,
 * or the exit status after saying what failed.
 */
int system_run(struct session *session, const struct options *options,
	       const struct events *events, struct sampling *sampling,
	       struct outfile *output);

/*
 * Takes samples out of buffers that are full or, with @all, of all of them.
 * Those go on being filled unless it is the @last time.  0, or -1 after saying
 * what failed.
 */
int system_take_samples(struct session *session, bool all, bool last);

void system_free(struct system *system);

#endif

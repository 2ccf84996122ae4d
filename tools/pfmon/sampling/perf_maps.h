/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Mappings, forks and execs of what is sampled, as perf's records tell them.
 */
#ifndef PFMON_SAMPLING_PERF_MAPS_H
#define PFMON_SAMPLING_PERF_MAPS_H

#include "sampling/perf_rings.h"
#include "sampling/running.h"
#include "sampling/waits.h"

struct options;
struct symbols;

/**
 * struct perf_maps - perf as the source of mappings
 * @rings: the records
 * @symbols: where mappings go
 * @on: perf is the source
 * @wide: the events are for all processes
 * @all: all processes are sampled
 * @until: time of the latest sample that was looked up
 * @what: what is recorded, PERF_RINGS_*
 * @waits: times off the CPU of the session's threads, with PERF_RINGS_WAITS
 * @switches: context switches are recorded, for @running
 * @running: how many threads of the session ran when
 * @late: records before that time that were read after the look-up
 */
struct perf_maps {
	struct perf_rings rings;
	struct symbols *symbols;
	bool on;
	bool wide;
	bool all;
	uint64_t until;
	uint64_t late;
	unsigned int what;
	struct waits waits;
	bool switches;
	struct running running;
};

/*
 * Decides whether perf is the source, and opens the events if they are for all processes.
 * This needs no module of the kernel's, and no right over what is sampled but perf's own.
 * If all processes are sampled, there is nothing else to begin, but the caller has the
 * mappings that there are read from /proc.
 */
void perf_maps_init(struct perf_maps *perf, const struct options *options,
		    struct symbols *symbols);

/*
 * Begins with a process.  @command: it is about to execute the command; otherwise it has
 * mappings, which /proc tells.  If the events for the command cannot be opened, the source
 * is /proc.
 */
void perf_maps_begin(struct perf_maps *perf, pid_t pid, bool command);

/* Reads what was recorded; has to be called before samples are looked up. */
void perf_maps_read(struct perf_maps *perf);

/*
 * Number of threads of the session that ran at the time of a sample; 0 if it is not known, or was
 * not asked for.
 */
uint32_t perf_maps_running(const struct perf_maps *perf, uint64_t time);

/* Records that are missing or came late: samples may lack their mapping. */
uint64_t perf_maps_lost(const struct perf_maps *perf);

void perf_maps_free(struct perf_maps *perf);

#endif

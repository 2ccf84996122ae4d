/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Sampling of one session: turns buffer entries into samples, a profile and
 * statistics.
 */
#ifndef PFMON_SAMPLING_SAMPLING_H
#define PFMON_SAMPLING_SAMPLING_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#include "base/outfile.h"
#include "ibs/ibs_recording.h"
#include "sampling/entry_store.h"
#include "sampling/lanes.h"
#include "sampling/perf_maps.h"
#include "sampling/periods.h"
#include "sampling/profile.h"
#include "sampling/spool.h"
#include "sampling/task_history.h"
#include "sampling/task_names.h"
#include "symbols/symbols.h"

struct events;
struct options;

/**
 * struct losses - what is missing in a profile
 * @taken: samples read
 * @lost: samples lost because the buffer was full
 * @skipped: overflows that came faster than interrupts can be handled
 * @errors: overflows that the format refused
 * @stackless: aggregated samples, counted in @taken, that lost their stack
 * @throttled: number of times that a storm of interrupts stopped counting
 * @throttled_ns: time in which counting was stopped for that reason
 * @escapes: number of times that a signal let the blocked command run
 * @escaped_ns: time in which it ran, not counted, for that reason
 * @maps: mappings that the kernel could not report
 * @masked_ns: time in which nothing was counted because a full buffer was
 *	being read
 * @fills: number of times that a buffer was full
 * @running_ns: running time of the monitored tasks; 0 if not known
 * @waiting_ns: time of the session in which the only task did not run
 * @inexact: counts lack the events after the last sample
 */
struct losses {
	uint64_t taken;
	uint64_t lost;
	uint64_t skipped;
	uint64_t errors;
	uint64_t stackless;
	uint64_t throttled;
	uint64_t throttled_ns;
	uint64_t escapes;
	uint64_t escaped_ns;
	uint64_t maps;
	uint64_t masked_ns;
	uint64_t fills;
	uint64_t running_ns;
	uint64_t waiting_ns;
	bool inexact;
};

/**
 * struct sampling_sink - takes samples as they come, in place of the profile
 * @sample: a sample was taken.  Returns 0, or -1 after a message
 * @taken: all samples that were there were taken
 * @end: there are no more, and the losses are known.  Returns 0, or -1 after a message
 * @arg: their first argument
 */
struct sampling_sink {
	int (*sample)(void *arg, const struct sample *sample);
	void (*taken)(void *arg);
	int (*end)(void *arg);
	void *arg;
};

/* Most addresses of a sample that are looked up. */
#define NUM_PLACES (2 * PFM_CALLSTACK_DEPTH_MAX + 1)

/**
 * struct sampling - state and outcome
 * @options: command line
 * @events: what is counted
 * @program: the program, if no task is followed
 * @parent: parent process of that program
 * @periods: how events sample
 * @lanes: the sampling buffers
 * @symbols: what is known about addresses
 * @perf: perf as the source of mappings
 * @tasks: which program each task ran when
 * @names: system-wide: names of tasks
 * @profile: the sums of the samples
 * @spool: the single samples, if @keep
 * @entries: the entries of a format that describes itself
 * @output: file of --smpl-outfile; its stream is NULL when there is none
 * @recording: the file of --smpl-module=ibs, which is written as samples are taken
 * @keep: the output lists single samples
 * @live: names are asked for while the tasks run
 * @past: they are read from a file, so how they are taken cannot be changed any more
 * @latency: with @past: weights are by wall-clock time
 * @began: with @past: when the session began, seconds since 1970
 * @sink: takes the samples; NULL: @profile and @spool do
 * @losses: samples and time that are missing
 * @places: memory for the places of a stack
 * @process: process of the last entry that said it, of a format that describes itself; 0 before
 */
struct sampling {
	const struct options *options;
	const struct events *events;
	const char *program;
	pid_t parent;
	struct periods periods;
	struct lanes lanes;
	struct symbols symbols;
	struct perf_maps perf;
	struct task_history tasks;
	struct task_names names;
	struct profile profile;
	struct spool spool;
	struct entry_store entries;
	struct outfile output;
	struct ibs_recording recording;
	bool keep;
	bool live;
	bool past;
	bool latency;
	uint64_t began;
	const struct sampling_sink *sink;
	struct losses losses;
	uint32_t places[NUM_PLACES];
	pid_t process;
};

/*
 * sampling_init() gets the registers and chooses the format.  sampling_attach()
 * has to be called for each context created for sampling.  Each returns 0, or -1
 * after a message.
 */
int sampling_init(struct sampling *sampling, const struct options *options,
		  const struct events *events, const struct pfm_reg_map *map);
int sampling_attach(struct sampling *sampling, int fd);

/*
 * Reads what the sources of mappings have told since; @fd is the context.  Returns 0, or
 * -1 after a message.
 */
int sampling_read_maps(struct sampling *sampling, int fd);

/*
 * Takes the samples of the lanes that lanes_find() found and restarts these
 * lanes, unless this is the @last time.  sampling_read_maps() has to be called
 * before.
 */
int sampling_take(struct sampling *sampling, bool last);

/* Adds a sample to the profile, or to the list.  Returns 0, or -1 after a message. */
int sampling_add(struct sampling *sampling, struct sample *sample);

/* Has to be called after the last sample: gives stacks their final form. */
void sampling_settle(struct sampling *sampling);

/*
 * Begins the file of --smpl-module=ibs, unless that was done before: also a file without
 * samples has a header.  Returns 0, or -1 after a message.
 */
int sampling_begin_recording(struct sampling *sampling);

/*
 * Begins that file if need be, and ends it with what addresses are resolved by later.
 * Returns 0, or -1 after a message.
 */
int sampling_end_recording(struct sampling *sampling);

/*
 * Has to be called when the session has ended and all samples were taken.
 * @running_ns: running time of the monitored tasks, 0 if not known; @waiting_ns:
 * time that the only task did not run.
 */
void sampling_finish(struct sampling *sampling, const struct pfm_config *config,
		     uint64_t running_ns, uint64_t waiting_ns);

/*
 * True if counting was paused; and the length of the pauses as far as it is
 * known.
 */
bool sampling_paused(const struct sampling *sampling);
uint64_t sampling_paused_ns(const struct sampling *sampling);

/* Samples that are known to be missing. */
uint64_t sampling_missing(const struct sampling *sampling);

/*
 * Number of samples that would have been due without pauses, extrapolated from
 * the time that was counted.  Returns false if it cannot be known.
 */
bool sampling_estimate(const struct sampling *sampling, uint64_t *due);

/* True if the event occurred more often than its count says. */
bool sampling_undercounts(const struct sampling *sampling, size_t event);

/*
 * Turns the register values of all events into counts: those that sample were
 * reset many times.  @context: number of the context in the order of
 * sampling_attach().
 */
void sampling_correct(struct sampling *sampling, unsigned int context,
		      uint64_t *values);

/**
 * struct group_name - the task that a group of samples belongs to
 * @pid: process id
 * @tid: thread id
 * @ppid: of the parent; 0 if not known
 * @path: of the program, "" if not known
 * @program: short name, never empty
 */
struct group_name {
	uint32_t pid;
	uint32_t tid;
	uint32_t ppid;
	const char *path;
	char program[64];
};

void sampling_name(const struct sampling *sampling, const struct group *group,
		   struct group_name *name);

/*
 * Exchanges the profile: @other becomes that of the samples to come, or to be printed.  An @other of
 * zero bytes becomes an empty profile.  Returns 0, or -1 after a message.
 */
int sampling_swap(struct sampling *sampling, struct profile *other);

/* True if --follow-exec=REGEX and --follow-exec-exclude select its program. */
bool sampling_selects(const struct sampling *sampling,
		      const struct group *group);

void sampling_free(struct sampling *sampling);

#endif

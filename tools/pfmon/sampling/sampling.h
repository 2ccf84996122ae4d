/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Sampling of one session: from the buffer's entries to samples, profile and
 * statistics.
 */
#ifndef PFMON_SAMPLING_SAMPLING_H
#define PFMON_SAMPLING_SAMPLING_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#include "base/outfile.h"
#include "sampling/lanes.h"
#include "sampling/periods.h"
#include "sampling/profile.h"
#include "sampling/spool.h"
#include "sampling/task_history.h"
#include "sampling/task_names.h"
#include "symbols/symbols.h"

struct events;
struct options;

/**
 * struct losses - what a profile does not show
 * @taken: samples that were read
 * @lost: samples that found no room in the buffer
 * @skipped: overflows that came faster than interrupts can
 * @errors: overflows that the format made an error of
 * @stackless: of @taken, aggregated samples that lost their stack
 * @throttled: times that counting was stopped by a storm of interrupts
 * @throttled_ns: time not counted because of that
 * @maps: mappings that the kernel could not report
 * @masked_ns: time not counted while a full buffer was read
 * @fills: times that a buffer was full
 * @running_ns: time that the monitored tasks ran; 0 not known
 * @waiting_ns: time of the session that the only task did not run
 * @inexact: counts lack what came after the last sample
 */
struct losses {
	uint64_t taken;
	uint64_t lost;
	uint64_t skipped;
	uint64_t errors;
	uint64_t stackless;
	uint64_t throttled;
	uint64_t throttled_ns;
	uint64_t maps;
	uint64_t masked_ns;
	uint64_t fills;
	uint64_t running_ns;
	uint64_t waiting_ns;
	bool inexact;
};

/**
 * struct sampling - state and outcome
 * @options: command line
 * @events: what is counted
 * @program: what runs when no task is followed
 * @parent: its parent process
 * @periods: how events sample
 * @lanes: the buffer
 * @symbols: what is known about addresses
 * @tasks: which task ran what when
 * @names: system-wide, what is known of the tasks
 * @profile: samples added up
 * @spool: samples one by one, when @keep
 * @output: file of --smpl-outfile; its stream is NULL when there is none
 * @keep: samples are written one by one
 * @losses: what is missing
 * @places: memory for the places of a stack
 */
struct sampling {
	const struct options *options;
	const struct events *events;
	const char *program;
	pid_t parent;
	struct periods periods;
	struct lanes lanes;
	struct symbols symbols;
	struct task_history tasks;
	struct task_names names;
	struct profile profile;
	struct spool spool;
	struct outfile output;
	bool keep;
	struct losses losses;
	uint32_t places[2 * PFM_CALLSTACK_DEPTH_MAX + 1];
};

/*
 * Each returns 0, or -1 after saying what failed.  init() is told the registers
 * and chooses the format; attach() is told each context made for that.
 */
int sampling_init(struct sampling *sampling, const struct options *options,
		  const struct events *events, const struct pfm_regmap *map);
int sampling_attach(struct sampling *sampling, int fd);

/*
 * Takes the samples of lanes that lanes_find() has found and, unless that was
 * the @last time, restarts them.  symbols_read_maps() comes first.
 */
int sampling_take(struct sampling *sampling, bool last);

/*
 * The session has ended and everything was taken.  @running_ns is how long the
 * monitored tasks ran, 0 not known; @waiting_ns how long a single one did not.
 */
void sampling_finish(struct sampling *sampling, const struct pfm_config *config,
		     uint64_t running_ns, uint64_t waiting_ns);

/* Whether counting was paused, and for how long as far as that is known. */
bool sampling_paused(const struct sampling *sampling);
uint64_t sampling_paused_ns(const struct sampling *sampling);

/* Samples that were due and are known not to have been taken. */
uint64_t sampling_missing(const struct sampling *sampling);

/*
 * Samples that would have been due without pauses, at the rate of the time that
 * was counted.  False when that is not known.
 */
bool sampling_estimate(const struct sampling *sampling, uint64_t *due);

/* Whether the event occurred more often than its count says. */
bool sampling_undercounts(const struct sampling *sampling, size_t event);

/*
 * Turns the values of registers, one an event, into counts: those that sample
 * were reset again and again.  @context is the context's place in the order of
 * sampling_attach().
 */
void sampling_correct(struct sampling *sampling, unsigned int context,
		      uint64_t *values);

/**
 * struct group_name - what a group of samples belongs to
 * @pid: process id
 * @tid: thread id
 * @ppid: of the parent; 0 not known
 * @path: of the program, "" not known
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

/* Whether --follow-exec=REGEX and its opposite want its samples. */
bool sampling_selects(const struct sampling *sampling,
		      const struct group *group);

void sampling_free(struct sampling *sampling);

#endif

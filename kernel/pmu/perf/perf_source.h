/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Sources: counters of perf that count all the time, one a CPU for each configuration in use.
 */
#ifndef _PFM_PERF_SOURCE_H
#define _PFM_PERF_SOURCE_H

#include <linux/atomic.h>
#include <linux/list.h>
#include <linux/percpu.h>
#include <linux/types.h>

struct perf_event;
struct pfm_pmu;

/**
 * struct perf_key - what a source counts
 * @type: perf_event_attr.type
 * @flags: PFM_PERF_EXCLUDE_*
 * @config: perf_event_attr.config
 * @config1: perf_event_attr.config1
 * @config2: perf_event_attr.config2
 */
struct perf_key {
	u32 type;
	u32 flags;
	u64 config;
	u64 config1;
	u64 config2;
};

/**
 * struct perf_source - events of perf with one configuration, on all CPUs
 * @events: event of each CPU; NULL where the CPU's PMU does not have the event.  Changed on
 *	that CPU with interrupts off, or while no program uses the source
 * @switches: it counts context switches, see perf_ops.c
 * @ordinary: it was made for a caller without CAP_PERFMON
 * @key: what it counts
 * @users: number of programs that use it
 * @entry: entry in the list of sources
 * @fresh: event that is to replace that of a CPU, then the one that was replaced
 */
struct perf_source {
	struct perf_event *__percpu *events;
	bool switches;
	bool ordinary;
	struct perf_key key;
	atomic_t users;
	struct list_head entry;
	struct perf_event *fresh;
};

struct perf_source *perf_source_get(const struct perf_key *key);
void perf_source_put(struct perf_source *source);
void perf_source_settle(void);
void perf_source_arrive(void);
void perf_source_leave(void);
int perf_source_renew(unsigned int cpu, const struct pfm_pmu *pmu);
int perf_source_begin(void);
void perf_source_end(void);

#endif /* _PFM_PERF_SOURCE_H */

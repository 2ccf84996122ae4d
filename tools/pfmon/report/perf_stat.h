/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Rows of 'perf stat -x,'.
 */
#ifndef PFMON_REPORT_PERF_STAT_H
#define PFMON_REPORT_PERF_STAT_H

#include <stdbool.h>
#include <stddef.h>

/**
 * struct perf_stat_row - a row with an event
 * @value: the count, as text; empty if there is none
 * @unit: what it is measured in; empty for plain counts
 * @why: why there is none; NULL if there is one
 * @event: the event, as it was asked for
 * @deviation: with -r the standard error of the mean in per cent of it, as text; NULL without -r
 * @scaled: perf counted it for a part of the time, and scaled the count
 */
struct perf_stat_row {
	const char *value;
	const char *unit;
	const char *why;
	const char *event;
	const char *deviation;
	bool scaled;
};

/*
 * perf does not quote the commas of "cpu/event=0xc0,umask=0x01/": puts fields that belong together
 * into one.  Returns the number of fields.
 */
int perf_stat_join(char **fields, int num);

/*
 * Number of columns before the count: those of intervals, CPUs, cores and so on.  -1 if this is no
 * row of perf stat.
 */
int perf_stat_offset(char *const *fields, int num);

/* Returns false if the row has no event, but a metric of perf's only. */
bool perf_stat_read(char *const *fields, int num, int offset,
		    struct perf_stat_row *row);

/* The event without PMU, levels and other modifiers: "cycles" of "cpu_core/cycles/u". */
void perf_stat_name(const char *event, char *name, size_t size);

/* Another name of an event of perf's own, the next after @after; NULL if there is none. */
const char *perf_stat_alias(const char *name, const char *after);

#endif

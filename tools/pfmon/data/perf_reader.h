/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads a file of perf as data_reader.h reads pfmon.data: the same description, records and totals.
 */
#ifndef PFMON_DATA_PERF_READER_H
#define PFMON_DATA_PERF_READER_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "data/data_info.h"
#include "data/data_record.h"
#include "data/perf_attrs.h"
#include "data/perf_features.h"
#include "data/perf_file.h"
#include "data/perf_queue.h"
#include "data/perf_tasks.h"

/**
 * struct perf_reader - a file that is being read
 * @file: its records
 * @attrs: its events
 * @features: what it says of itself
 * @info: the same as pfmon.data would say it
 * @totals: what is missing
 * @order: records that wait for earlier ones
 * @tasks: names of threads
 * @index: for each event its index among those that sample; UINT32_MAX if it does not
 * @texts: memory of names of events
 * @clock: time of the next record, if they have none
 * @has_phase: a TASK record is to be returned: @tid and @phase
 * @tid: its thread
 * @phase: what has ended
 * @path: its path, which is not known
 * @ended: how many of @tasks have been returned at the end
 * @strange: samples of events that are not known
 * @guests: samples of virtual machines, whose addresses mean nothing here
 * @cut: samples with longer stacks than are read
 * @kernel: build id and place of the kernel were compared with the running one
 * @over: all of the file was read
 */
struct perf_reader {
	struct perf_file file;
	struct perf_attrs attrs;
	struct perf_features features;
	struct data_info info;
	struct data_totals totals;
	struct perf_queue order;
	struct perf_tasks tasks;
	uint32_t *index;
	char **texts;
	uint64_t clock;
	bool has_phase;
	uint32_t tid;
	struct phase phase;
	char path[1];
	size_t ended;
	uint64_t strange;
	uint64_t guests;
	uint64_t cut;
	bool kernel;
	bool over;
};

/* As those of data_reader.h. */
int perf_reader_open(struct perf_reader *reader, const char *name, FILE *in,
		     bool force);
int perf_reader_next(struct perf_reader *reader, struct data_record *record);
void perf_reader_close(struct perf_reader *reader);

#endif

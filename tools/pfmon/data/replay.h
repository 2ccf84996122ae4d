/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads pfmon.data, or a file of perf, into what a session that samples would have at its end, so that the same forms
 * can be printed of it.
 */
#ifndef PFMON_DATA_REPLAY_H
#define PFMON_DATA_REPLAY_H

#include <stdbool.h>
#include <stdio.h>

#include "data/data_reader.h"
#include "data/perf_reader.h"
#include "options/options.h"
#include "sampling/sampling.h"

struct replay_request;

/**
 * struct replay - a session that is read from a file
 * @reader: the file, if it is pfmon.data
 * @perf: the file, if perf has written it
 * @is_perf: perf has written it
 * @name: its name in messages
 * @info: what it says of itself
 * @options: the command line that it would have had
 * @sampling: its samples and losses
 * @record: the record that was read last
 * @kernel: a sample has an address of the kernel
 * @weighed: it was known of a sample how many threads ran
 * @unweighed: number of samples of which it was not
 * @request: how the file is read; while it is
 */
struct replay {
	struct data_reader reader;
	struct perf_reader perf;
	bool is_perf;
	const char *name;
	const struct data_info *info;
	struct options options;
	struct sampling sampling;
	struct data_record record;
	bool kernel;
	bool weighed;
	uint64_t unweighed;
	const struct replay_request *request;
};

/**
 * struct replay_request - how a file is read
 * @output: the form that will be printed
 * @force: a damaged file is read up to the damage
 * @mangled: names of C++, Rust and D stay as they are
 * @latency: a sample counts by one over the number of threads that ran
 * @unfold: inlined functions are frames of their own
 * @sysmap: file with the symbols of the kernel; NULL if none
 * @each: called with each sample, when what is mapped is known; NULL, or returns -1 after a message
 * @arg: its first argument
 */
struct replay_request {
	enum smpl_output output;
	bool force;
	bool mangled;
	bool latency;
	bool unfold;
	const char *sysmap;
	int (*each)(void *arg, struct sampling *sampling,
		    const struct sample *sample);
	void *arg;
};

/* True if a file begins as those that can be read do.  It is as if nothing had been read. */
bool replay_knows(FILE *in);

/*
 * Reads a file, which is closed.  Returns the session, or NULL after a message.
 */
struct replay *replay_read(const char *name, FILE *in,
			   const struct replay_request *request);
void replay_free(struct replay *replay);

#endif

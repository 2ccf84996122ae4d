/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Writes pfmon.data: what a session samples, as it comes.
 */
#ifndef PFMON_DATA_RECORDER_H
#define PFMON_DATA_RECORDER_H

#include "data/data_record.h"
#include "data/data_writer.h"
#include "data/kernel_functions.h"
#include "sampling/sampling.h"

/**
 * struct recorder - a file that is being written
 * @sampling: what is written, into its output
 * @sink: takes its samples
 * @watch: is told of its mappings
 * @writer: the blocks
 * @kernel: addresses of the kernel in the samples
 * @record: the record that is being written
 * @began: when the session began, seconds since 1970
 * @begun: the file has a head
 * @flushed: when a block was last written, clock_now()
 */
struct recorder {
	struct sampling *sampling;
	struct sampling_sink sink;
	struct maps_watch watch;
	struct data_writer writer;
	struct kernel_functions kernel;
	struct data_record record;
	uint64_t began;
	bool begun;
	uint64_t flushed;
};

/*
 * Makes a recorder the sink of @sampling, which was initialised.  Nothing is written to the file
 * before there is a block.  Returns the recorder, or NULL after a message.
 */
struct recorder *recorder_create(struct sampling *sampling);
void recorder_free(struct recorder *recorder);

#endif

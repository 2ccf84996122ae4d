/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A record of pfmon.data as bytes, and as what it says.
 */
#ifndef PFMON_DATA_DATA_RECORD_H
#define PFMON_DATA_DATA_RECORD_H

#include <linux/limits.h>
#include <linux/perfmon_callstack.h>
#include <stddef.h>
#include <stdint.h>

#include "data/data_format.h"
#include "sampling/sample.h"
#include "sampling/task_history.h"
#include "symbols/images.h"
#include "symbols/maps.h"

/* Values that a sample can carry: of each register one. */
#define DATA_VALUES_MAX 512
/* Branches that a sample can carry; no processor records more than a quarter of them. */
#define DATA_BRANCHES_MAX 256

/**
 * struct data_record - what a record says
 * @kind: which of the others are used
 * @pid: MAP, EXEC, FORK: process
 * @parent: FORK: where its mappings come from
 * @change: MAP, EXEC, FORK: its time; MAP: all but its image
 * @inode: MAP: inode number of the file; 0 if it is not known
 * @id: MAP: build id of the file
 * @id_size: MAP: bytes of @id; 0 if it is not known
 * @path: MAP: name of the file; empty if it is not known
 * @tid: TASK: thread
 * @phase: TASK: its program, whose path is @path
 * @sample: SAMPLE
 * @words: SAMPLE: values and frames that @sample points to, when it was read
 * @branches: SAMPLE: its branches, likewise
 */
struct data_record {
	enum data_kind kind;
	uint32_t pid;
	uint32_t parent;
	struct change change;
	uint64_t inode;
	uint8_t id[IMAGES_ID_MAX];
	size_t id_size;
	char path[PATH_MAX + 1];
	uint32_t tid;
	struct phase phase;
	struct sample sample;
	uint64_t words[DATA_VALUES_MAX + 2 * PFM_CALLSTACK_DEPTH_MAX];
	struct pfm_branch branches[DATA_BRANCHES_MAX];
};

/* Writes a record to @to, which has DATA_RECORD_MAX bytes.  Returns its size. */
size_t data_record_write(const struct data_record *record, uint8_t *to);
size_t data_record_write_sample(const struct sample *sample, uint8_t *to);

/*
 * Reads the record at @from, where there are @size bytes.  Returns the bytes that it has, also if it
 * is of a kind that is not known: @record->kind is 0 then.  Returns 0 if it is malformed.
 */
size_t data_record_read(struct data_record *record, const uint8_t *from,
			size_t size);

#endif

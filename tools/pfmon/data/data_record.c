// SPDX-License-Identifier: GPL-2.0-only
/*
 * Layout of the records of pfmon.data.
 *
 * Behind its head a record has the following; a number is its size in bytes.
 *
 * SAMPLE	time 8, instruction 8, period 8, samples that it stands for 8, process 4, thread 4,
 *		index of its event 4, CPU 2, event set 2, register 2, flags of the stack 2, number of
 *		values 2, of kernel frames 2, of user frames 2, of threads that ran 2 (0: not
 *		known); values, kernel frames and user frames, 8 each; branches, to the end of the
 *		record: from 8, to 8, and PFM_BRANCH_INFO_* 8
 * MAP		process 4, access 4, time 8, first address 8, end 8, offset in the file 8, inode 8,
 *		bytes of the build id 4, of the path 4; build id; path
 * EXEC		process 4, zero 4, time 8
 * FORK		process 4, parent 4, time 8
 * TASK		thread 4, process 4, parent 4, reason 4, end 8, name of the thread 16, bytes of the path
 *		4, zero 4; path
 */
#include <string.h>

#include "data/data_record.h"

#define SAMPLE_SIZE 60
#define BRANCH_SIZE 24
#define MAP_SIZE    56
#define EXEC_SIZE   16
#define TASK_SIZE   48

static size_t finish(uint8_t *to, enum data_kind kind, size_t size)
{
	size += DATA_RECORD_HEAD_SIZE;
	data_put32(to, size);
	data_put16(to + 4, kind);
	data_put16(to + 6, 0);
	return size;
}

static uint8_t *put_words(uint8_t *at, const uint64_t *words, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++, at += 8)
		data_put64(at, words[i]);
	return at;
}

static uint8_t *put_branch(uint8_t *at, const struct pfm_branch *branch)
{
	data_put64(at, branch->from);
	data_put64(at + 8, branch->to);
	data_put64(at + 16, branch->info);
	return at + BRANCH_SIZE;
}

size_t data_record_write_sample(const struct sample *sample, uint8_t *to)
{
	size_t frames = sample->nkernel + sample->nuser;
	uint8_t *at = to + DATA_RECORD_HEAD_SIZE;
	uint16_t i;

	data_put64(at, sample->tstamp);
	data_put64(at + 8, sample->ip);
	data_put64(at + 16, sample->weight);
	data_put64(at + 24, sample->count);
	data_put32(at + 32, sample->pid);
	data_put32(at + 36, sample->tid);
	data_put32(at + 40, sample->index);
	data_put16(at + 44, sample->cpu);
	data_put16(at + 46, sample->set);
	data_put16(at + 48, sample->pmd);
	data_put16(at + 50, sample->flags);
	data_put16(at + 52, sample->nvals);
	data_put16(at + 54, sample->nkernel);
	data_put16(at + 56, sample->nuser);
	data_put16(at + 58, sample->running);
	at = put_words(at + SAMPLE_SIZE, sample->vals, sample->nvals);
	at = put_words(at, sample->frames, frames);
	for (i = 0; i < sample->nbranches; i++)
		at = put_branch(at, &sample->branches[i]);
	return finish(to, DATA_SAMPLE, at - to - DATA_RECORD_HEAD_SIZE);
}

static size_t write_map(const struct data_record *record, uint8_t *to)
{
	size_t length = strlen(record->path);
	uint8_t *at = to + DATA_RECORD_HEAD_SIZE;

	data_put32(at, record->pid);
	data_put32(at + 4, record->change.access);
	data_put64(at + 8, record->change.time);
	data_put64(at + 16, record->change.start);
	data_put64(at + 24, record->change.end);
	data_put64(at + 32, record->change.offset);
	data_put64(at + 40, record->inode);
	data_put32(at + 48, record->id_size);
	data_put32(at + 52, length);
	memcpy(at + MAP_SIZE, record->id, record->id_size);
	memcpy(at + MAP_SIZE + record->id_size, record->path, length);
	return finish(to, DATA_MAP, MAP_SIZE + record->id_size + length);
}

static size_t write_task(const struct data_record *record, uint8_t *to)
{
	const struct phase *phase = &record->phase;
	size_t length = strlen(record->path);
	uint8_t *at = to + DATA_RECORD_HEAD_SIZE;

	data_put32(at, record->tid);
	data_put32(at + 4, phase->pid);
	data_put32(at + 8, phase->ppid);
	data_put32(at + 12, phase->reason);
	data_put64(at + 16, phase->end);
	memcpy(at + 24, phase->comm, 16);
	data_put32(at + 40, length);
	data_put32(at + 44, 0);
	memcpy(at + TASK_SIZE, record->path, length);
	return finish(to, DATA_TASK, TASK_SIZE + length);
}

static size_t write_exec(const struct data_record *record, uint8_t *to)
{
	uint8_t *at = to + DATA_RECORD_HEAD_SIZE;

	data_put32(at, record->pid);
	data_put32(at + 4, record->kind == DATA_FORK ? record->parent : 0);
	data_put64(at + 8, record->change.time);
	return finish(to, record->kind, EXEC_SIZE);
}

size_t data_record_write(const struct data_record *record, uint8_t *to)
{
	switch (record->kind) {
	case DATA_SAMPLE:
		return data_record_write_sample(&record->sample, to);
	case DATA_MAP:
		return write_map(record, to);
	case DATA_TASK:
		return write_task(record, to);
	default:
		return write_exec(record, to);
	}
}

/* A file of an earlier version has 0 for their number. */
/* The record tells their number by its size. */
static int read_branches(struct data_record *record, const uint8_t *at,
			 size_t size)
{
	const size_t count = size / BRANCH_SIZE;
	size_t i;

	if (count > DATA_BRANCHES_MAX)
		return -1;
	for (i = 0; i < count; i++, at += BRANCH_SIZE)
		record->branches[i] = (struct pfm_branch){
			.from = data_get64(at),
			.to = data_get64(at + 8),
			.info = data_get64(at + 16),
		};
	record->sample.branches = record->branches;
	record->sample.nbranches = count;
	return 0;
}

static int read_sample(struct data_record *record, const uint8_t *at,
		       size_t size)
{
	struct sample *sample = &record->sample;
	size_t words, i;

	if (size < SAMPLE_SIZE)
		return -1;
	memset(sample, 0, sizeof(*sample));
	sample->tstamp = data_get64(at);
	sample->ip = data_get64(at + 8);
	sample->weight = data_get64(at + 16);
	sample->count = data_get64(at + 24);
	sample->pid = data_get32(at + 32);
	sample->tid = data_get32(at + 36);
	sample->index = data_get32(at + 40);
	sample->cpu = data_get16(at + 44);
	sample->set = data_get16(at + 46);
	sample->pmd = data_get16(at + 48);
	sample->flags = data_get16(at + 50);
	sample->nvals = data_get16(at + 52);
	sample->nkernel = data_get16(at + 54);
	sample->nuser = data_get16(at + 56);
	sample->running = data_get16(at + 58);
	words = (size_t)sample->nvals + sample->nkernel + sample->nuser;
	if (sample->nvals > DATA_VALUES_MAX ||
	    words - sample->nvals > 2 * PFM_CALLSTACK_DEPTH_MAX ||
	    size - SAMPLE_SIZE < 8 * words)
		return -1;
	for (i = 0; i < words; i++)
		record->words[i] = data_get64(at + SAMPLE_SIZE + 8 * i);
	sample->vals = record->words;
	if (words > sample->nvals)
		sample->frames = record->words + sample->nvals;
	return read_branches(record, at + SAMPLE_SIZE + 8 * words,
			     size - SAMPLE_SIZE - 8 * words);
}

static int read_path(struct data_record *record, const uint8_t *at,
		     size_t length, size_t size)
{
	if (length > size || length >= sizeof(record->path))
		return -1;
	memcpy(record->path, at, length);
	record->path[length] = '\0';
	return 0;
}

static int read_map(struct data_record *record, const uint8_t *at, size_t size)
{
	struct change *change = &record->change;
	size_t length;

	if (size < MAP_SIZE)
		return -1;
	memset(change, 0, sizeof(*change));
	change->kind = CHANGE_MAP;
	record->pid = data_get32(at);
	change->access = data_get32(at + 4);
	change->time = data_get64(at + 8);
	change->start = data_get64(at + 16);
	change->end = data_get64(at + 24);
	change->offset = data_get64(at + 32);
	record->inode = data_get64(at + 40);
	record->id_size = data_get32(at + 48);
	length = data_get32(at + 52);
	size -= MAP_SIZE;
	if (record->id_size > sizeof(record->id) || record->id_size > size)
		return -1;
	memcpy(record->id, at + MAP_SIZE, record->id_size);
	return read_path(record, at + MAP_SIZE + record->id_size, length,
			 size - record->id_size);
}

static int read_exec(struct data_record *record, const uint8_t *at, size_t size)
{
	if (size < EXEC_SIZE)
		return -1;
	memset(&record->change, 0, sizeof(record->change));
	record->change.kind = CHANGE_EXEC;
	record->pid = data_get32(at);
	record->parent = data_get32(at + 4);
	record->change.time = data_get64(at + 8);
	return 0;
}

static int read_task(struct data_record *record, const uint8_t *at, size_t size)
{
	struct phase *phase = &record->phase;

	if (size < TASK_SIZE)
		return -1;
	memset(phase, 0, sizeof(*phase));
	record->tid = data_get32(at);
	phase->pid = data_get32(at + 4);
	phase->ppid = data_get32(at + 8);
	phase->reason = data_get32(at + 12);
	phase->end = data_get64(at + 16);
	memcpy(phase->comm, at + 24, 16);
	phase->path = record->path;
	return read_path(record, at + TASK_SIZE, data_get32(at + 40),
			 size - TASK_SIZE);
}

size_t data_record_read(struct data_record *record, const uint8_t *from,
			size_t size)
{
	const uint8_t *at = from + DATA_RECORD_HEAD_SIZE;
	size_t all, body;
	int err = 0;

	if (size < DATA_RECORD_HEAD_SIZE)
		return 0;
	all = data_get32(from);
	if (all < DATA_RECORD_HEAD_SIZE || all > size)
		return 0;
	body = all - DATA_RECORD_HEAD_SIZE;
	record->kind = data_get16(from + 4);
	switch (record->kind) {
	case DATA_SAMPLE:
		err = read_sample(record, at, body);
		break;
	case DATA_MAP:
		err = read_map(record, at, body);
		break;
	case DATA_EXEC:
	case DATA_FORK:
		err = read_exec(record, at, body);
		break;
	case DATA_TASK:
		err = read_task(record, at, body);
		break;
	default:
		record->kind = 0;
	}
	return err ? 0 : all;
}

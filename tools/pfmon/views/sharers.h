/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The threads that access a cache line, and which of its bytes.
 */
#ifndef PFMON_VIEWS_SHARERS_H
#define PFMON_VIEWS_SHARERS_H

#include <stddef.h>
#include <stdint.h>

#include "ibs/ibs_access.h"

/* Bytes of a cache line of all processors with IBS. */
#define LINE_BYTES 64

/* Threads of a line that are kept; the accesses of others are counted. */
#define SHARERS_MAX 64

/**
 * enum sharing - how threads share a line
 * @SHARING_NOT_KNOWN: no access says how many bytes it has, or only such of other threads
 * @SHARING_PRIVATE: one thread accesses it
 * @SHARING_READ: several threads, and none writes
 * @SHARING_SAME: a thread accesses bytes that another one writes
 * @SHARING_FALSE: possible false sharing: a thread writes, and another one accesses the line,
 *	but no byte that either of them writes is one that the other one accesses
 *
 * Where both of the last two hold, for different pairs of threads, it is the last one.
 */
enum sharing {
	SHARING_NOT_KNOWN,
	SHARING_PRIVATE,
	SHARING_READ,
	SHARING_SAME,
	SHARING_FALSE,
	NUM_SHARINGS,
};

/* Names of them for machine-readable output: "unknown", "private", ... */
extern const char *const sharing_names[];

/**
 * struct sharer - a thread
 * @pid: its process
 * @tid: thread
 * @read: bytes that it loads: bit n is byte n of the line
 * @written: bytes that it stores
 */
struct sharer {
	uint32_t pid;
	uint32_t tid;
	uint64_t read;
	uint64_t written;
};

/**
 * struct sharers - the threads of a line
 * @list: in the order in which they were seen
 * @count: elements of @list, at most SHARERS_MAX
 * @room: elements that fit in it
 * @beyond: accesses of threads beyond SHARERS_MAX
 * @unknown: accesses whose bytes are not known
 *
 * All zero bytes: none.
 */
struct sharers {
	struct sharer *list;
	size_t count;
	size_t room;
	uint64_t beyond;
	uint64_t unknown;
};

/**
 * sharers_add() - add an access
 * @sharers: the threads
 * @pid: process
 * @tid: thread
 * @access: an access with an address; bytes behind the end of its line are left out
 *
 * Return: 0, or -1 without memory, when nothing was added.
 */
int sharers_add(struct sharers *sharers, uint32_t pid, uint32_t tid,
		const struct ibs_access *access);

/**
 * sharers_judge() - say how the threads share the line
 * @sharers: the threads
 */
enum sharing sharers_judge(const struct sharers *sharers);

void sharers_free(struct sharers *sharers);

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Spaces: the executable mappings of a process that a context has reported.
 */
#ifndef _PFM_SPACE_H
#define _PFM_SPACE_H

#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/refcount.h>
#include <linux/types.h>

struct pfm_context;
struct pfm_spaces;
struct vm_area_struct;

/**
 * struct pfm_known - an executable mapping, by all that tells it from another one
 * @start: first address
 * @end: address after the last one
 * @pgoff: offset in the file, pages; 0 without a file
 * @ino: inode number of the file, 0 without a file
 * @dev: device of the file
 * @generation: tells files apart that had the same inode number one after the other;
 *	1 for the vdso
 * @since: time of the report, ns of CLOCK_MONOTONIC; 0 when it was not reported
 */
struct pfm_known {
	unsigned long start;
	unsigned long end;
	unsigned long pgoff;
	u64 ino;
	dev_t dev;
	u32 generation;
	u64 since;
};

/**
 * struct pfm_space - what a context has reported of a process while it executes a program
 * @node: entry in pfm_spaces.list; pfm_maps.lock
 * @listed: @node is in the list; pfm_maps.lock
 * @ref: references of the list and of task work
 * @tgid: process id in the initial namespace; constant, as are the next three
 * @begun: when the process began, which tells apart processes that had the same id
 * @exec_id: self_exec_id of its threads
 * @mm: its address space; only compared
 * @lock: protects the fields below; taken in task work of the process's threads, outside
 *	of its mmap_lock
 * @change: pfm_mm_change() before the last look at the mappings
 * @exec_vm: number of executable pages then
 * @since: latest time of a report
 * @looked: there was a look
 * @n: number of elements of @maps
 * @maps: the mappings of the last look, by address
 */
struct pfm_space {
	struct list_head node;
	bool listed;
	refcount_t ref;
	pid_t tgid;
	u64 begun;
	u64 exec_id;
	const void *mm;
	struct mutex lock; /* what was reported */
	unsigned long change;
	unsigned long exec_vm;
	u64 since;
	bool looked;
	u32 n;
	struct pfm_known *maps;
};

void pfm_space_init(struct pfm_spaces *spaces);
struct pfm_space *pfm_space_get(struct pfm_context *ctx);
void pfm_space_put(struct pfm_space *space);
void pfm_space_replace(struct pfm_context *ctx, struct pfm_space *space,
		       struct pfm_known *maps, u32 n);
void pfm_space_discard(struct pfm_context *ctx);
const struct pfm_known *pfm_space_find(const struct pfm_space *space,
				       const struct pfm_known *map);

#endif /* _PFM_SPACE_H */

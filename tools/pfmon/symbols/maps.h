/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Address spaces over time: which file was mapped where, in which process, and
 * when.
 */
#ifndef PFMON_SYMBOLS_MAPS_H
#define PFMON_SYMBOLS_MAPS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/hash.h"

/**
 * enum change_kind - what happened to an address space
 */
enum change_kind {
	CHANGE_MAP,	/* something was mapped, now or earlier */
	CHANGE_EXEC,	/* a program was executed; all earlier mappings are gone */
};

/**
 * struct change - one thing that happened to an address space
 * @time: time at which it was seen, CLOCK_MONOTONIC ns
 * @kind: what happened
 * @image: MAP: number of the file (images.h)
 * @start: MAP: first address
 * @end: MAP: first address after it
 * @offset: MAP: offset in the file
 * @access: MAP: MAP_*
 */
struct change {
	uint64_t time;
	enum change_kind kind;
	uint32_t image;
	uint64_t start;
	uint64_t end;
	uint64_t offset;
	uint32_t access;
};

#define MAP_READ (1U << 0)
#define MAP_WRITE (1U << 1)
#define MAP_EXEC (1U << 2)

struct space;

/**
 * struct maps_watch - who is told of changes as they come
 * @changed: a change was added
 * @copied: a process got the mappings of another one; @changed is not called for them
 * @arg: their first argument
 */
struct maps_watch {
	void (*changed)(void *arg, uint32_t pid, const struct change *change);
	void (*copied)(void *arg, uint32_t from, uint32_t to, uint64_t time);
	void *arg;
};

/**
 * struct maps - all address spaces of a session
 * @spaces: address spaces
 * @count: elements of @spaces
 * @room: elements that fit in @spaces
 * @table: finds them by process id
 * @failed: changes that were dropped for lack of memory
 * @watch: who is told; NULL if nobody is
 */
struct maps {
	struct space **spaces;
	size_t count;
	size_t room;
	struct hash table;
	uint64_t failed;
	const struct maps_watch *watch;
};

void maps_add(struct maps *maps, uint32_t pid, const struct change *change);

/* A process has ended: maps_each_process() leaves it out until there are changes again. */
void maps_end(struct maps *maps, uint32_t pid);

/* Calls @visit for each process that has not ended; it may add changes to that process. */
void maps_each_process(struct maps *maps,
		       void (*visit)(void *arg, uint32_t pid), void *arg);

/* Calls @visit for each change of each process, by process in the order of time. */
void maps_each_change(const struct maps *maps,
		      void (*visit)(void *arg, uint32_t pid,
				    const struct change *change),
		      void *arg);

/* A process was created: it has the mappings of its parent. */
void maps_copy(struct maps *maps, uint32_t from, uint32_t to, uint64_t time);

/*
 * The mapping of an address at a time; NULL if none is known.  Valid until the
 * next maps_add().
 */
const struct change *maps_find(const struct maps *maps, uint32_t pid,
			       uint64_t time, uint64_t address);

/* Likewise, but only what was there at the time or earlier. */
const struct change *maps_find_before(const struct maps *maps, uint32_t pid,
				      uint64_t time, uint64_t address);

/* True if there were changes of the process since it last ended. */
bool maps_knows(const struct maps *maps, uint32_t pid);

/*
 * True the first time it is called for a process in a round.  Rounds are numbered
 * from 1.
 */
bool maps_begin_round(struct maps *maps, uint32_t pid, uint64_t round);

void maps_free(struct maps *maps);

#endif

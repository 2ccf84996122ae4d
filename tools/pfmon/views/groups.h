/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Groups of samples: the rows of a view before they are sorted.
 *
 * Memory is bounded: there are as many groups as the user allows, those that are seen first.
 * A sample of no group is in the figures of all others together, so all figures add up to
 * the total.
 */
#ifndef PFMON_VIEWS_GROUPS_H
#define PFMON_VIEWS_GROUPS_H

#include "base/hash.h"
#include "ibs/ibs_places.h"
#include "views/misses.h"
#include "views/sharers.h"

/* Groups of a view without --max-rows: some 40 MB at most, with short distributions. */
#define GROUPS_DEFAULT 65536
#define GROUPS_MAX     (16U << 20)

/**
 * struct group_key - what distinguishes groups
 * @image: number of the file (images.h)
 * @pid: process, where addresses are those of a process; 0 otherwise
 * @kind: enum ibs_place_kind, where it matters; 0 otherwise
 * @named: @address is that of a symbol
 * @address: address
 */
struct group_key {
	uint32_t image;
	uint32_t pid;
	uint16_t kind;
	uint16_t named;
	uint64_t address;
};

/**
 * struct group - a group
 * @key: distinguishes it
 * @place: where its first sample was
 * @misses: its figures
 * @sharers: threads that access it, of lines only
 * @sharing: how they share it
 */
struct group {
	struct group_key key;
	struct ibs_place place;
	struct misses misses;
	struct sharers sharers;
	enum sharing sharing;
};

/**
 * struct groups - the groups of a view
 * @list: in the order in which they were seen
 * @count: elements of @list
 * @room: elements that fit in it
 * @max: elements that it may have
 * @table: finds them by their key
 */
struct groups {
	struct group *list;
	size_t count;
	size_t room;
	size_t max;
	struct hash table;
};

/**
 * groups_init() - begin without groups
 * @groups: result; memory of any content
 * @max: groups that there may be, from 1 on
 */
void groups_init(struct groups *groups, size_t max);

/**
 * groups_find() - find a group, or make it
 * @groups: the groups
 * @key: its key
 * @place: where its sample is, for a new group
 * @group: result, valid until the next call; NULL: it would exceed the bound
 *
 * Return: 0, or -1 without memory.
 */
int groups_find(struct groups *groups, const struct group_key *key,
		const struct ibs_place *place, struct group **group);

void groups_free(struct groups *groups);

#endif

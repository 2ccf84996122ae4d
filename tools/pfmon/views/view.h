/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Views of a file of IBS samples: its ops grouped by instruction, by data, by address of data or
 * by cache line.
 */
#ifndef PFMON_VIEWS_VIEW_H
#define PFMON_VIEWS_VIEW_H

#include <stdbool.h>

#include "views/groups.h"
#include "views/place_cache.h"

/**
 * enum view_kind - what a row is
 * @VIEW_INSTRUCTIONS: an instruction
 * @VIEW_DATA: a variable, a stack, a heap, a mapping
 * @VIEW_ADDRESSES: an address of data
 * @VIEW_LINES: a cache line of a process, or of the kernel
 */
enum view_kind {
	VIEW_INSTRUCTIONS,
	VIEW_DATA,
	VIEW_ADDRESSES,
	VIEW_LINES,
	NUM_VIEWS,
};

/* Their names: "instructions", ... */
extern const char *const view_names[];

/**
 * enum view_sort - which rows come first: those with the most
 * @VIEW_SORT_LATENCY: latency, added up
 * @VIEW_SORT_MISSES: misses of the L1 data cache
 * @VIEW_SORT_TLB: misses of the L1 data TLB
 * @VIEW_SORT_SAMPLES: samples
 * @VIEW_SORT_SHARING: lines that are possibly shared by mistake, then other shared ones; among
 *	these as by misses
 */
enum view_sort {
	VIEW_SORT_LATENCY,
	VIEW_SORT_MISSES,
	VIEW_SORT_TLB,
	VIEW_SORT_SAMPLES,
	VIEW_SORT_SHARING,
	NUM_VIEW_SORTS,
};

/* Their names: "latency", ... */
extern const char *const view_sort_names[];

/**
 * struct view - a view
 * @kind: what a row is
 * @name: of the file
 * @shown: rows that are printed as text; 0 for all
 * @places: what is at its addresses
 * @cache: places that were looked up
 * @groups: the rows; in order after view_sort()
 * @total: figures of all samples that the view is about
 * @unknown: figures of those whose address is not known
 * @others: figures of those that exceed the bound of groups
 * @no_access: ops that neither load nor store, which are in no view of data
 * @fetches: samples of fetches, which are in no view
 */
struct view {
	enum view_kind kind;
	const char *name;
	size_t shown;
	struct ibs_places places;
	struct place_cache cache;
	struct groups groups;
	struct misses total;
	struct misses unknown;
	struct misses others;
	uint64_t no_access;
	uint64_t fetches;
};

/**
 * view_begin() - read what is at the addresses of a file
 * @view: result; memory of any content.  view_free() has to be called in any case
 * @kind: what a row is
 * @max_rows: rows that there may be, from 1 on
 * @name: the file, which cannot be a pipe
 *
 * Return: 0, or -1 after a message.
 */
int view_begin(struct view *view, enum view_kind kind, size_t max_rows,
	       const char *name);

/**
 * view_read() - group the samples of the file
 * @view: as view_begin() left it
 *
 * Return: 0, or -1 after a message.
 */
int view_read(struct view *view);

/**
 * view_sort() - put the rows in order
 * @view: as view_read() left it
 * @sort: which come first; equal ones are ordered by misses, samples and address
 */
void view_sort(struct view *view, enum view_sort sort);

void view_free(struct view *view);

#endif

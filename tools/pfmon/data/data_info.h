/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Description in pfmon.data: where, when and how the samples were taken, and their totals.
 */
#ifndef PFMON_DATA_DATA_INFO_H
#define PFMON_DATA_DATA_INFO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "events/event_list.h"
#include "options/options.h"
#include "sampling/periods.h"
#include "sampling/sampling.h"

struct json_t;

/**
 * struct data_info - the block DATA_INFO
 * @root: the document, which has the strings
 * @host: name of the machine
 * @machine: its architecture, as uname(2) has it
 * @kernel: release of its kernel
 * @boot: id of its boot; empty if it is not known
 * @pfmon: version of pfmon
 * @began: when the session began, seconds since 1970
 * @argv: command line of pfmon, terminated by NULL
 * @command: the command; NULL if there was none
 * @parent: process id of pfmon
 * @scope: what was sampled
 * @follow: tasks were followed, so that there are records of them
 * @stacks: samples have call stacks
 * @parts: parts of the buffer in the kernel
 * @exact: mappings have the time at which they were made
 * @frequency: samples asked for in a second; 0 if periods were
 * @events: names, labels and registers of the events
 * @periods: how they sample, and which values are in a sample
 */
struct data_info {
	struct json_t *root;
	const char *host;
	const char *machine;
	const char *kernel;
	const char *boot;
	const char *pfmon;
	uint64_t began;
	char **argv;
	char **command;
	uint32_t parent;
	enum scope scope;
	bool follow;
	bool stacks;
	uint64_t parts;
	bool exact;
	uint64_t frequency;
	struct events events;
	struct periods periods;
};

/*
 * The document of this machine and session; @began: as in struct data_info.  Returns NULL without
 * memory.  The caller frees it.
 */
char *data_info_write(const struct sampling *sampling, uint64_t began,
		      size_t *size);

/*
 * Reads such a document.  Returns 0, or -1 if it is malformed or there is no memory; data_info_free()
 * is needed in both cases.
 */
int data_info_read(struct data_info *info, const char *text, size_t size);
void data_info_free(struct data_info *info);

/* Words for what was sampled. */
extern const char *const data_scope_names[SCOPE_SYSTEM + 1];

/* The id of the machine's boot; empty if it is not known.  @text has room for 64 bytes. */
const char *data_info_boot(char *text);

/* True if a file is of this boot of this machine: addresses of the kernel are those of its boot. */
bool data_info_is_here(const struct data_info *info);

/**
 * struct data_totals - the blocks DATA_TOTALS and DATA_END
 * @written: samples in the blocks before
 * @dropped: samples that were taken, but that could not be written
 * @losses: what else is missing; @losses.taken has both
 */
struct data_totals {
	uint64_t written;
	uint64_t dropped;
	struct losses losses;
};

/**
 * struct data_member - a member of struct data_totals
 * @name: its name in the file; NULL behind the last one
 * @offset: where it is
 */
struct data_member {
	const char *name;
	size_t offset;
};

extern const struct data_member data_members[];

/* The same for totals. */
char *data_totals_write(const struct data_totals *totals, size_t *size);
int data_totals_read(struct data_totals *totals, const char *text, size_t size);

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How each event samples: from the lists of the command line to the attributes
 * of registers.
 */
#ifndef PFMON_SAMPLING_PERIODS_H
#define PFMON_SAMPLING_PERIODS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <perfmon/perfmon.h>

struct events;
struct smpl_options;

/**
 * struct period - how one event samples
 * @event: its index in struct events
 * @pmd: its register
 * @first: period of the first sample, and after each notification
 * @between: period of the other samples
 * @mask: bits of a random number that each period is longer by; 0 none
 * @seed: where random numbers start
 */
struct period {
	size_t event;
	uint16_t pmd;
	uint64_t first;
	uint64_t between;
	uint64_t mask;
	uint64_t seed;
};

/**
 * struct periods - how a session samples
 * @list: events that sample, in command line order
 * @count: elements of @list
 * @attrs: attributes of their registers
 * @carried: registers whose values are in each sample, in ascending order
 * @num_carried: elements of @carried
 * @carried_event: the event that each of them counts; -1 none, it comes from
 *	--extra-smpl-pmds
 */
struct periods {
	struct period *list;
	size_t count;
	struct pfm_pmd_attr *attrs;
	uint16_t carried[PFM_REGS_MAX];
	size_t num_carried;
	int carried_event[PFM_REGS_MAX];
};

/* Each returns 0, or -1 after saying what is wrong. */
int periods_read(struct periods *periods, const struct smpl_options *options,
		 const struct events *events, const struct pfm_regmap *map);
int periods_program(const struct periods *periods, const struct events *events,
		    int fd);
void periods_free(struct periods *periods);

/* The event that samples on a register; -1 none does. */
int periods_event(const struct periods *periods, uint16_t pmd);

/* Place of an event among those that sample; -1 it does not. */
int periods_index(const struct periods *periods, size_t event);

/* Bytes of the largest sample of the default format. */
size_t periods_entry_size(const struct periods *periods);

#endif

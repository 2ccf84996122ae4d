/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Turns the lists of sampling periods on the command line into attributes of
 * registers.
 */
#ifndef PFMON_SAMPLING_PERIODS_H
#define PFMON_SAMPLING_PERIODS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <perfmon/perfmon.h>

struct events;
struct smpl_options;

/* Events whose names begin so are of AMD's IBS, which records the address of a sampled op. */
#define PERIOD_IBS_OP "ibs_op"

/**
 * struct period - how one event samples
 * @event: its index in events.list
 * @pmd: its register
 * @first: period of the first sample, and after each notification
 * @between: period of the other samples
 * @frequency: the kernel adapts the period to that many samples in a second of counting, and begins
 *	with @first; 0: periods as given
 * @measured: of a file: there is no period; each sample stands for ns that were measured
 * @mask: mask of the random number that is added to each period; 0 if none
 * @seed: seed of the random numbers
 * @exact: samples of a file whose address is that of the instruction itself: those of perf say so;
 *	UINT64_MAX for all of PERIOD_IBS_OP
 */
struct period {
	size_t event;
	uint16_t pmd;
	uint64_t first;
	uint64_t between;
	uint64_t frequency;
	bool measured;
	uint64_t mask;
	uint64_t seed;
	uint64_t exact;
};

/**
 * struct periods - how a session samples
 * @list: the events that sample, in the order of the command line
 * @count: elements of @list
 * @attrs: attributes of their registers
 * @carried: registers whose values are in each sample, in ascending order
 * @num_carried: elements of @carried
 * @carried_event: the event that each of them counts; -1 if none: it comes from
 *	--extra-smpl-pmds
 * @branch_pmc: register of the filter of branches, and
 * @branch_filter: its value; 0 if samples carry none
 * @branch_depth: most branches of a sample
 */
struct periods {
	struct period *list;
	size_t count;
	struct pfm_pmd_attr *attrs;
	uint16_t carried[PFM_REGS_MAX];
	size_t num_carried;
	int carried_event[PFM_REGS_MAX];
	uint16_t branch_pmc;
	uint16_t branch_depth;
	uint64_t branch_filter;
};

/* Each returns 0, or -1 after a message. */
int periods_read(struct periods *periods, const struct smpl_options *options,
		 const struct events *events, const struct pfm_reg_map *map);

/*
 * Has samples carry branches.  @filter: of the command line, see branch_filter.h; a filter without a
 * level has those of @plm.
 */
int periods_add_branches(struct periods *periods, uint64_t filter, int plm,
			 const struct pfm_reg_map *map);
int periods_program(const struct periods *periods, const struct events *events,
		    int fd);
void periods_free(struct periods *periods);

/* Event that samples on a register; -1 if none does. */
int periods_event(const struct periods *periods, uint16_t pmd);

/* Index of an event in @list; -1 if the event does not sample. */
int periods_index(const struct periods *periods, size_t event);

/* Size of the largest sample of the default format in bytes. */
size_t periods_entry_size(const struct periods *periods);

#endif

/* SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause) */
/*
 * One struct pfm_arch_ops holds all that the library knows of a kind of hardware PMU.  No
 * other file of the library knows the bits of registers.
 */
#ifndef PERFMON_PMU_ARCH_H
#define PERFMON_PMU_ARCH_H

#include "pmu/generic.h"

#include <stdbool.h>
#include <stdint.h>

#include <perfmon/perfmon.h>

/**
 * struct pfm_arch_event - an event that the architecture defines
 * @name: name in the architecture's manual
 * @code: its number
 * @desc: what it counts
 */
struct pfm_arch_event {
	const char *name;
	uint64_t code;
	const char *desc;
};

/* How well a counter suits an event. */
enum pfm_arch_fit {
	PFM_FIT_NONE,		/* cannot count it */
	PFM_FIT_OK,
	PFM_FIT_PREFERRED,	/* used first, to keep the other counters free */
};

/**
 * struct pfm_arch_name - the event that a generic name stands for
 * @generic: the name; PFMI_GENERICS ends a list
 * @code: code of the event
 * @extra: value of the second register that the event needs; 0: it needs none
 */
struct pfm_arch_name {
	enum pfmi_generic_event generic;
	uint64_t code;
	uint64_t extra;
};

/* The PMU has no event of that generic name. */
#define PFM_ARCH_NO_CODE UINT64_MAX

/**
 * struct pfm_arch_term - a term of cpu/TERM,.../: a part of the code
 * @name: perf's name
 * @bits: its bits, which a number fills from the lowest up.  One bit: the term is a
 *	switch
 * @letter: behind the second slash this letter sets the bits; 0: none does
 */
struct pfm_arch_term {
	const char *name;
	uint64_t bits;
	char letter;
};

/**
 * struct pfm_arch_shared - a PMC that an event needs beside the one of its counter
 * @code: the events that need it: their code in the bits of @mask
 * @mask: those bits
 * @pmc: the PMC, which holds pfm_event.extra; 0 ends a list
 * @field: the field of an event string that gives the value
 * @other: code in the bits of @mask with which the PMU counts the same event and uses
 *	another PMC of the list; 0: there is none
 * @pebs: the register has a meaning for Intel's PEBS only, which the kernel may not use
 */
struct pfm_arch_shared {
	uint64_t code;
	uint64_t mask;
	uint16_t pmc;
	const char *field;
	uint64_t other;
	bool pebs;
};

/**
 * struct pfm_arch_ops - how the events of one kind of PMU are programmed
 * @name: the kernel's name of the PMU's description; table name of @events
 * @levels: PFM_PLM_* that the PMU can select
 * @code_bits: bits that an event code can have
 * @events: events that the architecture defines, ascending by code; a NULL name ends
 *	them
 * @names: list number @i of the events that generic names stand for; NULL: there are fewer.  A
 *	name stands for the first event of all lists that the processor implements.  What
 *	costs time to find out comes in a later list
 * @owns_table: whether a table of libpfm4 describes PMUs of this kind
 * @take_encoding: set the members code and extra of an event from the raw encoding
 *	that libpfm4 returns: @count values, and @full, the event with its table and
 *	unit masks as libpfm4 spells them
 * @table_code: the number that libpfm4's tables have for the event with this code,
 *	which lacks the unit mask
 * @modifier: apply a field of an event string to an event that is not one of
 *	libpfm4's tables; false: it has no such field.  Optional
 * @table_modifier: the same for the fields of an event of libpfm4's tables that
 *	libpfm4 does not know.  Optional
 * @terms: the terms of cpu/TERM,.../; the first one has to be given, a NULL name ends
 *	them.  Second registers are terms, too, by the names in @shared.  Optional; with
 *	it there is @modifier
 * @take_register: set the members code and plm of an event from the whole value of a
 *	control register (raw:0x...); false: the value has bits that are not part of an
 *	event.  Optional
 * @fixed: whether a counter counts one event only.  Optional
 * @fixed_only: whether only such a counter can count the event.  Optional
 * @excluded: whether none of these events can use the counter, because of the others.
 *	Optional
 * @fit: how well a counter suits an event
 * @pair_code: code with which the counter after that of the event is programmed, so
 *	that both of them together count it; 0: the event needs one counter.  Optional
 * @shared: PMCs that some events need beside the one of their counter.  Optional
 * @encode: value of the PMC with which the PMD counts the event
 * @more: number @i of the further PMCs of the PMD, and its value; false: there are fewer.
 *	Optional
 */
struct pfm_arch_ops {
	const char *name;
	uint32_t levels;
	uint64_t code_bits;
	const struct pfm_arch_event *events;
	const struct pfm_arch_name *(*names)(unsigned int i);
	bool (*owns_table)(const char *table);
	void (*take_encoding)(struct pfm_event *event, const uint64_t *codes,
			      int count, const char *full);
	uint64_t (*table_code)(uint64_t code);
	bool (*modifier)(struct pfm_event *event, const char *field);
	bool (*table_modifier)(struct pfm_event *event, const char *field);
	const struct pfm_arch_term *terms;
	bool (*take_register)(struct pfm_event *event, uint64_t value);
	bool (*fixed)(const struct pfm_reg_info *pmd);
	bool (*fixed_only)(const struct pfm_event *event);
	bool (*excluded)(const struct pfm_event *events, unsigned int count,
			 const struct pfm_reg_info *pmd);
	enum pfm_arch_fit (*fit)(const struct pfm_event *event,
				 const struct pfm_reg_info *pmd);
	uint64_t (*pair_code)(const struct pfm_event *event);
	const struct pfm_arch_shared *(*shared)(void);
	uint64_t (*encode)(const struct pfm_event *event,
			   const struct pfm_reg_info *pmd);
	bool (*more)(const struct pfm_event *event,
		     const struct pfm_reg_info *pmd, unsigned int i,
		     uint16_t *pmc, uint64_t *value);
};

extern const struct pfm_arch_ops pfmi_arch_armv8;
extern const struct pfm_arch_event pfmi_armv8_events[];
extern const struct pfm_arch_ops pfmi_arch_intel;
extern const struct pfm_arch_event pfmi_intel_events[];
extern const struct pfm_arch_ops pfmi_arch_amd;
extern const struct pfm_arch_ops pfmi_arch_perf;

/*
 * Operations for the PMU whose description has this name; NULL if it is unknown.  @pmu NULL:
 * those of this machine, if its architecture has one kind of PMU.
 */
const struct pfm_arch_ops *pfmi_arch_find(const char *pmu);

/*
 * The event that a generic name stands for: number @choice of those that the lists of the PMU
 * have.  NULL: there are fewer.
 */
const struct pfm_arch_name *pfmi_arch_name(const struct pfm_arch_ops *ops,
					   enum pfmi_generic_event generic,
					   unsigned int choice);

/* Code of the event "cycles". */
uint64_t pfmi_arch_cycles(const struct pfm_arch_ops *ops);

/* The PMC that an event with this code needs beside its counter's; NULL: none. */
static inline const struct pfm_arch_shared *
pfmi_arch_shared(const struct pfm_arch_ops *ops, uint64_t code)
{
	const struct pfm_arch_shared *shared;

	if (!ops->shared)
		return NULL;
	for (shared = ops->shared(); shared->pmc; shared++)
		if ((code & shared->mask) == shared->code)
			return shared;
	return NULL;
}

#endif

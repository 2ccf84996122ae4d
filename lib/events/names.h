/* SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause) */
/*
 * Perf's event names: the events that they stand for on a machine.
 */
#ifndef PERFMON_EVENTS_NAMES_H
#define PERFMON_EVENTS_NAMES_H

#include "base/words.h"
#include "pmu/arch.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * The event that a generic name stands for: the first of the PMU's lists that the processor implements,
 * or else the first, which counts nothing.  NULL: the PMU has none.
 */
const struct pfm_arch_name *pfmi_name_find(const struct pfm_reg_map *map,
					   const struct pfm_arch_ops *ops,
					   enum pfmi_generic_event generic);

/* True if it is the name of an event that only the kernel's perf counts. */
bool pfmi_name_perf_only(const char *name);

/*
 * Make of an event with the modifier p the event that samples without skid, which is one of IBS.
 * @event has been parsed without p.  Returns 0, or -EINVAL with the reason in @why, a
 * phrase that does not name the event; @size 0: the reason is not wanted.
 */
int pfmi_name_precise(const struct pfm_reg_map *map,
		      const struct pfmi_words *words, struct pfm_event *event,
		      char *why, size_t size);

#endif

/* SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause) */
/*
 * Events of AMD's instruction-based sampling (IBS): ibs_op and ibs_fetch.
 */
#ifndef PERFMON_EVENTS_IBS_H
#define PERFMON_EVENTS_IBS_H

#include "base/words.h"

#include <stddef.h>
#include <stdint.h>

#include <perfmon/perfmon.h>

/*
 * Set the members of an event of IBS, but for the levels, from its words.  @map NULL: there is
 * no IBS.  Returns 0, or an error with the reason in @why, a phrase that does not name the
 * event; @size 0: the reason is not wanted.
 *
 *   -ENOENT	the words do not name an event of IBS
 *   -ENODEV	the machine does not have it
 *   -EINVAL	an option that the event does not have, or a wrong value
 *   -EOPNOTSUPP	an option that this processor does not have
 */
int pfmi_ibs_take(const struct pfm_reg_map *map, const struct pfmi_words *words,
		  struct pfm_event *event, char *why, size_t size);

/* The value of the control register for an event of IBS. */
uint64_t pfmi_ibs_encode(const struct pfm_event *event);

/* As pfm_event_for_each(), for the events of IBS that the machine has. */
int pfmi_ibs_for_each(const struct pfm_reg_map *map,
		      int (*visit)(const struct pfm_event_desc *desc,
				   void *arg),
		      void *arg);

#endif

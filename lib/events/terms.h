/* SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause) */
/*
 * Events in parts, cpu/TERM,.../LETTERS.
 */
#ifndef PERFMON_EVENTS_TERMS_H
#define PERFMON_EVENTS_TERMS_H

#include "base/words.h"
#include "pmu/arch.h"

#include <stddef.h>

/*
 * Set the members code, extra and plm of an event from cpu/TERM,.../LETTERS and
 * the fields behind it.  Returns 0, or -EINVAL with the reason in @why, a phrase that does
 * not name the event; @size 0: the reason is not wanted.
 */
int pfmi_terms_take(const struct pfm_arch_ops *ops,
		    const struct pfmi_words *words, struct pfm_event *event,
		    char *why, size_t size);

#endif

/* SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause) */
/*
 * The event tables of libpfm4.
 */
#ifndef PERFMON_PMU_TABLES_H
#define PERFMON_PMU_TABLES_H

#include "base/words.h"
#include "pmu/arch.h"

/**
 * pfmi_tables_encode - look an event up in libpfm4's tables
 * @ops: architecture whose tables are searched; NULL: the tables of any core
 * @words: the event; if it names a table, only that one is searched
 * @event: out: name (without levels) and code
 *
 * Returns 0, -ENOENT, -EINVAL (unit mask), -ENAMETOOLONG or -ENOMEM.
 */
int pfmi_tables_encode(const struct pfm_arch_ops *ops,
		       const struct pfmi_words *words, struct pfm_event *event);

/* As pfm_event_for_each(), for the events of libpfm4's tables. */
int pfmi_tables_for_each(const struct pfm_arch_ops *ops,
			 int (*visit)(const struct pfm_event_desc *desc,
				      void *arg),
			 void *arg);

/* Name of the first table for this machine; NULL when there is none. */
const char *pfmi_tables_name(const struct pfm_arch_ops *ops);

#endif

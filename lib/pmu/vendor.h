/* SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause) */
/*
 * The event tables of processors, made from files of their vendors.
 */
#ifndef PERFMON_PMU_VENDOR_H
#define PERFMON_PMU_VENDOR_H

#include "base/words.h"
#include "pmu/arch.h"
#include "pmu/vendor_file.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * Look an event up.  Without the name of a table only the first one is searched: the others are of
 * cores of other kinds of the same processor.  Returns as pfmi_tables_encode(), or -EBADMSG if a
 * table is damaged; -EOPNOTSUPP if the PMU lacks the second register that the event needs.
 */
int pfmi_vendor_encode(const struct pfm_arch_ops *ops,
		       const struct pfmi_words *words, struct pfm_event *event);

/* As pfm_event_for_each(), for the events of these tables.  Returns -EBADMSG, too. */
int pfmi_vendor_for_each(const struct pfm_arch_ops *ops,
			 int (*visit)(const struct pfm_event_desc *desc,
				      void *arg),
			 void *arg);

/* Visits what the table of that name has of its events.  -ENOENT: this machine has no such table. */
int pfmi_vendor_visit(const char *table,
		      int (*visit)(const struct pfmi_vendor_event *event,
				   void *arg),
		      void *arg);

/*
 * The first field behind the event's name that is none of its modifiers; NULL if they all are.
 * False: the tables do not have the event.
 */
bool pfmi_vendor_wrong_field(const struct pfm_arch_ops *ops,
			     const struct pfmi_words *words,
			     const char **field);

/* Name of the first table for this machine; NULL when there is none. */
const char *pfmi_vendor_name(const struct pfm_arch_ops *ops);

/* The table that the environment names; NULL: none.  It costs no system call. */
const char *pfmi_vendor_forced(void);

/* The origin of the events of a table; NULL if there is no such table. */
const char *pfmi_vendor_source(const char *table);

/* Describes the damage of a table, for which -EBADMSG was returned. */
void pfmi_vendor_damage(char *buf, size_t size);

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The event sets of a session: programs them into a context, and reads their
 * counts.
 */
#ifndef PFMON_EVENTS_SETS_H
#define PFMON_EVENTS_SETS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <perfmon/perfmon.h>

struct counts;
struct events;

/* True if this run of the command counts the event. */
bool sets_count(const struct events *events, size_t event);

/* True if every set counts the event, so that its counts add up. */
bool sets_everywhere(const struct events *events, size_t event);

/*
 * sets_program() gives the sets and their registers to a context, sets_read()
 * reads the counts; each returns 0, or -1 after a message.  sets_add() adds the
 * counts of a record, and returns false if the record lacks an event.
 */
int sets_program(const struct events *events, int fd, bool log);
int sets_read(const struct events *events, int fd, struct counts *counts);
bool sets_add(const struct events *events, const struct pfm_record *record,
	      struct counts *counts);

void sets_free(struct events *events);

#endif

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

struct events;

/*
 * The counts of a task, or their totals, are a vector of words: one for each
 * event and, if sets are switched, for each set the time that it was active, for
 * each set the number of its time slices, and last the whole time that the kernel
 * measured.  The whole time exceeds the sum of the active times by the time that
 * switching took.  The program does not run during a switch, so counts are not
 * scaled to that time.
 */
size_t sets_words(const struct events *events);
uint64_t sets_active(const struct events *events, const uint64_t *words,
		     unsigned int set);
uint64_t sets_runs(const struct events *events, const uint64_t *words,
		   unsigned int set);
/* Time in which any set was active, and time that switching took. */
uint64_t sets_enabled(const struct events *events, const uint64_t *words);
uint64_t sets_switching(const struct events *events, const uint64_t *words);

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
int sets_read(const struct events *events, int fd, uint64_t *words);
bool sets_add(const struct events *events, const struct pfm_record *record,
	      uint64_t *words);

void sets_free(struct events *events);

#endif

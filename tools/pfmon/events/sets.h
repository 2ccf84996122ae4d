/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The event sets of a session: which events are counted together, in which
 * registers, and when the next set's turn is.
 */
#ifndef PFMON_EVENTS_SETS_H
#define PFMON_EVENTS_SETS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <perfmon/perfmon.h>

struct events;

/*
 * Counts of a task or a total are a vector: a word for each event and, when
 * sets are switched, for each set the time it was active and the number of its
 * turns, and last the time that the kernel says all of it took.  What the latter
 * is more than that of the sets went into switching: the program does not run
 * then, so nothing is scaled to it.
 */
size_t sets_words(const struct events *events);
uint64_t sets_active(const struct events *events, const uint64_t *words,
		     unsigned int set);
uint64_t sets_runs(const struct events *events, const uint64_t *words,
		   unsigned int set);
/* Time in which any set was active, and that switching took. */
uint64_t sets_enabled(const struct events *events, const uint64_t *words);
uint64_t sets_switching(const struct events *events, const uint64_t *words);

/* Whether this run of the command counts the event. */
bool sets_count(const struct events *events, size_t event);

/* Whether the event counts in more sets than its own: its counts add up. */
bool sets_everywhere(const struct events *events, size_t event);

/*
 * Each returns 0, or -1 after saying what is wrong.  program() gives the sets and
 * their registers to a context, read() gets the values, add() those of a record:
 * false when it lacks one.
 */
int sets_program(const struct events *events, int fd, bool log);
int sets_read(const struct events *events, int fd, uint64_t *words);
bool sets_add(const struct events *events, const struct pfm_record *record,
	      uint64_t *words);

void sets_free(struct events *events);

#endif

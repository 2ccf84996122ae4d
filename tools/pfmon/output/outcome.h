/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * An outcome is printed as one: the counts of a session, or of its CPUs that have one type.
 */
#ifndef PFMON_OUTPUT_OUTCOME_H
#define PFMON_OUTPUT_OUTCOME_H

#include <stdbool.h>

struct cpu;
struct events;
struct metric_plan;
struct plan_part;
struct results;
struct session;

/**
 * struct outcome - counts that are printed together
 * @session: what they are of
 * @events: the events
 * @metrics: how metrics are counted; NULL if there are none
 * @results: the counts of tasks, and the sums
 * @first: no other outcome of the session is printed before
 */
struct outcome {
	const struct session *session;
	const struct events *events;
	const struct metric_plan *metrics;
	const struct results *results;
	bool first;
};

/* All counts of a session. */
struct outcome outcome_of(const struct session *session);

/*
 * The counts of the CPUs of one type, whose sums are kept in @results.  Returns 0, or -1 after a
 * message; results_free() is needed in both cases.
 */
int outcome_of_part(struct outcome *outcome, struct results *results,
		    const struct session *session,
		    const struct plan_part *part);

/* The CPU after @cpu, the first one if that is NULL; NULL if there are no more. */
const struct cpu *outcome_next_cpu(const struct outcome *outcome,
				   const struct cpu *cpu);

#endif

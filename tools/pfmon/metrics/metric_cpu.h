/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which metric files are for a CPU of this machine, and what it tells their formulas.
 */
#ifndef PFMON_METRICS_METRIC_CPU_H
#define PFMON_METRICS_METRIC_CPU_H

#include <jansson.h>
#include <stdbool.h>

struct cpu_identity;
struct metric_model;

/* True if an element of @match, the member of a metric file, describes the CPU. */
bool metric_cpu_matches(const struct cpu_identity *cpu, const json_t *match);

/* Gives the model the constants that this machine tells, of CPU @cpu. */
void metric_cpu_constants(struct metric_model *model, unsigned int cpu);

#endif

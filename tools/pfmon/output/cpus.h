/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Counts of CPUs as text, CSV and JSON.
 */
#ifndef PFMON_OUTPUT_CPUS_H
#define PFMON_OUTPUT_CPUS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct count;
struct counts_of;
struct cpu;
struct event;
struct json;
struct outcome;

void print_cpus_text(FILE *out, const struct outcome *outcome);
/* @titles: print a row of column names first. */
void print_cpus_csv(FILE *out, const struct outcome *outcome, bool titles);
/* Writes the members of the document that are about CPUs. */
void print_cpus_json(struct json *json, const struct outcome *outcome);

/* Print rows without the last columns, which the caller adds. */
void print_cpu_titles(FILE *out, const struct outcome *outcome);
void print_cpu_row(FILE *out, const char *type, const struct event *event,
		   const struct count *count, const struct cpu *cpu);

/**
 * struct cpu_metrics - rows of metrics of a CPU
 * @cpu: the CPU; NULL all of them
 * @interval: number of the interval; 0 the whole session
 * @start: when counting began
 * @end: when it ended
 */
struct cpu_metrics {
	const struct cpu *cpu;
	uint64_t interval;
	uint64_t start;
	uint64_t end;
};

/* Prints these rows, if the session counts for metrics. */
void print_cpu_metrics(FILE *out, const char *type,
		       const struct counts_of *counts,
		       const struct cpu_metrics *metrics);

#endif

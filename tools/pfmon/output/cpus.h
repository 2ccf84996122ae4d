/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Counts of CPUs as text, CSV and JSON.
 */
#ifndef PFMON_OUTPUT_CPUS_H
#define PFMON_OUTPUT_CPUS_H

#include <stdbool.h>
#include <stdio.h>

struct count;
struct cpu;
struct event;
struct json;
struct session;

void print_cpus_text(FILE *out, const struct session *session);
/* @titles: print a row of column names first. */
void print_cpus_csv(FILE *out, const struct session *session, bool titles);
/* Writes the members of the document that are about CPUs. */
void print_cpus_json(struct json *json, const struct session *session);

/* Print rows without the last columns, which the caller adds. */
void print_cpu_titles(FILE *out);
void print_cpu_row(FILE *out, const char *type, const struct event *event,
		   const struct count *count, const struct cpu *cpu);

#endif

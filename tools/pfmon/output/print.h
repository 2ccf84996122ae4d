/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Results in the three forms.
 */
#ifndef PFMON_OUTPUT_PRINT_H
#define PFMON_OUTPUT_PRINT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct count;
struct cpu;
struct event;
struct json;
struct options;
struct session;

void print_text(FILE *out, const struct session *session);
void print_json(FILE *out, const struct session *session);
/* @titles: begin with the row of column names. */
void print_csv(FILE *out, const struct session *session, bool titles);

/* The same for CPUs (print_cpus.c). */
void print_cpus_text(FILE *out, const struct session *session);
void print_cpus_csv(FILE *out, const struct session *session, bool titles);
/* Their members of the document. */
void print_cpus_json(struct json *json, const struct session *session);

/* Parts of rows: without the last three columns, which the caller adds. */
void print_cpu_titles(FILE *out);
void print_cpu_row(FILE *out, const char *type, const struct event *event,
		   const struct count *count, const struct cpu *cpu);

/* A count as the command line wants it; at most 20 digits, and separators. */
#define PRINT_COUNT_ROOM	32
const char *print_count_text(const struct options *options, uint64_t value,
			     char *text);
/* The same with a mark before an estimate or lower bound. */
const char *print_value_text(const struct options *options,
			     const struct count *count, char *text);
/*
 * How far an estimate is off at most, or that a count is a lower bound, and which
 * part of the time it is from.
 */
void print_trust(FILE *out, const struct count *count);

/* --show-time */
void print_times(FILE *out, const struct session *session);

void print_csv_field(FILE *out, const char *text);

/* Rows of what sampling left out, each printed by @print; none without it. */
typedef void (*print_csv_loss_fn)(FILE *out, const struct session *session,
				  const char *name, const struct count *count);
void print_csv_losses(FILE *out, const struct session *session,
		      print_csv_loss_fn print);
/* @words: a vector as sets.h describes it. */
void print_json_counts(struct json *json, const char *key,
		       const struct session *session, const uint64_t *words);

/* What is wrong with the results, on standard error. */
void print_warnings(const struct session *session);

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Counts of CPUs as text and JSON.
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
/* Writes the members of the document that are about CPUs. */
void print_cpus_json(struct json *json, const struct outcome *outcome);

#endif

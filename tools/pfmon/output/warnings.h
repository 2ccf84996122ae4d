/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Warnings about the results, on standard error.
 */
#ifndef PFMON_OUTPUT_WARNINGS_H
#define PFMON_OUTPUT_WARNINGS_H

struct outcome;

void print_warnings(const struct outcome *outcome);

#endif

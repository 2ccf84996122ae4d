/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Results of programs and processes as text.
 */
#ifndef PFMON_OUTPUT_GROUP_TEXT_H
#define PFMON_OUTPUT_GROUP_TEXT_H

#include <stdio.h>

struct rows;
struct session;

/* Prints each program or process with its counts and their shares. */
void group_text_print(FILE *out, const struct rows *rows);

/* Prints how long the session, or the command, took, and the times of the command. */
void elapsed_print(FILE *out, const struct session *session);

#endif

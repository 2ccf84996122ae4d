/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The forms of samples and profiles.
 */
#ifndef PFMON_PROFILES_PROFILE_FORMS_H
#define PFMON_PROFILES_PROFILE_FORMS_H

#include <stdio.h>

struct sampling;

/* sample_list.c */

/* Each returns 0, or -1 after a message. */
int print_compact(FILE *out, struct sampling *sampling);
int print_detailed(FILE *out, struct sampling *sampling);
int print_detailed_old(FILE *out, struct sampling *sampling);
int print_perf_script(FILE *out, struct sampling *sampling);

/* entry_list.c */

/* Entries of a format that describes itself.  Returns 0, or -1 after a message. */
int print_entries(FILE *out, struct sampling *sampling);

/* raw_file.c */

/* Returns 0, or -1 after a message. */
int print_raw(FILE *out, struct sampling *sampling);

/* profile_text.c */

/* Returns 0, or -1 after a message. */
int print_profile(FILE *out, struct sampling *sampling);

/* folded.c */

/* Returns 0, or -1 after a message. */
int print_folded(FILE *out, struct sampling *sampling);

/* speedscope.c */

/* Returns 0, or -1 after a message. */
int print_speedscope(FILE *out, struct sampling *sampling);

/* firefox.c */

/* Returns 0, or -1 after a message. */
int print_firefox(FILE *out, struct sampling *sampling);

/* pprof.c */

/* Returns 0, or -1 after a message. */
int print_pprof(FILE *out, struct sampling *sampling);

#endif

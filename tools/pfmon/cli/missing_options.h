/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Options of the original pfmon, and of perf, that pfmon does not have: why, and what to use instead.
 */
#ifndef PFMON_CLI_MISSING_OPTIONS_H
#define PFMON_CLI_MISSING_OPTIONS_H

#include <stddef.h>

/*
 * Each returns a phrase to follow the name of the option, or NULL if nothing is known of it.  @name
 * has no dashes and no argument; it may be the beginning of a name, as users may shorten it.
 */
const char *missing_option_name(const char *name, size_t length);
const char *missing_option_letter(char letter);

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Sampling modules: names that the original had for them, and what --smpl-module-info prints.
 */
#ifndef PFMON_CLI_SMPL_MODULE_H
#define PFMON_CLI_SMPL_MODULE_H

#include <stddef.h>

#include "options/options.h"

/* The number of the word that @name begins with, of @length bytes; MODULE_FORMAT if it is none. */
enum smpl_module smpl_module_find(const char *name, size_t length);

/* The word for a name of the original; @name if it is none of those. */
const char *smpl_module_word(const char *name);

/* Why there is no such module of the original, and what has its place; NULL if it had none. */
const char *smpl_module_gone(const char *name);

/* Returns 0, or -1 after a message. */
int smpl_module_print(const char *name);

#endif

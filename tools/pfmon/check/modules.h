/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Access to the kernel modules: loads them if needed, and explains failures.
 */
#ifndef PFMON_CHECK_MODULES_H
#define PFMON_CHECK_MODULES_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Creates a context; loads the modules first if they are missing and pfmon runs
 * as root.  Returns its descriptor, or -1 after a message that names the command
 * which makes it work.
 */
int modules_create_context(uint32_t flags);

/* Prints why creating a context failed, and the command that makes it work. */
void modules_tell(int err);

#endif

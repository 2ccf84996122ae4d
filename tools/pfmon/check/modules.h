/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The kernel side: is it there, may we use it, and what to do if not.
 */
#ifndef PFMON_CHECK_MODULES_H
#define PFMON_CHECK_MODULES_H

#include <stdbool.h>
#include <stdint.h>

/*
 * A new context, for which the modules are loaded when pfmon runs as root.  -1
 * after saying which command makes it work.
 */
int modules_create_context(uint32_t flags);

/* Says why creating a context failed, and which command makes it work. */
void modules_tell(int err);

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Signals to pfmon, which end the command, monitoring, or both.
 */
#ifndef PFMON_SESSION_SIGNALS_H
#define PFMON_SESSION_SIGNALS_H

#include <signal.h>
#include <stdbool.h>

/*
 * From here on signals come through a descriptor, which is returned; -1 after
 * saying why not.  @before: the signal mask; @ignored: whether SIGCHLD was ignored.
 */
int signals_catch(sigset_t *before, bool *ignored);

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Signals to pfmon.
 */
#ifndef PFMON_SESSION_SIGNALS_H
#define PFMON_SESSION_SIGNALS_H

#include <signal.h>
#include <stdbool.h>

/*
 * From now on signals arrive at the descriptor that is returned; -1 after a
 * message.  @before: signal mask until now; @ignored: true if SIGCHLD was
 * ignored.
 */
int signals_catch(sigset_t *before, bool *ignored);

#endif

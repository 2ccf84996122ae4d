/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Input of a session that runs: keys and signals.
 */
#ifndef PFMON_SESSION_INPUT_H
#define PFMON_SESSION_INPUT_H

#include <signal.h>
#include <stdbool.h>

struct options;

/* keyboard.c */

/*
 * Returns the descriptor to poll, or -1 if the keyboard is not pfmon's.  Prints
 * how the session can be ended.
 */
int keyboard_open(const struct options *options);

/* True if ENTER was pressed.  At the end of input @fd becomes -1. */
bool keyboard_pressed(int *fd);

/* signals.c */

/*
 * From now on signals arrive at the descriptor that is returned; -1 after a
 * message.  @before: the signal mask that pfmon was started with; @ignored: true if
 * SIGCHLD was ignored then.
 */
int signals_catch(sigset_t *before, bool *ignored);

#endif

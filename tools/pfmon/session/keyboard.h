/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * ENTER on the terminal ends a session that would not end otherwise.
 */
#ifndef PFMON_SESSION_KEYBOARD_H
#define PFMON_SESSION_KEYBOARD_H

#include <stdbool.h>

struct options;

/*
 * Returns the descriptor to poll, or -1 if the keyboard is not pfmon's.  Prints
 * how the session can be ended.
 */
int keyboard_open(const struct options *options);

/* True if ENTER was pressed.  At the end of input @fd becomes -1. */
bool keyboard_pressed(int *fd);

#endif

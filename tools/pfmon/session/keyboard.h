/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * ENTER on the terminal, which ends a session that has no other end.
 */
#ifndef PFMON_SESSION_KEYBOARD_H
#define PFMON_SESSION_KEYBOARD_H

#include <stdbool.h>

struct options;

/*
 * The descriptor to poll, -1 when the keyboard belongs to somebody else.  Says
 * how the session can be ended.
 */
int keyboard_open(const struct options *options);

/* Whether ENTER was pressed; at the end of input @fd becomes -1. */
bool keyboard_pressed(int *fd);

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A command whose end ends the session, while others are counted.
 */
#ifndef PFMON_SESSION_CLOCK_COMMAND_H
#define PFMON_SESSION_CLOCK_COMMAND_H

#include <stdbool.h>

#include "session/child.h"
#include "session/loop.h"

/**
 * struct clock_command - the command
 * @child: its process
 * @fd: pidfd of it, which can be read once it has ended
 * @over: it has ended
 * @source: it as an event source, which is complete then
 */
struct clock_command {
	struct child child;
	int fd;
	bool over;
	struct source source;
};

/*
 * Starts the command of @setup.  Returns 0, or an exit status after a message.
 * clock_command_free() is needed if it returns 0.
 */
int clock_command_begin(struct clock_command **clock,
			const struct child_setup *setup);

/* Waits for the end of the command.  Returns its exit status. */
int clock_command_wait(struct clock_command *clock);

void clock_command_free(struct clock_command *clock);

#endif

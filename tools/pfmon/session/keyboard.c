// SPDX-License-Identifier: GPL-2.0-only
/*
 * The keyboard.  Standard input belongs to the command.  Without a command it is
 * pfmon's if it is a terminal whose foreground process group is that of pfmon.
 */
#include <string.h>
#include <unistd.h>

#include "base/message.h"
#include "options/options.h"
#include "session/input.h"

int keyboard_open(const struct options *options)
{
	if (options->command || options->stat.clock || options->top.on)
		return -1;
	if (options->timeout_ns) {
		say_verbose("session to end in %.10g seconds",
			    options->timeout_ns / 1e9);
		return -1;
	}
	if (!isatty(STDIN_FILENO) || tcgetpgrp(STDIN_FILENO) != getpgrp()) {
		say_verbose("SIGINT or SIGTERM ends the session");
		return -1;
	}
	say_note("press ENTER to stop the session");
	return STDIN_FILENO;
}

bool keyboard_pressed(int *fd)
{
	char text[256];
	ssize_t length;

	/*
	 * If pfmon was moved to the background, reading the terminal would stop
	 * it.
	 */
	if (tcgetpgrp(*fd) != getpgrp()) {
		*fd = -1;
		return false;
	}
	length = read(*fd, text, sizeof(text));
	if (length <= 0) {
		*fd = -1;
		return false;
	}
	return memchr(text, '\n', length);
}

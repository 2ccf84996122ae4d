// SPDX-License-Identifier: GPL-2.0-only
/*
 * Starts the command of a session, and waits for its end after counting has
 * ended.
 */
#include <errno.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/message.h"
#include "options/options.h"
#include "session/child.h"
#include "session/command.h"
#include "session/input.h"
#include "session/loop.h"
#include "session/session.h"

int command_fork(struct session *session)
{
	if (!child_fork(&session->child, &session->setup))
		return 0;
	say_error("cannot start a process for the command: %s",
		  strerror(errno));
	return -1;
}

int command_execute(struct session *session)
{
	const char *name;
	int err;

	session->date = time(NULL);
	session->start = clock_now();
	if (!session->options->command) {
		session->keyboard = keyboard_open(session->options);
		return 0;
	}
	name = session->options->command[0];
	err = child_execute(&session->child);
	if (!err) {
		say_verbose("process %d executes '%s'", session->child.pid,
			    name);
		return 0;
	}
	say_error("cannot execute '%s': %s", name,
		  err == ENOENT && !strchr(name, '/')
			  ? "no such command in the folders of $PATH"
			  : strerror(err));
	return err == ENOENT ? EXIT_NOT_FOUND : EXIT_CANNOT_EXECUTE;
}

int command_wait(struct session *session)
{
	/* Close the context: nothing is monitored during the wait. */
	if (session->fd >= 0)
		close(session->fd);
	session->fd = -1;
	session->end_seen = true;
	if (!session->options->command)
		return 0;
	if (session->ended == SESSION_TIMEOUT && !session->child.ended)
		say_verbose("waiting for the command to end");
	if (loop_wait_for_command(session))
		return EXIT_OWN_FAILURE;
	if (session->child.ended)
		return child_exit_status(&session->child);
	return 128 + session->signal;
}

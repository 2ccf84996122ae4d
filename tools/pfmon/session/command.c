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
#include "session/clock_command.h"
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
		return command_begin_clock(session);
	}
	name = session->options->command[0];
	err = child_execute(&session->child);
	if (!err) {
		say_verbose("process %d executes '%s'", session->child.pid,
			    name);
		return 0;
	}
	return child_tell_failure(name, err);
}

int command_begin_clock(struct session *session)
{
	struct child_setup setup = session->setup;
	int status;

	setup.command = session->options->stat.clock;
	if (!setup.command)
		return 0;
	status = clock_command_begin(&session->clock, &setup);
	if (!status)
		loop_add(session, &session->clock->source);
	return status;
}

static int wait_for_clock(struct session *session)
{
	int status;

	if (!session->clock)
		return 0;
	/* Whoever ends pfmon from a terminal ends the command as well. */
	if (session->ended == SESSION_SIGNAL && !session->clock->over)
		status = 128 + session->signal;
	else
		status = clock_command_wait(session->clock);
	clock_command_free(session->clock);
	session->clock = NULL;
	return status;
}

int command_wait(struct session *session)
{
	/* Close the context: nothing is monitored during the wait. */
	if (session->fd >= 0)
		close(session->fd);
	session->fd = -1;
	session->end_seen = true;
	if (!session->options->command)
		return wait_for_clock(session);
	if (session->ended == SESSION_TIMEOUT && !session->child.ended)
		say_verbose("waiting for the command to end");
	if (loop_wait_for_command(session))
		return EXIT_OWN_FAILURE;
	if (session->child.ended)
		return child_exit_status(&session->child);
	return 128 + session->signal;
}

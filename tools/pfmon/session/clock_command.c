// SPDX-License-Identifier: GPL-2.0-only
/*
 * Runs a command that is not counted: the session ends when it does, as in "-p PID -- sleep 10".
 */
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/message.h"
#include "options/options.h"
#include "session/clock_command.h"

static size_t count_fd(const void *arg)
{
	(void)arg;
	return 1;
}

static void poll_fd(const void *arg, struct pollfd *fds)
{
	const struct clock_command *clock = arg;

	fds[0] = (struct pollfd){ clock->over ? -1 : clock->fd, POLLIN, 0 };
}

static int serve(void *arg, const struct pollfd *fds)
{
	struct clock_command *clock = arg;

	if (fds[0].revents)
		clock->over = true;
	return 0;
}

static bool is_over(const void *arg)
{
	return ((const struct clock_command *)arg)->over;
}

static int start(struct clock_command *clock, const struct child_setup *setup)
{
	int err;

	if (child_fork(&clock->child, setup)) {
		say_error("cannot start a process for the command: %s",
			  strerror(errno));
		return EXIT_OWN_FAILURE;
	}
	clock->fd = syscall(SYS_pidfd_open, clock->child.pid, 0);
	if (clock->fd < 0) {
		say_error("cannot wait for the command: %s", strerror(errno));
		child_abandon(&clock->child);
		return EXIT_OWN_FAILURE;
	}
	err = child_execute(&clock->child);
	if (!err)
		return 0;
	close(clock->fd);
	return child_tell_failure(setup->command[0], err);
}

int clock_command_begin(struct clock_command **clock,
			const struct child_setup *setup)
{
	struct clock_command *new = calloc(1, sizeof(*new));
	int status = EXIT_OWN_FAILURE;

	if (new)
		status = start(new, setup);
	else
		say_error("out of memory for the command");
	if (status) {
		free(new);
		return status;
	}
	new->source = (struct source){
		.count = count_fd,
		.poll = poll_fd,
		.serve = serve,
		.complete = is_over,
		.arg = new,
	};
	*clock = new;
	return 0;
}

int clock_command_wait(struct clock_command *clock)
{
	child_reap(&clock->child, true);
	return child_exit_status(&clock->child);
}

void clock_command_free(struct clock_command *clock)
{
	if (clock)
		close(clock->fd);
	free(clock);
}

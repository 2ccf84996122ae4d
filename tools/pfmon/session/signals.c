// SPDX-License-Identifier: GPL-2.0-only
/*
 * Receives signals through a descriptor.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "base/message.h"
#include "session/input.h"

/* Signals that end a session. */
static const int stop_signals[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };

/* What pfmon was started with.  Sessions after the first one find what that has set. */
static sigset_t mask_before;
static bool children_ignored, known;

/*
 * Signals that the caller ignores (nohup, background jobs) stay ignored.  SIGPIPE
 * is blocked because the write error tells more than pfmon's death would.
 */
int signals_catch(sigset_t *before, bool *ignored)
{
	struct sigaction action;
	sigset_t caught, blocked, mask;
	bool ignores;
	int fd;
	size_t i;

	sigemptyset(&caught);
	sigaddset(&caught, SIGCHLD);
	for (i = 0; i < sizeof(stop_signals) / sizeof(stop_signals[0]); i++) {
		sigaction(stop_signals[i], NULL, &action);
		if (action.sa_handler != SIG_IGN)
			sigaddset(&caught, stop_signals[i]);
	}
	blocked = caught;
	sigaddset(&blocked, SIGPIPE);
	sigprocmask(SIG_BLOCK, &blocked, &mask);
	/* If SIGCHLD were ignored, the command's exit status would be lost. */
	ignores = signal(SIGCHLD, SIG_DFL) == SIG_IGN;
	if (!known) {
		mask_before = mask;
		children_ignored = ignores;
		known = true;
	}
	*before = mask_before;
	*ignored = children_ignored;
	fd = signalfd(-1, &caught, SFD_CLOEXEC | SFD_NONBLOCK);
	if (fd < 0)
		say_error("cannot receive signals: %s", strerror(errno));
	return fd;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Signals to pfmon.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/message.h"
#include "options/options.h"
#include "session/session.h"
#include "session/signals.h"

/* Time after which a user wonders what pfmon is waiting for. */
#define NOTICE_DELAY	1000000000ULL

/* Signals that end a session. */
static const int stop_signals[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };

/*
 * From here on signals come through a descriptor.  What the caller has ignored
 * (nohup, background jobs) stays ignored.  SIGPIPE is for the writing of
 * results: an error tells more than a death.
 */
int signals_catch(struct session *session)
{
	struct sigaction action;
	sigset_t caught, blocked, before;
	bool ignored;
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
	sigprocmask(SIG_BLOCK, &blocked, &before);
	/* Ignored, the command's exit status would be lost. */
	ignored = signal(SIGCHLD, SIG_DFL) == SIG_IGN;
	/* A later run finds what the first one has set. */
	if (!session->again) {
		session->setup.signals = before;
		session->setup.ignore_children = ignored;
	}
	session->signals_fd = signalfd(-1, &caught, SFD_CLOEXEC | SFD_NONBLOCK);
	if (session->signals_fd >= 0)
		return 0;
	say_error("cannot receive signals: %s", strerror(errno));
	return -1;
}

/*
 * The first signal is for the command, which may end in its own way; the
 * second one, or one that comes after the command, is for pfmon.  A terminal
 * (si_code SI_KERNEL) signals the command itself.
 */
static void take_stop_signal(struct session *session,
			     const struct signalfd_siginfo *info)
{
	session->signal = info->ssi_signo;
	session->signals++;
	if (session->signals > 1 || session->child.ended ||
	    !session->options->command)
		return;
	say_verbose("signal %u: waiting for the command to end; another one ends monitoring at once",
		    info->ssi_signo);
	if (info->ssi_code != SI_KERNEL)
		kill(session->child.pid, info->ssi_signo);
}

void signals_take(struct session *session)
{
	struct signalfd_siginfo info;

	while (read(session->signals_fd, &info, sizeof(info)) == sizeof(info)) {
		if (info.ssi_signo != SIGCHLD) {
			take_stop_signal(session, &info);
			continue;
		}
		if (session->child.ended || !session->child.pid)
			continue;
		child_reap(&session->child, false);
		if (!session->child.ended)
			continue;
		session->gone = clock_now();
		session->notice_at = session->gone + NOTICE_DELAY;
	}
}

bool signals_told_to_stop(const struct session *session)
{
	return session->signals > 1 ||
	       (session->signals &&
		(session->child.ended || !session->options->command));
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * The event loop.
 *
 * pfmon sleeps in ppoll(2) until a signal arrives (also when the command ends),
 * ENTER is pressed, a descriptor of a source is ready, or a time is reached.
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/message.h"
#include "options/options.h"
#include "session/input.h"
#include "session/loop.h"
#include "session/session.h"

/* Time after which a user may wonder what pfmon is waiting for. */
#define NOTICE_DELAY NS_PER_S

/* Descriptors that every session has: for signals and for the keyboard. */
#define OWN_FDS 2

/*
 * The first signal is for the command, which may end in its own way.  The second
 * one is for pfmon, and so is the first one if the command has already ended.  A
 * terminal signals the command itself: then si_code is SI_KERNEL.
 */
static void take_stop_signal(struct session *session,
			     const struct signalfd_siginfo *info)
{
	session->signal = info->ssi_signo;
	session->signals++;
	if (session->signals > 1 || session->child.ended ||
	    !session->options->command)
		return;
	say_verbose(
		"signal %u: waiting for the command to end; another one ends monitoring at once",
		info->ssi_signo);
	if (info->ssi_code != SI_KERNEL)
		kill(session->child.pid, info->ssi_signo);
}

static void take_signals(struct session *session)
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

static bool told_to_stop(const struct session *session)
{
	return session->signals > 1 ||
	       (session->signals &&
		(session->child.ended || !session->options->command));
}

void loop_add(struct session *session, struct source *source)
{
	struct source **last = &session->sources;

	while (*last)
		last = &(*last)->next;
	source->next = NULL;
	*last = source;
}

uint64_t loop_earlier(uint64_t a, uint64_t b)
{
	if (!a || !b)
		return a + b;
	return a < b ? a : b;
}

/* Collects the descriptors of all sources.  NULL after a message. */
static struct pollfd *fill_fds(struct session *session, size_t *count)
{
	struct source *source;
	struct pollfd *fds;

	*count = OWN_FDS;
	for (source = session->sources; source; source = source->next) {
		source->num_fds = source->count ? source->count(source->arg)
						: 0;
		*count += source->num_fds;
	}
	fds = calloc(*count, sizeof(*fds));
	if (!fds) {
		say_error("out of memory for waiting");
		return NULL;
	}
	fds[0] = (struct pollfd){ session->signals_fd, POLLIN, 0 };
	fds[1] = (struct pollfd){ session->keyboard, POLLIN, 0 };
	*count = OWN_FDS;
	for (source = session->sources; source; source = source->next) {
		if (source->num_fds)
			source->poll(source->arg, fds + *count);
		*count += source->num_fds;
	}
	return fds;
}

static int serve(struct session *session, const struct pollfd *fds)
{
	struct source *source;
	int err = 0;

	take_signals(session);
	if (fds[1].revents)
		session->entered = keyboard_pressed(&session->keyboard);
	fds += OWN_FDS;
	for (source = session->sources; source && !err; source = source->next) {
		if (source->num_fds)
			err = source->serve(source->arg, fds);
		fds += source->num_fds;
	}
	return err;
}

int loop_wait(struct session *session, uint64_t until)
{
	uint64_t time = clock_now();
	struct timespec limit = { 0 };
	struct source *source;
	struct pollfd *fds;
	size_t count;
	int ret;

	fds = fill_fds(session, &count);
	if (!fds)
		return -1;
	for (source = session->sources; source; source = source->next)
		if (source->due)
			until = loop_earlier(until, source->due(source->arg));
	if (until > time) {
		limit.tv_sec = (until - time) / NS_PER_S;
		limit.tv_nsec = (until - time) % NS_PER_S;
	}
	ret = ppoll(fds, count, until ? &limit : NULL, NULL);
	if (ret >= 0) {
		ret = serve(session, fds);
	} else if (errno == EINTR) {
		ret = 0;
	} else {
		say_error("poll: %s", strerror(errno));
	}
	free(fds);
	return ret;
}

static bool is_complete(const struct session *session)
{
	const struct source *source;

	for (source = session->sources; source; source = source->next)
		if (source->complete && source->complete(source->arg))
			return true;
	return false;
}

bool loop_over(struct session *session, uint64_t deadline)
{
	if (is_complete(session))
		session->ended = SESSION_COMPLETE;
	else if (session->entered)
		session->ended = SESSION_ENTER;
	else if (told_to_stop(session))
		session->ended = SESSION_SIGNAL;
	else if (deadline && clock_now() >= deadline)
		session->ended = SESSION_TIMEOUT;
	return session->ended != SESSION_RUNS;
}

int loop_delay(struct session *session)
{
	uint64_t delay_ns = session->options->scope.delay_ns;
	uint64_t begin = clock_now() + delay_ns;

	if (!delay_ns)
		return 0;
	say_verbose("counting begins in %.10g seconds", delay_ns / 1e9);
	while (clock_now() < begin && !loop_over(session, 0))
		if (loop_wait(session, begin))
			return -1;
	if (session->ended != SESSION_RUNS)
		say_warning(
			"monitoring ended before the delay was over, so nothing was counted");
	return 0;
}

int loop_run(struct session *session)
{
	uint64_t timeout = session->options->timeout_ns, time;
	uint64_t deadline = timeout ? session->start + timeout : 0;
	struct source *source;

	while (!loop_over(session, deadline)) {
		if (loop_wait(session, deadline))
			return -1;
		/* Work that is due now is left to the end of the session. */
		if (loop_over(session, deadline))
			break;
		time = clock_now();
		for (source = session->sources; source; source = source->next)
			if (source->work && source->work(source->arg, time))
				return -1;
	}
	return 0;
}

int loop_wait_for_command(struct session *session)
{
	session->sources = NULL;
	while (!session->child.ended && session->ended != SESSION_SIGNAL) {
		if (loop_wait(session, 0))
			return -1;
		if (told_to_stop(session))
			session->ended = SESSION_SIGNAL;
	}
	return 0;
}

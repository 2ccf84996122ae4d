// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tasks that go on after monitoring has ended, or after the command has ended.
 */
#include <stdio.h>
#include <string.h>
#include <perfmon/perfmon.h>

#include "base/clock.h"
#include "base/message.h"
#include "session/session.h"
#include "session/survivors.h"

/* True if the first thread of the command still runs, that is, is no zombie. */
static bool command_runs(const struct session *session)
{
	pid_t pid = session->task ? session->task : session->child.pid;
	char name[32], text[512];
	const char *state;
	size_t length;
	FILE *file;

	snprintf(name, sizeof(name), "/proc/%d/stat", pid);
	file = fopen(name, "re");
	if (!file)
		return false;
	length = fread(text, 1, sizeof(text) - 1, file);
	fclose(file);
	text[length] = '\0';
	state = strrchr(text, ')');
	return state && strlen(state) > 2 && !strchr("ZXx", state[2]);
}

/*
 * The kernel stops monitoring a task that executes a program with rights that the
 * user lacks.
 */
void survivors_check(struct session *session)
{
	if (!session->check_at || clock_now() < session->check_at)
		return;
	session->check_at = 0;
	if (!session->child.ended)
		session->left = command_runs(session);
}

/* Tells that the command has ended while followed tasks have not. */
void survivors_tell(struct session *session)
{
	struct pfm_config config;

	if (!session->notice_at || clock_now() < session->notice_at)
		return;
	session->notice_at = 0;
	if (session->end_seen || pfm_ctx_get_config(session->fd, &config))
		return;
	say_note("the command has ended; waiting for %u followed task%s (interrupt to end counting now)",
		 config.tasks, config.tasks == 1 ? "" : "s");
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * The processes that have events of perf open, as pfmon --doctor names them.
 *
 * The program needs a PID namespace of its own with its /proc, as other processes may have events, too.
 */
#include <linux/perf_event.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "../../lib/tests/tap.h"
#include "check/remedies.h"

/* Creates a process with an event of perf.  True when it is open. */
static bool add_process(void)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_SW_TASK_CLOCK,
	};
	char good = 0;
	int ends[2];

	if (pipe(ends))
		return false;
	if (!fork()) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		good = syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0) >= 0;
		if (write(ends[1], &good, 1) == 1)
			pause();
		_exit(0);
	}
	if (read(ends[0], &good, 1) != 1)
		good = 0;
	close(ends[0]);
	close(ends[1]);
	return good;
}

/* Number of times that @wanted is in @text */
static int times(const char *text, const char *wanted)
{
	int count = 0;

	while ((text = strstr(text, wanted))) {
		text += strlen(wanted);
		count++;
	}
	return count;
}

int main(void)
{
	char text[1024];
	int i;

	/* Others may not see whose the events are. */
	has_text(perf_events_tell(text, sizeof(text)),
		 geteuid() ? "--doctor' names" : "no process has one open",
		 "no process has events");
	for (i = 1; i <= 5; i++) {
		if (!add_process()) {
			printf("# this kernel opens no events of perf\n");
			return tap_end();
		}
		perf_events_tell(text, sizeof(text));
		is_num(times(text, "process "), i < 3 ? i : 3,
		       "processes that are named");
		is_num(times(text, "wait for it, or end it"), i <= 3,
		       "the advice is about those that are named");
		if (i > 3)
			has_text(text,
				 i == 4 ? " and 1 more: wait for them"
					: " and 2 more: wait for them",
				 "and others");
	}
	return tap_end();
}

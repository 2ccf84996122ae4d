// SPDX-License-Identifier: GPL-2.0-only
/*
 * Intervals.
 *
 * Counters go on while they are read.  Each line is the difference from the
 * counts that were read for the previous line, so that all lines add up to the
 * totals.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "base/clock.h"
#include "base/message.h"
#include "base/outfile.h"
#include "base/outfile_writer.h"
#include "events/counts.h"
#include "events/event_list.h"
#include "live/interval.h"
#include "live/interval_print.h"
#include "live/interval_rows.h"
#include "options/options.h"
#include "output/outcome.h"
#include "session/cpu_context.h"
#include "session/intervals.h"
#include "session/progress.h"
#include "session/session.h"
#include "session/system_wide.h"
#include "session/task_counts.h"

static int flush(struct outfile *output)
{
	int err;

	if (!fflush(output->file))
		return 0;
	err = errno;
	/* The writer process has ended; its exit status tells the reason. */
	if (err == EPIPE && output->writer)
		err = outfile_writer_end(output);
	say_error("the results could not be written to %s: %s", output->name,
		  strerror(err));
	return -1;
}

void interval_begin(const struct session *session, struct outfile *output)
{
	if (!session->options->scope.interval_ns)
		return;
	outfile_writer_begin(output);
	/*
	 * Do not wait for pages of pfmon's memory either.  Without the right to
	 * lock memory pfmon goes on.  Rows of tasks take more and more memory,
	 * which would fail where a user may lock only some.
	 */
	if (session->system && mlockall(MCL_CURRENT | MCL_FUTURE))
		say_debug("memory is not locked: %s", strerror(errno));
}

int interval_title(const struct session *session, struct outfile *output)
{
	const struct outcome outcome = outcome_of(session);

	if (!session->options->scope.interval_ns)
		return 0;
	if (outfile_start(output))
		return -1;
	interval_print_titles(output->file, &outcome, output->fresh);
	return flush(output);
}

static int read_counts(struct session *session, bool last)
{
	if (!session->system)
		return task_interval_take(session, last);
	return last ? 0 : cpu_read_all(session);
}

/* The counts that were read are those of the interval before from now on. */
static void keep_counts(struct session *session,
			const struct interval *interval)
{
	struct system *system = session->system;
	size_t i;

	if (!system) {
		progress_next(session->progress);
		return;
	}
	for (i = 0; i < system->count; i++) {
		struct cpu *cpu = &system->list[i];

		if (!interval->partial) {
			counts_clear(cpu->interval);
			interval_rows_add(cpu->interval, cpu);
		}
		counts_copy(cpu->before, cpu->counts);
	}
	system->intervals += !interval->partial;
}

int interval_take(struct session *session, uint64_t time, bool last,
		  int (*print)(void *arg, const struct outcome *outcome,
			       const struct interval *interval),
		  void *arg)
{
	const struct outcome outcome = outcome_of(session);
	struct interval interval;

	if (!intervals_due(&session->intervals, time, last, &interval))
		return 1;
	if (read_counts(session, last))
		return -1;
	if (!last)
		interval.end = clock_now();
	intervals_end(&session->intervals, &interval);
	if (print(arg, &outcome, &interval))
		return -1;
	keep_counts(session, &interval);
	return 0;
}

static int print_rows(void *arg, const struct outcome *outcome,
		      const struct interval *interval)
{
	const struct outfile *output = arg;

	return interval_print_rows(output->file, outcome, interval);
}

int interval_print(struct session *session, struct outfile *output,
		   uint64_t time, bool last)
{
	int ret = interval_take(session, time, last, print_rows, output);

	if (ret > 0)
		return 0;
	return ret ? -1 : flush(output);
}

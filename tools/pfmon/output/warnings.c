// SPDX-License-Identifier: GPL-2.0-only
/*
 * Warns about anything that makes the results incomplete or less exact.
 */
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#include "base/message.h"
#include "check/remedies.h"
#include "events/counts.h"
#include "events/event_list.h"
#include "options/options.h"
#include "output/count.h"
#include "output/notes.h"
#include "output/outcome.h"
#include "session/session.h"
#include "session/system_wide.h"

static const char *plural(uint64_t count)
{
	return count == 1 ? "" : "s";
}

/*
 * Kernel and pfmon sum up independently; if the sums differ, one of them has a
 * defect.
 */
static void compare_sums(const struct outcome *outcome)
{
	const struct results *results = outcome->results;
	size_t k, first = 0, differ = 0;
	char more[64] = "";

	if (!outcome->session->options->follow || results->left_out)
		return;
	for (k = outcome->events->count; k--;) {
		if (outcome->events->list[k].gauge ||
		    results->totals->events[k] == results->kernel->events[k])
			continue;
		first = k;
		differ++;
	}
	if (!differ)
		return;
	if (differ > 1)
		snprintf(more, sizeof(more), ", and so on for %zu event%s",
			 differ - 1, plural(differ - 1));
	say_warning("'%s': the sum over the tasks is %" PRIu64
		    ", the kernel's is %" PRIu64 "%s; please report this",
		    outcome->events->list[first].name,
		    results->totals->events[first],
		    results->kernel->events[first], more);
}

/*
 * Names the first set that was never active, or how many there are, in one line.
 */
static void tell_unused_sets(const struct outcome *outcome)
{
	const struct events *events = outcome->events;
	const struct options *options = outcome->session->options;
	unsigned int set, first = 0, count = 0;
	char what[80];

	for (set = events->num_sets; set--;) {
		if (outcome->results->totals->sets[set].active)
			continue;
		first = set;
		count++;
	}
	if (!count)
		return;
	if (count == 1)
		snprintf(what, sizeof(what),
			 "event set %u never had a time slice", first);
	else
		snprintf(what, sizeof(what),
			 "%u of the %u event sets never had a time slice",
			 count, events->num_sets);
	say_warning(
		"%s, so %s events are not counted: %s; %s", what,
		count == 1 ? "its" : "their",
		options->scope.scope == SCOPE_COMMAND
			? "the command was too short"
			: "the session was too short",
		set_options_may_repeat(options)
			? "--no-multiplex runs it once for each set"
			: "a shorter --switch-timeout gives more time slices");
}

/* Warns about estimates without a bound, where the time slices would tell one if they could. */
static void tell_vague(const struct outcome *outcome)
{
	const struct events *events = outcome->events;
	size_t k, vague = 0, first = 0;
	struct count count;

	for (k = events->count; k--;) {
		if (events->list[k].gauge || events->list[k].always)
			continue;
		count_total(&count, outcome, k);
		if (!count.vague)
			continue;
		vague++;
		first = k;
	}
	if (!vague)
		return;
	say_warning(
		"'%s'%s: too short to estimate with an error bound, as the event sets took turns; %s",
		events->list[first].name, vague > 1 ? " and others" : "",
		set_options_may_repeat(outcome->session->options)
			? "--no-multiplex runs the command once for each set"
			: "measure longer, or fewer events");
}

/* Warns about sets that never ran and about lost log entries. */
static void tell_sets(const struct outcome *outcome)
{
	const struct events *events = outcome->events;
	uint64_t slices;

	if (!events->multiplexed)
		return;
	tell_unused_sets(outcome);
	if (outcome->session->log)
		tell_vague(outcome);
	if (!outcome->session->log || !outcome->session->log->lost)
		return;
	slices = outcome->session->log->lost +
		 slice_log_slices(outcome->session->log);
	say_warning(
		"%" PRIu64 " of %" PRIu64
		" time slices of event sets are missing from the log because pfmon could not read in time; their counts are extrapolated linearly",
		outcome->session->log->lost, slices);
}

static void tell_left_out(const struct outcome *outcome)
{
	const struct results *results = outcome->results;

	if (!results->left_out)
		return;
	if (!results->count)
		say_warning("no program matched --follow-exec and --follow-exec-exclude; %" PRIu64 " task record%s left out",
			    results->left_out, plural(results->left_out));
	else
		say_verbose("%" PRIu64 " task record%s of other programs left out (--follow-exec, --follow-exec-exclude)",
			    results->left_out, plural(results->left_out));
}

/*
 * Tells about tasks that the command or task created, and that were not to be
 * followed.
 */
static void tell_unfollowed(const struct options *options,
			    const struct pfm_config *config)
{
	uint64_t threads = config->unfollowed_threads;
	uint64_t processes = config->unfollowed_processes;
	bool one = threads + processes == 1;
	char text[96];

	if (!threads && !processes)
		return;
	if (!processes)
		snprintf(text, sizeof(text), "%" PRIu64 " thread%s", threads,
			 plural(threads));
	else if (!threads)
		snprintf(text, sizeof(text), "%" PRIu64 " process%s", processes,
			 processes == 1 ? "" : "es");
	else
		snprintf(text, sizeof(text),
			 "%" PRIu64 " thread%s and %" PRIu64 " process%s",
			 threads, plural(threads), processes,
			 processes == 1 ? "" : "es");
	/* With --attach-thread the user wants nothing else. */
	if (options->scope.one_thread)
		say_verbose("%s that the thread created %s not counted", text,
			    one ? "was" : "were");
	else
		say_warning("%s %s not counted; --follow-all counts %s%s", text,
			    one ? "was" : "were", one ? "it" : "them",
			    options->smpl.block ?
			    ", without --overflow-block" : "");
}

/*
 * Tells which signal killed the command.  As in shells, those by which a user ends a command, or a
 * pipe its writer, are not told.
 */
static void tell_killed(const struct outcome *outcome)
{
	int status = outcome->session->child.status, number = WTERMSIG(status);
	const char *name = sigabbrev_np(number), *text = sigdescr_np(number);

	if (!outcome->session->child.ended || !WIFSIGNALED(status) ||
	    number == SIGINT || number == SIGPIPE)
		return;
	if (name && text)
		say_warning("the command was killed by SIG%s: %s%s", name, text,
			    WCOREDUMP(status) ? " (core dumped)" : "");
	else
		say_warning("the command was killed by signal %d%s", number,
			    WCOREDUMP(status) ? " (core dumped)" : "");
}

/* A CPU does not count because its PMU lacks something, or because perf has taken its events away. */
static void tell_barred(const struct session *session, uint64_t barred)
{
	const char *pmu = pfm_reg_map_pmu(session->events->map);

	if (!barred)
		return;
	if (!strcmp(pmu, "perf"))
		say_warning("a task that is monitored was %" PRIu64 " time%s on a CPU where perf did not count its events, and what it did there is missing: perf takes events off a CPU that goes offline or has no counter left for them; the kernel log names CPUs that stay without",
			    barred, plural(barred));
	else
		say_warning("a task that is monitored came %" PRIu64 " time%s to a CPU whose PMU has less than the others', and was not counted there; such CPUs are named in the kernel log",
			    barred, plural(barred));
}

void print_warnings(const struct outcome *outcome)
{
	const struct results *results = outcome->results;
	static const struct pfm_config none;
	/* Events of the whole session are told once. */
	const struct pfm_config *config =
		outcome->first ? &outcome->session->config : &none;

	if (outcome->first)
		tell_killed(outcome);
	if (config->follow_failed)
		say_warning("%" PRIu64 " task%s could not be followed for lack of memory: the counts are missing",
			    (uint64_t)config->follow_failed,
			    plural(config->follow_failed));
	tell_unfollowed(outcome->session->options, config);
	if (outcome->session->intervals.missed)
		say_warning(
			"%" PRIu64
			" interval%s could not be printed in time and %s part of the next one: give a longer --print-interval",
			outcome->session->intervals.missed,
			plural(outcome->session->intervals.missed),
			outcome->session->intervals.missed == 1 ? "is" : "are");
	tell_barred(outcome->session, config->barred);
	if (config->unsplit)
		say_warning("%" PRIu64 " program execution%s could not be told apart for lack of memory: their counts are part of those of the next program",
			    (uint64_t)config->unsplit, plural(config->unsplit));
	if (config->merged && !outcome->session->options->aggregate)
		say_warning("%" PRIu64 " task record%s merged by program because pfmon could not read in time; sums are exact",
			    (uint64_t)config->merged, plural(config->merged));
	if (results->short_records)
		say_warning("%" PRIu64 " task record%s without a register that was asked for; please report this",
			    results->short_records,
			    plural(results->short_records));
	/* A merged record does not name its task, so nothing is known then. */
	if (results->cut && !config->merged &&
	    (outcome->session->options->follow & PFM_CTX_FOLLOW_EXEC))
		say_warning("%" PRIu64 " task%s no longer monitored after executing a program with rights that you lack (set-user-ID); following them there takes CAP_PERFMON: %s",
			    results->cut, plural(results->cut), policy_remedy());
	else if (outcome->session->left)
		say_warning(
			"%s is no longer monitored, because it executed a program with rights that you lack (set-user-ID); monitoring that takes CAP_PERFMON: %s",
			outcome->session->task ? "the task" : "the command",
			policy_remedy());
	tell_left_out(outcome);
	tell_sets(outcome);
	compare_sums(outcome);
}

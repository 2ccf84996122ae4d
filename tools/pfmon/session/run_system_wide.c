// SPDX-License-Identifier: GPL-2.0-only
/*
 * A session that monitors CPUs: --system-wide.
 *
 * Each CPU has a context of its own.  A context is not bound to the CPU that
 * pfmon runs on, so one thread controls all of them.  They are created and loaded
 * before anything is counted, and are started and stopped in quick succession.
 */
#include <errno.h>
#include <perfmon/perfmon.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/cpu_list.h"
#include "base/message.h"
#include "events/counts.h"
#include "events/event_list.h"
#include "options/options.h"
#include "plan/plan.h"
#include "sampling/sampling.h"
#include "session/child.h"
#include "session/command.h"
#include "session/context_ioctl.h"
#include "session/cpu_context.h"
#include "session/live.h"
#include "session/loop.h"
#include "session/run.h"
#include "session/session.h"
#include "session/system_wide.h"

/* Interval of looking for CPUs that came online, and for counters that are free again. */
#define HOTPLUG_INTERVAL NS_PER_S

/*
 * Interval of reading samples, to learn the names of new tasks before they end.
 */
#define PEEK_INTERVAL (NS_PER_S / 20)

/* Interval of reading the names of known tasks again. */
#define NAMES_INTERVAL (NS_PER_S / 2)

static int start_all(struct session *session)
{
	const struct scope_options *scope = &session->options->scope;
	struct system *system = session->system;
	size_t i;

	session->start = clock_now();
	for (i = 0; i < system->count; i++)
		if (cpu_start(&system->list[i]))
			return -1;
	system->started = true;
	system->start = session->start;
	intervals_begin(&session->intervals, session->start,
			session->options->scope.interval_ns);
	if (!scope->cpu_list && session->plan->count == 1)
		system->hotplug_at = session->start + HOTPLUG_INTERVAL;
	if (session->sampling)
		system->peek_at = session->start + PEEK_INTERVAL;
	return 0;
}

static int take_samples(struct session *session, bool all, bool last)
{
	struct sampling *sampling = session->sampling;
	bool found;

	if (!sampling)
		return 0;
	task_names_take_changes(&sampling->names);
	found = lanes_find(&sampling->lanes, all);
	/* Behind it, so that what was mapped before the samples is known. */
	perf_maps_read(&sampling->perf);
	return found ? sampling_take(sampling, last) : 0;
}

/*
 * A buffer may be read while it fills, except if the kernel changes entries in it, as it does
 * with stacks that it adds up, and may do with those of any format.
 */
static bool may_peek(const struct session *session)
{
	const struct smpl_options *smpl = &session->options->smpl;

	return !smpl->aggregate_stacks && smpl->module != MODULE_FORMAT;
}

static int peek(struct session *session, uint64_t time)
{
	struct system *system = session->system;

	if (!system->peek_at || time < system->peek_at)
		return 0;
	system->peek_at = time + PEEK_INTERVAL;
	if (time >= system->names_at) {
		task_names_next_round(&session->sampling->names);
		system->names_at = time + NAMES_INTERVAL;
	}
	return take_samples(session, may_peek(session), false);
}

static struct cpu *find_cpu(struct system *system, unsigned int number)
{
	size_t i;

	for (i = 0; i < system->count; i++)
		if (system->list[i].number == number)
			return &system->list[i];
	return NULL;
}

static int by_number(const void *a, const void *b)
{
	const struct cpu *x = a, *y = b;

	if (x->number == y->number)
		return x->cgroup ? strcmp(x->cgroup->path, y->cgroup->path) : 0;
	return x->number < y->number ? -1 : 1;
}

/*
 * Monitors a CPU that came online.  Returns 0, or -1 if counting cannot go on for the other CPUs,
 * either.
 */
static int join(struct session *session, unsigned int number)
{
	struct system *system = session->system;
	const size_t first = system->count;
	size_t i;

	if (cpu_add(session, number))
		return -1;
	for (i = first; i < system->count; i++)
		if (cpu_join(session, &system->list[i]))
			break;
	if (i == system->count) {
		say_note("CPU %u came online and is monitored from now on",
			 number);
		return 0;
	}
	/* cpu_join() has printed the reason. */
	while (system->count > first)
		cpu_free(&system->list[--system->count]);
	cpu_list_add(&system->refused, number);
	say_warning("CPU %u came online and is not monitored", number);
	return 0;
}

/* Monitors CPUs that came online. */
static int check_online(struct session *session, uint64_t time)
{
	struct system *system = session->system;
	unsigned int number;
	struct cpu_list cpus;

	if (!system->hotplug_at || time < system->hotplug_at)
		return 0;
	system->hotplug_at = time + HOTPLUG_INTERVAL;
	if (cpu_list_online(&cpus))
		return 0;
	for (number = 0; number < CPUS_MAX; number++) {
		if (!cpu_list_has(&cpus, number))
			continue;
		/*
		 * If the CPU had been monitored before, its context goes on by
		 * itself.
		 */
		if (find_cpu(system, number) ||
		    cpu_list_has(&system->refused, number))
			continue;
		if (join(session, number))
			return -1;
	}
	qsort(system->list, system->count, sizeof(*system->list), by_number);
	return 0;
}

/*
 * Counts again on CPUs whose counters somebody has taken and given back.  An exporter runs for
 * months, and whoever reads it cannot start it again.
 */
static void count_again(struct session *session, uint64_t time)
{
	struct system *system = session->system;
	size_t i;

	if (!system->again_at || time < system->again_at)
		return;
	system->again_at = 0;
	for (i = 0; i < system->count; i++) {
		struct cpu *cpu = &system->list[i];

		if (!cpu->end)
			continue;
		if (cpu_again(cpu))
			system->again_at = time + HOTPLUG_INTERVAL;
		else
			say_note("CPU %u counts again", cpu->number);
	}
}

/* Takes the samples of a CPU whose buffer is full, or whose session has ended. */
static int take_cpu(struct session *session, struct cpu *cpu, short revents)
{
	const struct scope_options *scope = &session->options->scope;
	uint32_t status;

	if (revents & (POLLERR | POLLNVAL)) {
		say_error("the context of CPU %u cannot be polled any more",
			  cpu->number);
		return -1;
	}
	if (take_samples(session, false, false))
		return -1;
	context_read_end(cpu->fd, &status);
	/* Somebody has taken the counters. */
	if (!(revents & POLLHUP))
		return 0;
	cpu->end = clock_now();
	if (scope->listen || scope->textfile)
		session->system->again_at = cpu->end + HOTPLUG_INTERVAL;
	return 0;
}

/* The CPUs and the process connector as an event source. */
static size_t count_cpus(const void *arg)
{
	const struct session *session = arg;

	return 1 + session->system->count;
}

static void poll_cpus(const void *arg, struct pollfd *fds)
{
	const struct session *session = arg;
	const struct system *system = session->system;
	size_t i;

	fds[0] = (struct pollfd){ session->sampling
					  ? session->sampling->names.watch
					  : -1,
				  POLLIN, 0 };
	for (i = 0; i < system->count; i++)
		fds[1 + i] =
			(struct pollfd){ system->started && !system->list[i].end
						 ? system->list[i].fd
						 : -1,
					 POLLIN, 0 };
}

static int serve_cpus(void *arg, const struct pollfd *fds)
{
	struct session *session = arg;
	struct system *system = session->system;
	size_t i;

	if (fds[0].revents)
		task_names_take_changes(&session->sampling->names);
	for (i = 0; i < system->count; i++)
		if (fds[1 + i].revents &&
		    take_cpu(session, &system->list[i], fds[1 + i].revents))
			return -1;
	return 0;
}

/* Only a command ends by itself. */
static bool command_ended(const void *arg)
{
	const struct session *session = arg;

	return session->options->command && session->child.ended;
}

static uint64_t look_due(const void *arg)
{
	const struct session *session = arg;

	return loop_earlier(loop_earlier(session->system->hotplug_at,
					 session->system->peek_at),
			    session->system->again_at);
}

static int look(void *arg, uint64_t time)
{
	count_again(arg, time);
	return check_online(arg, time) || peek(arg, time) ? -1 : 0;
}

static int monitor(struct session *session, struct live *live)
{
	struct source cpus = {
		.count = count_cpus,
		.poll = poll_cpus,
		.serve = serve_cpus,
		.complete = command_ended,
		.arg = session,
	};
	struct source looks = { .due = look_due, .work = look, .arg = session };
	struct system *system = session->system;
	int err;

	loop_add(session, &cpus);
	/* Samples are taken before they are shown. */
	loop_add(session, &looks);
	live->ops->add_sources(live);
	err = loop_delay(session);
	if (!err && session->ended == SESSION_RUNS && !system->started)
		err = start_all(session);
	if (!err && session->ended == SESSION_RUNS) {
		session->start = system->start;
		err = loop_run(session);
	}
	session->sources = NULL;
	return err;
}

static int stop_all(struct session *session)
{
	struct system *system = session->system;
	size_t i;
	int err;

	for (i = 0; i < system->count; i++) {
		struct cpu *cpu = &system->list[i];

		if (!system->started || events_need_nothing(cpu->events))
			continue;
		err = pfm_ctx_stop(cpu->fd);
		/* Counters that were taken stand still; there may have been no time to see it. */
		if (err == -ENOTCONN) {
			uint32_t status;

			context_read_end(cpu->fd, &status);
			err = 0;
		}
		if (err)
			say_error("cannot end counting on CPU %u: %s",
				  cpu->number,
				  pfm_ctx_strerror(PFM_IOC_STOP, err));
		if (err)
			return -1;
	}
	session->end = clock_now();
	for (i = 0; i < system->count; i++)
		if (!system->list[i].end)
			system->list[i].end = session->end;
	return 0;
}

static int add_config(struct session *session, struct cpu *cpu)
{
	struct pfm_config *sum = &session->config, config;
	/* A CPU with several contexts is told of once. */
	const bool first = cpu == session->system->list ||
			   cpu[-1].number != cpu->number;

	if (context_read_config(cpu->fd, &config))
		return -1;
	cpu->offlines = config.offlines;
	cpu->offline_ns = config.offline_ns;
	if (cpu->offlines && first)
		say_warning(
			"CPU %u went offline %llu time%s, for %.3f s in total: nothing was counted there meanwhile",
			cpu->number, (unsigned long long)cpu->offlines,
			cpu->offlines == 1 ? "" : "s", cpu->offline_ns / 1e9);
	if (!sum->abi_version) {
		*sum = config;
		return 0;
	}
	sum->overflows += config.overflows;
	sum->skipped += config.skipped;
	sum->fmt_errors += config.fmt_errors;
	sum->throttled += config.throttled;
	sum->throttled_ns += config.throttled_ns;
	return 0;
}

/* Sum of the times for which each CPU was monitored. */
static uint64_t monitored_ns(const struct system *system)
{
	uint64_t sum = 0;
	size_t i;

	for (i = 0; i < system->count; i++) {
		const struct cpu *cpu = &system->list[i];

		if (cpu->end - cpu->start > cpu->offline_ns)
			sum += cpu->end - cpu->start - cpu->offline_ns;
	}
	return sum;
}

static int collect(struct session *session, struct live *live)
{
	struct sampling *sampling = session->sampling;
	struct system *system = session->system;
	size_t i;

	if (stop_all(session) || take_samples(session, true, true))
		return -1;
	if (cpu_read_all(session))
		return -1;
	system->stopped = true;
	for (i = 0; i < system->count; i++) {
		struct cpu *cpu = &system->list[i];

		if (add_config(session, cpu))
			return -1;
		if (sampling)
			sampling_correct(sampling, cpu->context,
					 cpu->counts->events);
	}
	if (sampling) {
		sampling_finish(sampling, &session->config,
				monitored_ns(system), 0);
		task_names_finish(&sampling->names);
	}
	cgroup_list_tell_new(&system->cgroups, &session->options->scope);
	/* CPUs of different types have counts of different events. */
	if (session->plan->count == 1)
		system_sum_up(system, &session->results);
	return live->ops->end(live);
}

static int prepare(struct session *session, struct live *live)
{
	const struct system *system = session->system;
	struct cpu_list cpus = { 0 };
	size_t i;

	if (cpu_choose(session))
		return -1;
	for (i = 0; i < system->count; i++)
		cpu_list_add(&cpus, system->list[i].number);
	if (session->options->scope.pin)
		session->setup.cpus = &cpus;
	if (live->ops->open(live, session))
		return -1;
	if (session->options->command && command_fork(session))
		return -1;
	session->setup.cpus = NULL;
	if (cpu_load_all(session))
		return -1;
	if (session->sampling) {
		/* First, so that nothing is mapped between the scan and the records. */
		perf_maps_init(&session->sampling->perf, session->options,
			       &session->sampling->symbols);
		task_names_scan(&session->sampling->names);
	}
	live->ops->begin(live);
	return 0;
}

int run_system_wide(struct session *session, const struct plan *plan,
		    struct sampling *sampling, struct live *live)
{
	struct system *system = calloc(1, sizeof(*system));
	int status;

	if (session_begin(session, plan, sampling, -1) || !system) {
		free(system);
		return EXIT_OWN_FAILURE;
	}
	session->system = system;
	if (prepare(session, live)) {
		child_abandon(&session->child);
		return EXIT_OWN_FAILURE;
	}
	/*
	 * Without a delay start before the command, so that all it does is
	 * counted.
	 */
	if (!plan->options->scope.delay_ns && start_all(session)) {
		child_abandon(&session->child);
		return EXIT_OWN_FAILURE;
	}
	status = command_execute(session);
	if (status)
		return status;
	if (live->ops->title(live) || monitor(session, live) ||
	    collect(session, live))
		return EXIT_OWN_FAILURE;
	return 0;
}

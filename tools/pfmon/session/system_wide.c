// SPDX-License-Identifier: GPL-2.0-only
/*
 * Measuring CPUs.
 *
 * Each CPU has a context of its own; none is bound to the CPU that pfmon runs
 * on, so one thread controls all of them.  They are made and loaded before
 * anything counts, and started and stopped one right after the other.
 */
#include <errno.h>
#include <perfmon/perfmon.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/cpu_list.h"
#include "base/message.h"
#include "events/event_list.h"
#include "events/sets.h"
#include "options/options.h"
#include "output/exporter.h"
#include "output/interval.h"
#include "sampling/sampling.h"
#include "session/context.h"
#include "session/keyboard.h"
#include "session/session.h"
#include "session/signals.h"
#include "session/system_wide.h"

/* How often to look whether a CPU came online. */
#define HOTPLUG_INTERVAL NS_PER_S

/* How often to look for samples of tasks whose names are not known yet. */
#define PEEK_INTERVAL (NS_PER_S / 20)

/* How often to read the names of tasks again. */
#define NAMES_INTERVAL (NS_PER_S / 2)

/* How often --textfile is written, unless --print-interval says otherwise. */
#define TEXTFILE_INTERVAL (10 * NS_PER_S)

static int start_all(struct session *session)
{
	const struct scope_options *scope = &session->options->scope;
	struct system *system = session->system;
	size_t i;

	session->start = clock_now();
	for (i = 0; i < system->count; i++)
		if (cpu_start(session, &system->list[i]))
			return -1;
	system->started = true;
	system->interval_start = session->start;
	if (scope->interval_ns)
		system->next_interval = session->start + scope->interval_ns;
	if (!scope->cpu_list)
		system->hotplug_at = session->start + HOTPLUG_INTERVAL;
	if (session->sampling)
		system->peek_at = session->start + PEEK_INTERVAL;
	if (scope->textfile)
		system->export_at = session->start;
	return 0;
}

int system_take_samples(struct session *session, bool all, bool last)
{
	struct sampling *sampling = session->sampling;

	if (sampling)
		task_names_take_changes(&sampling->names);
	if (!sampling || !lanes_find(&sampling->lanes, all))
		return 0;
	return sampling_take(sampling, last);
}

/* What is in a buffer may be read while it fills, but for sums of stacks. */
static bool may_peek(const struct session *session)
{
	return !session->options->smpl.aggregate_stacks;
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
	return system_take_samples(session, may_peek(session), false);
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

	return x->number < y->number ? -1 : x->number > y->number;
}

/* CPUs that came online since. */
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
		/* A context goes on by itself when its CPU is back. */
		if (find_cpu(system, number) ||
		    cpu_list_has(&system->refused, number))
			continue;
		if (cpu_add(session, number))
			return -1;
		/* Why was told; what is counted on the others stays. */
		if (cpu_join(session, &system->list[system->count - 1])) {
			cpu_free(&system->list[--system->count]);
			cpu_list_add(&system->refused, number);
			say_warning("CPU %u came online and is not monitored",
				    number);
		}
	}
	qsort(system->list, system->count, sizeof(*system->list), by_number);
	return 0;
}

static uint64_t earlier(uint64_t a, uint64_t b)
{
	if (!a || !b)
		return a + b;
	return a < b ? a : b;
}

static uint64_t next_time(const struct session *session, uint64_t deadline)
{
	const struct system *system = session->system;
	uint64_t time = earlier(deadline, system->next_interval);

	time = earlier(time, system->hotplug_at);
	time = earlier(time, system->peek_at);
	time = earlier(time, exporter_time(system->exporter));
	return earlier(time, system->export_at);
}

/* The buffer of a CPU is full. */
static int take_cpu(struct session *session, struct cpu *cpu, short revents)
{
	uint32_t status;

	if (revents & (POLLERR | POLLHUP | POLLNVAL)) {
		say_error("the context of CPU %u cannot be polled any more",
			  cpu->number);
		return -1;
	}
	if (system_take_samples(session, false, false))
		return -1;
	context_read_end(cpu->fd, &status);
	return 0;
}

/*
 * Sleeps until something happens, @until at the latest; 0 no limit.  A
 * terminal, a signal, the buffer of a CPU, a client of --listen.
 */
static int wait_for_event(struct session *session, uint64_t until)
{
	struct system *system = session->system;
	size_t count = 3 + system->count, i;
	struct pollfd fds[count + EXPORTER_FDS];
	uint64_t time = clock_now();
	struct timespec ts = { 0 };
	int ret;

	fds[0] = (struct pollfd){ session->signals_fd, POLLIN, 0 };
	fds[1] = (struct pollfd){ session->keyboard, POLLIN, 0 };
	fds[2] = (struct pollfd){ session->sampling
					  ? session->sampling->names.watch
					  : -1,
				  POLLIN, 0 };
	for (i = 0; i < system->count; i++)
		fds[3 + i] = (struct pollfd){
			system->started ? system->list[i].fd : -1, POLLIN, 0
		};
	exporter_poll(system->exporter, fds + count);
	if (until > time) {
		ts.tv_sec = (until - time) / NS_PER_S;
		ts.tv_nsec = (until - time) % NS_PER_S;
	}
	ret = ppoll(fds, count + EXPORTER_FDS, until ? &ts : NULL, NULL);
	if (ret < 0 && errno != EINTR) {
		say_error("poll: %s", strerror(errno));
		return -1;
	}
	if (ret < 0)
		return 0;
	signals_take(session);
	if (fds[1].revents)
		session->entered = keyboard_pressed(&session->keyboard);
	if (fds[2].revents)
		task_names_take_changes(&session->sampling->names);
	for (i = 0; i < system->count; i++) {
		if (!fds[3 + i].revents)
			continue;
		if (take_cpu(session, &system->list[i], fds[3 + i].revents))
			return -1;
	}
	return exporter_serve(system->exporter, fds + count);
}

static bool over(struct session *session, uint64_t deadline)
{
	if (session->options->command && session->child.ended)
		session->ended = SESSION_COMPLETE;
	else if (session->entered)
		session->ended = SESSION_ENTER;
	else if (signals_told_to_stop(session))
		session->ended = SESSION_SIGNAL;
	else if (deadline && clock_now() >= deadline)
		session->ended = SESSION_TIMEOUT;
	return session->ended != SESSION_RUNS;
}

static int write_textfile(struct session *session, uint64_t time)
{
	const struct scope_options *scope = &session->options->scope;
	struct system *system = session->system;

	if (!system->export_at || time < system->export_at)
		return 0;
	system->export_at = time + (scope->interval_ns ? scope->interval_ns
						       : TEXTFILE_INTERVAL);
	return exporter_write(system->exporter);
}

static int monitor(struct session *session)
{
	const struct options *options = session->options;
	struct system *system = session->system;
	uint64_t begin = clock_now() + options->scope.delay_ns;
	uint64_t deadline, time;

	if (options->scope.delay_ns)
		say_verbose("counting begins in %.10g seconds",
			    options->scope.delay_ns / 1e9);
	while (options->scope.delay_ns && clock_now() < begin) {
		if (wait_for_event(session, begin))
			return -1;
		if (over(session, 0))
			return 0;
	}
	if (!system->started && start_all(session))
		return -1;
	session->start = system->interval_start;
	deadline = options->timeout_ns ? session->start + options->timeout_ns
				       : 0;
	for (;;) {
		if (wait_for_event(session, next_time(session, deadline)))
			return -1;
		/* What is left is printed when counting has ended. */
		if (over(session, deadline))
			return 0;
		time = clock_now();
		if (interval_print(session, time, false) ||
		    check_online(session, time) || peek(session, time) ||
		    write_textfile(session, time))
			return -1;
	}
}

static int stop_all(struct session *session)
{
	struct system *system = session->system;
	size_t i;
	int err;

	for (i = 0; i < system->count; i++) {
		struct cpu *cpu = &system->list[i];

		if (!system->started || events_need_nothing(session->events))
			continue;
		err = pfm_ctx_stop(cpu->fd);
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

	if (context_read_config(cpu->fd, &config))
		return -1;
	cpu->offlines = config.offlines;
	cpu->offline_ns = config.offline_ns;
	if (cpu->offlines)
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

static void sum_up(struct session *session)
{
	struct system *system = session->system;
	struct results *results = &session->results;
	const struct events *events = session->events;
	size_t i, k;

	for (k = 0; k < sets_words(events); k++) {
		for (i = 0; i < system->count; i++)
			results->totals[k] += system->list[i].counts[k];
		results->kernel[k] = results->totals[k];
		/* A level is that of the machine, on any CPU. */
		if (k < events->count && events->list[k].gauge) {
			results->totals[k] = 0;
			results->kernel[k] = system->list[0].counts[k];
		}
	}
}

/* Time that CPUs were monitored, each by itself, added up. */
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

static int collect(struct session *session)
{
	struct sampling *sampling = session->sampling;
	struct system *system = session->system;
	size_t i;

	if (stop_all(session) || system_take_samples(session, true, true))
		return -1;
	if (cpu_read_all(session))
		return -1;
	system->stopped = true;
	for (i = 0; i < system->count; i++) {
		struct cpu *cpu = &system->list[i];

		if (add_config(session, cpu))
			return -1;
		if (sampling)
			sampling_correct(sampling, cpu->context, cpu->counts);
	}
	if (sampling) {
		sampling_finish(sampling, &session->config,
				monitored_ns(system), 0);
		task_names_finish(&sampling->names);
	}
	sum_up(session);
	if (interval_print(session, session->end, true))
		return -1;
	return exporter_write(system->exporter);
}

static int prepare(struct session *session)
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
	session->system->exporter = exporter_create(session);
	if (!session->system->exporter)
		return -1;
	if (session->options->command && session_fork(session))
		return -1;
	session->setup.cpus = NULL;
	if (cpu_load_all(session))
		return -1;
	if (session->sampling)
		task_names_scan(&session->sampling->names);
	interval_begin(session);
	return 0;
}

int system_run(struct session *session, const struct options *options,
	       const struct events *events, struct sampling *sampling,
	       struct outfile *output)
{
	struct system *system = calloc(1, sizeof(*system));
	int status;

	if (session_begin(session, options, events, sampling, -1) || !system) {
		free(system);
		return EXIT_OWN_FAILURE;
	}
	session->system = system;
	system->output = output;
	if (prepare(session)) {
		child_abandon(&session->child);
		return EXIT_OWN_FAILURE;
	}
	/* Without delay, everything that the command does is counted. */
	if (!options->scope.delay_ns && start_all(session)) {
		child_abandon(&session->child);
		return EXIT_OWN_FAILURE;
	}
	status = session_execute(session);
	if (status)
		return status;
	if (interval_title(session) || monitor(session) || collect(session))
		return EXIT_OWN_FAILURE;
	return 0;
}

void system_free(struct system *system)
{
	size_t i;

	if (!system)
		return;
	exporter_free(system->exporter);
	for (i = 0; i < system->count; i++)
		cpu_free(&system->list[i]);
	free(system->list);
	free(system);
}

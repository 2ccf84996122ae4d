// SPDX-License-Identifier: GPL-2.0-only
/*
 * Makes a measurement of the command line: creates the context that it needs, and
 * runs the command once or several times.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <perfmon/perfmon.h>

#include "base/message.h"
#include "base/outfile.h"
#include "check/modules.h"
#include "check/remedies.h"
#include "cli/measure.h"
#include "data/recorder.h"
#include "estimate/slice_log.h"
#include "events/sets.h"
#include "live/outputs.h"
#include "options/options.h"
#include "output/print.h"
#include "plan/plan.h"
#include "processor/machine.h"
#include "sampling/lanes.h"
#include "sampling/sampling.h"
#include "session/cgroup_list.h"
#include "session/command.h"
#include "session/cpu_context.h"
#include "session/run.h"
#include "session/session.h"
#include "session/system_wide.h"

/* Returns -1 after a message about an event that a CPU cannot count. */
static int check_cpus(const struct plan *plan, const struct machine *machine)
{
	unsigned int i;

	if (plan->options->scope.scope != SCOPE_SYSTEM)
		return 0;
	for (i = 0; i < plan->count; i++)
		if (cpu_check_events(&plan->parts[i].events, plan->options,
				     machine->map))
			return -1;
	return 0;
}

/*
 * Contexts of other cgroups are not in the way of one that counts a cgroup, so the context that asks
 * has it, too.  Returns 0, or -1 after a message.
 */
static int ask_for_cgroup(const struct scope_options *scope, int fd)
{
	struct cgroup_list cgroups = { 0 };

	/* For several the context asks for all tasks, which leaves out more. */
	if (!scope->cgroup)
		return 0;
	if (cgroup_list_open(&cgroups, scope)) {
		cgroup_list_free(&cgroups);
		return -1;
	}
	/* If that fails, it will fail with a message for the context that counts. */
	pfm_ctx_set_cgroup(fd, cgroups.list[0]->fd);
	cgroup_list_free(&cgroups);
	return 0;
}

/*
 * Events are placed around what other contexts hold, unless that is to be taken.  Returns 0, or -1
 * after a message.
 */
static int leave_out_held(const struct plan *plan, struct machine *machine,
			  int fd)
{
	const struct options *options = plan->options;
	const struct cpu_list *cpus = NULL;
	struct cpu_list list = { 0 };
	char why[128];

	if (options->take)
		return 0;
	if (options->scope.scope == SCOPE_SYSTEM) {
		cpus = machine_online(machine);
		/* The list was checked when the options were read. */
		if (options->scope.cpu_list &&
		    !cpu_list_parse(options->scope.cpu_list, &list, why,
				    sizeof(why)))
			cpus = &list;
		if (!cpus)
			return 0;
		if (ask_for_cgroup(&options->scope, fd))
			return -1;
	}
	machine_leave_out_held(machine, fd, cpus);
	return 0;
}

static int check_take(const struct options *options)
{
	if (!options->take || policy_take())
		return 0;
	say_error(
		"--take ends sessions of others, which takes CAP_PERFMON or membership of the group in /sys/kernel/perfmon/policy/take_group: %s",
		policy_remedy());
	return -1;
}

/*
 * Makes the plan.  Creates a context, by which the registers are read.  Returns the context's
 * descriptor, or -1 after a message; plan_free() is needed in both cases.
 */
static int make_plan(struct plan *plan, const struct options *options,
		     struct machine *machine, uint32_t flags)
{
	int fd;

	if (check_take(options) || plan_begin(plan, options, machine))
		return -1;
	fd = modules_create_context(flags);
	if (fd < 0)
		return -1;
	if (!machine_read_registers(machine, fd) &&
	    !leave_out_held(plan, machine, fd) && !plan_make(plan, machine) &&
	    !check_cpus(plan, machine))
		return fd;
	close(fd);
	return -1;
}

static int run_once(const struct plan *plan, struct sampling *sampling,
		    struct session *session, int fd, struct outfile *output,
		    const struct measure_printer *printer)
{
	const struct scope_options *scope = &plan->options->scope;
	struct live_output own;
	struct live *live = printer->live ? printer->live : &own.live;
	int status, printed;

	live_init(&own, output);
	if (sampling)
		sampling->live = printer->live;
	if (scope->scope == SCOPE_SYSTEM)
		status = run_system_wide(session, plan, sampling, live);
	else if (scope->scope == SCOPE_CGROUP)
		status = run_cgroup(session, plan, live);
	else if (scope_options_many(scope))
		status = run_processes(session, plan, live);
	else
		status = run_task(session, plan, sampling, fd, live);
	if (!status) {
		printed = printer->print(printer->arg, output, session);
		status = command_wait(session);
		if (printed)
			status = EXIT_OWN_FAILURE;
	} else {
		outfile_abandon(output);
	}
	live_free(&own);
	system_free(session->system);
	session_free(session);
	return status;
}

/* A context that samples, in place of the one whose registers were read. */
static int create_sampling(const struct options *options,
			   struct sampling *sampling)
{
	uint32_t flags = options->follow;

	if (options->smpl.block)
		flags |= PFM_CTX_NOTIFY_BLOCK;
	perf_maps_init(&sampling->perf, options, &sampling->symbols);
	if ((options->smpl.latency || options->smpl.off_cpu) &&
	    !sampling->perf.on) {
		say_error(
			"--%s needs perf's records of context switches%s, which this user may not have: kernel.perf_event_paranoid is too high",
			options->smpl.off_cpu ? "off-cpu" : "latency",
			options->smpl.off_cpu ? " with stacks of the kernel" :
						"");
		return -1;
	}
	if (sampling->symbols.on && !sampling->symbols.exact)
		flags |= PFM_CTX_MAPS;
	return lanes_create_context(&sampling->lanes, flags,
				    &sampling->symbols.reported);
}

/*
 * True if the output needs only totals, so that the kernel need not keep the
 * counts of each task.
 */
static bool sums_only(const struct options *options)
{
	return options->follow && options->aggregate && !options->irange &&
	       !options->trigger.start && !smpl_options_on(&options->smpl) &&
	       !options->have_only && !options->have_except;
}

/* Runs the command for one set that is not the last.  Returns 0, or the exit status. */
static int run_one_set(const struct plan *plan, struct session *session, int fd)
{
	const struct events *events = &plan->parts[0].events;
	int status;

	say_verbose("run %u of %u", events->run + 1, events->num_sets);
	status = run_task(session, plan, NULL, fd, NULL);
	if (!status)
		status = command_wait(session);
	if (session->ended != SESSION_RUNS && !session->signals)
		return 0;
	say_error("run %u of %u %s, so there are no results of any",
		  events->run + 1, events->num_sets,
		  session->signals ? "was interrupted" : "failed");
	return status ? status : EXIT_OWN_FAILURE;
}

/* Makes a session for the next run, which keeps the results of the runs before. */
static void renew_session(struct session *session)
{
	struct session next = {
		.fd = -1,
		.results = session->results,
		.config = session->config,
		.setup = session->setup,
	};

	memset(&session->results, 0, sizeof(session->results));
	session_free(session);
	*session = next;
}

/*
 * Runs the command once for each set but the last one, and keeps the counts.
 * Returns 0, or the exit status if a run failed or a signal ended it.
 */
static int run_before(struct plan *plan, struct session *session, int *fd)
{
	struct events *events = &plan->parts[0].events;
	int status;

	for (; events->run + 1 < events->num_sets; events->run++) {
		status = run_one_set(plan, session, *fd);
		renew_session(session);
		*fd = -1;
		if (status)
			return status;
		*fd = modules_create_context(plan->options->follow);
		if (*fd < 0)
			return EXIT_OWN_FAILURE;
	}
	return 0;
}

static int run(struct plan *plan, struct sampling *sampling,
	       struct session *session, int fd, struct outfile *output,
	       const struct measure_printer *printer)
{
	int status = 0;

	if (plan->count == 1 && !plan->parts[0].events.multiplexed)
		status = run_before(plan, session, &fd);
	if (!status)
		return run_once(plan, sampling, session, fd, output, printer);
	outfile_abandon(output);
	session_free(session);
	return status;
}

/*
 * Replaces the context *@fd, whose registers were read, if another one has to count: flags
 * and buffers are fixed when a context is created, and may depend on the events.  Returns
 * 0, or -1 after saying what is wrong; *@fd is -1 where each CPU or process gets a
 * context of its own.
 */
static int replace_context(const struct options *options,
			   const struct events *events,
			   struct sampling *sampling, struct slice_log **log,
			   int *fd)
{
	bool many = options->scope.scope == SCOPE_SYSTEM ||
		    scope_options_many(&options->scope);
	bool sums = sums_only(options) && events->num_sets > 1;

	if (!many && !sampling && !events->multiplexed && !sums)
		return 0;
	close(*fd);
	*fd = -1;
	if (many)
		return 0;
	if (sampling)
		*fd = create_sampling(options, sampling);
	else if (events->multiplexed)
		*fd = slice_log_create(log, events, options->follow);
	else
		*fd = modules_create_context(options->follow);
	return *fd < 0 ? -1 : 0;
}

/* Each run of the command would have intervals of its own. */
static int check_intervals(const struct options *options,
			   const struct events *events)
{
	if (!options->scope.interval_ns || events->multiplexed ||
	    events->num_sets <= 1)
		return 0;
	say_error(
		"--print-interval and --no-multiplex cannot be combined here: the events need %u runs of the command; leave out --no-multiplex, or count fewer events",
		events->num_sets);
	return -1;
}

/* Counts with context @fd, whose registers were read, or with one in place of it. */
static int measure(struct plan *plan, struct sampling *sampling, int fd,
		   const struct measure_printer *printer)
{
	const struct options *options = plan->options;
	const struct events *events = &plan->parts[0].events;
	struct session session = { .fd = -1 };
	struct outfile output;
	int err;

	err = check_intervals(options, events);
	if (!err)
		err = replace_context(options, events, sampling, &session.log,
				      &fd);
	if (!err)
		err = outfile_open(&output, options->outfile, options->append);
	if (!err)
		return run(plan, sampling, &session, fd, &output, printer);
	if (fd >= 0)
		close(fd);
	return EXIT_OWN_FAILURE;
}

/* The same with samples. */
static int sample(struct plan *plan, const struct machine *machine, int fd,
		  const struct measure_printer *printer)
{
	struct sampling *sampling = calloc(1, sizeof(*sampling));
	struct recorder *recorder = NULL;
	int status = EXIT_OWN_FAILURE;
	int err = -1;

	if (!sampling)
		say_error("out of memory for sampling");
	else
		err = sampling_init(sampling, plan->options,
				    &plan->parts[0].events, machine->map);
	if (!err && plan->options->smpl.record) {
		recorder = recorder_create(sampling);
		err = recorder ? 0 : -1;
	}
	if (!err)
		status = measure(plan, sampling, fd, printer);
	else
		close(fd);
	if (sampling)
		sampling_free(sampling);
	recorder_free(recorder);
	free(sampling);
	return status;
}

static int print(void *arg, struct outfile *output, struct session *session)
{
	(void)arg;
	results_group(&session->results, session->options->stat.by);
	return print_results(output, session);
}

int measure_run(const struct options *options, struct machine *machine)
{
	static const struct measure_printer printer = { .print = print };

	return measure_run_for(options, machine, &printer);
}

int measure_run_for(const struct options *options, struct machine *machine,
		    const struct measure_printer *printer)
{
	uint32_t sums = sums_only(options) ? PFM_CTX_AGGREGATE : 0;
	int status = EXIT_OWN_FAILURE;
	struct plan plan;
	int fd;

	fd = make_plan(&plan, options, machine, options->follow | sums);
	if (fd >= 0 && smpl_options_on(&options->smpl))
		status = sample(&plan, machine, fd, printer);
	else if (fd >= 0)
		status = measure(&plan, NULL, fd, printer);
	plan_free(&plan);
	return status;
}

int measure_check(const struct options *options, struct machine *machine)
{
	struct plan plan;
	int fd = make_plan(&plan, options, machine, 0), err = fd < 0;
	unsigned int i;

	/* Also find out what only the kernel refuses: levels that need a right. */
	for (i = 0; !err && i < plan.count; i++) {
		if (i)
			fd = modules_create_context(0);
		err = fd < 0 || sets_program(&plan.parts[i].events, fd, false);
		if (fd >= 0)
			close(fd);
	}
	plan_free(&plan);
	return err ? -1 : 0;
}

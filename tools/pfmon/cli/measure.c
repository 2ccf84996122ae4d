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
#include "cli/measure.h"
#include "cli/measure_types.h"
#include "events/event_list.h"
#include "events/event_parse.h"
#include "events/metric_plan.h"
#include "events/sets.h"
#include "options/options.h"
#include "output/live.h"
#include "output/print.h"
#include "processor/machine.h"
#include "sampling/lanes.h"
#include "sampling/sampling.h"
#include "sampling/slice_log.h"
#include "session/command.h"
#include "session/core_types.h"
#include "session/cpu_context.h"
#include "session/run_processes.h"
#include "session/run_system_wide.h"
#include "session/run_task.h"
#include "session/session.h"
#include "session/system_wide.h"

/* Calls @call with the options of each type of CPUs if there are several, otherwise with @options. */
static int for_each_type(struct options *options,
			 int (*call)(struct options *options,
				     const struct machine *machine),
			 const struct machine *machine)
{
	struct core_types *types = options->types;
	unsigned int i;

	if (!types)
		return call(options, machine);
	for (i = 0; i < types->count; i++)
		if (call(&types->list[i].options, machine))
			return -1;
	return 0;
}

static int find_metrics(struct options *options, const struct machine *machine)
{
	(void)machine;
	return metric_plan_begin(&options->plan, options);
}

static int plan_metrics(struct options *options, const struct machine *machine)
{
	return metric_plan_make(options->plan, options, machine->map);
}

/*
 * Creates a context, reads the registers, and adds the events that the metrics of the command line
 * need to its event sets.  Returns the context's descriptor, or -1 after a message.
 */
static int plan(struct options *options, struct machine *machine,
		uint32_t flags)
{
	bool metrics = options->metrics.names || options->metrics.topdown;
	int fd;

	/* A wrong name is told where nothing can be counted, too. */
	if (metrics && (measure_types_find(options) ||
			for_each_type(options, find_metrics, machine)))
		return -1;
	fd = modules_create_context(flags);
	if (fd < 0)
		return -1;
	if (!machine_read_registers(machine, fd) &&
	    (!metrics || !for_each_type(options, plan_metrics, machine)))
		return fd;
	close(fd);
	return -1;
}

/*
 * Assigns the events of the command line to registers, and reads how they sample; @sampling is
 * NULL if they only count.  Returns 0, or -1 after a message.
 */
static int read_events(struct events *events, struct sampling *sampling,
		       const struct options *options,
		       const struct machine *machine)
{
	int err = events_read(events, options, machine->map);

	if (!err && options->scope.scope == SCOPE_SYSTEM)
		err = cpu_check_events(events, options, machine->map);
	if (!err && sampling)
		err = sampling_init(sampling, options, events, machine->map);
	return err;
}

static int run_once(const struct options *options, const struct events *events,
		    struct sampling *sampling, struct session *session, int fd,
		    struct outfile *output)
{
	struct live_output live;
	int status, printed;

	live_init(&live, output);
	if (options->scope.scope == SCOPE_SYSTEM)
		status = run_system_wide(session, options, events, sampling,
					 &live.live);
	else if (options->scope.scope == SCOPE_CGROUP)
		status = run_cgroup(session, options, events, &live.live);
	else if (scope_options_many(&options->scope))
		status = run_processes(session, options, events, &live.live);
	else
		status = run_task(session, options, events, sampling, fd,
				  &live.live);
	if (!status) {
		printed = print_results(output, session);
		status = command_wait(session);
		if (printed)
			status = EXIT_OWN_FAILURE;
	} else {
		outfile_abandon(output);
	}
	live_free(&live);
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
	return options->follow && options->aggregate &&
	       !smpl_options_on(&options->smpl) && !options->have_only &&
	       !options->have_except;
}

/* Runs the command for one set that is not the last.  Returns 0, or the exit status. */
static int run_one_set(const struct options *options, struct events *events,
		       struct session *session, int fd)
{
	int status;

	say_verbose("run %u of %u", events->run + 1, events->num_sets);
	status = run_task(session, options, events, NULL, fd, NULL);
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
		.again = true,
	};

	memset(&session->results, 0, sizeof(session->results));
	session_free(session);
	*session = next;
}

/*
 * Runs the command once for each set but the last one, and keeps the counts.
 * Returns 0, or the exit status if a run failed or a signal ended it.
 */
static int run_before(const struct options *options, struct events *events,
		      struct session *session, int *fd)
{
	int status;

	for (; events->run + 1 < events->num_sets; events->run++) {
		status = run_one_set(options, events, session, *fd);
		renew_session(session);
		*fd = -1;
		if (status)
			return status;
		*fd = modules_create_context(options->follow);
		if (*fd < 0)
			return EXIT_OWN_FAILURE;
	}
	return 0;
}

static int run(const struct options *options, struct events *events,
	       struct sampling *sampling, struct session *session, int fd,
	       struct outfile *output)
{
	int status = 0;

	if (!events->multiplexed)
		status = run_before(options, events, session, &fd);
	if (!status)
		return run_once(options, events, sampling, session, fd, output);
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
static int measure(const struct options *options, const struct machine *machine,
		   struct events *events, struct sampling *sampling, int fd)
{
	struct session session = { .fd = -1 };
	struct outfile output;
	int err;

	err = read_events(events, sampling, options, machine) ||
	      check_intervals(options, events);
	if (!err)
		err = replace_context(options, events, sampling, &session.log,
				      &fd);
	if (!err)
		err = outfile_open(&output, options->outfile, options->append);
	if (!err)
		return run(options, events, sampling, &session, fd, &output);
	if (fd >= 0)
		close(fd);
	return EXIT_OWN_FAILURE;
}

static int measure_one_type(const struct options *options,
			    const struct machine *machine, int fd)
{
	struct sampling *sampling = NULL;
	struct events events = { 0 };
	int status;

	if (smpl_options_on(&options->smpl)) {
		sampling = calloc(1, sizeof(*sampling));
		if (!sampling) {
			say_error("out of memory for sampling");
			close(fd);
			return EXIT_OWN_FAILURE;
		}
	}
	status = measure(options, machine, &events, sampling, fd);
	if (sampling)
		sampling_free(sampling);
	free(sampling);
	events_free(&events);
	return status;
}

/* CPUs of several types: each has a context and events of its own. */
static int measure_types(const struct options *options,
			 const struct machine *machine)
{
	struct core_types *types = options->types;
	struct session session = { .fd = -1 };
	struct outfile output;
	unsigned int i;

	for (i = 0; i < types->count; i++)
		if (read_events(&types->list[i].events, NULL,
				&types->list[i].options, machine))
			return EXIT_OWN_FAILURE;
	if (outfile_open(&output, options->outfile, options->append))
		return EXIT_OWN_FAILURE;
	return run_once(options, &types->list[0].events, NULL, &session, -1,
			&output);
}

int measure_run(struct options *options, struct machine *machine)
{
	int fd = plan(options, machine,
		      options->follow |
			      (sums_only(options) ? PFM_CTX_AGGREGATE : 0));

	if (fd < 0)
		return EXIT_OWN_FAILURE;
	if (!options->types)
		return measure_one_type(options, machine, fd);
	close(fd);
	return measure_types(options, machine);
}

/*
 * Also finds out what only the kernel refuses: levels that need a right.  Takes over context @fd,
 * which is -1 after a message.
 */
static int check_events(const struct options *options,
			const struct machine *machine, int fd)
{
	struct events events = { 0 };
	int err;

	if (fd < 0)
		return -1;
	err = read_events(&events, NULL, options, machine);
	if (!err)
		err = sets_program(&events, fd, false);
	events_free(&events);
	close(fd);
	return err;
}

int measure_check(struct options *options, struct machine *machine)
{
	const struct core_types *types;
	int fd = plan(options, machine, 0);
	unsigned int i;
	int err;

	types = options->types;
	if (fd < 0 || !types)
		return check_events(options, machine, fd);
	err = check_events(&types->list[0].options, machine, fd);
	for (i = 1; !err && i < types->count; i++)
		err = check_events(&types->list[i].options, machine,
				   modules_create_context(0));
	return err;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Creates, loads, starts and reads the contexts of CPUs.
 */
#include <errno.h>
#include <perfmon/perfmon.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/array.h"
#include "base/clock.h"
#include "base/cpu_list.h"
#include "base/message.h"
#include "check/modules.h"
#include "check/remedies.h"
#include "events/counts.h"
#include "events/event_list.h"
#include "events/sets.h"
#include "options/options.h"
#include "sampling/sampling.h"
#include "session/context_ioctl.h"
#include "session/cpu_context.h"
#include "session/session.h"
#include "session/system_wide.h"
#include "session/topology.h"

/* More than pfmon opens for anything else */
#define OTHER_DESCRIPTORS 128

static int no_memory(void)
{
	say_error("out of memory for the CPUs");
	return -1;
}

static int add(struct session *session, unsigned int number,
	       const struct cgroup *cgroup)
{
	const struct events *events = core_types_events(session, number);
	struct system *system = session->system;
	struct cpu *cpu;

	if (!events) {
		say_error(
			"CPU %u came online after pfmon had looked at the types of the CPUs; try again",
			number);
		return -1;
	}
	if (array_reserve(&system->list, sizeof(*system->list), &system->room,
			  system->count + 1))
		return no_memory();
	cpu = &system->list[system->count];
	memset(cpu, 0, sizeof(*cpu));
	cpu->number = number;
	cpu->events = events;
	cpu->cgroup = cgroup;
	cpu->fd = -1;
	cpu_place_read(number, &cpu->place);
	cpu->counts = counts_create(events);
	cpu->before = counts_create(events);
	cpu->interval = counts_create(events);
	system->count++;
	return cpu->counts && cpu->before && cpu->interval ? 0 : no_memory();
}

int cpu_add(struct session *session, unsigned int number)
{
	const struct cgroup_list *cgroups = &session->system->cgroups;
	size_t i;

	if (!cgroups->count)
		return add(session, number, NULL);
	for (i = 0; i < cgroups->count; i++)
		if (add(session, number, cgroups->list[i]))
			return -1;
	return 0;
}

static int check_topology(const struct session *session)
{
	enum topology topology = session->options->scope.topology;
	const struct system *system = session->system;
	size_t i;

	if (topology == TOPOLOGY_CGROUP)
		return 0;
	for (i = 0; topology && i < system->count; i++) {
		if (cpu_place_known(&system->list[i].place, topology))
			continue;
		say_error(
			"--topology=%s: the machine does not say which %s CPU %u belongs to",
			scope_topology_name(topology),
			scope_topology_name(topology), system->list[i].number);
		return -1;
	}
	return 0;
}

/* Levels are those of the machine, and nothing else. */
static int check_cgroups(const struct session *session)
{
	const struct scope_options *scope = &session->options->scope;

	if ((!scope->cgroup && !scope->each_cgroup) ||
	    !events_need_nothing(session->events))
		return 0;
	say_error(
		"%s needs an event to count; levels of the machine, such as free-memory, do not belong to a group",
		scope->cgroup ? "--cgroup" : "--for-each-cgroup");
	return -1;
}

/* Each CPU needs a descriptor for each cgroup.  A limit that suffices stays for the command. */
static void raise_limit(size_t count)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) ||
	    limit.rlim_cur >= count + OTHER_DESCRIPTORS)
		return;
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
}

/* Chooses the CPUs of the command line. */
int cpu_choose(struct session *session)
{
	const struct scope_options *scope = &session->options->scope;
	struct cpu_list cpus = { 0 };
	unsigned int number;
	char why[256];

	if (check_cgroups(session) ||
	    cgroup_list_open(&session->system->cgroups, scope))
		return -1;
	if (scope->cpu_list) {
		if (cpu_list_parse(scope->cpu_list, &cpus, why, sizeof(why)))
			return -1;
	} else if (cpu_list_online(&cpus)) {
		say_error(
			"cannot read which CPUs are online from /sys; name them with --cpu-list");
		return -1;
	}
	for (number = 0; number < CPUS_MAX; number++)
		if (cpu_list_has(&cpus, number) && cpu_add(session, number))
			return -1;
	raise_limit(session->system->count + session->system->cgroups.count);
	return check_topology(session);
}

static int make_context(struct session *session)
{
	struct sampling *sampling = session->sampling;

	if (!sampling)
		return modules_create_context(PFM_CTX_SYSTEM_WIDE);
	return lanes_create_context(&sampling->lanes, PFM_CTX_SYSTEM_WIDE,
				    &sampling->symbols.reported);
}

/* Loads a context on a CPU.  Returns 0, or -1 after a message. */
static int load_cpu(struct session *session, struct cpu *cpu)
{
	PFM_OPTS(pfm_load_opts, opts,
		 .flags = session->options->take ? PFM_LOAD_TAKE : 0);
	struct sampling *sampling = session->sampling;
	int err;

	cpu->fd = make_context(session);
	if (cpu->fd < 0 || sets_program(cpu->events, cpu->fd, false))
		return -1;
	if (sampling) {
		cpu->context = sampling->lanes.num_buffers;
		if (sampling_attach(sampling, cpu->fd))
			return -1;
	}
	if (events_need_nothing(cpu->events))
		return 0;
	if (cpu->cgroup) {
		err = pfm_ctx_set_cgroup(cpu->fd, cpu->cgroup->fd);
		if (err) {
			rights_tell_cgroup(cpu->cgroup->path, err);
			return -1;
		}
	}
	err = pfm_ctx_load(cpu->fd, cpu->number, &opts);
	if (!err)
		return 0;
	rights_tell_cpu(cpu->number, cpu->cgroup ? cpu->cgroup->path : NULL,
			err);
	return -1;
}

int cpu_load_all(struct session *session)
{
	struct system *system = session->system;
	size_t i;

	for (i = 0; i < system->count; i++)
		if (load_cpu(session, &system->list[i]))
			return -1;
	return 0;
}

int cpu_start(struct cpu *cpu)
{
	int err = 0;

	if (!events_need_nothing(cpu->events))
		err = pfm_ctx_start(cpu->fd, NULL);
	cpu->start = clock_now();
	cpu->end = 0;
	if (!err)
		return 0;
	if (err == -ENOTCONN) {
		uint32_t status;

		/* Says who has taken the counters. */
		context_read_end(cpu->fd, &status);
	}
	say_error("cannot start counting on CPU %u: %s", cpu->number,
		  pfm_ctx_strerror(PFM_IOC_START, err));
	return -1;
}

int cpu_again(struct cpu *cpu)
{
	int err = pfm_ctx_load(cpu->fd, cpu->number, NULL);

	if (err)
		return err;
	err = pfm_ctx_start(cpu->fd, NULL);
	if (err) {
		pfm_ctx_unload(cpu->fd);
		return err;
	}
	cpu->start += clock_now() - cpu->end;
	cpu->end = 0;
	context_forget_taker();
	return 0;
}

int cpu_read_all(struct session *session)
{
	struct system *system = session->system;
	size_t i;

	for (i = 0; i < system->count; i++)
		if (sets_read(system->list[i].events, system->list[i].fd,
			      system->list[i].counts))
			return -1;
	return 0;
}

int cpu_join(struct session *session, struct cpu *cpu)
{
	return load_cpu(session, cpu) || cpu_start(cpu) ? -1 : 0;
}

int cpu_check_events(const struct events *events, const struct options *options,
		     const struct pfm_reg_map *map)
{
	const struct pfm_reg_info *info;
	size_t k;

	/* An estimate may fall when it becomes more exact. */
	if (events->multiplexed &&
	    (options->scope.listen || options->scope.textfile)) {
		say_error(
			"--listen and --textfile export counts that must never fall, but these events need %u event sets in time slices, whose counts are estimates and may fall; give fewer events",
			events->num_sets);
		return -1;
	}
	for (k = 0; k < events->count; k++) {
		info = pfm_reg_map_pmd(map, events->list[k].pmd);
		if (!info || !(info->flags & PFM_REGI_THREAD))
			continue;
		say_error(
			"'%s' is kept for threads only, so --system-wide cannot count it; leave it out",
			events->list[k].name);
		return -1;
	}
	return 0;
}

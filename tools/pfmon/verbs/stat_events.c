// SPDX-License-Identifier: GPL-2.0-only
/*
 * Events of stat: those that perf stat counts, as far as this machine has them, in user code
 * and in the kernel, as far as this user may.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <perfmon/perfmon.h>

#include "base/message.h"
#include "check/modules.h"
#include "check/remedies.h"
#include "options/options.h"
#include "processor/machine.h"
#include "verbs/stat.h"

/* Room for the names of the events, and of those that are missing. */
#define LIST_ROOM 1024

/**
 * struct choice - events that are counted unless options name others
 * @detail: number of -d that they need
 * @names: the events, which are counted together if there are several
 * @others: what is counted in their place where the machine lacks them
 * @hardware: the processor counts them
 */
static const struct choice {
	unsigned int detail;
	const char *names;
	const char *others;
	bool hardware;
} choices[] = {
	{ 0, "task-clock", NULL, false },
	{ 0, "context-switches", NULL, false },
	{ 0, "cpu-migrations", "migrations", false },
	{ 0, "page-faults", "minor-faults,major-faults", false },
	{ 0, "cycles,instructions", NULL, true },
	{ 0, "branches,branch-misses", NULL, true },
	{ 1, "L1-dcache-loads,L1-dcache-load-misses",
	  "cache-references,cache-misses", true },
	{ 1, "LLC-loads,LLC-load-misses", NULL, true },
	{ 2, "L1-icache-loads,L1-icache-load-misses", NULL, true },
	{ 2, "dTLB-loads,dTLB-load-misses", NULL, true },
	{ 2, "iTLB-loads,iTLB-load-misses", NULL, true },
	{ 3, "L1-dcache-prefetches,L1-dcache-prefetch-misses", NULL, true },
};

/**
 * struct chosen - the list of events
 * @map: the registers
 * @cpus: CPUs are counted, not tasks
 * @list: the events, in the form of -e
 * @missing: those that this machine lacks
 */
struct chosen {
	const struct pfm_reg_map *map;
	bool cpus;
	char list[LIST_ROOM];
	char missing[LIST_ROOM];
};

static void add(char *list, const char *text, size_t length)
{
	size_t at = strlen(list);

	if (at + length + 2 <= LIST_ROOM)
		sprintf(list + at, "%s%.*s", at ? "," : "", (int)length, text);
}

/* Some virtual registers count for threads only. */
static bool is_here(const struct chosen *chosen, const struct pfm_event *event)
{
	const struct pfm_reg_info *info = NULL;

	if (event->kind == PFM_EVENT_HARDWARE)
		return pfm_event_implemented(chosen->map, event->code) !=
		       PFM_IMPLEMENTED_NO;
	while (chosen->cpus && (info = pfm_reg_map_next_pmd(chosen->map, info)))
		if (info->num == event->pmd)
			return !(info->flags & PFM_REGI_THREAD);
	return true;
}

static bool can_count(const struct chosen *chosen, const char *name,
		      size_t length)
{
	struct pfm_event event = { 0 };
	char text[64];

	if (length >= sizeof(text))
		return false;
	memcpy(text, name, length);
	text[length] = '\0';
	return !pfm_event_parse(chosen->map, text, PFM_PLM_USER, &event) &&
	       is_here(chosen, &event);
}

/* Writes those of @names that the machine has, or that it lacks.  Returns their number. */
static unsigned int filter(const struct chosen *chosen, const char *names,
			   bool here, char *list)
{
	unsigned int count = 0;
	size_t length;

	for (; *names; names += length + !!names[length]) {
		length = strcspn(names, ",");
		if (can_count(chosen, names, length) != here)
			continue;
		add(list, names, length);
		count++;
	}
	return count;
}

static void choose(struct chosen *chosen, const struct choice *choice)
{
	char list[LIST_ROOM] = "", group[LIST_ROOM + 2];
	unsigned int count;
	size_t length;

	count = filter(chosen, choice->names, true, list);
	if (!count && choice->others)
		count = filter(chosen, choice->others, true, list);
	if (!count || !choice->others)
		filter(chosen, choice->names, false, chosen->missing);
	if (!count)
		return;
	length = strlen(list);
	if (count == 1 || !choice->hardware) {
		add(chosen->list, list, length);
		return;
	}
	/* Their ratio is exact only if they are counted at the same time. */
	group[0] = '{';
	memcpy(group + 1, list, length);
	group[length + 1] = '}';
	add(chosen->list, group, length + 2);
}

/* Says in one line what is missing, and why. */
static void tell_missing(const struct chosen *chosen)
{
	struct no_pmu no_pmu;

	if (!*chosen->missing)
		return;
	if (pfm_reg_map_counters(chosen->map, NULL)) {
		say_note("not counted, as this machine lacks them: %s",
			 chosen->missing);
		return;
	}
	no_pmu_explain(&no_pmu);
	say_note("not counted: %s: %s; %s", chosen->missing, no_pmu.why,
		 no_pmu.fix);
}

static int choose_defaults(struct options *options,
			   const struct pfm_reg_map *map)
{
	static struct chosen chosen;
	size_t i;

	chosen = (struct chosen){
		.map = map,
		.cpus = options->scope.scope == SCOPE_SYSTEM,
	};
	for (i = 0; i < sizeof(choices) / sizeof(choices[0]); i++)
		if (choices[i].detail <= options->stat.detail)
			choose(&chosen, &choices[i]);
	tell_missing(&chosen);
	if (!*chosen.list) {
		say_error(
			"there is nothing to count here; 'pfmon doctor' says why");
		return -1;
	}
	if (!set_options_add(&options->sets, chosen.list))
		return 0;
	say_error("out of memory for the events");
	return -1;
}

/* True if the kernel lets this user count its code. */
static bool may_count_kernel(int fd, const struct pfm_reg_map *map)
{
	struct pfm_assignment *regs = calloc(1, sizeof(*regs));
	struct pfm_event event = { 0 };
	bool may = true;

	if (regs && pfm_reg_map_counters(map, NULL) &&
	    !pfm_event_parse(map, "cycles", PFM_PLM_KERNEL, &event) &&
	    !pfm_assign_registers(map, &event, 1, regs))
		may = pfm_ctx_write_pmcs(fd, regs->pmcs, regs->num_pmcs,
					 NULL) != -EPERM;
	free(regs);
	return may;
}

static void choose_levels(struct options *options, int fd,
			  const struct pfm_reg_map *map)
{
	if (!options->stat.try_kernel || may_count_kernel(fd, map))
		return;
	options->plm = PFM_PLM_USER;
	options->stat.user_only = true;
	say_note("user code only (:u): kernel code takes CAP_PERFMON: %s",
		 policy_remedy());
}

int stat_choose_events(struct options *options, struct machine *machine,
		       bool defaults)
{
	int fd = modules_create_context(0), err;

	if (fd < 0)
		return -1;
	err = machine_read_registers(machine, fd);
	if (!err) {
		choose_levels(options, fd, machine->map);
		err = defaults ? choose_defaults(options, machine->map)
			       : stat_check_names(options, machine->map);
	}
	close(fd);
	return err ? -1 : 0;
}

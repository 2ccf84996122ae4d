// SPDX-License-Identifier: GPL-2.0-only
/*
 * cgroup: the cost that monitoring cgroups on a CPU adds to a thread switch.  Two processes wake
 * each other through pipes.  The figures are what is added to a switch, compared with nothing
 * monitored:
 *
 * cgroup/others	another cgroup is monitored; the two are in the same one
 * cgroup/apart		the same; the two are in different cgroups
 * cgroup/inside/N	both are in the cgroup that is monitored, with N counters
 * cgroup/one/N		one of them is, the other is in a cgroup that is not monitored
 * cgroup/two/N		each is in a cgroup that is monitored, with the same events
 * cgroup/hundred/N	the same, and 98 more cgroups are monitored
 */
#include <sys/syscall.h>

#include "bench.h"
#include "cgroup.h"

#define ROUNDS 500

/* Cgroups that are monitored beside the two that have processes */
#define MORE 98

/**
 * struct scene - the pair, and cgroups
 * @pair: two processes that wake each other
 * @groups: three cgroups
 * @more: descriptors of further ones
 */
struct scene {
	struct pair pair;
	struct groups groups;
	int more[MORE];
};

static double per_switch(struct scene *scene)
{
	return bench_rounds(pair_rounds, &scene->pair, ROUNDS) / 2;
}

static void perf_monitor(struct group *group, int cgroup)
{
	for (unsigned int i = 0; i < group->n; i++) {
		struct perf_event_attr attr = {
			.size = sizeof(attr),
			.type = PERF_TYPE_RAW,
			.config = EVENT_INST_RETIRED,
		};

		group->fd[i] =
			syscall(SYS_perf_event_open, &attr, cgroup, 0,
				i ? group->fd[0] : -1,
				PERF_FLAG_PID_CGROUP | PERF_FLAG_FD_CLOEXEC);
		if (group->fd[i] < 0)
			bench_fail("perf_event_open of a cgroup");
	}
}

/* Monitor a cgroup on CPU 0. */
static void monitor(struct group *group, unsigned int n, int cgroup)
{
	group_set(group, n);
	if (bench_perf) {
		perf_monitor(group, cgroup);
		return;
	}
	group->fd[0] = group_create(PFM_CTX_SYSTEM_WIDE);
	group_program(group->fd[0], n, 0);
	if (cgroup_set(group->fd[0], cgroup) || context_load(group->fd[0], 0) ||
	    context_start(group->fd[0], 0))
		bench_fail("a context of a cgroup");
}

/*
 * The cost that monitored cgroups add to a switch between processes in two cgroups.  The kernel's
 * own accounting makes a switch dearer in a cgroup than in the root.
 */
static double cost(struct scene *scene, unsigned int here, unsigned int there,
		   unsigned int from, unsigned int monitored, unsigned int n)
{
	struct group *groups = calloc(MORE + GROUPS, sizeof(*groups));
	double ns, none;

	group_enter(&scene->groups, here, 0);
	group_enter(&scene->groups, there, scene->pair.child);
	bench_quiet();
	none = per_switch(scene);
	for (unsigned int i = 0; i < monitored; i++)
		monitor(&groups[i], n,
			from + i < GROUP_BELOW_A
				? scene->groups.fds[from + i]
				: scene->more[from + i - GROUP_BELOW_A]);
	ns = per_switch(scene);
	for (unsigned int i = 0; i < monitored; i++)
		group_close(&groups[i]);
	free(groups);
	group_enter(&scene->groups, GROUPS, 0);
	group_enter(&scene->groups, GROUPS, scene->pair.child);
	return ns - none;
}

/*
 * perf's controller, which no file enables, is there for cgroups below the root once any controller
 * was enabled for them.
 */
static void any_controller(const struct groups *groups)
{
	char path[128];
	int fd;

	snprintf(path, sizeof(path), "%s/cgroup.subtree_control", groups->top);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0 || write(fd, "+pids", 5) != 5)
		bench_fail(path);
	close(fd);
}

static void more_create(struct scene *scene)
{
	char path[128];

	for (unsigned int i = 0; i < MORE; i++) {
		snprintf(path, sizeof(path), "%s/more%u", scene->groups.top, i);
		if (mkdir(path, 0755))
			bench_fail(path);
		scene->more[i] = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		if (scene->more[i] < 0)
			bench_fail(path);
	}
}

static void more_remove(struct scene *scene)
{
	char path[128];

	for (unsigned int i = 0; i < MORE; i++) {
		close(scene->more[i]);
		snprintf(path, sizeof(path), "%s/more%u", scene->groups.top, i);
		rmdir(path);
	}
}

int main(int argc, char *argv[])
{
	const unsigned int *size;
	struct scene scene = {};

	bench_begin(argc, argv);
	if (groups_create(&scene.groups))
		bench_fail("cgroups");
	more_create(&scene);
	any_controller(&scene.groups);
	pair_open(&scene.pair);
	bench_print(cost(&scene, GROUPS, GROUPS, GROUP_A, 1, 1),
		    "cgroup/others");
	bench_print(cost(&scene, GROUP_B, GROUPS, GROUP_A, 1, 1),
		    "cgroup/apart");
	for (size = bench_sizes; *size; size++) {
		bench_print(cost(&scene, GROUP_A, GROUP_A, GROUP_A, 1, *size),
			    "cgroup/inside/%u", *size);
		bench_print(cost(&scene, GROUP_A, GROUP_B, GROUP_A, 1, *size),
			    "cgroup/one/%u", *size);
		bench_print(cost(&scene, GROUP_A, GROUP_B, GROUP_A, 2, *size),
			    "cgroup/two/%u", *size);
		bench_print(cost(&scene, GROUP_A, GROUP_B, GROUP_A, MORE + 2,
				 *size),
			    "cgroup/hundred/%u", *size);
	}
	pair_close(&scene.pair);
	more_remove(&scene);
	groups_remove(&scene.groups);
	return 0;
}

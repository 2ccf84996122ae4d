// SPDX-License-Identifier: GPL-2.0-only
/*
 * Contexts of a CPU that monitor a cgroup: what is refused, who may, samples, and tasks and CPUs that
 * come and go.
 */
#include <linux/membarrier.h>
#include <sys/syscall.h>

#include "cgroup.h"
#include "child.h"
#include "context.h"
#include "hotplug.h"
#include "registers.h"
#include "sampling.h"
#include "sysfs.h"

#include "kselftest_harness.h"
#include "rights.h"

#define MS	   1000000ULL
#define OWN_CGROUP "policy/own_cgroup"

FIXTURE(cgroup)
{
	struct groups groups;
	int fd;
};

/* A context of a CPU that counts a cgroup's time. */
static int time_open(int cgroup)
{
	const int fd = context_open(PFM_CTX_SYSTEM_WIDE);
	int ret = fd < 0 ? fd : pmd_write(fd, CPU_TIME_NS, 0);

	if (!ret && cgroup >= 0)
		ret = cgroup_set(fd, cgroup);
	return ret ? ret : fd;
}

FIXTURE_SETUP(cgroup)
{
	pin_to(0);
	ASSERT_EQ(0, groups_create(&self->groups));
	self->fd = time_open(self->groups.fds[GROUP_A]);
	ASSERT_LE(0, self->fd);
}

FIXTURE_TEARDOWN(cgroup)
{
	close(self->fd);
	groups_remove(&self->groups);
}

TEST_F(cgroup, refused)
{
	const int file = open("/proc/self/status", O_RDONLY | O_CLOEXEC);
	const int thread = context_open(0);
	struct pfm_cgroup arg = { .fd = -1, .flags = 1 };

	EXPECT_EQ(-EINVAL, call(self->fd, PFM_IOC_SET_CGROUP, &arg));
	EXPECT_EQ(-EFAULT, call(self->fd, PFM_IOC_SET_CGROUP, NULL));
	EXPECT_EQ(-EINVAL, cgroup_set(thread, self->groups.fds[GROUP_A]));
	EXPECT_EQ(-EBADF, cgroup_set(self->fd, 999));
	EXPECT_EQ(-EBADF, cgroup_set(self->fd, -2));
	EXPECT_EQ(-EBADF, cgroup_set(self->fd, file));
	ASSERT_EQ(0, context_load(self->fd, 0));
	EXPECT_EQ(-EBUSY, cgroup_set(self->fd, self->groups.fds[GROUP_B]));
	EXPECT_EQ(-EBUSY, cgroup_set(self->fd, -1));
	ASSERT_EQ(0, context_unload(self->fd));
	EXPECT_EQ(0, cgroup_set(self->fd, self->groups.fds[GROUP_B]));
	EXPECT_EQ(0, cgroup_set(self->fd, -1));
	close(file);
	close(thread);
}

/* Any number of cgroups side by side are one context in the limit of two. */
TEST_F(cgroup, limit)
{
	struct pfm_held held = { .cpu = 0 };
	int b, below, all[2];

	b = time_open(self->groups.fds[GROUP_B]);
	below = time_open(self->groups.fds[GROUP_BELOW_A]);
	all[0] = time_open(-1);
	all[1] = time_open(-1);
	ASSERT_EQ(0, context_load(self->fd, 0));
	ASSERT_EQ(0, context_load(b, 0));
	ASSERT_EQ(0, call(all[0], PFM_IOC_GETINFO_HELD, &held));
	EXPECT_EQ(1, held.slots);
	held = (struct pfm_held){ .cpu = 0 };
	ASSERT_EQ(0, call(below, PFM_IOC_GETINFO_HELD, &held));
	EXPECT_EQ(1, held.slots);
	ASSERT_EQ(0, context_load(below, 0));
	EXPECT_EQ(-EBUSY, context_load(all[0], 0));
	ASSERT_EQ(0, context_unload(below));
	ASSERT_EQ(0, context_load(all[0], 0));
	EXPECT_EQ(-EBUSY, context_load(all[1], 0));
	EXPECT_EQ(-EBUSY, context_load(below, 0));
	/* Both of those have to go. */
	ASSERT_EQ(0, context_unload(self->fd));
	EXPECT_EQ(-EBUSY, context_load(all[1], 0));
	ASSERT_EQ(0, context_unload(b));
	EXPECT_EQ(0, context_load(all[1], 0));
	close(b);
	close(below);
	close(all[0]);
	close(all[1]);
}

static void spin_on(void *unused)
{
	(void)unused;
	for (;;)
		spin(1000);
}

/*
 * The time of a context whose last task has ended.  A parent is told before the kernel's last code
 * for the task has run, so the value is read until it stands still.  It also stands still while the
 * host does not execute the task's CPU, so membarrier() waits until each CPU has made progress.
 */
static uint64_t settled_ns(int fd)
{
	uint64_t was, now = pmd_value(fd, CPU_TIME_NS);

	do {
		was = now;
		syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL, 0, 0);
		sched_yield();
		burn_ns(MS);
		now = pmd_value(fd, CPU_TIME_NS);
	} while (now != was);
	return now;
}

/* Nothing counts as long as the cgroup has no task, and again when its last one has gone. */
TEST_F(cgroup, comes_and_goes)
{
	struct child child;
	uint64_t ns;

	ASSERT_EQ(0, context_load(self->fd, 0));
	ASSERT_EQ(0, context_start(self->fd, 0));
	burn_ns(5 * MS);
	EXPECT_EQ(0, pmd_value(self->fd, CPU_TIME_NS));
	child_call(&child, spin_on, NULL);
	group_enter(&self->groups, GROUP_BELOW_A, child.pid);
	child_go(&child);
	while (pmd_value(self->fd, CPU_TIME_NS) < 5 * MS)
		sched_yield();
	child_kill(child.pid);
	ns = settled_ns(self->fd);
	burn_ns(5 * MS);
	EXPECT_EQ(ns, pmd_value(self->fd, CPU_TIME_NS));
	/* The context keeps the cgroup, whose directory may go. */
	groups_remove(&self->groups);
	burn_ns(5 * MS);
	EXPECT_EQ(ns, pmd_value(self->fd, CPU_TIME_NS));
	ASSERT_EQ(0, context_unload(self->fd));
	EXPECT_EQ(ns, pmd_value(self->fd, CPU_TIME_NS));
	ASSERT_EQ(0, groups_create(&self->groups));
}

/* A process is moved while it is running, and never leaves its CPU. */
TEST_F(cgroup, moved_while_running)
{
	TEST_PROVES(B2);
	uint64_t ns, last = 0;
	pid_t pid;

	NEED_TWO_CPUS();
	pid = child_spin_on(1);
	ASSERT_EQ(0, context_load(self->fd, 1));
	ASSERT_EQ(0, context_start(self->fd, 0));
	burn_ns(5 * MS);
	EXPECT_EQ(0, pmd_value(self->fd, CPU_TIME_NS));
	group_enter(&self->groups, GROUP_A, pid);
	while (pmd_value(self->fd, CPU_TIME_NS) < 5 * MS)
		;
	group_enter(&self->groups, GROUP_B, pid);
	/* It counts for a moment yet. */
	for (;;) {
		ns = pmd_value(self->fd, CPU_TIME_NS);
		burn_ns(5 * MS);
		last = pmd_value(self->fd, CPU_TIME_NS);
		if (ns == last)
			break;
	}
	child_kill(pid);
}

/* The CPU goes offline and comes back, with contexts of two cgroups. */
TEST_F(cgroup, hotplug)
{
	const int b = time_open(self->groups.fds[GROUP_B]);
	struct pfm_config cfg;
	uint64_t ns;
	pid_t pid;

	NEED_HOTPLUG();
	ASSERT_EQ(0, context_load(self->fd, 1));
	ASSERT_EQ(0, context_load(b, 1));
	ASSERT_EQ(0, context_start(self->fd, 0));
	ASSERT_EQ(0, context_start(b, 0));
	ASSERT_EQ(true, cpu1_online(false));
	EXPECT_EQ(PFM_STATE_OFFLINE, state_of(self->fd));
	EXPECT_EQ(PFM_STATE_OFFLINE, state_of(b));
	ASSERT_EQ(true, cpu1_online(true));
	EXPECT_EQ(PFM_STATE_LOADED, state_of(self->fd));
	EXPECT_EQ(PFM_STATE_LOADED, state_of(b));
	pid = child_spin_on(1);
	group_enter(&self->groups, GROUP_B, pid);
	while (pmd_value(b, CPU_TIME_NS) < 5 * MS)
		sched_yield();
	ns = pmd_value(self->fd, CPU_TIME_NS);
	EXPECT_EQ(0, ns);
	/* Unloaded while the CPU is offline */
	ASSERT_EQ(true, cpu1_online(false));
	ASSERT_EQ(0, context_unload(b));
	ASSERT_EQ(true, cpu1_online(true));
	ASSERT_EQ(0, config_get(self->fd, &cfg));
	EXPECT_EQ(2, cfg.offlines);
	EXPECT_EQ(0, context_load(b, 1));
	child_kill(pid);
	close(b);
}

/* Only tasks of the cgroup are sampled, whatever else runs. */
TEST_F(cgroup, samples)
{
	const struct pfm_pmd_attr attr = {
		.num = CPU_TIME_NS,
		.long_reset = -MS,
		.short_reset = -MS,
	};
	const int fd = default_open(PFM_CTX_SYSTEM_WIDE, buffer_bytes(1000, 0));
	const struct pfm_default_hdr *hdr;
	struct child in, out;

	ASSERT_LE(0, fd);
	ASSERT_EQ(0, pmd_write(fd, CPU_TIME_NS, -MS));
	ASSERT_EQ(0, attr_write(fd, &attr));
	ASSERT_EQ(0, cgroup_set(fd, self->groups.fds[GROUP_A]));
	hdr = buffer_map(fd);
	ASSERT_NE(NULL, hdr);
	child_call(&in, spin_on, NULL);
	child_call(&out, spin_on, NULL);
	group_enter(&self->groups, GROUP_A, in.pid);
	group_enter(&self->groups, GROUP_B, out.pid);
	ASSERT_EQ(0, context_load(fd, 0));
	ASSERT_EQ(0, context_start(fd, 0));
	child_go(&in);
	child_go(&out);
	while (hdr->hdr_count < 50)
		sched_yield();
	ASSERT_EQ(0, context_stop(fd));
	child_kill(in.pid);
	child_kill(out.pid);
	for (uint64_t i = 0; i < hdr->hdr_count; i++)
		EXPECT_EQ((uint32_t)in.pid, entry_at(hdr, i, 0)->pid);
	close(fd);
}

/**
 * struct inside - what a process in a cgroup finds that it may load
 * @groups: the cgroups
 * @device: descriptor of the device
 * @num: number of the register that the contexts use
 * @results: results of LOAD for each, and for all tasks
 */
struct inside {
	const struct groups *groups;
	int device;
	uint16_t num;
	int results[GROUPS + 1];
};

static int load_each(void *arg)
{
	struct inside *inside = arg;

	group_enter(inside->groups, GROUP_A, 0);
	if (unshare(CLONE_NEWCGROUP))
		return 1;
	rights_drop();
	for (unsigned int i = 0; i <= GROUPS; i++) {
		const int fd =
			context_create(inside->device, PFM_CTX_SYSTEM_WIDE);

		if (pmd_write(fd, inside->num, 0) ||
		    (i < GROUPS && cgroup_set(fd, inside->groups->fds[i])))
			return 1;
		inside->results[i] = context_load(fd, 0);
		close(fd);
	}
	return 0;
}

/* An unprivileged process monitors its container, if the policy lets it, and nothing else. */
TEST_F(cgroup, own)
{
	struct inside *inside = mmap(NULL, sizeof(*inside),
				     PROT_READ | PROT_WRITE,
				     MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	ASSERT_NE(MAP_FAILED, inside);
	inside->groups = &self->groups;
	inside->device = device_open();
	inside->num = CPU_TIME_NS;
	ASSERT_EQ(0, in_child(load_each, inside));
	for (unsigned int i = 0; i <= GROUPS; i++)
		EXPECT_EQ(-EPERM, inside->results[i]);
	ASSERT_EQ(0, sysfs_write(OWN_CGROUP, "1"));
	EXPECT_EQ(0, in_child(load_each, inside));
	EXPECT_EQ(0, inside->results[GROUP_A]);
	EXPECT_EQ(0, inside->results[GROUP_BELOW_A]);
	EXPECT_EQ(-EPERM, inside->results[GROUP_B]);
	EXPECT_EQ(-EPERM, inside->results[GROUPS]);
	/* The policy for threads binds it as well. */
	ASSERT_EQ(0, sysfs_write("policy/task_group", "54321"));
	EXPECT_EQ(0, in_child(load_each, inside));
	ASSERT_EQ(0, sysfs_write("policy/task_group", "-1"));
	EXPECT_EQ(-EPERM, inside->results[GROUP_A]);
	if (has_register(0)) {
		inside->num = 0;
		EXPECT_EQ(0, in_child(load_each, inside));
		EXPECT_EQ(0, inside->results[GROUP_A]);
		ASSERT_EQ(0, sysfs_write("policy/reserved", "0"));
		EXPECT_EQ(0, in_child(load_each, inside));
		ASSERT_EQ(0, sysfs_write("policy/reserved", "\n"));
		EXPECT_EQ(-EACCES, inside->results[GROUP_A]);
	}
	ASSERT_EQ(0, sysfs_write(OWN_CGROUP, "0"));
	close(inside->device);
	munmap(inside, sizeof(*inside));
}

/**
 * struct taken - a session of an unprivileged process, from which registers may be taken
 * @inside: what it was allowed
 * @go: pipes: the session is loaded, and it may be looked at again
 * @state: state of its context afterwards
 */
struct taken {
	struct inside inside;
	int loaded[2];
	int go[2];
	uint32_t state;
};

static int be_taken(void *arg)
{
	struct taken *taken = arg;
	int fd, ret;
	char c;

	close(taken->loaded[0]);
	close(taken->go[1]);
	group_enter(taken->inside.groups, GROUP_A, 0);
	if (unshare(CLONE_NEWCGROUP))
		return 1;
	rights_drop();
	fd = context_create(taken->inside.device, PFM_CTX_SYSTEM_WIDE);
	ret = pmd_write(fd, CPU_TIME_NS, 0);
	if (!ret)
		ret = cgroup_set(fd, taken->inside.groups->fds[GROUP_A]);
	if (!ret)
		ret = context_load(fd, 0);
	if (!ret)
		ret = context_start(fd, 0);
	if (ret || write(taken->loaded[1], "", 1) != 1 ||
	    read(taken->go[0], &c, 1) < 0)
		return 1;
	taken->state = state_of(fd);
	return 0;
}

/* Load the context, and end sessions for it. */
static int context_take(int fd)
{
	const struct pfm_load arg = { .tid = 0, .flags = PFM_LOAD_TAKE };

	return call(fd, PFM_IOC_LOAD_CONTEXT, &arg);
}

/* A slot is taken from all that have it, or from none. */
TEST_F(cgroup, taken)
{
	struct taken *taken = mmap(NULL, sizeof(*taken), PROT_READ | PROT_WRITE,
				   MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	const int b = time_open(self->groups.fds[GROUP_B]);
	const int all[] = { time_open(-1), time_open(-1) };

	ASSERT_NE(MAP_FAILED, taken);
	taken->inside.groups = &self->groups;
	taken->inside.device = device_open();
	ASSERT_EQ(0, sysfs_write(OWN_CGROUP, "1"));
	for (unsigned int ends = 0; ends < 2; ends++) {
		pid_t pid;
		char c;

		ASSERT_EQ(0, pipe2(taken->loaded, O_CLOEXEC));
		ASSERT_EQ(0, pipe2(taken->go, O_CLOEXEC));
		pid = fork();
		if (!pid)
			_exit(be_taken(taken));
		close(taken->loaded[1]);
		close(taken->go[0]);
		ASSERT_EQ(1, read(taken->loaded[0], &c, 1));
		if (!ends)
			ASSERT_EQ(0, context_load(b, 0));
		ASSERT_EQ(0, context_load(all[0], 0));
		EXPECT_EQ(ends ? 0 : -EBUSY, context_take(all[1]));
		context_unload(all[0]);
		context_unload(all[1]);
		context_unload(b);
		close(taken->loaded[0]);
		close(taken->go[1]);
		EXPECT_EQ(0, child_reap(pid));
		EXPECT_EQ(ends ? PFM_STATE_UNLOADED : PFM_STATE_LOADED,
			  taken->state);
	}
	ASSERT_EQ(0, sysfs_write(OWN_CGROUP, "0"));
	close(b);
	close(all[0]);
	close(all[1]);
	close(taken->inside.device);
	munmap(taken, sizeof(*taken));
}

TEST_HARNESS_MAIN

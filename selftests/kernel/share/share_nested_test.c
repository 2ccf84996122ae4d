// SPDX-License-Identifier: GPL-2.0-only
/*
 * A program whose processes measure themselves while another context follows them: each context counts
 * what it counts without the others.
 */
#include "child.h"
#include "context.h"
#include "exact_count.h"
#include "share.h"
#include "sysfs.h"

#include "kselftest_harness.h"

/* The program and its child */
#define PROCESSES 2
/* Switches from one to the other, at least, while both count */
#define YIELDS 50

struct shared {
	struct pfm_reg values[PROCESSES];
	long results[PROCESSES];
};

FIXTURE(share_nested)
{
	struct shared *shared;
};

FIXTURE_SETUP(share_nested)
{
	pin_to(0);
	self->shared = mmap(NULL, sizeof(*self->shared), PROT_READ | PROT_WRITE,
			    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(MAP_FAILED, (void *)self->shared);
}

FIXTURE_TEARDOWN(share_nested)
{
	munmap(self->shared, sizeof(*self->shared));
}

/* Executes as many instructions with a context as without one, or with one that is loaded already. */
static void __attribute__((noinline))
measure_itself(int fd, struct shared *shared, unsigned int process)
{
	static const struct pfm_load load;
	const struct pfm_regs regs = {
		.regs = (uintptr_t)&shared->values[process],
		.count = 1,
	};
	long failed;

	raw_ioctl(fd, PFM_IOC_LOAD_CONTEXT, &load);
	failed = raw_ioctl(fd, PFM_IOC_START, NULL);
	for (unsigned int i = 0; i < YIELDS; i++) {
		for (volatile unsigned int k = 0; k < 1000; k++)
			;
		raw_call(SYS_sched_yield, 0, 0, 0, 0);
	}
	failed |= raw_ioctl(fd, PFM_IOC_STOP, NULL);
	failed |= raw_ioctl(fd, PFM_IOC_READ_PMDS, &regs);
	shared->results[process] = failed;
}

/* Both processes execute this at the same time, on one CPU. */
static void __attribute__((noinline))
both(const int fds[PROCESSES], struct shared *shared)
{
	const long pid = raw_call(SYS_clone, SIGCHLD, 0, 0, 0);

	if (!pid) {
		measure_itself(fds[1], shared, 1);
		for (;;)
			raw_call(SYS_exit_group, 0, 0, 0, 0);
	}
	measure_itself(fds[0], shared, 0);
	raw_call(SYS_wait4, pid, 0, 0, 0);
	for (;;)
		raw_call(SYS_exit_group, 0, 0, 0, 0);
}

struct program {
	bool measures; /* itself */
	bool first; /* its context is loaded before the one that follows it */
	bool followed;
};

static void __attribute__((noreturn))
execute(const struct program *program, struct shared *shared, int ready, int go)
{
	int fds[PROCESSES] = { NOBODY, NOBODY };
	char c;

	for (unsigned int i = 0; i < PROCESSES && program->measures; i++)
		fds[i] = share_open_one(0, SHARE_THREAD);
	if (program->first && context_load(fds[0], 0))
		_exit(1);
	if (write(ready, "", 1) != 1 || read(go, &c, 1) != 1)
		_exit(1);
	both(fds, shared);
	_exit(1);
}

/* Returns what the context counts that follows the program, all ones if something failed. */
static uint64_t followed(const struct program *program, struct shared *shared)
{
	const int fd = program->followed
			       ? share_open_one(PFM_CTX_FOLLOW_ALL, SHARE_CPU)
			       : NOBODY;
	const pid_t parent = getpid();
	uint64_t count = ~0ULL;
	int ready[2], go[2];
	bool failed;
	pid_t pid;
	char c;

	for (unsigned int i = 0; i < PROCESSES; i++)
		shared->values[i] = (struct pfm_reg){ .num = SHARE_THREAD };
	if (pipe2(ready, O_CLOEXEC) || pipe2(go, O_CLOEXEC))
		abort();
	pid = fork();
	if (!pid) {
		die_with_parent(parent);
		close(fd);
		execute(program, shared, ready[1], go[0]);
	}
	failed = read(ready[0], &c, 1) != 1;
	/* The program waits: its way to that is not to be counted. */
	while (!failed && state_letter(pid) != 'S')
		sched_yield();
	if (!failed && program->followed)
		failed = context_load(fd, pid) || context_start(fd, 0);
	failed |= write(go[1], "", 1) != 1;
	failed |= child_reap(pid) != 0;
	if (!failed && program->followed)
		count = pmd_value(fd, SHARE_CPU);
	for (unsigned int i = 0; i < 2; i++) {
		close(ready[i]);
		close(go[i]);
	}
	close(fd);
	return count;
}

/* The contexts have the slots of one task in one order, and those of the other in another one. */
static void compare(struct __test_metadata *_metadata, struct shared *shared,
		    bool first)
{
	const struct program alone = { .measures = true, .first = first };
	const struct program without = { .followed = true };
	const struct program all = {
		.measures = true,
		.first = first,
		.followed = true,
	};
	uint64_t itself[PROCESSES], count;

	followed(&alone, shared);
	for (unsigned int i = 0; i < PROCESSES; i++) {
		ASSERT_EQ(0, shared->results[i]);
		itself[i] = shared->values[i].value;
		ASSERT_LT(YIELDS * 1000, itself[i]);
	}
	count = followed(&without, shared);
	ASSERT_NE(~0ULL, count);
	ASSERT_LT(itself[0] + itself[1], count);

	EXPECT_EQ(count, followed(&all, shared));
	for (unsigned int i = 0; i < PROCESSES; i++) {
		EXPECT_EQ(0, shared->results[i]);
		EXPECT_EQ(itself[i], shared->values[i].value);
	}
	EXPECT_EQ(0, sysfs_number("task_sessions_count"));
}

/* The context that follows has the first slot of both processes, their own ones the second slot. */
TEST_F(share_nested, after)
{
	TEST_PROVES(J3, J7);
	NEED_EXACT();
	NEED_SHARED_COUNTERS();
	compare(_metadata, self->shared, false);
}

/* The context that follows has the second slot of the program, and the first one of its child. */
TEST_F(share_nested, before)
{
	TEST_PROVES(J1, J4);
	NEED_EXACT();
	NEED_SHARED_COUNTERS();
	compare(_metadata, self->shared, true);
}

/* The same beside a context of the CPU */
TEST_F(share_nested, beside_the_cpu)
{
	TEST_PROVES(J3);
	int fd;

	NEED_EXACT();
	NEED_SHARED_COUNTERS();
	fd = share_open_one(PFM_CTX_SYSTEM_WIDE, SHARE_THREAD + 1);
	ASSERT_LE(0, fd);
	ASSERT_EQ(0, context_load(fd, 0));
	ASSERT_EQ(0, context_start(fd, 0));
	compare(_metadata, self->shared, true);
	EXPECT_LT(YIELDS * 1000, pmd_value(fd, SHARE_THREAD + 1));
	close(fd);
}

/* Executed by both processes on CPU 0, until the first one has been on the CPU so often */
#define ROUNDS 5000

static void __attribute__((noreturn)) alternate(int ready, int go)
{
	const pid_t parent = getpid();
	char c;

	if (write(ready, "", 1) != 1 || read(go, &c, 1) != 1)
		_exit(1);
	if (!fork()) {
		die_with_parent(parent);
		for (;;)
			sched_yield();
	}
	for (unsigned int i = 0; i < ROUNDS; i++)
		sched_yield();
	_exit(0);
}

/*
 * A context that adds up all tasks has another slot in the parent than in the child.  Its sum does not
 * fall while the CPU changes from one to the other.
 */
TEST_F(share_nested, sum_in_two_slots)
{
	TEST_PROVES(C2);
	uint64_t now, last = 0, falls = 0;
	const pid_t parent = getpid();
	int one, sum, ready[2], go[2];
	int status = -1;
	pid_t pid;
	char c;

	if (sysconf(_SC_NPROCESSORS_ONLN) < 2)
		SKIP(return, "needs two CPUs");
	NEED_SHARED_COUNTERS();
	one = share_open_one(0, SHARE_THREAD);
	sum = share_open_one(PFM_CTX_FOLLOW_ALL | PFM_CTX_AGGREGATE, SHARE_CPU);
	ASSERT_LE(0, one);
	ASSERT_LE(0, sum);
	ASSERT_EQ(0, pipe2(ready, O_CLOEXEC) || pipe2(go, O_CLOEXEC));
	pid = fork();
	if (!pid) {
		die_with_parent(parent);
		alternate(ready[1], go[0]);
	}
	pin_to(1);
	ASSERT_EQ(1, read(ready[0], &c, 1));
	ASSERT_EQ(0, context_load(one, pid));
	ASSERT_EQ(0, context_load(sum, pid));
	ASSERT_EQ(0, context_start(one, 0) || context_start(sum, 0));
	ASSERT_EQ(1, write(go[1], "", 1));
	while (!waitpid(pid, &status, WNOHANG)) {
		now = pmd_value(sum, SHARE_CPU);
		falls += now < last;
		last = now;
	}
	EXPECT_EQ(0, status);
	EXPECT_EQ(0, falls);
	EXPECT_LT(ROUNDS, last);
	close(one);
	close(sum);
	for (unsigned int i = 0; i < 2; i++) {
		close(ready[i]);
		close(go[i]);
	}
}

TEST_HARNESS_MAIN

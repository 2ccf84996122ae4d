// SPDX-License-Identifier: GPL-2.0-only
/*
 * The count of a CPU against those of its tasks: equal where only code at user level
 * counts.
 */
#include "child.h"
#include "context.h"
#include "exact_count.h"

#include "kselftest_harness.h"

/*
 * Runs of a workload that are compared may differ by interrupts, by stray work of
 * the kernel's threads, and by what there is to do until the host has given a file:
 * then they are tried again.
 */
#define TRIES	10

/* For a timeout of its own, which only tests of a fixture have. */
FIXTURE(exact) {
};

FIXTURE_SETUP(exact)
{
}

FIXTURE_TEARDOWN(exact)
{
}

/*
 * Start the context, let a child go, reap it and stop: OWN_COST instructions of
 * the caller count.
 */
#define OWN_COST	16ULL

static long go_and_reap(int fd, struct child *child)
{
#ifdef __aarch64__
	register long x0 asm("x0") = fd;
	register long x1 asm("x1") = PFM_IOC_START;
	register long x2 asm("x2") = 0;
	register long x3 asm("x3") = 0;
	register long x8 asm("x8") = 29;	/* ioctl */

	asm volatile("svc	#0\n"
		     "	mov	x0, %[go]\n"
		     "	mov	x1, %[text]\n"
		     "	mov	x2, #1\n"
		     "	mov	x8, #64\n"	/* write */
		     "	svc	#0\n"
		     "	mov	x0, %[pid]\n"
		     "	mov	x1, #0\n"
		     "	mov	x2, #0\n"
		     "	mov	x3, #0\n"
		     "	mov	x8, #260\n"	/* wait4 */
		     "	svc	#0\n"
		     "	mov	x0, %[fd]\n"
		     "	mov	x1, %[stop]\n"
		     "	mov	x2, #0\n"
		     "	mov	x8, #29\n"
		     "	svc	#0\n"
		     : "+&r" (x0), "+&r" (x1), "+&r" (x2), "+&r" (x3),
		       "+&r" (x8)
		     : [go] "r" ((long)child->go), [text] "r" (""),
		       [pid] "r" ((long)child->pid), [fd] "r" ((long)fd),
		       [stop] "r" ((long)PFM_IOC_STOP)
		     : "cc", "memory");
	close(child->go);
	return x0;
#else
	register long rax asm("rax") = 16; /* ioctl */
	register long rdi asm("rdi") = fd;
	register long rsi asm("rsi") = PFM_IOC_START;
	register long rdx asm("rdx") = 0;
	register long r10 asm("r10") = 0;

	asm volatile("syscall\n"
		     "	mov	%[go], %%rdi\n"
		     "	mov	%[text], %%rsi\n"
		     "	mov	$1, %%edx\n"
		     "	mov	$1, %%eax\n" /* write */
		     "	syscall\n"
		     "	mov	%[pid], %%rdi\n"
		     "	xor	%%esi, %%esi\n"
		     "	xor	%%edx, %%edx\n"
		     "	xor	%%r10d, %%r10d\n"
		     "	mov	$61, %%eax\n" /* wait4 */
		     "	syscall\n"
		     "	mov	%[fd], %%rdi\n"
		     "	mov	%[stop], %%rsi\n"
		     "	xor	%%edx, %%edx\n"
		     "	mov	$16, %%eax\n"
		     "	syscall\n"
		     : "+&r"(rax), "+&r"(rdi), "+&r"(rsi), "+&r"(rdx),
		       "+&r"(r10)
		     : [go] "r"((long)child->go), [text] "r"(""),
		       [pid] "r"((long)child->pid), [fd] "r"((long)fd),
		       [stop] "r"((long)PFM_IOC_STOP)
		     : "rcx", "r11", "cc", "memory");
	close(child->go);
	return rax;
#endif
}

/*
 * A context that counts instructions, of the kernel as well if type says so.
 * Returns -ENOTTY when there are no sets to have flags.
 */
static int counting_open(uint32_t flags, uint32_t set_flags, uint64_t type)
{
	const int fd = context_open(flags);
	int ret = fd < 0 ? fd : 0;

	if (!ret && set_flags)
		ret = set_describe(fd, 0, set_flags);
	if (!ret)
		ret = pmc_write(fd, 0, type | EVENT_INST_RETIRED);
	if (!ret)
		ret = pmd_write(fd, 0, 0);
	if (!ret)
		ret = pmd_write(fd, WALL_TIME_NS, 0);
	if (ret && fd >= 0)
		close(fd);
	return ret ? ret : fd;
}

/* Text gets out of the guest by a process of its own, which the CPU would count: let it end. */
static void quiet(void)
{
	usleep(20000);
}

/*
 * The same, and the child gets to where it waits.  With the kernel's checkers that may take longer
 * than what was printed, and then code before it would be counted in the one run and not in the
 * other one.
 */
static void quiet_child(const struct child *child)
{
	do
		quiet();
	while (state_letter(child->pid) != 'S');
}

/* The count of a workload, over all its tasks. */
static uint64_t tasks_count(const char *const argv[], uint64_t type)
{
	const int fd = counting_open(PFM_CTX_FOLLOW_ALL, 0, type);
	uint64_t count = ~0ULL;
	struct child child;

	child_exec(&child, argv);
	/* It waits, so that all it executes from here on counts. */
	quiet_child(&child);
	if (!context_load(fd, child.pid) && !context_start(fd, 0)) {
		child_go(&child);
		if (!measure_end(fd, &child))
			count = pmd_value(fd, 0);
	}
	close(fd);
	return count;
}

/* The count of the CPU meanwhile, without that of this process. */
static uint64_t cpu_count(const char *const argv[], uint32_t set_flags,
			  uint64_t type, uint64_t *wall)
{
	const int fd = counting_open(PFM_CTX_SYSTEM_WIDE, set_flags, type);
	uint64_t count = ~0ULL;
	struct child child;

	child_exec(&child, argv);
	quiet_child(&child);
	if (!context_load(fd, 0) && !go_and_reap(fd, &child)) {
		count = pmd_value(fd, 0) - OWN_COST;
		*wall = pmd_value(fd, WALL_TIME_NS);
	}
	close(fd);
	return count;
}

/*
 * Instructions of the kernel that a CPU counts at most beyond its tasks: the switches, the
 * way into and out of this process, interrupts.  20,000 to 60,000 were seen.
 */
static uint64_t beyond_tasks(void)
{
	return kernel_has_checkers() ? 8000000 : 100000;
}

static bool have_sets(void)
{
	const int fd = counting_open(PFM_CTX_SYSTEM_WIDE, PFM_SETFL_EXCL_IDLE,
				     0);

	close(fd);
	return fd != -ENOTTY;
}

TEST_F(exact, loop)
{
	const int fd = counting_open(PFM_CTX_SYSTEM_WIDE, 0, USER);
	int i;

	NEED_EXACT();
	ASSERT_LE(0, fd);
	quiet();
	for (i = 1; i <= 3; i++) {
		ASSERT_EQ(0, pmd_write(fd, 0, 0));
		ASSERT_EQ(0, context_load(fd, 0));
		ASSERT_EQ(0, self_loop(fd, 1000000 * i));
		EXPECT_EQ(SELF_COST(1000000 * i), pmd_value(fd, 0));
		ASSERT_EQ(0, context_unload(fd));
		EXPECT_EQ(SELF_COST(1000000 * i), pmd_value(fd, 0));
	}
	close(fd);
}

/* User-level instructions: the CPU's count is the sum of the tasks'. */
TEST_F(exact, sum_of_tasks)
{
	const char *const workloads[][3] = {
		{ "loop", "3000000" },
		{ "forkloop", "50", "20000" },
		{ "threads", "20", "100000" },
		{ "yieldloop", "200", "5000" },
		{ "naploop", "5", "200000" },
	};
	uint64_t tasks, wall;
	size_t i;

	NEED_EXACT();
	for (i = 0; i < ARRAY_LEN(workloads); i++) {
		const char *const argv[] = {
			program_in_memory(workloads[i][0]), workloads[i][1],
			workloads[i][2], NULL,
		};

		tasks = tasks_count(argv, USER);
		EXPECT_LT(1000000, tasks);
		EXPECT_EQ(tasks, cpu_count(argv, 0, USER, &wall)) {
			TH_LOG("workload %s", workloads[i][0]);
		}
		if (!have_sets())
			continue;
		EXPECT_EQ(tasks, cpu_count(argv, PFM_SETFL_EXCL_IDLE, USER,
					   &wall)) {
			TH_LOG("workload %s, idle left out", workloads[i][0]);
		}
	}
}

/*
 * With the kernel: what the CPU counts beyond its tasks is the way into and out
 * of this process, the end of the tasks and the switches between them.
 */
TEST_F(exact, sum_with_kernel)
{
	const char *const *const argv =
		ARGV(program_in_memory("loop"), "3000000");
	const uint64_t most = beyond_tasks();
	uint64_t tasks, cpu, wall;
	int tries = TRIES;

	NEED_EXACT();
	/* The first run gets into memory what others find there. */
	tasks_count(argv, ALL_LEVELS);
	do {
		tasks = tasks_count(argv, ALL_LEVELS);
		cpu = cpu_count(argv, 0, ALL_LEVELS, &wall);
	} while ((cpu <= tasks || cpu >= tasks + most ||
		  wall >= cpu + cpu / 10) && --tries);
	TH_LOG("tasks %llu, CPU %llu more, of %llu ns",
	       (unsigned long long)tasks, (unsigned long long)(cpu - tasks),
	       (unsigned long long)wall);
	EXPECT_LT(6000000, tasks);
	EXPECT_LT(tasks, cpu);
	EXPECT_GT(tasks + most, cpu);
	/* An instruction a nanosecond; what is missing is sleep. */
	EXPECT_GE(wall, cpu);
	EXPECT_GT(cpu + cpu / 10, wall);
}

/*
 * Half a second of sleep.  Beyond its tasks the CPU counts no more than without sleep, and
 * with the idle task at least as much again: that one waits for interrupts, and executes
 * some 90,000 instructions.  With half of them the CPU would count more than it may.
 */
TEST_F(exact, sum_with_kernel_and_idle)
{
	const char *const *const argv =
		ARGV(program_in_memory("naploop"), "5", "200000");
	const bool checkers = kernel_has_checkers();
	const uint64_t most = beyond_tasks();
	uint64_t tasks, all, busy, wall;
	int tries = TRIES;

	NEED_EXACT();
	if (!have_sets())
		SKIP(return, "no event sets in this kernel");
	tasks_count(argv, ALL_LEVELS);
	do {
		tasks = tasks_count(argv, ALL_LEVELS);
		all = cpu_count(argv, 0, ALL_LEVELS, &wall);
		busy = cpu_count(argv, PFM_SETFL_EXCL_IDLE, ALL_LEVELS,
				 &wall);
	} while ((busy <= tasks || busy >= tasks + most || all <= busy ||
		  (!checkers && all - busy <= busy - tasks)) && --tries);
	TH_LOG("tasks %llu, CPU %llu more, idle task %llu, of %llu ns",
	       (unsigned long long)tasks, (unsigned long long)(busy - tasks),
	       (unsigned long long)(all - busy), (unsigned long long)wall);
	EXPECT_LT(2000000, tasks);
	EXPECT_LT(tasks, busy);
	EXPECT_GT(tasks + most, busy);
	EXPECT_LT(busy, all);
	if (!checkers)
		EXPECT_LT(busy - tasks, all - busy);
	EXPECT_LT(all, wall);
	EXPECT_LT(500000000, wall);
}

TEST_HARNESS_MAIN

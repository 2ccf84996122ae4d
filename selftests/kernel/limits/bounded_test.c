// SPDX-License-Identifier: GPL-2.0-only
/*
 * Interrupts are never off for a time that users choose: not with ten thousand
 * tasks in a session, not with a thousand event sets, not with ten thousand
 * sessions.  modules/late_test.c measures; needs root, and a guest that executes
 * one instruction a nanosecond.
 */
#include "child.h"
#include "context.h"
#include "cpu.h"
#include "exact_count.h"
#include "module.h"
#include "records.h"
#include "sampling.h"
#include "sets.h"
#include "sysfs.h"

#include <sys/resource.h>
#include <sys/syscall.h>

#include <linux/perfmon_callstack.h>

#include "kselftest_harness.h"

/*
 * The tests' sizes and bounds:
 * @limit: most instructions with interrupts off
 * @period: how exactly they are known
 * @tasks: tasks of a session, and sessions.  To deal with all of them, one after the other,
 *	takes more than @limit
 */
static struct {
	unsigned long long limit;
	unsigned int period;
	unsigned int tasks;
} sizes = { 20000, 4000, 10000 };

/*
 * With the kernel's checkers, the kernel alone has interrupts off for 180,000
 * instructions, and the function of a timer takes more than the period used without
 * them.  Each step takes ten times as long.
 */
static void __attribute__((constructor)) sizes_choose(void)
{
	if (!kernel_has_checkers())
		return;
	sizes.limit = 500000;
	sizes.period = 50000;
	sizes.tasks = 1000;
}

#define SETS  1000
#define STACK 4096

#define LATE "/sys/module/late_test/parameters/"

static int file_write(const char *path, const char *text)
{
	const int fd = open(path, O_WRONLY | O_CLOEXEC);
	ssize_t len;

	if (fd < 0)
		return -errno;
	len = write(fd, text, strlen(text));
	close(fd);
	return len == (ssize_t)strlen(text) ? 0 : -EIO;
}

static void file_read(const char *path, char *text, size_t size)
{
	const int fd = open(path, O_RDONLY | O_CLOEXEC);
	const ssize_t len = fd < 0 ? 0 : read(fd, text, size - 1);

	text[len > 0 ? len : 0] = '\0';
	if (fd >= 0)
		close(fd);
}

static unsigned long long number_read(const char *path)
{
	char text[64];

	file_read(path, text, sizeof(text));
	return strtoull(text, NULL, 0);
}

static void number_write(const char *path, unsigned long long number)
{
	char text[32];

	snprintf(text, sizeof(text), "%llu", number);
	if (file_write(path, text))
		abort();
}

static void late_begin(void)
{
	number_write(LATE "period", sizes.period);
}

/* No stretch with interrupts off was longer than this since late_begin(). */
static unsigned long long late_end(void)
{
	number_write(LATE "period", 0);
	if (!number_read(LATE "count"))
		return ~0ULL;
	return number_read(LATE "max") + sizes.period;
}

/* Fails with what ran when interrupts were off for too long. */
#define EXPECT_WITHIN(limit, what, most)                                 \
	do {                                                             \
		const unsigned long long most_ = (most);                 \
		char stack_[4096];                                       \
                                                                         \
		TH_LOG("%s: %llu", what, most_);                         \
		EXPECT_GE(limit, most_)                                  \
		{                                                        \
			file_read(LATE "stack", stack_, sizeof(stack_)); \
			TH_LOG("%s", stack_);                            \
		}                                                        \
	} while (0)

#define EXPECT_BOUNDED(what, most) EXPECT_WITHIN(sizes.limit, what, most)

/* The longest time with interrupts off while a statement runs. */
#define BOUNDED(what, statement)                  \
	do {                                      \
		late_begin();                     \
		statement;                        \
		EXPECT_BOUNDED(what, late_end()); \
	} while (0)

/*
 * A leader and tasks that it creates, each a process of its own that shares the
 * leader's memory and sleeps.
 */
struct crowd {
	pid_t leader;
	int hold; /* they end when it is closed */
	int tell, told; /* to the leader, and from it */
	pid_t *pids;
};

struct shared {
	int sleep;
	pid_t *pids;
};

static int member(void *arg)
{
	const struct shared *shared = arg;
	char c;

	syscall(SYS_read, shared->sleep, &c, 1);
	syscall(SYS_exit, 0);
	return 0;
}

static void leader(const struct shared *shared, int told, int answer)
{
	char *stacks = mmap(NULL, (size_t)sizes.tasks * STACK,
			    PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
			    -1, 0);
	char c;
	unsigned int i;

	signal(SIGCHLD, SIG_IGN);
	while (read(told, &c, 1) == 1) {
		if (c == 'x')
			execl("/bin/sleep", "sleep", "1000", NULL);
		for (i = 0; i < sizes.tasks; i++) {
			shared->pids[i] = clone(
				member, stacks + (i + 1) * STACK,
				CLONE_VM | CLONE_FS | CLONE_FILES | SIGCHLD,
				(void *)shared);
			if (shared->pids[i] < 0)
				_exit(1);
		}
		if (write(answer, "", 1) != 1)
			_exit(1);
	}
	_exit(0);
}

static void crowd_begin(struct crowd *crowd)
{
	const pid_t parent = getpid();
	int hold[2], tell[2], told[2];
	struct shared shared;

	number_write("/proc/sys/kernel/threads-max", 4 * sizes.tasks);
	crowd->pids = mmap(NULL, sizes.tasks * sizeof(pid_t),
			   PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
			   -1, 0);
	if (crowd->pids == MAP_FAILED || pipe2(hold, O_CLOEXEC) ||
	    pipe2(tell, O_CLOEXEC) || pipe2(told, O_CLOEXEC))
		abort();
	crowd->leader = fork();
	if (crowd->leader < 0)
		abort();
	if (!crowd->leader) {
		die_with_parent(parent);
		close(hold[1]);
		close(tell[1]);
		shared.sleep = hold[0];
		shared.pids = crowd->pids;
		leader(&shared, tell[0], told[1]);
	}
	close(hold[0]);
	close(tell[0]);
	close(told[1]);
	crowd->hold = hold[1];
	crowd->tell = tell[1];
	crowd->told = told[0];
}

/* The leader creates the others. */
static bool crowd_grow(struct crowd *crowd)
{
	char c;

	return write(crowd->tell, "c", 1) == 1 && read(crowd->told, &c, 1) == 1;
}

static void crowd_end(struct crowd *crowd)
{
	close(crowd->hold);
	close(crowd->tell);
	close(crowd->told);
	child_kill(crowd->leader);
	munmap(crowd->pids, sizes.tasks * sizeof(pid_t));
}

/* A thousand sets with time slices, each with a register of the hardware. */
static int sets_setup(int fd, uint64_t timeout)
{
	unsigned int set;
	int ret = 0;

	for (set = 0; set < SETS && !ret; set++) {
		ret = timeout ? set_timed(fd, set, timeout)
			      : set_describe(fd, set, 0);
		if (!ret)
			ret = set_pmc_write(fd, set, 0,
					    USER | EVENT_CPU_CYCLES);
		if (!ret)
			ret = set_pmd_write(fd, set, 0, 0);
	}
	return ret;
}

/* Values of the first set and of the last. */
static int sets_read(int fd, uint64_t *first, uint64_t *last)
{
	struct pfm_reg regs[] = {
		{ .num = PFM_REG_SET_RUNS, .set = 0 },
		{ .num = PFM_REG_SET_RUNS, .set = SETS - 1 },
	};
	const int ret = vector(fd, PFM_IOC_READ_PMDS, regs, 2, NULL);

	*first = regs[0].value;
	*last = regs[1].value;
	return ret;
}

FIXTURE(bounded)
{
	int fd;
};

FIXTURE_SETUP(bounded)
{
	const char *missing = exact_missing();

	self->fd = -1;
	if (missing)
		SKIP(return, "%s", missing);
	LOAD_OR_SKIP("late_test");
	self->fd = context_open(PFM_CTX_FOLLOW_ALL);
	ASSERT_LE(0, self->fd);
}

FIXTURE_TEARDOWN(bounded)
{
	close(self->fd);
}

/* The kernel without perfmon, and the timer's way to its function. */
TEST_F(bounded, nothing)
{
	BOUNDED("nothing", spin(1000000));
}

/* Calls about a session of many tasks that have registers of their own. */
TEST_F(bounded, tasks)
{
	const uint16_t regs[] = { CPU_TIME_NS, WALL_TIME_NS, CONTEXT_SWITCHES,
				  MIGRATIONS,  MINOR_FAULTS, MAJOR_FAULTS };
	struct pfm_config cfg;
	struct crowd crowd;
	uint64_t value = 0;
	unsigned int i;
	int ret = 0;

	for (i = 0; i < ARRAY_LEN(regs); i++)
		ASSERT_EQ(0, pmd_write(self->fd, regs[i], 0));
	crowd_begin(&crowd);
	ASSERT_EQ(0, context_load(self->fd, crowd.leader));
	EXPECT_TRUE(crowd_grow(&crowd));
	EXPECT_EQ(0, config_get(self->fd, &cfg));
	EXPECT_EQ(sizes.tasks + 1, cfg.tasks);

	BOUNDED("start", ret = context_start(self->fd, 0));
	EXPECT_EQ(0, ret);
	BOUNDED("read", ret = pmd_read(self->fd, WALL_TIME_NS, &value));
	EXPECT_EQ(0, ret);
	EXPECT_LT(sizes.tasks, value);
	BOUNDED("stop", ret = context_stop(self->fd));
	EXPECT_EQ(0, ret);
	EXPECT_EQ(0, context_start(self->fd, 0));
	BOUNDED("unload", ret = context_unload(self->fd));
	EXPECT_EQ(0, ret);
	crowd_end(&crowd);
}

/* The same, started by an exec of one of them. */
TEST_F(bounded, tasks_exec)
{
	struct pfm_config cfg = {};
	struct crowd crowd;

	ASSERT_EQ(0, pmd_write(self->fd, WALL_TIME_NS, 0));
	crowd_begin(&crowd);
	ASSERT_EQ(0, context_load(self->fd, crowd.leader));
	EXPECT_TRUE(crowd_grow(&crowd));
	EXPECT_EQ(0, context_start(self->fd, PFM_START_ON_EXEC));
	late_begin();
	EXPECT_EQ(1, write(crowd.tell, "x", 1));
	while (!cfg.running && !config_get(self->fd, &cfg))
		sched_yield();
	EXPECT_BOUNDED("start on exec", late_end());
	EXPECT_EQ(1, cfg.running);
	EXPECT_EQ(sizes.tasks + 1, cfg.tasks);
	EXPECT_EQ(0, context_unload(self->fd));
	crowd_end(&crowd);
}

/* Sessions by the thousand, and who looks at them. */
TEST_F(bounded, sessions)
{
	const struct rlimit many = { 2 * sizes.tasks, 2 * sizes.tasks };
	int *fds = calloc(sizes.tasks, sizeof(*fds));
	struct crowd crowd;
	char text[8192];
	unsigned int i;

	ASSERT_NE(NULL, fds);
	ASSERT_EQ(0, setrlimit(RLIMIT_NOFILE, &many));
	crowd_begin(&crowd);
	ASSERT_TRUE(crowd_grow(&crowd));
	for (i = 0; i < sizes.tasks; i++) {
		fds[i] = context_open(0);
		ASSERT_LE(0, fds[i]);
		ASSERT_EQ(0, pmd_write(fds[i], CPU_TIME_NS, 0));
		ASSERT_EQ(0, context_load(fds[i], crowd.pids[i]));
	}
	BOUNDED("holders", file_read(SYSFS "/holders", text, sizeof(text)));
	EXPECT_NE(NULL, strstr(text, "\nothers "));
	for (i = 0; i < sizes.tasks; i++)
		close(fds[i]);
	crowd_end(&crowd);
	free(fds);
}

/* Values of many sets: of another thread, and of the caller. */
TEST_F(bounded, sets_read)
{
	TEST_PROVES(U4);
	const int fd = context_open(0);
	uint64_t first = 0, before = 0, last = 0;
	pid_t pid;
	int ret = 0;

	ASSERT_LE(0, fd);
	ASSERT_EQ(0, sets_setup(fd, 0));
	pid = child_idle();
	ASSERT_EQ(0, context_load(fd, pid));
	ASSERT_EQ(0, context_start(fd, 0));
	BOUNDED("read sets", ret = sets_read(fd, &first, &last));
	EXPECT_EQ(0, ret);
	ASSERT_EQ(0, context_unload(fd));
	ASSERT_EQ(0, sets_read(fd, &before, &last));
	ASSERT_EQ(0, context_load(fd, 0));
	ASSERT_EQ(0, start_with(fd, SETS - 1));
	BOUNDED("read own sets", ret = sets_read(fd, &first, &last));
	EXPECT_EQ(0, ret);
	EXPECT_EQ(before, first);
	EXPECT_EQ(1, last);
	BOUNDED("unload sets", ret = context_unload(fd));
	EXPECT_EQ(0, ret);
	child_kill(pid);
	close(fd);
}

/* A task that saw all sets executes a program, sees all sets again and ends. */
static pid_t begin_runner(const char *program, int *tell, int *told)
{
	const pid_t parent = getpid();
	int to[2], from[2];
	pid_t pid;
	char c;

	if (pipe2(to, O_CLOEXEC) || pipe(from))
		abort();
	pid = fork();
	if (pid < 0)
		abort();
	if (!pid) {
		die_with_parent(parent);
		close(to[1]);
		if (read(to[0], &c, 1) != 1)
			_exit(1);
		spin(20ULL * SETS * PFM_SET_TIMEOUT_MIN);
		if (write(from[1], "", 1) != 1 || read(to[0], &c, 1) != 1)
			_exit(1);
		if (program)
			execl(program, program, NULL);
		_exit(0);
	}
	close(to[0]);
	close(from[1]);
	*tell = to[1];
	*told = from[0];
	return pid;
}

/*
 * Has a task see all sets, and then end or execute a program.  Returns what that
 * takes with interrupts off.
 */
static unsigned long long run_through(int fd, const char *program,
				      uint64_t *last)
{
	unsigned long long most = ~0ULL;
	uint64_t first;
	int tell, told;
	pid_t pid;
	char c;

	pid = begin_runner(program, &tell, &told);
	if (context_load(fd, pid) || context_start(fd, 0) ||
	    write(tell, "", 1) != 1 || read(told, &c, 1) != 1 ||
	    sets_read(fd, &first, last))
		goto out_kill;
	late_begin();
	if (write(tell, "", 1) != 1)
		goto out_kill;
	child_reap(pid);
	most = late_end();
	pid = 0;
out_kill:
	if (pid)
		child_kill(pid);
	close(tell);
	close(told);
	return most;
}

static unsigned int count_records(int fd)
{
	struct records recs = {};
	unsigned int n;

	if (records_collect(fd, &recs, 1 << 20))
		return 0;
	n = recs.n;
	free(recs.buf);
	return n;
}

TEST_F(bounded, sets_exit)
{
	TEST_PROVES(U4);
	struct pfm_config cfg;
	uint64_t last = 0;

	ASSERT_EQ(0, sets_setup(self->fd, PFM_SET_TIMEOUT_MIN));
	EXPECT_BOUNDED("exit", run_through(self->fd, NULL, &last));
	EXPECT_LT(0, last);
	EXPECT_BOUNDED("exec and exit",
		       run_through(self->fd, "/bin/true", &last));
	EXPECT_LT(0, last);
	EXPECT_EQ(3, count_records(self->fd));

	/* The second record is merged with the third. */
	EXPECT_EQ(0, config_get(self->fd, &cfg));
	cfg.records_max = 1;
	EXPECT_EQ(0, config_set(self->fd, &cfg));
	EXPECT_BOUNDED("exit", run_through(self->fd, NULL, &last));
	EXPECT_BOUNDED("exit", run_through(self->fd, NULL, &last));
	EXPECT_BOUNDED("exit and merge", run_through(self->fd, NULL, &last));
	EXPECT_EQ(2, count_records(self->fd));
	EXPECT_EQ(0, config_get(self->fd, &cfg));
	EXPECT_EQ(2, cfg.merged);
}

/* All values that one call can write, of registers that sample. */
TEST_F(bounded, write)
{
	struct pfm_reg regs[PFM_REGS_MAX] = {};
	const int fd = context_open(0);
	unsigned int i, counters = 0;
	int ret = 0;

	ASSERT_LE(0, fd);
	/* At most the six of the machine that the bounds were chosen on. */
	while (counters < 6 && has_register(counters))
		counters++;
	ASSERT_LT(1, counters);
	for (i = 0; i < counters; i++) {
		struct pfm_pmd_attr attr = {
			.num = i,
			.long_reset = -1000000000ULL,
			.short_reset = -1000000000ULL,
		};

		ASSERT_EQ(0, pmc_write(fd, i, USER | EVENT_CPU_CYCLES));
		ASSERT_EQ(0, pmd_write(fd, i, -1000000000ULL));
		ASSERT_EQ(0, attr_write(fd, &attr));
	}
	ASSERT_EQ(0, context_load(fd, 0));
	ASSERT_EQ(0, context_start(fd, 0));
	for (i = 0; i < PFM_REGS_MAX; i++) {
		regs[i].num = counters - 1 - i % counters;
		regs[i].value = -1000000000ULL;
	}
	BOUNDED("write",
		ret = vector(fd, PFM_IOC_WRITE_PMDS, regs, PFM_REGS_MAX, NULL));
	EXPECT_EQ(0, ret);
	ASSERT_EQ(0, context_unload(fd));
	ASSERT_EQ(0, pmd_write(fd, WALL_TIME_NS, 0));
	ASSERT_EQ(0, context_load(fd, 0));
	ASSERT_EQ(0, context_start(fd, 0));
	for (i = 0; i < PFM_REGS_MAX; i++)
		regs[i].num = WALL_TIME_NS;
	BOUNDED("write times",
		ret = vector(fd, PFM_IOC_WRITE_PMDS, regs, PFM_REGS_MAX, NULL));
	EXPECT_EQ(0, ret);
	close(fd);
}

/* Far down a stack that is deeper than what a sample records. */
static __attribute__((noinline, noclone, noipa)) void deep(unsigned int frames)
{
	if (frames)
		deep(frames - 1);
	else
		spin(100000);
	__asm__ volatile("" : : : "memory");
}

/* A context that records deep stacks at overflows of many registers.  Returns it or -errno. */
static int stacks_open(uint32_t flags, uint64_t level, uint64_t period)
{
	const struct pfm_callstack_arg arg = {
		.part_size = 1 << 20,
		.parts = 1,
		.flags = flags | PFM_CALLSTACK_USER | PFM_CALLSTACK_KERNEL |
			 PFM_CALLSTACK_DROP,
		.depth = PFM_CALLSTACK_DEPTH_MAX,
	};
	const uint8_t uuid[PFM_UUID_LEN] = PFM_CALLSTACK_UUID;
	const int fd = format_open(0, uuid, &arg, sizeof(arg));
	uint16_t num;
	int ret = 0;

	if (fd < 0)
		return fd;
	/* As many as each processor has. */
	for (num = 0; num < 4 && has_register(num) && !ret; num++) {
		ret = pmc_write(fd, num, level | EVENT_CPU_CYCLES);
		if (!ret)
			ret = pmd_write(fd, num, -period);
		if (!ret)
			ret = sample_every(fd, num, period, NULL, 0);
	}
	if (!ret)
		ret = context_load(fd, 0);
	if (!ret)
		return fd;
	close(fd);
	return ret;
}

static unsigned long long deep_run(int fd)
{
	unsigned long long most;

	late_begin();
	if (context_start(fd, 0))
		return ~0ULL;
	deep(300);
	if (context_stop(fd))
		return ~0ULL;
	most = late_end();
	return most;
}

/* Many registers overflow in one interrupt, once or again and again. */
TEST_F(bounded, samples)
{
	const uint64_t levels[] = { USER, ALL_LEVELS };
	const uint64_t periods[] = { 100000, 10000, 100 };
	const uint32_t flags[] = { 0, PFM_CALLSTACK_AGGREGATE };
	unsigned int i, k, n;

	for (i = 0; i < 2 * 3 * 2; i++) {
		struct pfm_config cfg;
		char what[64];
		int fd;

		k = i % 3;
		n = i / 6;
		/*
		 * Counters that count the end of the interrupt wrap before it is over, and theirs
		 * comes before that of the timer: only the throttling lets other interrupts in.
		 */
		if (n && periods[k] == 100)
			continue;
		fd = stacks_open(flags[i / 3 % 2], levels[n], periods[k]);
		ASSERT_LE(0, fd);
		snprintf(what, sizeof(what), "%s, %s, period %llu",
			 n ? "all levels" : "user",
			 flags[i / 3 % 2] ? "stacks" : "entries",
			 (unsigned long long)periods[k]);
		/* The stretch is up to a period shorter than what late_end() returns. */
		EXPECT_WITHIN(sizes.limit + sizes.period, what, deep_run(fd));
		EXPECT_EQ(0, config_get(fd, &cfg));
		EXPECT_LT(0, cfg.overflows);
		close(fd);
	}
}

TEST_HARNESS_MAIN

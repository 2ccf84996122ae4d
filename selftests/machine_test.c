// SPDX-License-Identifier: GPL-2.0-only
/*
 * Contexts that monitor a CPU: each error, who excludes whom, CPUs that go and
 * come, samples of whatever runs, and counts against those of tasks.
 */
#include "child.h"
#include "context.h"
#include "cpu.h"
#include "exact_count.h"
#include "sampling.h"
#include "sysfs.h"

#include <stdarg.h>
#include <sys/mman.h>
#include <time.h>
#include <linux/perfmon_default.h>

#include "kselftest_harness.h"

#define CPU1	"/sys/devices/system/cpu/cpu1/online"

#define MS	1000000ULL

static int wide_open(void)
{
	return context_open(PFM_CTX_SYSTEM_WIDE);
}

static bool fdinfo_has(int fd, const char *line)
{
	char path[64], text[4096];
	ssize_t len;
	int info;

	snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", fd);
	info = open(path, O_RDONLY);
	len = read(info, text, sizeof(text) - 1);
	close(info);
	if (len < 0)
		return false;
	text[len] = '\0';
	return strstr(text, line);
}

static bool cpu1_online(bool online)
{
	const int fd = open(CPU1, O_WRONLY);
	int ret;

	if (fd < 0)
		return false;
	ret = write(fd, online ? "1" : "0", 1);
	close(fd);
	return ret == 1;
}

FIXTURE(wide) {
	int fd;
	int cycles;
};

FIXTURE_SETUP(wide)
{
	pin_to(0);
	self->fd = wide_open();
	ASSERT_LE(0, self->fd) {
		TH_LOG("no context: %s", strerror(-self->fd));
	}
	self->cycles = cycles_setup(self->fd, 0);
	ASSERT_EQ(0, pmd_write(self->fd, CPU_TIME_NS, 0));
	ASSERT_EQ(0, pmd_write(self->fd, WALL_TIME_NS, 0));
}

FIXTURE_TEARDOWN(wide)
{
	close(self->fd);
	if (!access(CPU1, W_OK))
		cpu1_online(true);
}

#define NEED_HOTPLUG()							\
	do {								\
		NEED_TWO_CPUS();					\
		if (access(CPU1, W_OK))					\
			SKIP(return, "CPU 1 cannot be taken offline here"); \
	} while (0)

/* Errors. */

TEST(create_excluded_flags)
{
	const uint32_t flags[] = {
		PFM_CTX_FOLLOW_FORK, PFM_CTX_FOLLOW_VFORK, PFM_CTX_FOLLOW_CLONE,
		PFM_CTX_FOLLOW_EXEC, PFM_CTX_NOTIFY_BLOCK, PFM_CTX_MAPS,
	};
	size_t i;
	int fd;

	for (i = 0; i < ARRAY_LEN(flags); i++)
		EXPECT_EQ(-EINVAL, context_open(PFM_CTX_SYSTEM_WIDE | flags[i]));
	fd = context_open(PFM_CTX_SYSTEM_WIDE | PFM_CTX_NO_MSG);
	EXPECT_LE(0, fd);
	close(fd);
}

TEST_F(wide, set_config_follow)
{
	struct pfm_config cfg;

	ASSERT_EQ(0, config_get(self->fd, &cfg));
	EXPECT_EQ(PFM_CTX_SYSTEM_WIDE, cfg.flags);
	EXPECT_EQ(0, config_set(self->fd, &cfg));
	cfg.flags |= PFM_CTX_FOLLOW_FORK;
	EXPECT_EQ(-EINVAL, config_set(self->fd, &cfg));
	cfg.flags = 0;
	EXPECT_EQ(-EINVAL, config_set(self->fd, &cfg));
}

TEST_F(wide, load_errors)
{
	const struct pfm_load set1 = { .set = 1 };
	const struct pfm_load process = { .flags = PFM_LOAD_PROCESS };
	const int empty = wide_open();

	EXPECT_EQ(-ENOTCONN, context_start(self->fd, 0));
	EXPECT_EQ(-ENOTCONN, context_stop(self->fd));
	EXPECT_EQ(-ENODATA, context_load(empty, 0));
	EXPECT_EQ(-ENOENT, call(self->fd, PFM_IOC_LOAD_CONTEXT, &set1));
	EXPECT_EQ(-EINVAL, call(self->fd, PFM_IOC_LOAD_CONTEXT, &process));
	EXPECT_EQ(-ERANGE, context_load(self->fd, 1 << 20));
	EXPECT_EQ(-ERANGE, context_load(self->fd, -1));
	EXPECT_EQ(-ERANGE,
		  context_load(self->fd, sysconf(_SC_NPROCESSORS_CONF)));
	EXPECT_EQ(0, sysfs_number("sys_sessions_count"));
	EXPECT_EQ(0, context_load(self->fd, 0));
	EXPECT_EQ(1, sysfs_number("sys_sessions_count"));
	EXPECT_EQ(-EBUSY, context_load(self->fd, 0));
	EXPECT_EQ(-EINVAL, context_start(self->fd, PFM_START_ON_EXEC));
	EXPECT_EQ(0, context_unload(self->fd));
	EXPECT_EQ(0, sysfs_number("sys_sessions_count"));
	close(empty);
}

TEST_F(wide, load_thread_registers)
{
	const uint16_t nums[] = {
		CONTEXT_SWITCHES, MIGRATIONS, MINOR_FAULTS, MAJOR_FAULTS,
	};
	struct pfm_reg_info info;
	size_t i;
	int fd;

	for (i = 0; i < ARRAY_LEN(nums); i++) {
		info = (struct pfm_reg_info){ .num = nums[i] };
		ASSERT_EQ(0, vector(self->fd, PFM_IOC_GETINFO_PMDS, &info, 1,
				    NULL));
		EXPECT_TRUE(info.flags & PFM_REGI_THREAD);
		fd = wide_open();
		ASSERT_EQ(0, pmd_write(fd, CPU_TIME_NS, 0));
		ASSERT_EQ(0, pmd_write(fd, nums[i], 0));
		EXPECT_EQ(-EOPNOTSUPP, context_load(fd, 0));
		close(fd);
	}
	EXPECT_EQ(0, sysfs_number("sys_sessions_count"));
	info = (struct pfm_reg_info){ .num = WALL_TIME_NS };
	ASSERT_EQ(0, vector(self->fd, PFM_IOC_GETINFO_PMDS, &info, 1, NULL));
	EXPECT_FALSE(info.flags & PFM_REGI_THREAD);
}

TEST_F(wide, one_context_a_cpu)
{
	const int other = wide_open();

	ASSERT_EQ(0, pmd_write(other, CPU_TIME_NS, 0));
	ASSERT_EQ(0, context_load(self->fd, 0));
	EXPECT_EQ(-EBUSY, context_load(other, 0));
	if (cpus_online() > 1) {
		EXPECT_EQ(0, context_load(other, 1));
		EXPECT_EQ(2, sysfs_number("sys_sessions_count"));
		EXPECT_EQ(0, context_unload(other));
	}
	/* What was refused is as good as new. */
	EXPECT_EQ(0, context_unload(self->fd));
	EXPECT_EQ(0, context_load(other, 0));
	EXPECT_EQ(-EBUSY, context_load(self->fd, 0));
	close(other);
	EXPECT_EQ(0, context_load(self->fd, 0));
}

TEST_F(wide, threads_and_cpus_exclude_each_other)
{
	const int thread = context_open(0);
	const pid_t pid = child_idle();

	ASSERT_EQ(0, pmd_write(thread, CPU_TIME_NS, 0));
	ASSERT_EQ(0, context_load(self->fd, 0));
	EXPECT_EQ(-EBUSY, context_load(thread, 0));
	EXPECT_EQ(-EBUSY, context_load(thread, pid));
	EXPECT_EQ(0, sysfs_number("task_sessions_count"));
	EXPECT_EQ(0, context_unload(self->fd));
	ASSERT_EQ(0, context_load(thread, pid));
	EXPECT_EQ(1, sysfs_number("task_sessions_count"));
	EXPECT_EQ(-EBUSY, context_load(self->fd, 0));
	EXPECT_EQ(0, sysfs_number("sys_sessions_count"));
	/* A session is over when its last thread is. */
	child_kill(pid);
	EXPECT_EQ(0, sysfs_number("task_sessions_count"));
	EXPECT_EQ(0, context_load(self->fd, 0));
	EXPECT_EQ(-EBUSY, context_load(thread, 0));
	close(self->fd);
	EXPECT_EQ(0, context_load(thread, 0));
	self->fd = wide_open();
	ASSERT_EQ(0, pmd_write(self->fd, CPU_TIME_NS, 0));
	EXPECT_EQ(-EBUSY, context_load(self->fd, 0));
	close(thread);
	EXPECT_EQ(0, context_load(self->fd, 0));
}

/* Both sides try at the same time: never do both succeed. */
TEST_F_TIMEOUT(wide, exclusion_is_atomic, 60)
{
	const pid_t parent = getpid();
	int thread, loaded = 0, busy = 0;
	pid_t pid;

	pid = fork();
	if (!pid) {
		die_with_parent(parent);
		pin_to(cpus_online() - 1);
		thread = context_open(0);
		if (pmd_write(thread, CPU_TIME_NS, 0))
			_exit(1);
		for (;;) {
			if (context_load(thread, 0))
				continue;
			/* While this is loaded no CPU is. */
			usleep(200);
			if (sysfs_number("sys_sessions_count"))
				_exit(2);
			context_unload(thread);
			usleep(200);
		}
	}
	while (loaded < 300 || busy < 20) {
		const int ret = context_load(self->fd, 0);

		if (ret) {
			ASSERT_EQ(-EBUSY, ret);
			busy++;
		} else {
			EXPECT_EQ(0, sysfs_number("task_sessions_count"));
			EXPECT_EQ(0, context_unload(self->fd));
			loaded++;
		}
	}
	EXPECT_EQ(0, waitpid(pid, NULL, WNOHANG));
	child_kill(pid);
}

/* State. */

TEST_F(wide, config_and_fdinfo)
{
	struct pfm_config cfg;

	ASSERT_EQ(0, config_get(self->fd, &cfg));
	EXPECT_EQ(PFM_CPU_NONE, cfg.cpu);
	EXPECT_EQ(PFM_STATE_UNLOADED, cfg.state);
	EXPECT_TRUE(fdinfo_has(self->fd, "pfm_cpu:\t-1\n"));
	ASSERT_EQ(0, context_load(self->fd, 0));
	ASSERT_EQ(0, config_get(self->fd, &cfg));
	EXPECT_EQ(0, cfg.cpu);
	EXPECT_EQ(PFM_STATE_LOADED, cfg.state);
	EXPECT_EQ(0, cfg.tasks);
	EXPECT_EQ(0, cfg.running);
	EXPECT_EQ(0, cfg.offlines);
	EXPECT_EQ(0, cfg.offline_ns);
	EXPECT_TRUE(fdinfo_has(self->fd, "pfm_cpu:\t0\n"));
	ASSERT_EQ(0, context_start(self->fd, 0));
	ASSERT_EQ(0, context_start(self->fd, 0));
	ASSERT_EQ(0, config_get(self->fd, &cfg));
	EXPECT_EQ(1, cfg.running);
	ASSERT_EQ(0, context_stop(self->fd));
	ASSERT_EQ(0, context_stop(self->fd));
	ASSERT_EQ(0, context_unload(self->fd));
	ASSERT_EQ(0, config_get(self->fd, &cfg));
	EXPECT_EQ(PFM_CPU_NONE, cfg.cpu);
}

TEST(config_of_threads)
{
	const int fd = context_open(0);
	struct pfm_config cfg;

	ASSERT_EQ(0, pmd_write(fd, CPU_TIME_NS, 0));
	ASSERT_EQ(0, context_load(fd, 0));
	ASSERT_EQ(0, config_get(fd, &cfg));
	EXPECT_EQ(PFM_CPU_NONE, cfg.cpu);
	close(fd);
}

TEST_F(wide, holders)
{
	const int thread = context_open(0);
	const pid_t pid = child_idle();
	char text[4096], want[128];

	ASSERT_EQ(0, sysfs_text("holders", text, sizeof(text)));
	EXPECT_STREQ("", text);
	prctl(PR_SET_NAME, "a b\nc");
	ASSERT_EQ(0, context_load(self->fd, 0));
	snprintf(want, sizeof(want), "cpu 0 pid %d uid 0 comm a b?c\n",
		 getpid());
	ASSERT_EQ(0, sysfs_text("holders", text, sizeof(text)));
	EXPECT_STREQ(want, text);
	ASSERT_EQ(0, context_unload(self->fd));
	ASSERT_EQ(0, pmd_write(thread, CPU_TIME_NS, 0));
	ASSERT_EQ(0, context_load(thread, pid));
	snprintf(want, sizeof(want), "thread %d pid %d uid 0 comm a b?c\n", pid,
		 getpid());
	ASSERT_EQ(0, sysfs_text("holders", text, sizeof(text)));
	EXPECT_STREQ(want, text);
	child_kill(pid);
	close(thread);
	ASSERT_EQ(0, sysfs_text("holders", text, sizeof(text)));
	EXPECT_STREQ("", text);
}

/* More sessions than the file has room for: the last line counts the rest. */
TEST(holders_are_many)
{
	char text[8192], *line, *save = NULL;
	unsigned int lines = 0, others = 0;
	pid_t pids[100];
	int fds[100];
	size_t i;

	for (i = 0; i < ARRAY_LEN(fds); i++) {
		pids[i] = child_idle();
		fds[i] = context_open(0);
		ASSERT_EQ(0, pmd_write(fds[i], CPU_TIME_NS, 0));
		ASSERT_EQ(0, context_load(fds[i], pids[i]));
	}
	ASSERT_EQ(0, sysfs_text("holders", text, sizeof(text)));
	for (line = strtok_r(text, "\n", &save); line;
	     line = strtok_r(NULL, "\n", &save)) {
		if (sscanf(line, "others %u", &others) != 1)
			lines++;
	}
	EXPECT_LT(10, lines);
	EXPECT_LT(0, others);
	EXPECT_EQ(ARRAY_LEN(fds), lines + others);
	for (i = 0; i < ARRAY_LEN(fds); i++) {
		child_kill(pids[i]);
		close(fds[i]);
	}
}

/* Counts. */

TEST_F(wide, times)
{
	uint64_t cpu, wall, first;

	ASSERT_EQ(0, context_load(self->fd, 0));
	usleep(1000);
	EXPECT_EQ(0, pmd_value(self->fd, CPU_TIME_NS));
	ASSERT_EQ(0, context_start(self->fd, 0));
	usleep(20000);
	first = pmd_value(self->fd, CPU_TIME_NS);
	EXPECT_LT(20 * MS, first);
	usleep(1000);
	EXPECT_LT(first, pmd_value(self->fd, CPU_TIME_NS));
	ASSERT_EQ(0, context_stop(self->fd));
	cpu = pmd_value(self->fd, CPU_TIME_NS);
	wall = pmd_value(self->fd, WALL_TIME_NS);
	EXPECT_LT(21 * MS, cpu);
	/* The idle task counts: the CPU's time is all of the time. */
	EXPECT_LE(cpu, wall);
	usleep(1000);
	EXPECT_EQ(cpu, pmd_value(self->fd, CPU_TIME_NS));
	/* Values written go on from there. */
	ASSERT_EQ(0, pmd_write(self->fd, CPU_TIME_NS, 1ULL << 62));
	ASSERT_EQ(0, context_start(self->fd, 0));
	usleep(1000);
	EXPECT_LT((1ULL << 62) + MS, pmd_value(self->fd, CPU_TIME_NS));
	ASSERT_EQ(0, pmd_write(self->fd, CPU_TIME_NS, 7));
	EXPECT_LT(7, pmd_value(self->fd, CPU_TIME_NS));
	EXPECT_GT(1ULL << 62, pmd_value(self->fd, CPU_TIME_NS));
	ASSERT_EQ(0, context_unload(self->fd));
	cpu = pmd_value(self->fd, CPU_TIME_NS);
	EXPECT_EQ(cpu, pmd_value(self->fd, CPU_TIME_NS));
}

/* The caller stays where it is, and controls another CPU. */
TEST_F(wide, other_cpu)
{
	uint64_t user, time;
	pid_t pid;

	NEED_TWO_CPUS();
	ASSERT_EQ(0, context_load(self->fd, 1));
	ASSERT_EQ(0, context_start(self->fd, 0));
	pid = child_spin_on(1);
	usleep(100000);
	EXPECT_EQ(0, sched_getcpu());
	time = pmd_value(self->fd, CPU_TIME_NS);
	EXPECT_LT(100 * MS, time);
	if (self->cycles >= 0)
		EXPECT_LT(0, pmd_value(self->fd, self->cycles));
	child_kill(pid);
	ASSERT_EQ(0, context_stop(self->fd));
	time = pmd_value(self->fd, CPU_TIME_NS);
	EXPECT_LE(time, pmd_value(self->fd, WALL_TIME_NS));
	if (self->cycles < 0)
		return;
	user = pmd_value(self->fd, self->cycles);
	/* Nobody else runs there: no user's cycle counts now. */
	ASSERT_EQ(0, context_start(self->fd, 0));
	usleep(20000);
	ASSERT_EQ(0, context_stop(self->fd));
	EXPECT_EQ(user, pmd_value(self->fd, self->cycles));
}

/*
 * What counts in 200 ms in which nobody is given work on the CPU.  Stray work may be
 * there, and last while an emulator waits for its host: then it is tried again.
 */
static uint64_t quiet_time(int fd)
{
	uint64_t counted, before;
	int tries = 20;

	do {
		before = pmd_value(fd, CPU_TIME_NS);
		usleep(200000);
		counted = pmd_value(fd, CPU_TIME_NS) - before;
	} while (counted >= 20 * MS && --tries);
	return counted;
}

/* A set that leaves the idle task out. */
TEST_F_TIMEOUT(wide, idle_left_out, 60)
{
	const int cpu = cpus_online() - 1;
	const int fd = wide_open();
	uint64_t idle, busy, begin;
	pid_t pid;
	int ret;

	ret = set_describe(fd, 0, PFM_SETFL_EXCL_IDLE);
	if (ret == -ENOTTY)
		SKIP(return, "no event sets in this kernel");
	ASSERT_EQ(0, ret);
	ASSERT_EQ(0, pmd_write(fd, CPU_TIME_NS, 0));
	ASSERT_EQ(0, pmd_write(fd, WALL_TIME_NS, 0));
	ASSERT_EQ(0, context_load(fd, cpu));
	ASSERT_EQ(0, context_start(fd, 0));
	EXPECT_GT(20 * MS, quiet_time(fd));
	EXPECT_LT(200 * MS, pmd_value(fd, WALL_TIME_NS));
	pid = child_spin_on(cpu);
	idle = pmd_value(fd, CPU_TIME_NS);
	usleep(100000);
	busy = pmd_value(fd, CPU_TIME_NS) - idle;
	EXPECT_LT(60 * MS, busy);
	child_kill(pid);
	/* As a thread, an idle CPU's context can be read and written. */
	begin = time_ns(CLOCK_MONOTONIC);
	ASSERT_EQ(0, pmd_write(fd, CPU_TIME_NS, 1ULL << 62));
	EXPECT_GT(20 * MS, quiet_time(fd));
	ASSERT_EQ(0, context_stop(fd));
	idle = pmd_value(fd, CPU_TIME_NS);
	EXPECT_LE(1ULL << 62, idle);
	EXPECT_GT((1ULL << 62) + time_ns(CLOCK_MONOTONIC) - begin, idle);
	ASSERT_EQ(0, context_unload(fd));
	EXPECT_EQ(idle, pmd_value(fd, CPU_TIME_NS));
	close(fd);
}

/* Processes that use some time, wherever they run, and say how much. */
#define BURNERS	4

static void burn(int go, uint64_t *used)
{
	uint64_t begin, now;
	cpu_set_t all;
	char c;

	memset(&all, 0xff, sizeof(all));
	if (sched_setaffinity(0, sizeof(all), &all) || read(go, &c, 1) != 1)
		_exit(1);
	begin = time_ns(CLOCK_PROCESS_CPUTIME_ID);
	do {
		now = time_ns(CLOCK_PROCESS_CPUTIME_ID);
	} while (now - begin < 100 * MS);
	*used = now - begin;
	_exit(0);
}

/* Load and start, or stop, a context on each CPU. */
static int start_all(int *fds, int n, uint32_t set_flags)
{
	int i, ret;

	for (i = 0; i < n; i++) {
		fds[i] = wide_open();
		ret = set_flags ? set_describe(fds[i], 0, set_flags) : 0;
		if (!ret)
			ret = pmd_write(fds[i], CPU_TIME_NS, 0);
		if (!ret)
			ret = context_load(fds[i], i);
		if (ret)
			return ret;
	}
	for (i = 0; i < n; i++)
		context_start(fds[i], 0);
	return 0;
}

static uint64_t stop_all(const int *fds, int n)
{
	uint64_t sum = 0;
	int i;

	for (i = 0; i < n; i++)
		context_stop(fds[i]);
	for (i = 0; i < n; i++) {
		sum += pmd_value(fds[i], CPU_TIME_NS);
		close(fds[i]);
	}
	return sum;
}

/* The sum over CPUs is what the tasks used, or with the idle task all of it. */
TEST_F_TIMEOUT(wide, sum_over_cpus, 60)
{
	const uint32_t set_flags[] = { 0, PFM_SETFL_EXCL_IDLE };
	const pid_t parent = getpid();
	const int n = cpus_online();
	uint64_t *used, sum, tasks, begin, wall;
	pid_t pids[BURNERS];
	int fds[64], go[2];
	size_t i, j;

	ASSERT_GE((int)ARRAY_LEN(fds), n);
	used = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
		    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	for (i = 0; i < ARRAY_LEN(set_flags); i++) {
		ASSERT_EQ(0, pipe(go));
		for (j = 0; j < BURNERS; j++) {
			pids[j] = fork();
			if (!pids[j]) {
				die_with_parent(parent);
				burn(go[0], &used[j]);
			}
		}
		usleep(50000);
		begin = time_ns(CLOCK_MONOTONIC);
		ASSERT_EQ(0, start_all(fds, n, set_flags[i]));
		wall = time_ns(CLOCK_MONOTONIC);
		ASSERT_EQ(BURNERS, write(go[1], "1234", BURNERS));
		for (j = 0; j < BURNERS; j++)
			EXPECT_EQ(0, child_reap(pids[j]));
		usleep(100000);
		wall = time_ns(CLOCK_MONOTONIC) - wall;
		sum = stop_all(fds, n);
		begin = time_ns(CLOCK_MONOTONIC) - begin;
		for (j = 0, tasks = 0; j < BURNERS; j++)
			tasks += used[j];
		TH_LOG("tasks %llu us, CPUs %llu us, in %llu us",
		       (unsigned long long)tasks / 1000,
		       (unsigned long long)sum / 1000,
		       (unsigned long long)wall / 1000);
		EXPECT_LT(BURNERS * 100 * MS - 1, tasks);
		EXPECT_LT(tasks, sum);
		if (set_flags[i]) {
			/* The rest: the kernel's threads, and this process. */
			EXPECT_GT(tasks + tasks / 2, sum);
		} else {
			EXPECT_LE(n * wall, sum);
			EXPECT_GE(n * begin, sum);
		}
		close(go[0]);
		close(go[1]);
	}
	munmap(used, 4096);
}

/* Samples of a process, or with 0 of the idle task. */
static unsigned int samples_of(const struct pfm_default_hdr *hdr, pid_t pid)
{
	unsigned int n = 0;
	uint64_t i;

	for (i = 0; i < hdr->hdr_count; i++)
		n += entry_at(hdr, i, 0)->pid == (uint32_t)pid;
	return n;
}

TEST_F(wide, idle_left_out_of_samples)
{
	const struct pfm_pmd_attr attr = {
		.num = CPU_TIME_NS,
		.long_reset = -MS,
		.short_reset = -MS,
	};
	const int cpu = cpus_online() - 1;
	const struct pfm_default_hdr *hdr;
	const int fd = default_open(PFM_CTX_SYSTEM_WIDE, buffer_bytes(1000, 0));
	unsigned int mine = 0;
	uint64_t i;
	pid_t pid;
	int ret;

	ASSERT_LE(0, fd);
	ret = set_describe(fd, 0, PFM_SETFL_EXCL_IDLE);
	if (ret == -ENOTTY)
		SKIP(return, "no event sets in this kernel");
	ASSERT_EQ(0, ret);
	ASSERT_EQ(0, pmd_write(fd, CPU_TIME_NS, -MS));
	ASSERT_EQ(0, attr_write(fd, &attr));
	hdr = buffer_map(fd);
	ASSERT_NE(NULL, hdr);
	ASSERT_EQ(0, context_load(fd, cpu));
	ASSERT_EQ(0, context_start(fd, 0));
	usleep(50000);
	pid = child_spin_on(cpu);
	/* An emulator may let many milliseconds pass between two of them. */
	while (samples_of(hdr, pid) <= 50)
		usleep(10000);
	ASSERT_EQ(0, context_stop(fd));
	child_kill(pid);
	for (i = 0; i < hdr->hdr_count; i++) {
		const struct pfm_default_entry *entry = entry_at(hdr, i, 0);

		EXPECT_NE(0, entry->pid);
		mine += entry->pid == (uint32_t)pid;
	}
	EXPECT_LT(50, mine);
	close(fd);
}

/* Samples: of whatever runs. */

static int sampling_open(uint64_t period, uint64_t entries)
{
	const struct pfm_pmd_attr attr = {
		.num = CPU_TIME_NS,
		.flags = PFM_PMDF_NOTIFY,
		.long_reset = -period,
		.short_reset = -period,
	};
	const int fd = default_open(PFM_CTX_SYSTEM_WIDE,
				    buffer_bytes(entries, 0));

	if (fd < 0)
		return fd;
	if (pmd_write(fd, CPU_TIME_NS, -period) || attr_write(fd, &attr))
		return -EPROTO;
	return fd;
}

TEST_F_TIMEOUT(wide, samples_of_tasks_and_idle, 60)
{
	unsigned int mine = 0, idle = 0, others = 0, late = 0;
	const int cpu = cpus_online() - 1;
	const struct pfm_default_hdr *hdr;
	const int fd = sampling_open(MS, 1000);
	uint64_t i;
	pid_t pid;

	ASSERT_LE(0, fd);
	hdr = buffer_map(fd);
	ASSERT_NE(NULL, hdr);
	ASSERT_EQ(0, context_load(fd, cpu));
	ASSERT_EQ(0, context_start(fd, 0));
	while (samples_of(hdr, 0) <= 20)
		usleep(10000);
	pid = child_spin_on(cpu);
	while (samples_of(hdr, pid) <= 80)
		usleep(10000);
	ASSERT_EQ(0, context_stop(fd));
	child_kill(pid);
	EXPECT_LT(100, hdr->hdr_count);
	for (i = 0; i < hdr->hdr_count; i++) {
		const struct pfm_default_entry *entry = entry_at(hdr, i, 0);

		EXPECT_EQ(cpu, entry->cpu);
		EXPECT_EQ(CPU_TIME_NS, entry->ovfl_pmd);
		if (entry->pid == (uint32_t)pid) {
			EXPECT_EQ((uint32_t)pid, entry->tid);
			/* 0: found late, when the counters were stopped. */
			late += !entry->ip;
			mine++;
		} else if (!entry->pid) {
			EXPECT_EQ(0, entry->tid);
			idle++;
		} else {
			others++;
		}
	}
	TH_LOG("samples: %u of the spinner, %u idle, %u of others", mine, idle,
	       others);
	EXPECT_LT(50, mine);
	EXPECT_GE(mine / 10, late);
	EXPECT_LT(20, idle);
	close(fd);
}

TEST_F(wide, notification_masks_and_restart_goes_on)
{
	const struct pfm_pmd_attr attr = {
		.num = CPU_TIME_NS,
		.flags = PFM_PMDF_NOTIFY,
		.long_reset = -2 * MS,
		.short_reset = -2 * MS,
	};
	struct pfm_config cfg;
	union pfm_msg msg;
	int i;

	ASSERT_EQ(0, pmd_write(self->fd, CPU_TIME_NS, -2 * MS));
	ASSERT_EQ(0, attr_write(self->fd, &attr));
	ASSERT_EQ(0, context_load(self->fd, cpus_online() - 1));
	ASSERT_EQ(0, context_start(self->fd, 0));
	for (i = 0; i < 5; i++) {
		ASSERT_EQ(sizeof(msg), message_read(self->fd, &msg));
		EXPECT_EQ(PFM_MSG_OVFL, msg.type);
		EXPECT_EQ(cpus_online() - 1, msg.ovfl.cpu);
		ASSERT_EQ(0, config_get(self->fd, &cfg));
		EXPECT_EQ(PFM_STATE_MASKED, cfg.state);
		ASSERT_EQ(0, context_restart(self->fd, PFM_LANE_ALL));
	}
	ASSERT_EQ(0, config_get(self->fd, &cfg));
	EXPECT_LE(5, cfg.overflows);
}

/* CPUs that go and come. */

TEST_F(wide, load_offline_cpu)
{
	NEED_HOTPLUG();
	ASSERT_TRUE(cpu1_online(false));
	EXPECT_EQ(-ENODEV, context_load(self->fd, 1));
	EXPECT_EQ(0, sysfs_number("sys_sessions_count"));
	ASSERT_TRUE(cpu1_online(true));
	EXPECT_EQ(0, context_load(self->fd, 1));
}

TEST_F_TIMEOUT(wide, cpu_goes_and_comes, 60)
{
	uint64_t before, gone, wall, calls;
	struct pfm_config cfg;
	int i;

	NEED_HOTPLUG();
	ASSERT_EQ(0, context_load(self->fd, 1));
	calls = -time_ns(CLOCK_MONOTONIC);
	ASSERT_EQ(0, context_start(self->fd, 0));
	calls += time_ns(CLOCK_MONOTONIC);
	gone = 0;
	for (i = 1; i <= 3; i++) {
		usleep(20000);
		before = pmd_value(self->fd, CPU_TIME_NS);
		EXPECT_LT(gone + 20 * MS, before);
		ASSERT_TRUE(cpu1_online(false));
		ASSERT_EQ(0, config_get(self->fd, &cfg));
		EXPECT_EQ(PFM_STATE_OFFLINE, cfg.state);
		EXPECT_EQ(1, cfg.running);
		EXPECT_EQ(1, cfg.cpu);
		EXPECT_EQ(i, cfg.offlines);
		EXPECT_TRUE(fdinfo_has(self->fd, "pfm_state:\toffline\n"));
		/* What was counted is there, and stays as it is. */
		gone = pmd_value(self->fd, CPU_TIME_NS);
		EXPECT_LT(before, gone);
		usleep(20000);
		EXPECT_EQ(gone, pmd_value(self->fd, CPU_TIME_NS));
		ASSERT_TRUE(cpu1_online(true));
		ASSERT_EQ(0, config_get(self->fd, &cfg));
		EXPECT_EQ(PFM_STATE_LOADED, cfg.state);
		EXPECT_LT(20 * MS * i, cfg.offline_ns);
	}
	usleep(20000);
	calls -= time_ns(CLOCK_MONOTONIC);
	ASSERT_EQ(0, context_stop(self->fd));
	calls += time_ns(CLOCK_MONOTONIC);
	ASSERT_EQ(0, config_get(self->fd, &cfg));
	wall = pmd_value(self->fd, WALL_TIME_NS);
	EXPECT_LT(gone + 20 * MS, pmd_value(self->fd, CPU_TIME_NS));
	/*
	 * Nothing is lost but the time that was reported, and what a CPU does
	 * before the hot-plug callback when it comes back; and while it is started
	 * or stopped, which its host may be slow at, only the wall clock may go on.
	 */
	EXPECT_GE(wall, pmd_value(self->fd, CPU_TIME_NS) + cfg.offline_ns);
	EXPECT_GT(wall / 100 + 10 * MS + calls,
		  wall - pmd_value(self->fd, CPU_TIME_NS) - cfg.offline_ns);
}

/* All calls on a context whose CPU is away: none hangs, none loses anything. */
TEST_F_TIMEOUT(wide, calls_while_offline, 60)
{
	struct pfm_config cfg;
	uint64_t value;

	NEED_HOTPLUG();
	ASSERT_EQ(0, context_load(self->fd, 1));
	ASSERT_TRUE(cpu1_online(false));
	ASSERT_EQ(0, context_start(self->fd, 0));
	EXPECT_EQ(0, pmd_value(self->fd, CPU_TIME_NS));
	ASSERT_EQ(0, pmd_write(self->fd, CPU_TIME_NS, 1000 * MS));
	EXPECT_EQ(1000 * MS, pmd_value(self->fd, CPU_TIME_NS));
	EXPECT_EQ(-EBUSY, context_restart(self->fd, PFM_LANE_ALL));
	ASSERT_EQ(0, context_stop(self->fd));
	ASSERT_EQ(0, context_start(self->fd, 0));
	/* What was started meanwhile begins when the CPU is there. */
	ASSERT_TRUE(cpu1_online(true));
	usleep(20000);
	value = pmd_value(self->fd, CPU_TIME_NS);
	EXPECT_LT(1020 * MS, value);
	ASSERT_TRUE(cpu1_online(false));
	value = pmd_value(self->fd, CPU_TIME_NS);
	ASSERT_EQ(0, context_stop(self->fd));
	ASSERT_TRUE(cpu1_online(true));
	usleep(1000);
	EXPECT_EQ(value, pmd_value(self->fd, CPU_TIME_NS));
	ASSERT_EQ(0, context_start(self->fd, 0));
	usleep(1000);
	ASSERT_TRUE(cpu1_online(false));
	value = pmd_value(self->fd, CPU_TIME_NS);
	ASSERT_EQ(0, context_unload(self->fd));
	EXPECT_EQ(value, pmd_value(self->fd, CPU_TIME_NS));
	ASSERT_EQ(0, config_get(self->fd, &cfg));
	EXPECT_EQ(PFM_STATE_UNLOADED, cfg.state);
	EXPECT_EQ(3, cfg.offlines);
	EXPECT_LT(0, cfg.offline_ns);
	EXPECT_EQ(0, sysfs_number("sys_sessions_count"));
	/* The CPU is free, and nobody is left who counts on it. */
	ASSERT_TRUE(cpu1_online(true));
	ASSERT_EQ(0, context_load(self->fd, 1));
	ASSERT_EQ(0, config_get(self->fd, &cfg));
	EXPECT_EQ(0, cfg.offlines);
	EXPECT_EQ(0, cfg.offline_ns);
	ASSERT_EQ(0, context_start(self->fd, 0));
	ASSERT_TRUE(cpu1_online(false));
	close(self->fd);
	EXPECT_EQ(0, sysfs_number("sys_sessions_count"));
	ASSERT_TRUE(cpu1_online(true));
	self->fd = wide_open();
}

/* Calls of all kinds while the CPU comes and goes. */
TEST_F_TIMEOUT(wide, calls_while_cpu_changes, 120)
{
	const pid_t parent = getpid();
	int i, ret, loaded = 0, online = 0;
	uint64_t value, last;
	pid_t pid;

	NEED_HOTPLUG();
	pid = fork();
	if (!pid) {
		die_with_parent(parent);
		for (;;) {
			cpu1_online(false);
			cpu1_online(true);
		}
	}
	while (loaded < 60) {
		ret = context_load(self->fd, 1);
		if (ret) {
			ASSERT_EQ(-ENODEV, ret);
			usleep(1000);
			continue;
		}
		loaded++;
		last = 0;
		for (i = 0; i < 20; i++) {
			ASSERT_EQ(0, context_start(self->fd, 0));
			usleep(1000);
			ASSERT_EQ(0, pmd_read(self->fd, CPU_TIME_NS, &value));
			online += value > last;
			EXPECT_LE(last, value);
			last = value;
			if (i % 3 == 0)
				ASSERT_EQ(0, context_stop(self->fd));
		}
		ASSERT_EQ(0, context_unload(self->fd));
		ASSERT_EQ(0, pmd_write(self->fd, CPU_TIME_NS, 0));
	}
	child_kill(pid);
	cpu1_online(true);
	EXPECT_LT(100, online);
}

TEST_HARNESS_MAIN

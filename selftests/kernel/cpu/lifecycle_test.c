// SPDX-License-Identifier: GPL-2.0-only
/*
 * Contexts from creation to the end of the processes that hold them, what /proc and /sys
 * show of them, and processors that come and go meanwhile.
 */
#include "child.h"
#include "context.h"
#include "cpu.h"
#include "exact_count.h"
#include "hotplug.h"
#include "sysfs.h"

#include <dirent.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <time.h>

#include "kselftest_harness.h"

#define SESSIONS	"task_sessions_count"

/* A file as one string without the last newline. */
static const char *contents(const char *path)
{
	static char text[4096];
	ssize_t len = -1;
	int fd;

	fd = open(path, O_RDONLY);
	if (fd >= 0) {
		len = read(fd, text, sizeof(text) - 1);
		close(fd);
	}
	text[len > 0 ? len : 0] = '\0';
	if (len > 0 && text[len - 1] == '\n')
		text[len - 1] = '\0';
	return text;
}

/* The contents of the file of sysfs with this name, printf-like. */
static const char *sysfs(const char *format, ...)
{
	char path[512] = SYSFS "/";
	const size_t len = strlen(path);
	va_list args;

	va_start(args, format);
	vsnprintf(path + len, sizeof(path) - len, format, args);
	va_end(args);
	return contents(path);
}

/* The value of a line of the descriptor's fdinfo, or "missing". */
static const char *fdinfo(int fd, const char *name)
{
	static char value[128];
	char path[64], line[256];
	FILE *file;

	snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", fd);
	file = fopen(path, "r");
	if (!file)
		return "missing";
	strcpy(value, "missing");
	while (fgets(line, sizeof(line), file)) {
		line[strcspn(line, "\n")] = '\0';
		if (!strncmp(line, name, strlen(name)) &&
		    line[strlen(name)] == ':') {
			snprintf(value, sizeof(value), "%.100s",
				 line + strlen(name) + 1 +
				 strspn(line + strlen(name) + 1, " \t"));
			break;
		}
	}
	fclose(file);
	return value;
}

/* A loaded and running context of a thread, or -errno. */
static int running_context(uint32_t flags, pid_t tid)
{
	const int fd = context_open(flags);
	int ret = fd;

	if (ret >= 0)
		ret = pmd_write(fd, CPU_TIME_NS, 0);
	if (!ret)
		ret = context_load(fd, tid);
	if (!ret)
		ret = context_start(fd, 0);
	return ret ? ret : fd;
}

/*
 * Processes that die with their parent take a moment, longer on a busy machine, and
 * have its descriptors until then.
 */
static bool sessions_become(long n)
{
	int i;

	for (i = 0; i < 2000; i++) {
		if (sysfs_number(SESSIONS) == n)
			return true;
		usleep(10000);
	}
	return false;
}

/* The files of sysfs. */

TEST(sysfs_top)
{
	char want[32];

	snprintf(want, sizeof(want), "%u.%u", PFM_ABI_VERSION >> 16,
		 PFM_ABI_VERSION & 0xffff);
	EXPECT_STREQ(want, sysfs("version"));
	EXPECT_TRUE(sessions_become(0));
	EXPECT_STREQ("0", sysfs(SESSIONS));
}

/* A process of nobody's may look as well, but not write. */
TEST(sysfs_modes)
{
	struct stat st;

	ASSERT_EQ(0, stat(SYSFS "/version", &st));
	EXPECT_EQ(0444, st.st_mode & 07777);
	ASSERT_EQ(0, stat(SYSFS "/pmu/soft_cpu/pmd256/name", &st));
	EXPECT_EQ(0444, st.st_mode & 07777);
}

TEST(sysfs_virtual_registers)
{
	EXPECT_STREQ("CPU_TIME_NS", sysfs("pmu/soft_cpu/pmd256/name"));
	EXPECT_STREQ("64", sysfs("pmu/soft_cpu/pmd256/width"));
	EXPECT_STREQ("0x0", sysfs("pmu/soft_cpu/pmd256/addr"));
	EXPECT_STREQ("WALL_TIME_NS", sysfs("pmu/soft_task/pmd320/name"));
	EXPECT_STREQ("FREE_MEMORY_BYTES", sysfs("pmu/soft_task/pmd356/name"));
}

/* The same in sysfs and by GETINFO, for each register of each kind. */
TEST(sysfs_agrees_with_getinfo)
{
	const int fd = context_open(0);
	struct pfm_config cfg;
	int num, kind, seen = 0;

	ASSERT_LE(0, fd);
	ASSERT_EQ(0, config_get(fd, &cfg));
	for (kind = 0; kind < 2; kind++) {
		const __u64 *bits = kind ? cfg.impl_pmds : cfg.impl_pmcs;

		for (num = 0; num < PFM_REGS_MAX; num++) {
			const char *pmu = num < PFM_REG_VIRT_BASE ? cfg.pmu :
					  num < PFM_REG_TASK_BASE ?
					  "soft_cpu" : "soft_task";
			const char *name = kind ? "pmd" : "pmc";
			struct pfm_reg_info info = { .num = num };

			if (!(bits[num / 64] >> num % 64 & 1)) {
				EXPECT_STREQ("", sysfs("pmu/%s/%s%d/name", pmu,
						       name, num));
				continue;
			}
			ASSERT_EQ(0, vector(fd, kind ? PFM_IOC_GETINFO_PMDS :
					    PFM_IOC_GETINFO_PMCS, &info, 1,
					    NULL));
			EXPECT_STREQ(info.name, sysfs("pmu/%s/%s%d/name", pmu,
						      name, num));
			EXPECT_EQ(info.addr,
				  strtoull(sysfs("pmu/%s/%s%d/addr", pmu, name,
						 num), NULL, 0));
			EXPECT_EQ(info.dfl,
				  strtoull(sysfs("pmu/%s/%s%d/dfl_val", pmu,
						 name, num), NULL, 0));
			EXPECT_EQ(info.rsvd,
				  strtoull(sysfs("pmu/%s/%s%d/rsvd_msk", pmu,
						 name, num), NULL, 0));
			/* Sysfs tells the bits of a PMC, as perfmon2 did. */
			EXPECT_EQ(kind ? info.width : 64,
				  strtoull(sysfs("pmu/%s/%s%d/width", pmu, name,
						 num), NULL, 0));
			seen++;
		}
	}
	EXPECT_LE(7, seen);
	close(fd);
}

TEST(fdinfo_follows_the_state)
{
	const int fd = context_open(PFM_CTX_FOLLOW_FORK);
	struct pfm_config cfg;
	char text[64];
	pid_t pid;

	ASSERT_LE(0, fd);
	ASSERT_EQ(0, config_get(fd, &cfg));
	EXPECT_STREQ("unloaded", fdinfo(fd, "pfm_state"));
	EXPECT_STREQ("0", fdinfo(fd, "pfm_running"));
	EXPECT_STREQ("0", fdinfo(fd, "pfm_tasks"));
	EXPECT_STREQ("0", fdinfo(fd, "pfm_records"));
	EXPECT_STREQ("1024", fdinfo(fd, "pfm_records_max"));
	EXPECT_STREQ(cfg.pmu, fdinfo(fd, "pfm_pmu"));
	EXPECT_EQ(PFM_CTX_FOLLOW_FORK, strtoul(fdinfo(fd, "pfm_flags"), NULL,
					       0));
	ASSERT_EQ(0, pmd_write(fd, CPU_TIME_NS, 0));
	ASSERT_EQ(0, context_load(fd, 0));
	EXPECT_STREQ("loaded", fdinfo(fd, "pfm_state"));
	snprintf(text, sizeof(text), "%d", gettid());
	EXPECT_STREQ(text, fdinfo(fd, "pfm_tid"));
	EXPECT_STREQ("1", fdinfo(fd, "pfm_tasks"));
	ASSERT_EQ(0, context_start(fd, 0));
	EXPECT_STREQ("1", fdinfo(fd, "pfm_running"));
	pid = child_idle();
	EXPECT_STREQ("2", fdinfo(fd, "pfm_tasks"));
	child_kill(pid);
	EXPECT_STREQ("1", fdinfo(fd, "pfm_tasks"));
	EXPECT_STREQ("1", fdinfo(fd, "pfm_records"));
	ASSERT_EQ(0, context_unload(fd));
	EXPECT_STREQ("unloaded", fdinfo(fd, "pfm_state"));
	EXPECT_STREQ("0", fdinfo(fd, "pfm_tasks"));
	EXPECT_STREQ("2", fdinfo(fd, "pfm_records"));
	EXPECT_STREQ("0", fdinfo(fd, "pfm_merged"));
	EXPECT_STREQ("0", fdinfo(fd, "pfm_follow_failed"));
	close(fd);
}

/* Sessions are counted while they last. */

TEST(session_count)
{
	const pid_t pids[3] = { child_idle(), child_idle(), child_idle() };
	int fds[3], i;

	ASSERT_TRUE(sessions_become(0));
	for (i = 0; i < 3; i++) {
		fds[i] = running_context(0, pids[i]);
		ASSERT_LE(0, fds[i]);
		EXPECT_EQ(i + 1, sysfs_number(SESSIONS));
	}
	/* By unloading, closing, and the end of the thread. */
	ASSERT_EQ(0, context_unload(fds[0]));
	EXPECT_EQ(2, sysfs_number(SESSIONS));
	ASSERT_EQ(0, close(fds[1]));
	EXPECT_EQ(1, sysfs_number(SESSIONS));
	child_kill(pids[2]);
	EXPECT_TRUE(sessions_become(0));
	/* Twice is not twice. */
	ASSERT_EQ(0, context_unload(fds[2]));
	EXPECT_EQ(0, sysfs_number(SESSIONS));
	close(fds[0]);
	close(fds[2]);
	child_kill(pids[0]);
	child_kill(pids[1]);
}

/* A context that is shared lives until the last one closes it. */
TEST(shared_descriptor)
{
	const int fd = running_context(0, 0);
	int other;
	pid_t pid;

	ASSERT_LE(0, fd);
	other = dup(fd);
	ASSERT_LE(0, other);
	pid = child_idle();
	ASSERT_EQ(0, close(fd));
	EXPECT_EQ(1, sysfs_number(SESSIONS));
	EXPECT_LT(0, pmd_value(other, CPU_TIME_NS));
	ASSERT_EQ(0, close(other));
	/* The child still has it. */
	EXPECT_EQ(1, sysfs_number(SESSIONS));
	child_kill(pid);
	EXPECT_TRUE(sessions_become(0));
}

/* Only a message in a socket refers to the context, until the socket is closed. */
TEST(descriptor_in_a_socket)
{
	char control[CMSG_SPACE(sizeof(int))] = {};
	struct iovec iov = { .iov_base = "", .iov_len = 1 };
	struct msghdr msg = {
		.msg_iov = &iov,
		.msg_iovlen = 1,
		.msg_control = control,
		.msg_controllen = sizeof(control),
	};
	struct cmsghdr *cmsg = CMSG_FIRSTHDR(&msg);
	const int fd = running_context(0, 0);
	int pair[2];

	ASSERT_LE(0, fd);
	ASSERT_EQ(0, socketpair(AF_UNIX, SOCK_STREAM, 0, pair));
	cmsg->cmsg_level = SOL_SOCKET;
	cmsg->cmsg_type = SCM_RIGHTS;
	cmsg->cmsg_len = CMSG_LEN(sizeof(int));
	memcpy(CMSG_DATA(cmsg), &fd, sizeof(fd));
	ASSERT_EQ(1, sendmsg(pair[0], &msg, 0));
	ASSERT_EQ(0, close(fd));
	EXPECT_EQ(1, sysfs_number(SESSIONS));
	close(pair[0]);
	close(pair[1]);
	EXPECT_TRUE(sessions_become(0));
}

/* Contexts that a process has open. */
static int contexts_of(pid_t pid)
{
	char path[64], link[320], name[64];
	struct dirent *entry;
	int n = 0;
	DIR *dir;

	snprintf(path, sizeof(path), "/proc/%d/fd", pid);
	dir = opendir(path);
	if (!dir)
		return -1;
	while ((entry = readdir(dir))) {
		ssize_t len;

		snprintf(link, sizeof(link), "%s/%s", path, entry->d_name);
		len = readlink(link, name, sizeof(name) - 1);
		name[len > 0 ? len : 0] = '\0';
		n += !strcmp(name, "anon_inode:[perfmon]");
	}
	closedir(dir);
	return n;
}

/* 1: the program runs. */
static bool runs(pid_t pid, const char *name)
{
	char path[64];
	int i;

	snprintf(path, sizeof(path), "/proc/%d/comm", pid);
	for (i = 0; i < 2000 && strcmp(contents(path), name); i++)
		usleep(10000);
	return i < 2000;
}

TEST(exec_closes)
{
	const pid_t parent = getpid();
	int keep;

	for (keep = 0; keep < 2; keep++) {
		const pid_t pid = fork();

		if (!pid) {
			const int fd = running_context(0, 0);

			die_with_parent(parent);
			/* Without close-on-exec the program keeps it. */
			if (keep)
				fcntl(fd, F_SETFD, 0);
			execl(program("spin"), "spin", NULL);
			_exit(1);
		}
		ASSERT_TRUE(runs(pid, "spin"));
		EXPECT_EQ(keep, contexts_of(pid));
		EXPECT_TRUE(sessions_become(keep));
		child_kill(pid);
		EXPECT_TRUE(sessions_become(0));
	}
}

/* A process that exits with contexts of itself and of others leaves nothing. */
TEST(exit_frees)
{
	int round, i;

	for (round = 0; round < 20; round++) {
		const pid_t pid = fork();

		if (!pid) {
			running_context(PFM_CTX_FOLLOW_EXEC, 0);
			for (i = 0; i < 5; i++)
				running_context(0, child_idle());
			_exit(sysfs_number(SESSIONS) == 6 ? 0 : 1);
		}
		EXPECT_EQ(0, child_reap(pid));
		EXPECT_TRUE(sessions_become(0));
	}
}

TEST(kill_frees)
{
	const pid_t parent = getpid();
	int round, i, ready[2];
	char c;

	for (round = 0; round < 5; round++) {
		pid_t pid;

		ASSERT_EQ(0, pipe(ready));
		pid = fork();
		if (!pid) {
			die_with_parent(parent);
			running_context(PFM_CTX_FOLLOW_ALL, 0);
			for (i = 0; i < 5; i++) {
				const pid_t holder = getpid();
				const pid_t child = fork();

				if (!child) {
					die_with_parent(holder);
					execl(program("forkloop"), "forkloop",
					      "100000", "100", NULL);
					_exit(1);
				}
			}
			for (i = 0; i < 50; i++)
				context_open(PFM_CTX_FOLLOW_ALL);
			if (write(ready[1], "", 1) != 1)
				_exit(1);
			for (;;)
				pause();
		}
		ASSERT_EQ(1, read(ready[0], &c, 1));
		EXPECT_EQ(1, sysfs_number(SESSIONS));
		child_kill(pid);
		EXPECT_TRUE(sessions_become(0));
		close(ready[0]);
		close(ready[1]);
	}
}

/* The holder ends while the thread that it monitors goes on, and vice versa. */
TEST(order_of_ends)
{
	const pid_t idle = child_idle();
	pid_t holder;
	int fd;

	holder = fork();
	if (!holder)
		_exit(running_context(0, idle) < 0);
	EXPECT_EQ(0, child_reap(holder));
	EXPECT_TRUE(sessions_become(0));
	/* The thread can be monitored by another. */
	fd = running_context(0, idle);
	ASSERT_LE(0, fd);
	child_kill(idle);
	EXPECT_TRUE(sessions_become(0));
	EXPECT_EQ(0, close(fd));
}

static void real_time(int priority)
{
	const struct sched_param param = { .sched_priority = priority };

	if (sched_setscheduler(0, SCHED_FIFO, &param))
		abort();
}

/*
 * A real-time process wants the CPU for longer than anything here takes.  It gets the CPU
 * only if UNLOAD sleeps, and no worker of the kernel gets it before that process is done.
 */
TEST(unload_waits_for_no_worker)
{
	const pid_t parent = getpid();
	volatile int *done;
	pid_t hog;
	int fd;

	done = mmap(NULL, sizeof(*done), PROT_READ | PROT_WRITE,
		    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(MAP_FAILED, done);
	fd = context_open(0);
	ASSERT_LE(0, fd);
	ASSERT_EQ(0, has_register(0) ? instructions_setup(fd, 0) :
				       pmd_write(fd, CONTEXT_SWITCHES, 0));
	pin_to(0);
	real_time(2);
	/* Before the hog is there, as LOAD may wait until a probe is registered. */
	ASSERT_EQ(0, context_load(fd, 0));
	ASSERT_EQ(0, context_start(fd, 0));
	ASSERT_EQ(0, context_stop(fd));
	hog = fork();
	ASSERT_LE(0, hog);
	if (!hog) {
		die_with_parent(parent);
		real_time(1);
		while (time_ns(CLOCK_THREAD_CPUTIME_ID) < 300000000)
			spin(1000);
		*done = 1;
		_exit(0);
	}
	ASSERT_EQ(0, context_unload(fd));
	EXPECT_EQ(0, *done);
	EXPECT_EQ(0, child_reap(hog));
	EXPECT_EQ(1, *done);
	close(fd);
}

TEST(many_contexts)
{
	int fds[1000], i;

	for (i = 0; i < 1000; i++) {
		fds[i] = context_open(PFM_CTX_FOLLOW_ALL);
		if (fds[i] == -EMFILE)
			break;
		ASSERT_LE(0, fds[i]);
	}
	EXPECT_LT(900, i);
	while (i--)
		EXPECT_EQ(0, close(fds[i]));
	EXPECT_EQ(0, sysfs_number(SESSIONS));
}

/*
 * Several CPUs.
 */

static void set_cpu(pid_t pid, int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(pid, sizeof(set), &set))
		abort();
}

/* Lets a process have ms milliseconds of a CPU, however long it waits for them. */
static void let_run(pid_t pid, unsigned int ms)
{
	clockid_t clock;
	uint64_t end;

	if (clock_getcpuclockid(pid, &clock))
		abort();
	end = time_ns(clock) + ms * 1000000ULL;
	while (time_ns(clock) < end)
		usleep(1000);
}

FIXTURE(smp) {
	int fd;
	int cycles;	/* or a negative number, without a hardware PMU */
};

FIXTURE_SETUP(smp)
{
	self->fd = context_open(0);
	ASSERT_LE(0, self->fd);
	ASSERT_EQ(0, pmd_write(self->fd, CPU_TIME_NS, 0));
	ASSERT_EQ(0, pmd_write(self->fd, MIGRATIONS, 0));
	self->cycles = cycles_setup(self->fd, 0);
}

FIXTURE_TEARDOWN(smp)
{
	close(self->fd);
}

/*
 * Cycles of user code, at QEMU's 1 GHz, are nearly all of the time on a CPU of a
 * program that does nothing but loop.  On a machine with another clock this
 * shows only that there are some.  Nothing may count any more, as any time may pass
 * between two reads.
 */
#define EXPECT_CYCLES_OF_TIME()						\
	do {								\
		const uint64_t time_ = pmd_value(self->fd, CPU_TIME_NS);\
									\
		if (self->cycles < 0)					\
			break;						\
		EXPECT_LT(time_ / 10, pmd_value(self->fd, self->cycles));\
		if (emulated())						\
			EXPECT_GE(time_ + time_ / 100,			\
				  pmd_value(self->fd, self->cycles));	\
	} while (0)

/* QEMU's machine has a device tree that says so. */
static bool emulated(void)
{
	return !strcmp(contents("/sys/firmware/devicetree/base/compatible"),
		       "linux,dummy-virt");
}

TEST_F(smp, migration_keeps_counts)
{
	struct child child;

	NEED_TWO_CPUS();
	ASSERT_EQ(0, measure_begin(self->fd, &child,
				   ARGV(program("migrate"), "40", "1000000")));
	ASSERT_EQ(0, measure_end(self->fd, &child));
	EXPECT_LE(39, pmd_value(self->fd, MIGRATIONS));
	EXPECT_CYCLES_OF_TIME();
}

/* Works for as many milliseconds of its CPU time as it is told, and says when. */
static pid_t worker(int commands, int answers)
{
	const pid_t parent = getpid();
	const pid_t pid = fork();
	volatile int i;
	uint64_t end;
	char ms;

	if (pid)
		return pid;
	die_with_parent(parent);
	while (read(commands, &ms, 1) == 1) {
		end = time_ns(CLOCK_PROCESS_CPUTIME_ID) + ms * 1000000ULL;
		while (time_ns(CLOCK_PROCESS_CPUTIME_ID) < end) {
			for (i = 0; i < 100000; i++)
				;
		}
		if (write(answers, "", 1) != 1)
			break;
	}
	_exit(0);
}

static void work(const int commands[2], const int answers[2], char ms)
{
	char c;

	if (write(commands[1], &ms, 1) != 1 || read(answers[0], &c, 1) != 1)
		abort();
	/* It sleeps again. */
	usleep(10000);
}

/* Counts of a thread between one wait and the next. */
struct leg {
	uint64_t time, cycles;
};

/* Both at the same moment. */
static int leg_read(int fd, uint16_t cycles, struct leg *now)
{
	struct pfm_reg regs[2] = { { .num = CPU_TIME_NS }, { .num = cycles } };
	const int ret = vector(fd, PFM_IOC_READ_PMDS, regs, 2, NULL);

	*now = (struct leg){ regs[0].value, regs[1].value };
	return ret;
}

#define LEG_MS	10
#define LEGS	20

/* Waits until half of a leg is over, or all of it on a busy machine. */
static void half_a_leg(pid_t pid, int answers)
{
	struct pollfd pfd = { .fd = answers, .events = POLLIN };
	clockid_t clock;
	uint64_t end;

	if (clock_getcpuclockid(pid, &clock))
		abort();
	end = time_ns(clock) + LEG_MS * 1000000ULL / 2;
	while (time_ns(clock) < end && !poll(&pfd, 1, 0))
		usleep(1000);
}

/*
 * A thread is moved before each leg of its way and in the middle of it.  QEMU's cycles
 * are nanoseconds, so that the cycles of a leg, in user mode and in the kernel, are the
 * thread's time on the CPUs.  Both stop within a few hundred instructions of a switch; a
 * host that takes the CPU just there makes them differ from each other, or from the time
 * that the thread's clock shows, and the leg is tried again.
 * Of a leg that lost what it counted before it was moved half is missing each time.
 */
TEST_F(smp, migration_costs_no_counts)
{
	TEST_PROVES(C2);
	int commands[2], answers[2], i, tries;
	struct leg from, to;
	uint64_t migrations;
	pid_t pid;

	NEED_TWO_CPUS();
	if (self->cycles < 0)
		SKIP(return, "needs a hardware PMU");
	/* The kernel as well. */
	ASSERT_EQ(0, pmc_write(self->fd, self->cycles, CYCLES_AT(ALL_LEVELS)));
	ASSERT_EQ(0, pipe(commands));
	ASSERT_EQ(0, pipe(answers));
	pid = worker(commands[0], answers[1]);
	ASSERT_LT(0, pid);
	ASSERT_EQ(0, context_load(self->fd, pid));
	ASSERT_EQ(0, context_start(self->fd, 0));
	work(commands, answers, 1);
	for (i = 0; i < LEGS; i++) {
		const char ms = LEG_MS;
		char c;

		for (tries = 10; tries; tries--) {
			migrations = pmd_value(self->fd, MIGRATIONS);
			ASSERT_EQ(0, leg_read(self->fd, self->cycles, &from));
			set_cpu(pid, i % 2);
			ASSERT_EQ(1, write(commands[1], &ms, 1));
			half_a_leg(pid, answers[0]);
			set_cpu(pid, (i + 1) % 2);
			ASSERT_EQ(1, read(answers[0], &c, 1));
			while (state_letter(pid) != 'S')
				usleep(1000);
			ASSERT_EQ(0, leg_read(self->fd, self->cycles, &to));
			to.time -= from.time;
			to.cycles -= from.cycles;
			migrations = pmd_value(self->fd, MIGRATIONS) - migrations;
			if (migrations && to.time >= LEG_MS * 1000000ULL &&
			    to.cycles >= to.time - to.time / 10 &&
			    to.cycles <= to.time + to.time / 10)
				break;
		}
		EXPECT_LT(0, migrations);
		EXPECT_LE(LEG_MS * 1000000ULL, to.time);
		if (!emulated()) {
			EXPECT_LT(0, to.cycles);
			continue;
		}
		EXPECT_LE(to.time - to.time / 10, to.cycles);
		EXPECT_GE(to.time + to.time / 10, to.cycles);
	}
	child_kill(pid);
}

/*
 * Left for a thread with the same program, the counters go on; those of the CPU
 * where the thread was before are not its own any more.
 */
TEST_F(smp, passed_on_elsewhere)
{
	TEST_PROVES(P6);
	const int other = context_open(0);
	int commands[2], answers[2], round;
	struct child child;
	clockid_t clock;
	pid_t pid;

	NEED_TWO_CPUS();
	ASSERT_LE(0, other);
	close(self->fd);
	self->fd = context_open(0);
	self->cycles = cycles_setup(self->fd, 0);
	if (self->cycles < 0)
		SKIP(return, "needs a hardware PMU");
	ASSERT_EQ(self->cycles, cycles_setup(other, 0));
	ASSERT_EQ(0, pipe(commands));
	ASSERT_EQ(0, pipe(answers));
	pin_to(0);
	ASSERT_EQ(0, measure_begin(other, &child, ARGV(program("spin"))));
	set_cpu(child.pid, 1);
	pid = worker(commands[0], answers[1]);
	ASSERT_LT(0, pid);
	ASSERT_EQ(0, clock_getcpuclockid(pid, &clock));
	ASSERT_EQ(0, context_load(self->fd, pid));
	ASSERT_EQ(0, context_start(self->fd, 0));
	for (round = 0; round < 5; round++) {
		set_cpu(pid, 0);
		work(commands, answers, 5);
		set_cpu(pid, 1);
		work(commands, answers, 50);
	}
	set_cpu(pid, 0);
	work(commands, answers, 5);
	EXPECT_LT(time_ns(clock) / 10, pmd_value(self->fd, self->cycles));
	/* Most of it is user code; a tenth is left if the rest is lost. */
	if (emulated())
		EXPECT_LT(time_ns(clock) / 4,
			  pmd_value(self->fd, self->cycles));
	child_kill(pid);
	child_kill(child.pid);
	close(other);
}

TEST_F(smp, reads_from_another_cpu)
{
	struct child child;
	uint64_t last = 0, now;
	int i;

	NEED_TWO_CPUS();
	pin_to(0);
	ASSERT_EQ(0, measure_begin(self->fd, &child, ARGV(program("spin"))));
	set_cpu(child.pid, 1);
	while (!pmd_value(self->fd, CPU_TIME_NS))
		usleep(1000);
	for (i = 0; i < 2000; i++) {
		ASSERT_EQ(0, pmd_read(self->fd, CPU_TIME_NS, &now));
		ASSERT_LE(last, now);
		last = now;
		if (i % 20 == 0)
			set_cpu(child.pid, i / 20 % 2);
	}
	EXPECT_LT(0, last);
	ASSERT_EQ(0, context_stop(self->fd));
	EXPECT_CYCLES_OF_TIME();
	child_kill(child.pid);
}

TEST_F(smp, stop_from_another_cpu)
{
	TEST_PROVES(S2);
	struct child child;
	uint64_t stopped;
	int i, went_on = 0;

	NEED_TWO_CPUS();
	pin_to(0);
	ASSERT_EQ(0, measure_begin(self->fd, &child, ARGV(program("spin"))));
	set_cpu(child.pid, 1);
	while (!pmd_value(self->fd, CPU_TIME_NS))
		usleep(1000);
	for (i = 0; i < 50; i++) {
		usleep(1000);
		ASSERT_EQ(0, context_stop(self->fd));
		stopped = pmd_value(self->fd, CPU_TIME_NS);
		usleep(1000);
		EXPECT_EQ(stopped, pmd_value(self->fd, CPU_TIME_NS));
		ASSERT_EQ(0, context_start(self->fd, 0));
		usleep(1000);
		went_on += stopped < pmd_value(self->fd, CPU_TIME_NS);
	}
	/*
	 * It counts at once, not only from its next switch on.  Now and then
	 * something else may have the CPU for all of the time.
	 */
	EXPECT_LT(40, went_on);
	ASSERT_EQ(0, context_stop(self->fd));
	EXPECT_CYCLES_OF_TIME();
	child_kill(child.pid);
}

/*
 * Attached to a thread that runs all the time on another CPU.  Each round changes
 * hands with perf where the PMU is shared, on both CPUs.
 */
TEST_F(smp, load_running_thread)
{
	struct child child;
	int i, counted = 0;

	NEED_TWO_CPUS();
	pin_to(0);
	child_exec(&child, ARGV(program("spin")));
	set_cpu(child.pid, 1);
	child_go(&child);
	ASSERT_TRUE(runs(child.pid, "spin"));
	for (i = 0; i < 50; i++) {
		ASSERT_EQ(0, pmd_write(self->fd, CPU_TIME_NS, 0));
		ASSERT_EQ(0, context_load(self->fd, child.pid));
		ASSERT_EQ(0, context_start(self->fd, 0));
		usleep(2000);
		ASSERT_EQ(0, context_unload(self->fd));
		counted += pmd_value(self->fd, CPU_TIME_NS) >= 1000000;
	}
	/* See above. */
	EXPECT_LT(40, counted);
	child_kill(child.pid);
}

TEST_F(smp, cpu_goes_and_comes)
{
	struct child child;
	uint64_t last, now;
	int i;

	NEED_HOTPLUG();
	ASSERT_EQ(0, measure_begin(self->fd, &child, ARGV(program("spin"))));
	do {
		usleep(1000);
		last = pmd_value(self->fd, CPU_TIME_NS);
	} while (!last);
	for (i = 0; i < 5; i++) {
		set_cpu(child.pid, 1);
		let_run(child.pid, 10);
		now = pmd_value(self->fd, CPU_TIME_NS);
		EXPECT_LT(last, now);
		last = now;
		/* The kernel moves the thread, and its counts go on. */
		ASSERT_TRUE(cpu1_online(false));
		EXPECT_EQ(1, cpus_online());
		let_run(child.pid, 10);
		now = pmd_value(self->fd, CPU_TIME_NS);
		EXPECT_LT(last, now);
		last = now;
		ASSERT_TRUE(cpu1_online(true));
		EXPECT_EQ(2, cpus_online());
	}
	/* On the CPU that came back its PMU counts as before. */
	set_cpu(child.pid, 1);
	let_run(child.pid, 50);
	ASSERT_EQ(0, context_stop(self->fd));
	EXPECT_CYCLES_OF_TIME();
	child_kill(child.pid);
}

/* Contexts come and go while the CPU does. */
TEST_F(smp, cpu_goes_under_load)
{
	const pid_t parent = getpid();
	uint64_t begin;
	pid_t pid;
	int rounds = 0;

	NEED_HOTPLUG();
	pid = fork();
	if (!pid) {
		die_with_parent(parent);
		for (;;) {
			cpu1_online(false);
			cpu1_online(true);
		}
	}
	begin = time_ns(CLOCK_MONOTONIC);
	/* Each load may have to wait until the CPU has come or gone. */
	while (rounds <= 10 || time_ns(CLOCK_MONOTONIC) - begin < 3000000000ULL) {
		struct child child;

		ASSERT_EQ(0, pmd_write(self->fd, CPU_TIME_NS, 0));
		if (self->cycles >= 0)
			ASSERT_EQ(0, pmd_write(self->fd, self->cycles, 0));
		ASSERT_EQ(0, measure_begin(self->fd, &child,
					   ARGV(program("loop"), "3000000")));
		ASSERT_EQ(0, measure_end(self->fd, &child));
		EXPECT_LT(0, pmd_value(self->fd, CPU_TIME_NS));
		rounds++;
	}
	child_kill(pid);
	cpu1_online(true);
	EXPECT_EQ(2, cpus_online());
}

TEST_HARNESS_MAIN

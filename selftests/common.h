/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the tests share: the calls without errno, and children that are measured
 * from their exec to their end.
 */
#ifndef _SELFTESTS_COMMON_H
#define _SELFTESTS_COMMON_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/sendfile.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <linux/perfmon.h>

#define DEVICE		"/dev/perfmon"
#define SYSFS		"/sys/kernel/perfmon"

/* Registers that every machine has. */
#define CPU_TIME_NS		256
#define WALL_TIME_NS		320
#define CONTEXT_SWITCHES	321
#define MIGRATIONS		322
#define MINOR_FAULTS		323
#define MAJOR_FAULTS		324
#define FREE_MEMORY_BYTES	356

/* arm64 */
#define CYCLES			31
#define TYPE_P			(1ULL << 31)
#define TYPE_U			(1ULL << 30)
#define TYPE_NSH		(1ULL << 27)
#define EVENT_INST_RETIRED	0x08
#define EVENT_CPU_CYCLES	0x11

#define ARRAY_LEN(a)		(sizeof(a) / sizeof((a)[0]))

/* The commands: 0 or more, or -errno. */
static inline int call(int fd, unsigned long cmd, const void *arg)
{
	const int ret = ioctl(fd, cmd, arg);

	return ret < 0 ? -errno : ret;
}

static inline int device_open(void)
{
	const int fd = open(DEVICE, O_RDWR | O_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

static inline int context_create(int device, uint32_t flags)
{
	const struct pfm_create arg = { .flags = flags };

	return call(device, PFM_IOC_CREATE_CONTEXT, &arg);
}

/* A context, or -errno. */
static inline int context_open(uint32_t flags)
{
	const int device = device_open();
	int fd;

	if (device < 0)
		return device;
	fd = context_create(device, flags);
	close(device);
	return fd;
}

static inline int vector(int fd, unsigned long cmd, const void *regs,
			 uint32_t count, uint32_t *failed)
{
	struct pfm_regs arg = {
		.regs = (uintptr_t)regs,
		.count = count,
	};
	const int ret = call(fd, cmd, &arg);

	if (failed)
		*failed = arg.failed;
	return ret;
}

static inline int pmc_write(int fd, uint16_t num, uint64_t value)
{
	const struct pfm_reg reg = { .num = num, .value = value };

	return vector(fd, PFM_IOC_WRITE_PMCS, &reg, 1, NULL);
}

static inline int pmd_write(int fd, uint16_t num, uint64_t value)
{
	const struct pfm_reg reg = { .num = num, .value = value };

	return vector(fd, PFM_IOC_WRITE_PMDS, &reg, 1, NULL);
}

static inline int pmd_read(int fd, uint16_t num, uint64_t *value)
{
	struct pfm_reg reg = { .num = num, .value = ~0ULL };
	const int ret = vector(fd, PFM_IOC_READ_PMDS, &reg, 1, NULL);

	*value = reg.value;
	return ret;
}

/* The value, or all ones, which no test expects. */
static inline uint64_t pmd_value(int fd, uint16_t num)
{
	uint64_t value;

	return pmd_read(fd, num, &value) ? ~0ULL : value;
}

/* Describe an event set; -ENOTTY where there are none. */
static inline int set_describe(int fd, uint16_t set, uint32_t flags)
{
	const struct pfm_set_desc desc = { .set = set, .flags = flags };

	return vector(fd, PFM_IOC_CREATE_EVTSET, &desc, 1, NULL);
}

static inline int context_load(int fd, pid_t tid)
{
	const struct pfm_load arg = { .tid = tid };

	return call(fd, PFM_IOC_LOAD_CONTEXT, &arg);
}

static inline int context_unload(int fd)
{
	return call(fd, PFM_IOC_UNLOAD_CONTEXT, NULL);
}

static inline int context_start(int fd, uint32_t flags)
{
	const struct pfm_start arg = { .flags = flags };

	return call(fd, PFM_IOC_START, &arg);
}

static inline int context_stop(int fd)
{
	return call(fd, PFM_IOC_STOP, NULL);
}

static inline int config_get(int fd, struct pfm_config *cfg)
{
	memset(cfg, 0, sizeof(*cfg));
	return call(fd, PFM_IOC_GET_CONFIG, cfg);
}

static inline int config_set(int fd, const struct pfm_config *cfg)
{
	return call(fd, PFM_IOC_SET_CONFIG, cfg);
}

static inline int records_read(int fd, void *buf, uint32_t size,
			       struct pfm_read_records *arg)
{
	*arg = (struct pfm_read_records){
		.buf = (uintptr_t)buf,
		.size = size,
	};
	return call(fd, PFM_IOC_READ_RECORDS, arg);
}

static inline int message_read(int fd, union pfm_msg *msg)
{
	const ssize_t ret = read(fd, msg, sizeof(*msg));

	return ret < 0 ? -errno : ret;
}

/* The number in a file of sysfs, or -1. */
static inline long sysfs_number(const char *name)
{
	char path[256], text[64] = "";
	int fd;

	snprintf(path, sizeof(path), SYSFS "/%s", name);
	fd = open(path, O_RDONLY);
	if (fd < 0)
		return -1;
	if (read(fd, text, sizeof(text) - 1) < 0)
		text[0] = '\0';
	close(fd);
	return text[0] ? strtol(text, NULL, 0) : -1;
}

static inline uint64_t time_ns(clockid_t clock)
{
	struct timespec ts;

	if (clock_gettime(clock, &ts))
		abort();
	return ts.tv_sec * 1000000000ULL + ts.tv_nsec;
}

static inline int cpus_online(void)
{
	return sysconf(_SC_NPROCESSORS_ONLN);
}

static inline void pin_to(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		abort();
}

/* The path of a program that was built beside the test. */
static inline const char *program(const char *name)
{
	static char paths[4][512];
	static unsigned int next;
	char *path = paths[next++ % 4];
	ssize_t len;

	len = readlink("/proc/self/exe", path, sizeof(paths[0]) - 64);
	if (len < 0)
		abort();
	path[len] = '\0';
	snprintf(strrchr(path, '/'), 64, "/progs/%s", name);
	return path;
}

/*
 * The same program, copied into memory: who executes it does not wait for the file,
 * for as long as the host takes.
 */
static inline const char *program_in_memory(const char *name)
{
	static char paths[4][32];
	static unsigned int next;
	char *path = paths[next++ % 4];
	const int from = open(program(name), O_RDONLY | O_CLOEXEC);
	const int to = memfd_create(name, MFD_CLOEXEC);
	ssize_t len;
	int fd;

	if (from < 0 || to < 0)
		abort();
	do {
		len = sendfile(to, from, NULL, 1 << 20);
	} while (len > 0);
	/* What is open for writing cannot be executed. */
	snprintf(path, sizeof(paths[0]), "/proc/self/fd/%d", to);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (len < 0 || fd < 0)
		abort();
	close(from);
	close(to);
	snprintf(path, sizeof(paths[0]), "/proc/self/fd/%d", fd);
	return path;
}

static inline unsigned int digits(uint64_t n)
{
	unsigned int d = 1;

	while (n /= 10)
		d++;
	return d;
}

/*
 * A test that fails leaves nobody behind who holds contexts.  In a child; parent
 * is who forked it.
 */
static inline void die_with_parent(pid_t parent)
{
	if (prctl(PR_SET_PDEATHSIG, SIGKILL) || getppid() != parent)
		_exit(1);
}

/*
 * A child that waits before it executes a program, so that a context can be
 * attached to it meanwhile.
 */
struct child {
	pid_t pid;
	int go;
};

static inline void child_exec(struct child *child, const char *const argv[])
{
	const pid_t parent = getpid();
	int pipefd[2];
	char c;

	if (pipe2(pipefd, O_CLOEXEC))
		abort();
	child->pid = fork();
	if (child->pid < 0)
		abort();
	if (!child->pid) {
		die_with_parent(parent);
		close(pipefd[1]);
		if (read(pipefd[0], &c, 1) == 1)
			execv(argv[0], (char *const *)argv);
		_exit(126);
	}
	close(pipefd[0]);
	child->go = pipefd[1];
}

/* Let the child execute its program. */
static inline void child_go(struct child *child)
{
	if (write(child->go, "", 1) != 1)
		abort();
	close(child->go);
}

/* Reap a child; its status as wait(2) gives it. */
static inline int child_reap(pid_t pid)
{
	int status;

	while (waitpid(pid, &status, 0) < 0) {
		if (errno != EINTR)
			abort();
	}
	return status;
}

/* A child that does nothing until it is killed. */
static inline pid_t child_idle(void)
{
	const pid_t parent = getpid();
	const pid_t pid = fork();

	if (pid < 0)
		abort();
	if (!pid) {
		die_with_parent(parent);
		for (;;)
			pause();
	}
	return pid;
}

static inline void child_kill(pid_t pid)
{
	kill(pid, SIGKILL);
	child_reap(pid);
}

/*
 * A program that is measured from its first instruction; child_go() lets it
 * begin.  -errno, or 0.
 */
static inline int measure_prepare(int fd, struct child *child,
				  const char *const argv[])
{
	int ret;

	child_exec(child, argv);
	ret = context_load(fd, child->pid);
	if (!ret)
		ret = context_start(fd, PFM_START_ON_EXEC);
	return ret;
}

static inline int measure_begin(int fd, struct child *child,
				const char *const argv[])
{
	const int ret = measure_prepare(fd, child, argv);

	child_go(child);
	return ret;
}

/* Waits until all that is monitored has ended. */
static inline int measure_end(int fd, struct child *child)
{
	union pfm_msg msg;
	int ret;

	child_reap(child->pid);
	ret = message_read(fd, &msg);
	if (ret < 0)
		return ret;
	return ret == sizeof(msg) && msg.type == PFM_MSG_END ? 0 : -EPROTO;
}

static inline int measure(int fd, const char *const argv[])
{
	struct child child;
	int ret = measure_begin(fd, &child, argv);

	if (ret)
		child_kill(child.pid);
	else
		ret = measure_end(fd, &child);
	return ret;
}

#define ARGV(...)	((const char *const[]){ __VA_ARGS__, NULL })

/*
 * Records, read and kept.
 */
struct records {
	char *buf;
	size_t used;
	unsigned int n;
};

/* Take all that wait, in reads of at most size bytes; -errno, or 0. */
static inline int records_collect(int fd, struct records *recs, uint32_t size)
{
	struct pfm_read_records arg;
	int ret;

	do {
		recs->buf = realloc(recs->buf, recs->used + size);
		if (!recs->buf)
			abort();
		ret = records_read(fd, recs->buf + recs->used, size, &arg);
		if (ret)
			return ret;
		recs->used += arg.used;
		recs->n += arg.count;
	} while (arg.count);
	return 0;
}

static inline struct pfm_record *record_next(const struct records *recs,
					     struct pfm_record *rec)
{
	char *next = rec ? (char *)rec + rec->size : recs->buf;

	return next < recs->buf + recs->used ? (void *)next : NULL;
}

#define for_each_record(rec, recs)					\
	for (rec = record_next(recs, NULL); rec; rec = record_next(recs, rec))

/* Ends with a zero byte by the interface. */
static inline const char *record_path(const struct pfm_record *rec)
{
	return (const char *)&rec->regs[rec->nregs];
}

/* All ones, which no test expects, when the register is not there. */
static inline uint64_t record_value(const struct pfm_record *rec, uint16_t num)
{
	uint16_t i;

	for (i = 0; i < rec->nregs; i++) {
		if (rec->regs[i].num == num)
			return rec->regs[i].value;
	}
	return ~0ULL;
}

static inline uint64_t records_sum(const struct records *recs, uint16_t num)
{
	struct pfm_record *rec;
	uint64_t sum = 0;

	for_each_record(rec, recs)
		sum += record_value(rec, num);
	return sum;
}

static inline uint64_t records_tasks(const struct records *recs)
{
	struct pfm_record *rec;
	uint64_t sum = 0;

	for_each_record(rec, recs)
		sum += rec->tasks;
	return sum;
}

/*
 * Give the context a counter of the user's instructions.  Returns the number of
 * its data register, or -errno: -ENXIO when this machine has no such counter.
 */
static inline int instructions_setup(int fd, uint64_t value)
{
#ifdef __aarch64__
	int ret = pmc_write(fd, 0, TYPE_P | EVENT_INST_RETIRED);

	if (!ret)
		ret = pmd_write(fd, 0, value);
	return ret;
#else
	return -ENXIO;
#endif
}

static inline int cycles_setup(int fd, uint64_t value)
{
#ifdef __aarch64__
	int ret = pmc_write(fd, CYCLES, TYPE_P);

	if (!ret)
		ret = pmd_write(fd, CYCLES, value);
	return ret ? ret : CYCLES;
#else
	return -ENXIO;
#endif
}

/*
 * Start the context, go n times around two instructions and stop it, all in one
 * piece of assembly: it counts SELF_COST(n) instructions.
 */
#define SELF_COST(n)	(2 * (uint64_t)(n) + 6)

static inline int self_loop(int fd, uint64_t n)
{
#ifdef __aarch64__
	register long x0 asm("x0") = fd;
	register long x1 asm("x1") = PFM_IOC_START;
	register long x2 asm("x2") = 0;
	register long x8 asm("x8") = 29;	/* ioctl */

	asm volatile("svc	#0\n"
		     "	mov	x9, %[n]\n"
		     "1:	subs	x9, x9, #1\n"
		     "	b.ne	1b\n"
		     "	mov	x0, %[fd]\n"
		     "	mov	x1, %[stop]\n"
		     "	mov	x2, #0\n"
		     "	mov	x8, #29\n"
		     "	svc	#0\n"
		     : "+&r" (x0), "+&r" (x1), "+&r" (x2), "+&r" (x8)
		     : [n] "r" (n), [fd] "r" ((long)fd),
		       [stop] "r" ((long)PFM_IOC_STOP)
		     : "x9", "cc", "memory");
	return x0;
#else
	return -ENXIO;
#endif
}

/*
 * Counts are exact on an arm64 guest that executes one instruction a
 * nanosecond, on one processor.  NULL there, otherwise what is missing.
 */
static inline const char *exact_missing(void)
{
#ifdef __aarch64__
	const uint64_t bit = 1ULL << EVENT_INST_RETIRED;
	struct pfm_event_info info = {};
	int fd;

	if (cpus_online() != 1)
		return "needs exactly one CPU, as QEMU counts for all at once";
	fd = context_open(0);
	if (fd < 0)
		return NULL;		/* the test says why */
	if (vector(fd, PFM_IOC_GETINFO_EVENTS, &info, 1, NULL))
		info.known = 0;
	close(fd);
	/* A counter that stays at 0 although it has the event is a failure. */
	return info.known & ~info.implemented & bit
		       ? "needs QEMU's -icount: instructions do not count"
		       : NULL;
#else
	return "needs the emulated arm64 PMU, which counts exactly";
#endif
}

/* A module that is not installed is a reason to skip; that it does not load is none. */
#define LOAD_OR_SKIP(name)                                      \
	do {                                                    \
		if (system("modinfo " name " >/dev/null 2>&1")) \
			SKIP(return, "no module " name);        \
		ASSERT_EQ(0, system("modprobe " name " >&2"));  \
	} while (0)

/* Lines come out one by one, so that a test that hangs is seen to. */
static void __attribute__((constructor)) common_output(void)
{
	setvbuf(stdout, NULL, _IOLBF, 0);
}

#endif /* _SELFTESTS_COMMON_H */

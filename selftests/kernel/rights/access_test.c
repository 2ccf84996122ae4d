// SPDX-License-Identifier: GPL-2.0-only
/*
 * The right to monitor a thread: the same answer as perf_event_open() gives, for callers
 * and targets of many kinds.
 */
#include "child.h"
#include "context.h"
#include "perf.h"
#include "rights.h"

#include <sys/stat.h>

#include <linux/capability.h>

#include "kselftest_harness.h"

#define OTHER	 2000
#define NOWHERE	 70000 /* of no id in the namespaces */
#define IDLE	 "--idle"
#define PARANOID "/proc/sys/kernel/perf_event_paranoid"

#define CAP(n) (1ULL << (n))
#define NET    CAP(CAP_NET_RAW)
#define MORE   (NET | CAP(CAP_CHOWN))
#define ALL    (~0ULL)

/* User namespaces: the initial one, two children of it, a child of the first. */
enum { INIT, CHILD, SIBLING, NESTED, NAMESPACES };

/* The program that a target executes at the end. */
enum program { NONE, PLAIN, UNREADABLE, SETUID, SETGID, PROGRAMS };

/**
 * struct identity - what a process is
 * @name: for messages
 * @ns: its user namespace
 * @uid: real user id
 * @euid: effective and saved user id, 0 the same
 * @gid: group id in all forms, 0 as the real user id
 * @caps: permitted capabilities
 * @idle_caps: none of them is effective
 * @hidden: may not be dumped
 * @program: what it executes, with @caps ambient or, for root, as bounding set;
 *	only of targets
 */
struct identity {
	const char *name;
	int ns;
	uid_t uid;
	uid_t euid;
	gid_t gid;
	uint64_t caps;
	bool idle_caps;
	bool hidden;
	enum program program;
};

static const struct identity who[] = {
	{ .name = "root", .ns = INIT, .uid = 0, .caps = ALL },
	{ .name = "root, bounded",
	  .ns = INIT,
	  .uid = 0,
	  .caps = MORE,
	  .program = PLAIN },
	{ .name = "root, less", .ns = INIT, .uid = 0, .caps = NET },
	{ .name = "root, nothing", .ns = INIT, .uid = 0 },
	{ .name = "root, hidden", .ns = INIT, .uid = 0, .hidden = true },
	{ .name = "user", .ns = INIT, .uid = NOBODY },
	{ .name = "user, hidden", .ns = INIT, .uid = NOBODY, .hidden = true },
	{ .name = "user, keepcaps",
	  .ns = INIT,
	  .uid = NOBODY,
	  .caps = NET,
	  .idle_caps = true },
	{ .name = "user, keeps all",
	  .ns = INIT,
	  .uid = NOBODY,
	  .caps = ALL,
	  .idle_caps = true },
	{ .name = "user, ambient",
	  .ns = INIT,
	  .uid = NOBODY,
	  .caps = NET,
	  .program = PLAIN },
	{ .name = "user, more", .ns = INIT, .uid = NOBODY, .caps = MORE },
	{ .name = "user, SYS_PTRACE",
	  .ns = INIT,
	  .uid = NOBODY,
	  .caps = CAP(CAP_SYS_PTRACE) },
	{ .name = "user, PERFMON",
	  .ns = INIT,
	  .uid = NOBODY,
	  .caps = CAP(CAP_PERFMON) },
	{ .name = "user, SYS_ADMIN",
	  .ns = INIT,
	  .uid = NOBODY,
	  .caps = CAP(CAP_SYS_ADMIN) },
	{ .name = "user, unreadable",
	  .ns = INIT,
	  .uid = NOBODY,
	  .program = UNREADABLE },
	{ .name = "user, setuid", .ns = INIT, .uid = NOBODY, .program = SETUID },
	{ .name = "user, setgid", .ns = INIT, .uid = NOBODY, .program = SETGID },
	{ .name = "user, two ids", .ns = INIT, .uid = NOBODY, .euid = OTHER },
	{ .name = "user, group", .ns = INIT, .uid = NOBODY, .gid = OTHER },
	{ .name = "other", .ns = INIT, .uid = OTHER },
	{ .name = "child root", .ns = CHILD, .uid = 0, .caps = ALL },
	{ .name = "child user", .ns = CHILD, .uid = NOBODY },
	{ .name = "child user, all", .ns = CHILD, .uid = NOBODY, .caps = ALL },
	{ .name = "child user, net", .ns = CHILD, .uid = NOBODY, .caps = NET },
	{ .name = "child user, PERFMON",
	  .ns = CHILD,
	  .uid = NOBODY,
	  .caps = CAP(CAP_PERFMON) },
	{ .name = "child user, unreadable",
	  .ns = CHILD,
	  .uid = NOBODY,
	  .program = UNREADABLE },
	{ .name = "sibling user", .ns = SIBLING, .uid = NOBODY },
	{ .name = "sibling user, all",
	  .ns = SIBLING,
	  .uid = NOBODY,
	  .caps = ALL },
	{ .name = "nested user", .ns = NESTED, .uid = NOBODY },
	{ .name = "nested user, all", .ns = NESTED, .uid = NOBODY, .caps = ALL },
};

#define N ARRAY_LEN(who)

/* The answers that the caller of a pair got. */
struct answer {
	int perfmon;
	int perf;
};

static struct {
	int ns[NAMESPACES];
	char folder[32];
	char programs[PROGRAMS][64];
	pid_t pids[N];
	struct answer (*answers)[N];
} all;

static void write_file(const char *path, const char *text)
{
	const int fd = open(path, O_WRONLY | O_CLOEXEC);

	if (fd < 0 || write(fd, text, strlen(text)) != (ssize_t)strlen(text))
		abort();
	close(fd);
}

/* Only these are permitted. */
static void caps_set(const struct identity *id)
{
	struct __user_cap_header_struct hdr = {
		.version = _LINUX_CAPABILITY_VERSION_3,
	};
	struct __user_cap_data_struct data[2];
	uint64_t caps = id->caps;
	int i;

	if (syscall(SYS_capget, &hdr, data))
		abort();
	caps &= data[0].permitted | (uint64_t)data[1].permitted << 32;
	for (i = 0; i < 2; i++) {
		data[i].permitted = caps >> 32 * i;
		data[i].inheritable = data[i].permitted;
		data[i].effective = id->idle_caps ? 0 : data[i].permitted;
	}
	if (id->program && !id->uid) {
		for (i = 0; prctl(PR_CAPBSET_READ, i) >= 0; i++) {
			if (!(caps & CAP(i)) && prctl(PR_CAPBSET_DROP, i))
				abort();
		}
	}
	if (syscall(SYS_capset, &hdr, data))
		abort();
	if (!id->program)
		return;
	for (i = 0; i < 64; i++) {
		if (caps & CAP(i) &&
		    prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, i, 0, 0))
			abort();
	}
}

/* From root of the initial namespace, which this process is. */
static void become(const struct identity *id)
{
	const gid_t gid = id->gid ?: id->uid;
	const uid_t euid = id->euid ?: id->uid;

	if (id->ns && setns(all.ns[id->ns], CLONE_NEWUSER))
		abort();
	if (setgroups(0, NULL) || setresgid(gid, gid, gid) ||
	    prctl(PR_SET_KEEPCAPS, 1) || setresuid(id->uid, euid, euid))
		abort();
	caps_set(id);
	if (prctl(PR_SET_DUMPABLE, !id->hidden))
		abort();
}

/* Says that it is ready, and stays as long as the test. */
static void idle(int ready, int over)
{
	char c = 0;

	if (write(ready, &c, 1) != 1)
		_exit(1);
	while (read(over, &c, 1) > 0)
		;
	_exit(0);
}

/* This program was executed as a target. */
static __attribute__((constructor)) void target(int argc, char *argv[])
{
	if (argc == 4 && !strcmp(argv[1], IDLE))
		idle(atoi(argv[2]), atoi(argv[3]));
}

/**
 * start - start a process that stays
 * @id: what it is
 * @own_ns: in a new user namespace
 * @over: the pipe that ends with the test
 */
static pid_t start(const struct identity *id, bool own_ns, const int *over)
{
	char fds[2][16], c;
	int ready[2];
	pid_t pid;

	if (pipe(ready))
		abort();
	pid = fork();
	if (pid < 0)
		abort();
	if (!pid) {
		close(over[1]);
		close(ready[0]);
		become(id);
		if (own_ns && unshare(CLONE_NEWUSER))
			_exit(1);
		if (!id->program)
			idle(ready[1], over[0]);
		snprintf(fds[0], sizeof(fds[0]), "%d", ready[1]);
		snprintf(fds[1], sizeof(fds[1]), "%d", over[0]);
		execl(all.programs[id->program], "access_test", IDLE, fds[0],
		      fds[1], NULL);
		_exit(1);
	}
	close(ready[1]);
	if (read(ready[0], &c, 1) != 1)
		abort();
	close(ready[0]);
	return pid;
}

/* A user namespace of the user's, where all ids are what they are outside. */
static int ns_create(int parent, const int *over)
{
	const struct identity owner = { .name = "owner",
					.ns = parent,
					.uid = NOBODY };
	const struct identity root = {
		.name = "root", .ns = parent, .uid = 0, .caps = ALL
	};
	const pid_t pid = start(&owner, true, over);
	char path[64];
	pid_t writer;
	int fd;

	writer = fork();
	if (!writer) {
		become(&root);
		snprintf(path, sizeof(path), "/proc/%d/uid_map", pid);
		write_file(path, "0 0 65536");
		snprintf(path, sizeof(path), "/proc/%d/gid_map", pid);
		write_file(path, "0 0 65536");
		_exit(0);
	}
	if (child_reap(writer))
		abort();
	snprintf(path, sizeof(path), "/proc/%d/ns/user", pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		abort();
	return fd;
}

static void program_create(enum program program, uid_t owner, mode_t mode)
{
	char *path = all.programs[program];
	int from, to;

	snprintf(path, sizeof(all.programs[0]), "%s/%d", all.folder, program);
	from = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	to = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0700);
	if (from < 0 || to < 0)
		abort();
	while (sendfile(to, from, NULL, 1 << 20) > 0)
		;
	if (fchown(to, owner, owner) || fchmod(to, mode))
		abort();
	close(from);
	close(to);
}

FIXTURE(access)
{
	char paranoid[16];
	int device;
	int over[2];
};

FIXTURE_SETUP(access)
{
	int fd, ns;

	self->device = device_open();
	ASSERT_LE(0, self->device);
	fd = open(PARANOID, O_RDONLY | O_CLOEXEC);
	ASSERT_LE(0, fd);
	ASSERT_LT(0, read(fd, self->paranoid, sizeof(self->paranoid) - 1));
	close(fd);
	/* Users may count user-level code, if ptrace's rule lets them. */
	write_file(PARANOID, "2");
	all.answers = mmap(NULL, sizeof(struct answer[N][N]),
			   PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
			   -1, 0);
	ASSERT_NE(MAP_FAILED, all.answers);
	strcpy(all.folder, "/tmp/access_test.XXXXXX");
	ASSERT_NE(NULL, mkdtemp(all.folder));
	ASSERT_EQ(0, chmod(all.folder, 0755));
	program_create(PLAIN, 0, 0755);
	program_create(UNREADABLE, NOWHERE, 0711);
	program_create(SETUID, OTHER, 04755);
	program_create(SETGID, OTHER, 02755);
	ASSERT_EQ(0, pipe(self->over));
	for (ns = CHILD; ns < NAMESPACES; ns++)
		all.ns[ns] = ns_create(ns == NESTED ? CHILD : INIT, self->over);
}

FIXTURE_TEARDOWN(access)
{
	int i;

	/* All that were started end with it. */
	close(self->over[1]);
	while (wait(NULL) > 0)
		;
	close(self->over[0]);
	for (i = PLAIN; i < PROGRAMS; i++)
		unlink(all.programs[i]);
	rmdir(all.folder);
	write_file(PARANOID, self->paranoid);
	close(self->device);
}

static int ask_perfmon(int device, pid_t pid)
{
	const int fd = context_create(device, 0);
	int ret = fd < 0 ? fd : pmd_write(fd, CPU_TIME_NS, 0);

	if (!ret)
		ret = context_load(fd, pid);
	if (fd >= 0)
		close(fd);
	return ret;
}

static int ask_perf(pid_t pid)
{
	struct perf_event_attr attr = perf_attr(PERF_COUNT_SW_TASK_CLOCK);
	int fd;

	attr.type = PERF_TYPE_SOFTWARE;
	fd = perf_open(&attr, pid, -1, -1);
	if (fd >= 0)
		close(fd);
	return fd < 0 ? fd : 0;
}

static void ask_about_all(size_t caller, int device)
{
	struct identity id = who[caller];
	size_t i;

	id.program = NONE;
	become(&id);
	for (i = 0; i < N; i++) {
		all.answers[caller][i].perfmon =
			ask_perfmon(device, all.pids[i]);
		all.answers[caller][i].perf = ask_perf(all.pids[i]);
	}
	_exit(0);
}

TEST_F(access, as_perf)
{
	unsigned int allowed = 0, denied = 0;
	size_t i, j;

	for (i = 0; i < N; i++)
		all.pids[i] = start(&who[i], false, self->over);
	for (i = 0; i < N; i++) {
		const pid_t pid = fork();

		ASSERT_LE(0, pid);
		if (!pid)
			ask_about_all(i, self->device);
		ASSERT_EQ(0, child_reap(pid));
	}
	for (i = 0; i < N; i++) {
		for (j = 0; j < N; j++) {
			const struct answer *a = &all.answers[i][j];

			EXPECT_EQ(a->perf,
				  a->perfmon == -EPERM ? -EACCES : a->perfmon)
			TH_LOG("%s asks for %s", who[i].name, who[j].name);
			allowed += !a->perf;
			denied += a->perf == -EACCES;
		}
	}
	TH_LOG("%u pairs allowed, %u denied", allowed, denied);
	EXPECT_LT(100, allowed);
	EXPECT_LT(100, denied);
	EXPECT_EQ(N * N, allowed + denied);
}

TEST_HARNESS_MAIN

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Following tasks through fork, vfork, clone and exec, and their records.  Time
 * on a CPU is what is counted here: every machine can, and each nanosecond of it
 * must be found in the records again.
 */
#include "child.h"
#include "context.h"
#include "cpu.h"
#include "records.h"
#include "rights.h"
#include "sysfs.h"

#include <grp.h>
#include <pthread.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "kselftest_harness.h"

extern char **environ;

/* A context that follows and counts, not loaded yet. */
static int follow_open(uint32_t flags)
{
	int fd = context_open(flags);
	int ret = fd;

	if (fd < 0)
		return fd;
	ret = pmd_write(fd, CPU_TIME_NS, 0);
	if (!ret)
		ret = pmd_write(fd, MINOR_FAULTS, 0);
	return ret ? ret : fd;
}

static int limit_records(int fd, uint32_t max)
{
	struct pfm_config cfg;
	int ret = config_get(fd, &cfg);

	cfg.records_max = max;
	return ret ? ret : config_set(fd, &cfg);
}

/* How many records are of a program, by the end of its path. */
static unsigned int records_of(const struct records *recs, const char *name)
{
	struct pfm_record *rec;
	unsigned int n = 0;

	for_each_record(rec, recs) {
		const char *path = record_path(rec);
		const size_t len = strlen(path), want = strlen(name);

		if (len >= want && !strcmp(path + len - want, name))
			n += rec->tasks;
	}
	return n;
}

static unsigned int records_with(const struct records *recs, int reason)
{
	struct pfm_record *rec;
	unsigned int n = 0;

	for_each_record(rec, recs)
		n += rec->reason == reason;
	return n;
}

#define EXPECT_SUMS(fd, recs)						\
	do {								\
		EXPECT_EQ(pmd_value(fd, CPU_TIME_NS),			\
			  records_sum(recs, CPU_TIME_NS));		\
		EXPECT_EQ(pmd_value(fd, MINOR_FAULTS),			\
			  records_sum(recs, MINOR_FAULTS));		\
	} while (0)

FIXTURE(follow) {
	int fd;
	struct records recs;
};

FIXTURE_SETUP(follow)
{
	self->fd = follow_open(PFM_CTX_FOLLOW_ALL);
	ASSERT_LE(0, self->fd) {
		TH_LOG("no context: %s", strerror(-self->fd));
	}
}

FIXTURE_TEARDOWN(follow)
{
	close(self->fd);
	free(self->recs.buf);
}

/* What a record says. */

TEST_F(follow, record_of_one_program)
{
	const uint64_t before = time_ns(CLOCK_MONOTONIC);
	struct pfm_record *rec;
	struct child child;

	ASSERT_EQ(0, measure_begin(self->fd, &child,
				   ARGV(program("loop"), "100000")));
	ASSERT_EQ(0, measure_end(self->fd, &child));
	ASSERT_EQ(0, records_collect(self->fd, &self->recs, 4096));
	ASSERT_EQ(1, self->recs.n);
	rec = record_next(&self->recs, NULL);
	EXPECT_EQ(PFM_RECORD_EXIT, rec->reason);
	EXPECT_EQ(child.pid, rec->pid);
	EXPECT_EQ(child.pid, rec->tid);
	EXPECT_EQ(getpid(), rec->ppid);
	EXPECT_EQ(0, rec->status);
	EXPECT_EQ(1, rec->tasks);
	EXPECT_EQ(0, rec->reserved);
	EXPECT_STREQ("loop", rec->comm);
	EXPECT_STREQ(program("loop"), record_path(rec));
	EXPECT_EQ(strlen(program("loop")), rec->path_len);
	EXPECT_LT(before, rec->start);
	EXPECT_LT(rec->start, rec->end);
	EXPECT_GT(time_ns(CLOCK_MONOTONIC), rec->end);
	EXPECT_EQ(2, rec->nregs);
	EXPECT_EQ(CPU_TIME_NS, rec->regs[0].num);
	EXPECT_EQ(MINOR_FAULTS, rec->regs[1].num);
	EXPECT_EQ(0, rec->regs[0].set);
	EXPECT_EQ(0, rec->regs[0].flags);
	EXPECT_LT(0, rec->regs[0].value);
	EXPECT_GT(rec->end - rec->start, rec->regs[0].value);
	EXPECT_LT(0, rec->regs[1].value);
	/* The rest is padding, of zeroes. */
	while ((char *)record_path(rec) + rec->path_len <
	       (char *)rec + rec->size)
		EXPECT_EQ('\0', record_path(rec)[rec->path_len++]);
	EXPECT_SUMS(self->fd, &self->recs);
}

TEST_F(follow, record_status)
{
	pid_t pids[3];
	struct pfm_record *rec;
	int i;

	ASSERT_EQ(0, context_load(self->fd, 0));
	pids[0] = fork();
	if (!pids[0])
		_exit(42);
	child_reap(pids[0]);
	pids[1] = child_idle();
	child_kill(pids[1]);
	pids[2] = fork();
	if (!pids[2])
		abort();
	child_reap(pids[2]);
	ASSERT_EQ(0, records_collect(self->fd, &self->recs, 4096));
	ASSERT_EQ(3, self->recs.n);
	rec = NULL;
	for (i = 0; i < 3; i++) {
		rec = record_next(&self->recs, rec);
		EXPECT_EQ(pids[i], rec->pid);
	}
	rec = record_next(&self->recs, NULL);
	EXPECT_EQ(42 << 8, rec->status);
	rec = record_next(&self->recs, rec);
	EXPECT_EQ(SIGKILL, rec->status);
	rec = record_next(&self->recs, rec);
	EXPECT_EQ(SIGABRT, rec->status & 0x7f);
}

/* Nobody knows the path of a program that ran before. */
TEST_F(follow, record_of_running_program)
{
	struct pfm_record *rec;
	pid_t pid;

	ASSERT_EQ(0, context_load(self->fd, 0));
	pid = fork();
	if (!pid) {
		prctl(PR_SET_NAME, "renamed");
		_exit(0);
	}
	child_reap(pid);
	ASSERT_EQ(0, records_collect(self->fd, &self->recs, 4096));
	ASSERT_EQ(1, self->recs.n);
	rec = record_next(&self->recs, NULL);
	EXPECT_STREQ("renamed", rec->comm);
	EXPECT_EQ(0, rec->path_len);
	EXPECT_STREQ("", record_path(rec));
}

TEST_F(follow, record_of_long_path)
{
	const size_t want = 255;
	char path[1024] = "", *slash;
	struct pfm_record *rec;

	/* The same file by a path longer than what is kept. */
	snprintf(path, sizeof(path), "%s", program("loop"));
	slash = strrchr(path, '/');
	while (strlen(path) < 400) {
		memmove(slash + 2, slash, strlen(slash) + 1);
		memcpy(slash, "/.", 2);
	}
	ASSERT_EQ(0, measure(self->fd, ARGV(path, "1")));
	ASSERT_EQ(0, records_collect(self->fd, &self->recs, 4096));
	ASSERT_EQ(1, self->recs.n);
	rec = record_next(&self->recs, NULL);
	EXPECT_LE(want, rec->path_len);
	EXPECT_GE(PFM_PATH_MAX, rec->path_len);
	EXPECT_EQ(rec->path_len, strlen(record_path(rec)));
	EXPECT_STREQ(path + strlen(path) - rec->path_len, record_path(rec));
}

TEST_F(follow, record_of_relative_path)
{
	char dir[512];

	snprintf(dir, sizeof(dir), "%s", program("loop"));
	*strrchr(dir, '/') = '\0';
	ASSERT_EQ(0, chdir(dir));
	ASSERT_EQ(0, measure(self->fd, ARGV("./loop", "1")));
	ASSERT_EQ(0, records_collect(self->fd, &self->recs, 4096));
	ASSERT_EQ(1, self->recs.n);
	EXPECT_STREQ("./loop", record_path(record_next(&self->recs, NULL)));
}

TEST_F(follow, records_of_exec)
{
	struct pfm_record *rec, *first;
	struct child child;

	ASSERT_EQ(0, measure_begin(self->fd, &child,
				   ARGV(program("execloop"), "1000",
					program("loop"), "1000")));
	ASSERT_EQ(0, measure_end(self->fd, &child));
	ASSERT_EQ(0, records_collect(self->fd, &self->recs, 4096));
	ASSERT_EQ(2, self->recs.n);
	first = record_next(&self->recs, NULL);
	EXPECT_EQ(PFM_RECORD_EXEC, first->reason);
	EXPECT_STREQ(program("execloop"), record_path(first));
	EXPECT_STREQ("execloop", first->comm);
	rec = record_next(&self->recs, first);
	EXPECT_EQ(PFM_RECORD_EXIT, rec->reason);
	EXPECT_STREQ(program("loop"), record_path(rec));
	EXPECT_STREQ("loop", rec->comm);
	EXPECT_EQ(child.pid, first->pid);
	EXPECT_EQ(child.pid, rec->pid);
	EXPECT_EQ(getpid(), first->ppid);
	EXPECT_EQ(getpid(), rec->ppid);
	EXPECT_LE(first->end, rec->start);
	EXPECT_SUMS(self->fd, &self->recs);
}

/* A process that clone(2) makes with CLONE_PARENT is a sibling of its creator. */
TEST_F(follow, parent_of_a_sibling)
{
	struct pfm_record *rec = NULL;
	unsigned int siblings = 0;
	int go[2];
	char byte;
	pid_t pid;

	ASSERT_EQ(0, pipe(go));
	pid = fork();
	if (!pid) {
		long sibling;

		if (read(go[0], &byte, 1) != 1)
			_exit(1);
		sibling = syscall(SYS_clone, CLONE_PARENT | SIGCHLD, 0, 0, 0, 0);
		_exit(sibling < 0);
	}
	ASSERT_LT(0, pid);
	ASSERT_EQ(0, pmd_write(self->fd, CPU_TIME_NS, 0));
	ASSERT_EQ(0, context_load(self->fd, pid));
	ASSERT_EQ(0, context_start(self->fd, 0));
	ASSERT_EQ(1, write(go[1], "", 1));
	EXPECT_EQ(0, child_reap(pid));
	EXPECT_EQ(0, child_reap(-1));
	close(go[0]);
	close(go[1]);
	ASSERT_EQ(0, records_collect(self->fd, &self->recs, 4096));
	ASSERT_EQ(2, self->recs.n);
	while ((rec = record_next(&self->recs, rec))) {
		siblings += rec->pid != (uint32_t)pid;
		EXPECT_EQ(getpid(), rec->ppid);
	}
	EXPECT_EQ(1, siblings);
}

/* Before START_ON_EXEC takes effect nothing is counted and nothing recorded. */
TEST_F(follow, nothing_before_start_on_exec)
{
	const uint64_t begin = time_ns(CLOCK_MONOTONIC);
	const pid_t parent = getpid();
	struct pfm_record *rec;
	struct child child;
	int pipefd[2];
	char c;

	ASSERT_EQ(0, pipe2(pipefd, O_CLOEXEC));
	child.pid = fork();
	if (!child.pid) {
		const uint64_t end = time_ns(CLOCK_MONOTONIC) + 500000000;

		die_with_parent(parent);
		if (read(pipefd[0], &c, 1) != 1)
			_exit(1);
		while (time_ns(CLOCK_MONOTONIC) < end)
			;
		execl(program("loop"), "loop", "1", NULL);
		_exit(1);
	}
	ASSERT_EQ(0, context_load(self->fd, child.pid));
	ASSERT_EQ(0, context_start(self->fd, PFM_START_ON_EXEC));
	ASSERT_EQ(1, write(pipefd[1], "", 1));
	ASSERT_EQ(0, measure_end(self->fd, &child));
	ASSERT_EQ(0, records_collect(self->fd, &self->recs, 4096));
	ASSERT_EQ(1, self->recs.n);
	rec = record_next(&self->recs, NULL);
	EXPECT_LE(begin + 500000000, rec->start);
	/* However long the program takes on a busy machine. */
	EXPECT_GE(rec->end - rec->start, pmd_value(self->fd, CPU_TIME_NS));
	EXPECT_SUMS(self->fd, &self->recs);
}

/* Who is followed. */

TEST_F(follow, vfork_and_exec)
{
	struct pfm_record *rec;
	struct child child;
	unsigned int parents = 0;

	ASSERT_EQ(0, measure_begin(self->fd, &child,
				   ARGV(program("vforkexec"), "7",
					program("loop"), "1000")));
	ASSERT_EQ(0, measure_end(self->fd, &child));
	ASSERT_EQ(0, records_collect(self->fd, &self->recs, 4096));
	EXPECT_EQ(15, self->recs.n);
	EXPECT_EQ(7, records_of(&self->recs, "/loop"));
	EXPECT_EQ(7, records_with(&self->recs, PFM_RECORD_EXEC));
	for_each_record(rec, &self->recs) {
		if (rec->pid == (uint32_t)child.pid)
			parents++;
		else
			EXPECT_EQ(child.pid, rec->ppid);
	}
	EXPECT_EQ(1, parents);
	EXPECT_SUMS(self->fd, &self->recs);
}

TEST_F(follow, shell_pipeline)
{
	char command[2048];

	snprintf(command, sizeof(command), "%s 1000 | %s 1000 | %s 1000; exit 9",
		 program("loop"), program("loop"), program("loop"));
	ASSERT_EQ(0, measure(self->fd, ARGV("/bin/sh", "-c", command)));
	ASSERT_EQ(0, records_collect(self->fd, &self->recs, 4096));
	EXPECT_EQ(3, records_of(&self->recs, "/loop"));
	EXPECT_SUMS(self->fd, &self->recs);
}

TEST_F(follow, orphan)
{
	struct pfm_record *parent, *rec;
	struct child child;
	union pfm_msg msg;
	uint64_t ended;

	ASSERT_EQ(0, measure_begin(self->fd, &child, ARGV(program("orphan"),
							  "1000")));
	EXPECT_EQ(3 << 8, child_reap(child.pid));
	/* END waits for the last one, and is about the first. */
	ASSERT_EQ(sizeof(msg), message_read(self->fd, &msg));
	ended = time_ns(CLOCK_MONOTONIC);
	EXPECT_EQ(PFM_MSG_END, msg.type);
	EXPECT_EQ(child.pid, msg.end.tid);
	EXPECT_EQ(3 << 8, msg.end.status);
	ASSERT_EQ(0, records_collect(self->fd, &self->recs, 4096));
	ASSERT_EQ(2, self->recs.n);
	parent = record_next(&self->recs, NULL);
	rec = record_next(&self->recs, parent);
	/* A busy machine may let the parent end after its child has slept. */
	if (parent->pid != (uint32_t)child.pid) {
		rec = parent;
		parent = record_next(&self->recs, rec);
	}
	EXPECT_EQ(child.pid, parent->pid);
	EXPECT_EQ(3 << 8, parent->status);
	EXPECT_NE(child.pid, rec->pid);
	EXPECT_EQ(child.pid, rec->ppid);
	EXPECT_EQ(4 << 8, rec->status);
	EXPECT_STREQ(program("orphan"), record_path(rec));
	EXPECT_LE(rec->start + 100000000, rec->end);
	EXPECT_LT(parent->end, ended);
	EXPECT_LT(rec->end, ended);
	EXPECT_SUMS(self->fd, &self->recs);
}

TEST_F(follow, threads)
{
	struct pfm_record *rec;
	struct child child;
	unsigned int leaders = 0;

	ASSERT_EQ(0, measure_begin(self->fd, &child, ARGV(program("threads"),
							  "10", "100000")));
	ASSERT_EQ(0, measure_end(self->fd, &child));
	ASSERT_EQ(0, records_collect(self->fd, &self->recs, 4096));
	ASSERT_EQ(11, self->recs.n);
	for_each_record(rec, &self->recs) {
		EXPECT_EQ(child.pid, rec->pid);
		EXPECT_EQ(getpid(), rec->ppid);
		leaders += rec->tid == rec->pid;
	}
	EXPECT_EQ(1, leaders);
	EXPECT_SUMS(self->fd, &self->recs);
}

static void *thread_nothing(void *arg)
{
	return NULL;
}

TEST_F(follow, pthreads)
{
	pthread_t threads[16];
	int round, i;

	ASSERT_EQ(0, context_load(self->fd, 0));
	ASSERT_EQ(0, context_start(self->fd, 0));
	for (round = 0; round < 10; round++) {
		for (i = 0; i < 16; i++)
			ASSERT_EQ(0, pthread_create(&threads[i], NULL,
						    thread_nothing, NULL));
		for (i = 0; i < 16; i++)
			ASSERT_EQ(0, pthread_join(threads[i], NULL));
	}
	ASSERT_EQ(0, context_unload(self->fd));
	ASSERT_EQ(0, records_collect(self->fd, &self->recs, 4096));
	EXPECT_EQ(161, self->recs.n);
	EXPECT_SUMS(self->fd, &self->recs);
}

static void *thread_exec(void *arg)
{
	execl(program("loop"), "loop", "1000", NULL);
	_exit(1);
}

static int exec_from_thread(pid_t parent, int go)
{
	pthread_t thread;
	char c;

	die_with_parent(parent);
	if (read(go, &c, 1) != 1 ||
	    pthread_create(&thread, NULL, thread_exec, NULL))
		return 1;
	for (;;)
		pause();
}

/* The thread takes the place of the leader, which dies. */
TEST_F(follow, exec_by_another_thread)
{
	const pid_t parent = getpid();
	struct child child;
	int pipefd[2];

	ASSERT_EQ(0, pipe2(pipefd, O_CLOEXEC));
	child.pid = fork();
	if (!child.pid)
		_exit(exec_from_thread(parent, pipefd[0]));
	ASSERT_EQ(0, context_load(self->fd, child.pid));
	ASSERT_EQ(0, context_start(self->fd, 0));
	ASSERT_EQ(1, write(pipefd[1], "", 1));
	ASSERT_EQ(0, measure_end(self->fd, &child));
	ASSERT_EQ(0, records_collect(self->fd, &self->recs, 4096));
	EXPECT_EQ(3, records_tasks(&self->recs));
	EXPECT_EQ(1, records_of(&self->recs, "/loop"));
	EXPECT_SUMS(self->fd, &self->recs);
	EXPECT_EQ(0, sysfs_number("task_sessions_count"));
}

/* What a context does not follow, as it tells. */
#define EXPECT_UNFOLLOWED(fd, threads, processes)			\
	do {								\
		struct pfm_config __cfg;				\
									\
		ASSERT_EQ(0, config_get(fd, &__cfg));			\
		EXPECT_EQ(threads, __cfg.unfollowed_threads);		\
		EXPECT_EQ(processes, __cfg.unfollowed_processes);	\
		EXPECT_EQ(0, __cfg.follow_failed);			\
	} while (0)

/* Flags: only what was asked for. */

FIXTURE(flags) {
	int fd;
	struct records recs;
};

FIXTURE_VARIANT(flags) {
	uint32_t flags;
	/* records: fork then exec; vfork then exec; threads; exec */
	unsigned int fork, vfork, threads, exec;
};

/* clang-format off */
#define FLAGS(name, flags_, fork_, vfork_, threads_, exec_)		\
	FIXTURE_VARIANT_ADD(flags, name) {				\
		.flags = flags_,					\
		.fork = fork_,						\
		.vfork = vfork_,					\
		.threads = threads_,					\
		.exec = exec_,						\
	}

/*
 * The loaded thread has a record of its own at its end, and one at each exec:
 * it is never left there.
 */
FLAGS(fork, PFM_CTX_FOLLOW_FORK, 1 + 2, 1, 1, 2);
FLAGS(vfork, PFM_CTX_FOLLOW_VFORK, 1, 1 + 2, 1, 2);
FLAGS(clone, PFM_CTX_FOLLOW_CLONE, 1, 1, 1 + 3, 2);
FLAGS(exec, PFM_CTX_FOLLOW_EXEC, 1, 1, 1, 2);
FLAGS(fork_exec, PFM_CTX_FOLLOW_FORK | PFM_CTX_FOLLOW_EXEC,
      1 + 4, 1, 1, 2);
FLAGS(vfork_exec, PFM_CTX_FOLLOW_VFORK | PFM_CTX_FOLLOW_EXEC,
      1, 1 + 4, 1, 2);
FLAGS(all, PFM_CTX_FOLLOW_ALL, 1 + 4, 1 + 4, 1 + 3, 2);
/* clang-format on */

FIXTURE_SETUP(flags)
{
	self->fd = follow_open(variant->flags);
	ASSERT_LE(0, self->fd);
}

FIXTURE_TEARDOWN(flags)
{
	close(self->fd);
	free(self->recs.buf);
}

/* Two children that execute loop. */
static int fork_and_exec(pid_t parent, int go)
{
	char c;
	int i;

	die_with_parent(parent);
	if (read(go, &c, 1) != 1)
		return 1;
	for (i = 0; i < 2; i++) {
		const pid_t pid = fork();

		if (!pid) {
			execl(program("loop"), "loop", "1000", NULL);
			_exit(1);
		}
		if (child_reap(pid))
			return 1;
	}
	return 0;
}

TEST_F(flags, forks)
{
	const pid_t parent = getpid();
	struct child child;
	int pipefd[2];

	ASSERT_EQ(0, pipe2(pipefd, O_CLOEXEC));
	child.pid = fork();
	if (!child.pid)
		_exit(fork_and_exec(parent, pipefd[0]));
	ASSERT_EQ(0, context_load(self->fd, child.pid));
	ASSERT_EQ(0, context_start(self->fd, 0));
	ASSERT_EQ(1, write(pipefd[1], "", 1));
	ASSERT_EQ(0, measure_end(self->fd, &child));
	ASSERT_EQ(0, records_collect(self->fd, &self->recs, 4096));
	EXPECT_EQ(variant->fork, self->recs.n);
	EXPECT_EQ(variant->fork == 5 ? 2 : 0,
		  records_of(&self->recs, "/loop"));
	EXPECT_UNFOLLOWED(self->fd, 0, variant->fork == 1 ? 2 : 0);
	EXPECT_SUMS(self->fd, &self->recs);
}

TEST_F(flags, vforks)
{
	ASSERT_EQ(0, measure(self->fd, ARGV(program("vforkexec"), "2",
					    program("loop"), "1000")));
	ASSERT_EQ(0, records_collect(self->fd, &self->recs, 4096));
	EXPECT_EQ(variant->vfork, self->recs.n);
	EXPECT_EQ(variant->vfork == 5 ? 2 : 0,
		  records_of(&self->recs, "/loop"));
	EXPECT_UNFOLLOWED(self->fd, 0, variant->vfork == 1 ? 2 : 0);
	EXPECT_SUMS(self->fd, &self->recs);
}

TEST_F(flags, starts_threads)
{
	ASSERT_EQ(0, measure(self->fd, ARGV(program("threads"), "3", "1000")));
	ASSERT_EQ(0, records_collect(self->fd, &self->recs, 4096));
	EXPECT_EQ(variant->threads, self->recs.n);
	EXPECT_UNFOLLOWED(self->fd, variant->threads == 1 ? 3 : 0, 0);
	EXPECT_SUMS(self->fd, &self->recs);
}

TEST_F(flags, execs)
{
	ASSERT_EQ(0, measure(self->fd, ARGV(program("execloop"), "1000",
					    program("loop"), "1000")));
	ASSERT_EQ(0, records_collect(self->fd, &self->recs, 4096));
	EXPECT_EQ(variant->exec, self->recs.n);
	EXPECT_EQ(1, records_of(&self->recs, "/loop"));
	EXPECT_SUMS(self->fd, &self->recs);
}

TEST_F(flags, posix_spawn)
{
	char *const argv[] = { "loop", "1000", NULL };
	pid_t pid;

	ASSERT_EQ(0, context_load(self->fd, 0));
	ASSERT_EQ(0, context_start(self->fd, 0));
	ASSERT_EQ(0, posix_spawn(&pid, program("loop"), NULL, NULL, argv,
				 environ));
	EXPECT_EQ(0, child_reap(pid));
	ASSERT_EQ(0, records_collect(self->fd, &self->recs, 4096));
	/* Two of the two children above, and our own, are not there. */
	EXPECT_EQ((variant->vfork - 1) / 2, self->recs.n);
}

/* Without any flag there are no records at all. */
TEST(no_flags_no_records)
{
	const int fd = follow_open(0);
	struct records recs = {};

	ASSERT_LE(0, fd);
	ASSERT_EQ(0, measure(fd, ARGV(program("execloop"), "1000",
				      program("forkloop"), "3", "1000")));
	ASSERT_EQ(0, records_collect(fd, &recs, 4096));
	EXPECT_EQ(0, recs.n);
	EXPECT_LT(0, pmd_value(fd, CPU_TIME_NS));
	EXPECT_UNFOLLOWED(fd, 0, 3);
	close(fd);
}

/* Of what a task that is not monitored creates, nothing is known. */
TEST(unfollowed_children_of_monitored_only)
{
	const int fd = follow_open(0);
	pid_t pid;

	ASSERT_LE(0, fd);
	ASSERT_EQ(0, measure(fd, ARGV(program("vforkexec"), "5",
				      program("forkloop"), "3", "1000")));
	EXPECT_UNFOLLOWED(fd, 0, 5);
	/* The monitored task is gone: what others create is not counted. */
	pid = child_idle();
	child_kill(pid);
	EXPECT_UNFOLLOWED(fd, 0, 5);
	close(fd);
}

/* A thread and a process of the time before an exec that counting begins with. */
TEST(unfollowed_before_start_on_exec)
{
	const int fd = follow_open(0);
	const pid_t parent = getpid();
	struct child child;
	int pipefd[2];
	char c;

	ASSERT_LE(0, fd);
	ASSERT_EQ(0, pipe2(pipefd, O_CLOEXEC));
	child.pid = fork();
	if (!child.pid) {
		pthread_t thread;

		die_with_parent(parent);
		if (read(pipefd[0], &c, 1) != 1 ||
		    pthread_create(&thread, NULL, thread_nothing, NULL) ||
		    pthread_join(thread, NULL))
			_exit(1);
		if (!fork())
			_exit(0);
		execl(program("threads"), "threads", "3", "1000", NULL);
		_exit(1);
	}
	ASSERT_EQ(0, context_load(fd, child.pid));
	ASSERT_EQ(0, context_start(fd, PFM_START_ON_EXEC));
	ASSERT_EQ(1, write(pipefd[1], "", 1));
	ASSERT_EQ(0, measure_end(fd, &child));
	EXPECT_UNFOLLOWED(fd, 3, 1);
	close(fd);
}

/*
 * More records than may wait.
 */

/* The debug kernel takes 30 ms for a task. */
static const char *many_tasks(void)
{
	return access("/sys/kernel/debug/kmemleak", F_OK) ? "5000" : "500";
}

TEST_F_TIMEOUT(follow, many_unread, 300)
{
	const uint64_t tasks = strtoul(many_tasks(), NULL, 0) + 1;
	struct pfm_config cfg;
	struct pfm_record *rec;
	uint64_t merged = 0;
	struct child child;

	ASSERT_EQ(0, limit_records(self->fd, 16));
	ASSERT_EQ(0, measure_begin(self->fd, &child,
				   ARGV(program("forkloop"), many_tasks(),
					"100")));
	ASSERT_EQ(0, measure_end(self->fd, &child));
	ASSERT_EQ(0, config_get(self->fd, &cfg));
	EXPECT_EQ(0, cfg.follow_failed);
	EXPECT_EQ(tasks - 16, cfg.merged);
	EXPECT_EQ(17, cfg.records);
	ASSERT_EQ(0, records_collect(self->fd, &self->recs, 4096));
	EXPECT_EQ(17, self->recs.n);
	EXPECT_EQ(tasks, records_tasks(&self->recs));
	for_each_record(rec, &self->recs) {
		if (rec->reason != PFM_RECORD_MERGED)
			continue;
		merged += rec->tasks;
		EXPECT_EQ(0, rec->pid);
		EXPECT_EQ(0, rec->tid);
		EXPECT_EQ(0, rec->ppid);
		EXPECT_EQ(0, rec->status);
		EXPECT_STREQ(program("forkloop"), record_path(rec));
		EXPECT_STREQ("forkloop", rec->comm);
		EXPECT_LT(rec->start, rec->end);
	}
	EXPECT_EQ(tasks - 16, merged);
	EXPECT_SUMS(self->fd, &self->recs);
	ASSERT_EQ(0, config_get(self->fd, &cfg));
	EXPECT_EQ(0, cfg.records);
}

TEST_F_TIMEOUT(follow, many_slow_reader, 300)
{
	const uint64_t tasks = strtoul(many_tasks(), NULL, 0) + 1;
	struct pollfd pfd = { .fd = self->fd, .events = POLLPRI };
	struct pfm_config cfg;
	struct pfm_record *rec;
	uint64_t merged = 0;
	struct child child;

	ASSERT_EQ(0, limit_records(self->fd, 8));
	ASSERT_EQ(0, measure_begin(self->fd, &child,
				   ARGV(program("forkloop"), many_tasks(),
					"100")));
	do {
		ASSERT_EQ(1, poll(&pfd, 1, 30000));
		/* Too slow for what comes. */
		usleep(250000000 / tasks);
		ASSERT_EQ(0, records_collect(self->fd, &self->recs, 512));
	} while (!(pfd.revents & POLLHUP));
	ASSERT_EQ(0, measure_end(self->fd, &child));
	ASSERT_EQ(0, records_collect(self->fd, &self->recs, 4096));
	ASSERT_EQ(0, config_get(self->fd, &cfg));
	EXPECT_EQ(0, cfg.records);
	EXPECT_EQ(0, cfg.follow_failed);
	EXPECT_LT(0, cfg.merged);
	EXPECT_EQ(tasks, records_tasks(&self->recs));
	for_each_record(rec, &self->recs) {
		if (rec->reason == PFM_RECORD_MERGED)
			merged += rec->tasks;
	}
	/* A task that was first in the merged list keeps its own reason. */
	EXPECT_GE(cfg.merged, merged);
	EXPECT_SUMS(self->fd, &self->recs);
}

/* A thousand commands: kept apart up to a bound, exact beyond. */
TEST_F_TIMEOUT(follow, merged_by_command, 120)
{
	char dir[] = "/tmp/follow_test.XXXXXX", path[64];
	unsigned int tasks = 0;
	struct pfm_config cfg;
	pid_t pid;
	int i;

	ASSERT_NE(NULL, mkdtemp(dir));
	ASSERT_EQ(0, limit_records(self->fd, 1));
	ASSERT_EQ(0, context_load(self->fd, 0));
	ASSERT_EQ(0, context_start(self->fd, 0));
	for (i = 0; i < 300; i++) {
		char *const argv[] = { path, "10", NULL };

		snprintf(path, sizeof(path), "%s/%d", dir, i);
		ASSERT_EQ(0, symlink(program("loop"), path));
		ASSERT_EQ(0, posix_spawn(&pid, path, NULL, NULL, argv,
					 environ));
		ASSERT_EQ(0, child_reap(pid));
		unlink(path);
	}
	rmdir(dir);
	ASSERT_EQ(0, context_unload(self->fd));
	ASSERT_EQ(0, config_get(self->fd, &cfg));
	/* Bounded, whatever there is. */
	EXPECT_GE(1 + 256 + 1, cfg.records);
	EXPECT_LT(200, cfg.records);
	ASSERT_EQ(0, records_collect(self->fd, &self->recs, 4096));
	tasks = records_tasks(&self->recs);
	/* Each child before and after its exec, and this process. */
	EXPECT_EQ(601, tasks);
	EXPECT_SUMS(self->fd, &self->recs);
}

TEST_F(follow, poll_tells_of_records)
{
	struct pollfd pfd = { .fd = self->fd, .events = POLLPRI };
	pid_t pid;
	int i;

	ASSERT_EQ(0, limit_records(self->fd, 8));
	ASSERT_EQ(0, context_load(self->fd, 0));
	EXPECT_EQ(0, poll(&pfd, 1, 0));
	for (i = 0; i < 8; i++) {
		pid = fork();
		if (!pid)
			_exit(0);
		child_reap(pid);
	}
	EXPECT_EQ(1, poll(&pfd, 1, 1000));
	EXPECT_EQ(POLLPRI, pfd.revents);
	ASSERT_EQ(0, records_collect(self->fd, &self->recs, 4096));
	EXPECT_EQ(8, self->recs.n);
	EXPECT_EQ(0, poll(&pfd, 1, 0));
}

/*
 * Leaving while they run.
 */

TEST_F(follow, close_while_children_run)
{
	struct child child;

	ASSERT_EQ(0, measure_begin(self->fd, &child,
				   ARGV(program("forkloop"), "500", "20000")));
	while (pmd_value(self->fd, CPU_TIME_NS) < 1000000)
		usleep(1000);
	EXPECT_EQ(1, sysfs_number("task_sessions_count"));
	ASSERT_EQ(0, close(self->fd));
	EXPECT_EQ(0, sysfs_number("task_sessions_count"));
	/* They do not notice. */
	EXPECT_EQ(0, child_reap(child.pid));
}

TEST_F(follow, unload_while_children_run)
{
	const int n = 5;
	struct pfm_record *rec;
	struct pfm_config cfg;
	struct child child;
	char command[1024];

	snprintf(command, sizeof(command),
		 "for i in 1 2 3 4 5; do %s & done; wait", program("spin"));
	ASSERT_EQ(0, measure_begin(self->fd, &child,
				   ARGV("/bin/sh", "-c", command)));
	do {
		usleep(10000);
		ASSERT_EQ(0, records_collect(self->fd, &self->recs, 4096));
		/* All have executed spin. */
	} while (records_with(&self->recs, PFM_RECORD_EXEC) < (unsigned int)n);
	ASSERT_EQ(0, config_get(self->fd, &cfg));
	EXPECT_EQ(n + 1, cfg.tasks);
	ASSERT_EQ(0, context_unload(self->fd));
	ASSERT_EQ(0, config_get(self->fd, &cfg));
	EXPECT_EQ(0, cfg.tasks);
	EXPECT_EQ(PFM_STATE_UNLOADED, cfg.state);
	ASSERT_EQ(0, records_collect(self->fd, &self->recs, 4096));
	EXPECT_EQ(n + 1, records_with(&self->recs, PFM_RECORD_UNLOAD));
	EXPECT_SUMS(self->fd, &self->recs);
	/* No message: nothing ended. */
	ASSERT_EQ(0, fcntl(self->fd, F_SETFL, O_NONBLOCK));
	EXPECT_EQ(-EAGAIN, message_read(self->fd, &(union pfm_msg){}));
	for_each_record(rec, &self->recs) {
		if (rec->reason == PFM_RECORD_UNLOAD) {
			/* They went on. */
			EXPECT_EQ(0, kill(rec->pid, 0));
			kill(rec->pid, SIGKILL);
		}
	}
	child_reap(child.pid);
}

TEST_F_TIMEOUT(follow, stop_while_children_run, 120)
{
	uint64_t stopped;
	struct child child;
	unsigned int n;

	ASSERT_EQ(0, limit_records(self->fd, 3000));
	ASSERT_EQ(0, measure_begin(self->fd, &child,
				   ARGV(program("forkloop"), "2000", "20000")));
	while (pmd_value(self->fd, CPU_TIME_NS) < 1000000)
		usleep(1000);
	ASSERT_EQ(0, context_stop(self->fd));
	stopped = pmd_value(self->fd, CPU_TIME_NS);
	ASSERT_EQ(0, records_collect(self->fd, &self->recs, 4096));
	n = self->recs.n;
	/* They are followed nevertheless. */
	do {
		usleep(50000);
		ASSERT_EQ(0, records_collect(self->fd, &self->recs, 4096));
	} while (self->recs.n == n);
	EXPECT_EQ(stopped, pmd_value(self->fd, CPU_TIME_NS));
	ASSERT_EQ(0, context_start(self->fd, 0));
	ASSERT_EQ(0, measure_end(self->fd, &child));
	EXPECT_LT(stopped, pmd_value(self->fd, CPU_TIME_NS));
	ASSERT_EQ(0, records_collect(self->fd, &self->recs, 4096));
	EXPECT_EQ(2001, self->recs.n);
	EXPECT_SUMS(self->fd, &self->recs);
}

/* The sum over tasks that come and go never steps back. */
TEST_F_TIMEOUT(follow, sum_is_monotonic, 120)
{
	struct pfm_config cfg;
	struct child child;
	uint64_t last = 0, now;
	int reads = 0;

	ASSERT_EQ(0, limit_records(self->fd, 4));
	ASSERT_EQ(0, measure_begin(self->fd, &child,
				   ARGV(program("vforkexec"), "300",
					program("forkloop"), "3", "3000")));
	do {
		now = pmd_value(self->fd, CPU_TIME_NS);
		ASSERT_LE(last, now);
		last = now;
		reads++;
		ASSERT_EQ(0, config_get(self->fd, &cfg));
	} while (cfg.tasks);
	EXPECT_LT(100, reads);
	ASSERT_EQ(0, measure_end(self->fd, &child));
	ASSERT_EQ(0, records_collect(self->fd, &self->recs, 4096));
	EXPECT_EQ(1 + 300 * 5, records_tasks(&self->recs));
	EXPECT_SUMS(self->fd, &self->recs);
}

/* What one has too much another has too little: in the sum that is not seen. */
TEST_F_TIMEOUT(follow, time_is_each_tasks_own, 120)
{
	struct pfm_record *rec;

	ASSERT_EQ(0, measure(self->fd, ARGV(program("threads"), "20",
					    "2000000")));
	ASSERT_EQ(0, records_collect(self->fd, &self->recs, 4096));
	EXPECT_EQ(21, self->recs.n);
	for_each_record(rec, &self->recs)
		EXPECT_GE(rec->end - rec->start,
			  record_value(rec, CPU_TIME_NS));
	EXPECT_SUMS(self->fd, &self->recs);
}

/*
 * A program that runs with the rights of another user is not its caller's.
 */

static int setuid_program(char *path)
{
	char command[1200];

	snprintf(command, sizeof(command), "cp %s %s && chmod 4755 %s",
		 program("loop"), path, path);
	return system(command);
}

TEST(setuid_exec_ends_following)
{
	char path[] = "/tmp/follow_test.setuid";
	struct records recs = {};
	struct child child;
	int device, fd;

	ASSERT_EQ(0, setuid_program(path));
	device = device_open();
	ASSERT_LE(0, device);
	ASSERT_EQ(0, setgroups(0, NULL));
	ASSERT_EQ(0, setresgid(NOBODY, NOBODY, NOBODY));
	ASSERT_EQ(0, setresuid(NOBODY, NOBODY, NOBODY));
	ASSERT_EQ(0, prctl(PR_SET_DUMPABLE, 1));
	fd = context_create(device, PFM_CTX_FOLLOW_ALL);
	ASSERT_LE(0, fd);
	ASSERT_EQ(0, pmd_write(fd, CPU_TIME_NS, 0));
	child_exec(&child, ARGV(program("execloop"), "1000", path, "1000000"));
	ASSERT_EQ(0, context_load(fd, child.pid));
	ASSERT_EQ(0, context_start(fd, 0));
	child_go(&child);
	ASSERT_EQ(0, measure_end(fd, &child));
	ASSERT_EQ(0, records_collect(fd, &recs, 4096));
	EXPECT_EQ(2, recs.n);
	EXPECT_EQ(2, records_with(&recs, PFM_RECORD_EXEC));
	EXPECT_EQ(0, records_of(&recs, path));
	/* And from that moment on, also if it is the loaded thread. */
	EXPECT_EQ(-ENOTCONN, context_stop(fd));
	close(fd);
}

TEST(setuid_exec_is_followed_by_root)
{
	char path[] = "/tmp/follow_test.setuid";
	const int fd = follow_open(PFM_CTX_FOLLOW_ALL);
	struct records recs = {};

	ASSERT_EQ(0, setuid_program(path));
	ASSERT_LE(0, fd);
	ASSERT_EQ(0, measure(fd, ARGV(program("execloop"), "1000", path,
				      "1000")));
	ASSERT_EQ(0, records_collect(fd, &recs, 4096));
	EXPECT_EQ(2, recs.n);
	EXPECT_EQ(1, records_of(&recs, path));
	EXPECT_SUMS(fd, &recs);
	unlink(path);
	close(fd);
}

/*
 * Storms: everything at once, for a while.  What must hold is that nothing is
 * left afterwards, that sums agree, and that the kernel does not complain.
 */

#define STORM_SECONDS	3
#define STORM_ROUNDS	20

static struct child storm_begin(void)
{
	struct child child;

	child_exec(&child, ARGV(program("vforkexec"), "1000000",
				program("forkloop"), "2", "500"));
	child_go(&child);
	return child;
}

static bool storm_over(uint64_t begin)
{
	return time_ns(CLOCK_MONOTONIC) - begin > STORM_SECONDS * 1000000000ULL;
}

/* What a thread of the storm has seen go wrong. */
struct storm {
	pid_t pid;
	uint64_t begin;
	int rounds;
	int *all;
	int wrong;
	bool closes;
};

/* A slow machine takes its time for the rounds that there must be. */
static bool storm_enough(const struct storm *storm)
{
	return storm_over(storm->begin) &&
	       __atomic_load_n(storm->all, __ATOMIC_RELAXED) > STORM_ROUNDS;
}

/* Load, start, look, stop, unload or close, while the target forks. */
static void *storm_attach(void *arg)
{
	struct storm *storm = arg;
	unsigned int seed = storm->pid;
	int fd = -1;

	while (!storm_enough(storm)) {
		struct records recs = {};
		int i, ret;

		if (fd < 0)
			fd = follow_open(PFM_CTX_FOLLOW_ALL);
		pmd_write(fd, CPU_TIME_NS, 0);
		pmd_write(fd, MINOR_FAULTS, 0);
		ret = context_load(fd, storm->pid);
		/* Others are at it, too. */
		if (ret == -EEXIST || ret == -ESRCH) {
			sched_yield();
			continue;
		}
		storm->wrong += ret != 0;
		limit_records(fd, 1 + rand_r(&seed) % 64);
		storm->wrong += context_start(fd, 0) != 0;
		for (i = rand_r(&seed) % 5; i; i--) {
			usleep(rand_r(&seed) % 2000);
			if (rand_r(&seed) % 2) {
				storm->wrong += context_stop(fd) != 0;
				storm->wrong += context_start(fd, 0) != 0;
			}
			pmd_value(fd, CPU_TIME_NS);
			records_collect(fd, &recs, 4096);
		}
		__atomic_add_fetch(storm->all, 1, __ATOMIC_RELAXED);
		if (storm->closes && rand_r(&seed) % 2) {
			close(fd);
			fd = -1;
		} else {
			storm->wrong += context_unload(fd) != 0;
			records_collect(fd, &recs, 4096);
			storm->wrong += records_sum(&recs, CPU_TIME_NS) !=
					pmd_value(fd, CPU_TIME_NS);
		}
		free(recs.buf);
	}
	if (fd >= 0)
		close(fd);
	return NULL;
}

static void storm_run(struct __test_metadata *_metadata, int targets,
		      bool closes)
{
	struct child children[4];
	struct storm storms[8];
	pthread_t threads[8];
	int i, rounds = 0;

	for (i = 0; i < targets; i++)
		children[i] = storm_begin();
	for (i = 0; i < 8; i++) {
		storms[i] = (struct storm){
			.pid = children[i % targets].pid,
			.begin = time_ns(CLOCK_MONOTONIC),
			.all = &rounds,
			.closes = closes,
		};
		ASSERT_EQ(0, pthread_create(&threads[i], NULL, storm_attach,
					    &storms[i]));
	}
	for (i = 0; i < 8; i++) {
		ASSERT_EQ(0, pthread_join(threads[i], NULL));
		EXPECT_EQ(0, storms[i].wrong);
	}
	TH_LOG("%d rounds", rounds);
	for (i = 0; i < targets; i++)
		child_kill(children[i].pid);
	EXPECT_EQ(0, sysfs_number("task_sessions_count"));
}

TEST_F_TIMEOUT(follow, storm_unload, 120)
{
	storm_run(_metadata, 4, false);
}

TEST_F_TIMEOUT(follow, storm_close, 120)
{
	storm_run(_metadata, 2, true);
}

/* All calls at once on one context whose tasks come and go. */

static void *storm_calls(void *arg)
{
	struct storm *storm = arg;
	const int fd = storm->wrong;
	unsigned int seed = storm->rounds;
	char buf[4096] __attribute__((aligned(8)));
	struct pfm_read_records records;
	struct pfm_config cfg;

	while (!storm_over(storm->begin)) {
		switch (rand_r(&seed) % 10) {
		case 0:
			context_load(fd, storm->pid);
			break;
		case 1:
			context_unload(fd);
			break;
		case 2:
			context_stop(fd);
			break;
		case 3 ... 4:
			context_start(fd, rand_r(&seed) % 2);
			break;
		case 5:
			pmd_write(fd, CPU_TIME_NS, 0);
			break;
		case 6:
			records_read(fd, buf, sizeof(buf), &records);
			break;
		case 7:
			config_get(fd, &cfg);
			cfg.records_max = 1 + rand_r(&seed) % 100;
			cfg.flags = rand_r(&seed) & PFM_CTX_FOLLOW_ALL;
			config_set(fd, &cfg);
			break;
		default:
			pmd_value(fd, CPU_TIME_NS);
		}
	}
	return NULL;
}

TEST_F_TIMEOUT(follow, storm_of_calls, 120)
{
	const struct child child = storm_begin();
	struct storm storms[8];
	pthread_t threads[8];
	int i;

	for (i = 0; i < 8; i++) {
		storms[i] = (struct storm){
			.pid = i ? child.pid : 0,
			.begin = time_ns(CLOCK_MONOTONIC),
			.wrong = self->fd,
			.rounds = i + 1,
		};
		ASSERT_EQ(0, pthread_create(&threads[i], NULL, storm_calls,
					    &storms[i]));
	}
	for (i = 0; i < 8; i++)
		ASSERT_EQ(0, pthread_join(threads[i], NULL));
	child_kill(child.pid);
	EXPECT_EQ(0, context_unload(self->fd));
	EXPECT_EQ(0, sysfs_number("task_sessions_count"));
	/* As good as new. */
	EXPECT_EQ(0, pmd_write(self->fd, CPU_TIME_NS, 0));
	EXPECT_EQ(0, context_load(self->fd, 0));
	EXPECT_EQ(0, context_start(self->fd, 0));
}

TEST_HARNESS_MAIN

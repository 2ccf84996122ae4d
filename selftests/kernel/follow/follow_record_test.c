// SPDX-License-Identifier: GPL-2.0-only
/*
 * Records of tasks that are followed: what they say, and what happens when too many
 * wait to be read.
 */
#include "child.h"
#include "context.h"
#include "cpu.h"
#include "records.h"

#include <spawn.h>
#include <sys/syscall.h>

#include "kselftest_harness.h"
#include "follow.h"

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

/* The path of a program that ran before the load is not known. */
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
		sibling =
			syscall(SYS_clone, CLONE_PARENT | SIGCHLD, 0, 0, 0, 0);
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

/* The debug kernel takes 30 ms for a task. */
static const char *many_tasks(void)
{
	return access("/sys/kernel/debug/kmemleak", F_OK) ? "5000" : "500";
}

TEST_F(follow, many_unread)
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
	for_each_record(rec, &self->recs)
	{
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

TEST_F(follow, many_slow_reader)
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
	for_each_record(rec, &self->recs)
	{
		if (rec->reason == PFM_RECORD_MERGED)
			merged += rec->tasks;
	}
	/* A task that was first in the merged list keeps its own reason. */
	EXPECT_GE(cfg.merged, merged);
	EXPECT_SUMS(self->fd, &self->recs);
}

/* A thousand commands: kept apart up to a bound, exact beyond. */
TEST_F(follow, merged_by_command)
{
	char dir[] = "/tmp/follow_record_test.XXXXXX", path[64];
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
		ASSERT_EQ(0,
			  posix_spawn(&pid, path, NULL, NULL, argv, environ));
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

TEST_HARNESS_MAIN

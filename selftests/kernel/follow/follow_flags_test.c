// SPDX-License-Identifier: GPL-2.0-only
/*
 * The flags of following: what was asked for and nothing else, and what a context says that
 * it did not follow.
 */
#include "child.h"
#include "context.h"
#include "records.h"

#include <pthread.h>
#include <spawn.h>

#include "kselftest_harness.h"
#include "follow.h"

extern char **environ;

/* Threads and processes that a context says it did not follow. */
#define EXPECT_UNFOLLOWED(fd, threads, processes)                 \
	do {                                                      \
		struct pfm_config __cfg;                          \
                                                                  \
		ASSERT_EQ(0, config_get(fd, &__cfg));             \
		EXPECT_EQ(threads, __cfg.unfollowed_threads);     \
		EXPECT_EQ(processes, __cfg.unfollowed_processes); \
		EXPECT_EQ(0, __cfg.follow_failed);                \
	} while (0)

FIXTURE(flags)
{
	int fd;
	struct records recs;
};

FIXTURE_VARIANT(flags)
{
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
	EXPECT_EQ(variant->fork == 5 ? 2 : 0, records_of(&self->recs, "/loop"));
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

TEST_HARNESS_MAIN

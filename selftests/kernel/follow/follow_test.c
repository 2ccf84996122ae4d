// SPDX-License-Identifier: GPL-2.0-only
/*
 * Following tasks through fork, vfork, clone and exec.  Time on a CPU is what is counted
 * here: every machine can, and each nanosecond of it must be found in the records again.
 */
#include "child.h"
#include "context.h"
#include "cpu.h"
#include "records.h"
#include "rights.h"
#include "sysfs.h"

#include <pthread.h>

#include "kselftest_harness.h"
#include "follow.h"

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

TEST_F(follow, stop_while_children_run)
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
TEST_F(follow, sum_is_monotonic)
{
	TEST_PROVES(R1);
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

/* Time that is given to the wrong task does not change the sum: look at each task. */
TEST_F(follow, time_is_each_tasks_own)
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

TEST_HARNESS_MAIN

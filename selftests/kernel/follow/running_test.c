// SPDX-License-Identifier: GPL-2.0-only
/*
 * Records of tasks that are monitored still: READ_RECORDS with PFM_RECORDS_RUNNING.
 */
#include "child.h"
#include "context.h"
#include "cpu.h"
#include "records.h"

#include "kselftest_harness.h"
#include "follow.h"

#define ROOM (1 << 20)

/* Add the records of all running tasks.  Returns 0 or -errno. */
static int running_collect(int fd, struct records *recs)
{
	struct pfm_read_records arg = { .size = ROOM,
					.flags = PFM_RECORDS_RUNNING };
	int ret;

	recs->buf = realloc(recs->buf, recs->used + ROOM);
	if (!recs->buf)
		abort();
	arg.buf = (uintptr_t)recs->buf + recs->used;
	ret = call(fd, PFM_IOC_READ_RECORDS, &arg);
	if (ret)
		return ret;
	recs->used += arg.used;
	recs->n += arg.count;
	return 0;
}

/* The record of the same task in the same program; NULL if there is none. */
static struct pfm_record *find(const struct records *recs,
			       const struct pfm_record *like)
{
	struct pfm_record *rec;

	for_each_record(rec, recs)
	{
		if (rec->tid == like->tid && rec->start == like->start)
			return rec;
	}
	return NULL;
}

/* A child that has used the CPU and then tells so and waits. */
static pid_t child_busy(void)
{
	const pid_t parent = getpid();
	int pipefd[2];
	pid_t pid;
	char c;

	if (pipe(pipefd))
		abort();
	pid = fork();
	if (pid < 0)
		abort();
	if (!pid) {
		die_with_parent(parent);
		while (time_ns(CLOCK_PROCESS_CPUTIME_ID) < 1000000)
			;
		if (write(pipefd[1], "", 1) != 1)
			_exit(1);
		for (;;)
			pause();
	}
	if (read(pipefd[0], &c, 1) != 1)
		abort();
	close(pipefd[0]);
	close(pipefd[1]);
	return pid;
}

/* Waits until a process sleeps, so that its counts stay as they are. */
static void until_asleep(pid_t pid)
{
	char name[64], line[256], state;
	FILE *file;

	snprintf(name, sizeof(name), "/proc/%d/stat", pid);
	do {
		file = fopen(name, "r");
		if (!file || !fgets(line, sizeof(line), file))
			abort();
		fclose(file);
		state = *(strrchr(line, ')') + 2);
	} while (state != 'S');
}

TEST_F(follow, running_none)
{
	ASSERT_EQ(0, running_collect(self->fd, &self->recs));
	EXPECT_EQ(0, self->recs.n);
	ASSERT_EQ(0, measure(self->fd, ARGV(program("loop"), "1000")));
	ASSERT_EQ(0, running_collect(self->fd, &self->recs));
	EXPECT_EQ(0, self->recs.n);
	/* The finished record was not taken. */
	ASSERT_EQ(0, records_collect(self->fd, &self->recs, 4096));
	EXPECT_EQ(1, self->recs.n);
}

TEST(running_without_following)
{
	const int fd = context_open(0);
	struct records recs = {};

	ASSERT_LE(0, fd);
	ASSERT_EQ(0, pmd_write(fd, CPU_TIME_NS, 0));
	ASSERT_EQ(0, context_load(fd, 0));
	EXPECT_EQ(0, running_collect(fd, &recs));
	EXPECT_EQ(0, recs.n);
	free(recs.buf);
	close(fd);
}

/* The children sleep, so what they have counted is final, and is in the sums. */
TEST_F(follow, running_values)
{
	const uint64_t before = time_ns(CLOCK_MONOTONIC);
	struct records finished = {};
	struct pfm_record *rec, *end;
	uint64_t sum = 0;
	pid_t pids[3];
	int i;

	ASSERT_EQ(0, context_load(self->fd, 0));
	ASSERT_EQ(0, context_start(self->fd, 0));
	for (i = 0; i < 3; i++)
		pids[i] = child_busy();
	ASSERT_EQ(0, context_stop(self->fd));
	for (i = 0; i < 3; i++)
		until_asleep(pids[i]);
	ASSERT_EQ(0, running_collect(self->fd, &self->recs));
	ASSERT_EQ(4, self->recs.n);
	EXPECT_SUMS(self->fd, &self->recs);
	for_each_record(rec, &self->recs)
	{
		EXPECT_EQ(PFM_RECORD_RUNNING, rec->reason);
		EXPECT_EQ(rec->pid, rec->tid);
		EXPECT_EQ(1, rec->tasks);
		EXPECT_EQ(0, rec->status);
		EXPECT_EQ(2, rec->nregs);
		EXPECT_LT(before, rec->start);
		EXPECT_LT(rec->start, rec->end);
		EXPECT_GE(time_ns(CLOCK_MONOTONIC), rec->end);
		if ((pid_t)rec->pid == getpid())
			continue;
		EXPECT_EQ(getpid(), rec->ppid);
		EXPECT_LE(500000, record_value(rec, CPU_TIME_NS));
		sum += rec->pid;
	}
	EXPECT_EQ(sum, (uint64_t)pids[0] + pids[1] + pids[2]);
	for (i = 0; i < 3; i++)
		child_kill(pids[i]);
	ASSERT_EQ(0, records_collect(self->fd, &finished, 4096));
	EXPECT_EQ(3, finished.n);
	for_each_record(rec, &self->recs)
	{
		if ((pid_t)rec->pid == getpid())
			continue;
		end = find(&finished, rec);
		ASSERT_NE(NULL, end);
		EXPECT_EQ(rec->pid, end->pid);
		EXPECT_EQ(rec->ppid, end->ppid);
		EXPECT_STREQ(rec->comm, end->comm);
		EXPECT_EQ(record_value(rec, CPU_TIME_NS),
			  record_value(end, CPU_TIME_NS));
	}
	free(finished.buf);
}

/* Of a task that has executed a program, only what that program counted. */
TEST_F(follow, running_after_exec)
{
	struct records finished = {};
	struct pfm_record *rec;
	struct child child;

	ASSERT_EQ(0, measure_begin(self->fd, &child,
				   ARGV(program("execloop"), "1000",
					program("spin"))));
	/* The exec closes the record of the first program. */
	do {
		ASSERT_EQ(0, records_collect(self->fd, &finished, 4096));
		sched_yield();
	} while (!finished.n);
	ASSERT_EQ(0, running_collect(self->fd, &self->recs));
	ASSERT_EQ(1, self->recs.n);
	rec = record_next(&self->recs, NULL);
	EXPECT_EQ(child.pid, rec->pid);
	EXPECT_STREQ("spin", rec->comm);
	EXPECT_STREQ(program("spin"), record_path(rec));
	EXPECT_EQ(NULL, find(&finished, rec));
	child_kill(child.pid);
	ASSERT_EQ(0, records_collect(self->fd, &finished, 4096));
	ASSERT_EQ(2, finished.n);
	ASSERT_NE(NULL, find(&finished, rec));
	EXPECT_LE(record_value(rec, CPU_TIME_NS),
		  record_value(find(&finished, rec), CPU_TIME_NS));
	free(finished.buf);
}

TEST_F(follow, running_bad_buffer)
{
	struct pfm_read_records arg = { .flags = PFM_RECORDS_RUNNING };
	uint64_t buf[512];
	const struct pfm_record *rec = (void *)buf;
	pid_t pid;

	ASSERT_EQ(0, context_load(self->fd, 0));
	pid = child_idle();
	arg.buf = (uintptr_t)buf;
	EXPECT_EQ(-ENOSPC, call(self->fd, PFM_IOC_READ_RECORDS, &arg));
	/* Room for one of two. */
	arg.size = 8 * 1024;
	ASSERT_EQ(-ENOSPC, call(self->fd, PFM_IOC_READ_RECORDS,
				&(struct pfm_read_records){
					.buf = (uintptr_t)buf,
					.size = sizeof(*rec) +
						2 * sizeof(rec->regs[0]) + 8,
					.flags = PFM_RECORDS_RUNNING }));
	arg.size = sizeof(buf);
	EXPECT_EQ(0, call(self->fd, PFM_IOC_READ_RECORDS, &arg));
	EXPECT_EQ(2, arg.count);
	arg.buf += 4;
	EXPECT_EQ(-EINVAL, call(self->fd, PFM_IOC_READ_RECORDS, &arg));
	arg.buf = 0;
	EXPECT_EQ(-EFAULT, call(self->fd, PFM_IOC_READ_RECORDS, &arg));
	arg.buf = (uintptr_t)buf;
	arg.flags = PFM_RECORDS_RUNNING | 2;
	EXPECT_EQ(-EINVAL, call(self->fd, PFM_IOC_READ_RECORDS, &arg));
	arg.flags = PFM_RECORDS_RUNNING;
	EXPECT_EQ(-EINVAL, call(self->fd, PFM_IOC_READ_MAPS, &arg));
	child_kill(pid);
}

/* The records say no more than the sums, with PFM_CTX_AGGREGATE as well. */
TEST(running_aggregate)
{
	const int fd = context_open(PFM_CTX_FOLLOW_ALL | PFM_CTX_AGGREGATE);
	struct records recs = {};

	ASSERT_LE(0, fd);
	ASSERT_EQ(0, pmd_write(fd, CPU_TIME_NS, 0));
	ASSERT_EQ(0, context_load(fd, 0));
	ASSERT_EQ(0, running_collect(fd, &recs));
	ASSERT_EQ(1, recs.n);
	EXPECT_EQ(0, record_next(&recs, NULL)->nregs);
	free(recs.buf);
	close(fd);
}

/*
 * While tasks fork, execute programs and end, each running record has a finished one
 * later, which counts no less: at once, if the task was missing from the next read.
 */
TEST_F(follow, running_storm)
{
	TEST_PROVES(R3);
	struct records finished = {}, running = {};
	unsigned int rounds = 0, late = 0, less = 0, dense = 0;
	struct pfm_record *rec, *end;
	struct child child;
	union pfm_msg msg;
	const int flags = fcntl(self->fd, F_GETFL);

	ASSERT_EQ(0, limit_records(self->fd, PFM_RECORDS_DFL));
	ASSERT_EQ(0, measure_begin(self->fd, &child,
				   ARGV(program("vforkexec"), "200",
					program("forkloop"), "3", "500")));
	ASSERT_EQ(0, fcntl(self->fd, F_SETFL, flags | O_NONBLOCK));
	do {
		struct records before = running;

		memset(&running, 0, sizeof(running));
		ASSERT_EQ(0, running_collect(self->fd, &running));
		ASSERT_EQ(0, records_collect(self->fd, &finished, ROOM));
		for_each_record(rec, &before)
		{
			/* Monitoring begins anew when the command is executed. */
			if (!rec->path_len)
				continue;
			end = find(&finished, rec) ?: find(&running, rec);
			late += !end;
			less += end && record_value(end, CPU_TIME_NS) <
					       record_value(rec, CPU_TIME_NS);
		}
		dense += running.n > 1;
		free(before.buf);
		rounds++;
	} while (message_read(self->fd, &msg) == -EAGAIN);
	child_reap(child.pid);
	ASSERT_EQ(0, records_collect(self->fd, &finished, ROOM));
	EXPECT_EQ(0, late);
	EXPECT_EQ(0, less);
	EXPECT_LT(0, dense);
	EXPECT_LT(10, rounds);
	EXPECT_EQ(0, records_with(&finished, PFM_RECORD_MERGED));
	EXPECT_SUMS(self->fd, &finished);
	free(finished.buf);
	free(running.buf);
}

TEST_HARNESS_MAIN

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Storms: everything at once, for a while.  Nothing must be left afterwards, sums must
 * agree, and the kernel must not complain.
 */
#include "child.h"
#include "context.h"
#include "cpu.h"
#include "records.h"
#include "sysfs.h"

#include <pthread.h>

#include "kselftest_harness.h"
#include "follow.h"

#define STORM_SECONDS 3
#define STORM_ROUNDS  20

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

/* Failures that a thread of the storm has seen. */
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

TEST_F(follow, storm_unload)
{
	TEST_PROVES(U1);
	storm_run(_metadata, 4, false);
}

TEST_F(follow, storm_close)
{
	TEST_PROVES(F1);
	storm_run(_metadata, 2, true);
}

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

TEST_F(follow, storm_of_calls)
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

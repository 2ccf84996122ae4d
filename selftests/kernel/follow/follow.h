/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A context that follows tasks, for each test, and its records.
 */
#ifndef _SELFTESTS_FOLLOW_H
#define _SELFTESTS_FOLLOW_H

#include "context.h"
#include "records.h"

/* A context that follows and counts, not loaded yet. */
static inline int follow_open(uint32_t flags)
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

static inline int limit_records(int fd, uint32_t max)
{
	struct pfm_config cfg;
	int ret = config_get(fd, &cfg);

	cfg.records_max = max;
	return ret ? ret : config_set(fd, &cfg);
}

/* Number of tasks in the records of a program, by the end of its path. */
static inline unsigned int records_of(const struct records *recs,
				      const char *name)
{
	struct pfm_record *rec;
	unsigned int n = 0;

	for_each_record(rec, recs)
	{
		const char *path = record_path(rec);
		const size_t len = strlen(path), want = strlen(name);

		if (len >= want && !strcmp(path + len - want, name))
			n += rec->tasks;
	}
	return n;
}

static inline unsigned int records_with(const struct records *recs, int reason)
{
	struct pfm_record *rec;
	unsigned int n = 0;

	for_each_record(rec, recs) n += rec->reason == reason;
	return n;
}

#define EXPECT_SUMS(fd, recs)                               \
	do {                                                \
		EXPECT_EQ(pmd_value(fd, CPU_TIME_NS),       \
			  records_sum(recs, CPU_TIME_NS));  \
		EXPECT_EQ(pmd_value(fd, MINOR_FAULTS),      \
			  records_sum(recs, MINOR_FAULTS)); \
	} while (0)

FIXTURE(follow)
{
	int fd;
	struct records recs;
};

FIXTURE_SETUP(follow)
{
	self->fd = follow_open(PFM_CTX_FOLLOW_ALL);
	ASSERT_LE(0, self->fd)
	{
		TH_LOG("no context: %s", strerror(-self->fd));
	}
}

FIXTURE_TEARDOWN(follow)
{
	close(self->fd);
	free(self->recs.buf);
}

/* A thread that ends at once. */
static inline void *thread_nothing(void *arg)
{
	return NULL;
}

#endif /* _SELFTESTS_FOLLOW_H */

// SPDX-License-Identifier: GPL-2.0-only
/*
 * The format trace: each overflow is a trace event, perfmon:sample.
 */
#include "context.h"
#include "cpu.h"
#include "sampling.h"

#include "kselftest_harness.h"

#define TRACING	 "/sys/kernel/tracing"
#define EVENT	 TRACING "/events/perfmon/sample"
#define PERIOD	 1000000
#define PATIENCE 20000000000 /* ns that nothing needs */

static const uint8_t uuid[PFM_UUID_LEN] = {
	0x7f, 0x87, 0x75, 0x6c, 0xc0, 0x76, 0x43, 0x09,
	0xa2, 0x2e, 0x47, 0xd4, 0x9f, 0x79, 0x36, 0x3b,
};

static int write_text(const char *path, const char *text)
{
	const int fd = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC);
	int ret;

	if (fd < 0)
		return -errno;
	ret = write(fd, text, strlen(text)) < 0 ? -errno : 0;
	close(fd);
	return ret;
}

FIXTURE(trace)
{
	int fd;
};

/* The event is there as soon as a context has had the module loaded. */
FIXTURE_SETUP(trace)
{
	self->fd = format_open(0, uuid, NULL, 0);
	ASSERT_LE(0, self->fd)
	{
		TH_LOG("no context: %s", strerror(-self->fd));
	}
}

FIXTURE_TEARDOWN(trace)
{
	write_text(EVENT "/enable", "0");
	close(self->fd);
}

#define NEED_TRACING()                                              \
	do {                                                        \
		if (access(TRACING "/trace", W_OK))                 \
			SKIP(return, "tracefs is not in " TRACING); \
	} while (0)

/*
 * The events of this thread; bad are those that do not say what they should.  An
 * overflow that is found late, at a switch, has no address.
 */
static uint64_t events(uint64_t *bad)
{
	char *line = NULL, want[128];
	uint64_t count = 0;
	size_t size = 0;
	FILE *file;

	file = fopen(TRACING "/trace", "re");
	if (!file)
		abort();
	snprintf(want, sizeof(want), " sample: pid=%d tid=%d cpu=", getpid(),
		 gettid());
	*bad = 0;
	while (getline(&line, &size, file) >= 0) {
		unsigned long long ip, period, time, other;
		unsigned int cpu, pmd, set;
		const char *p = strstr(line, want);

		if (!p)
			continue;
		count++;
		if (sscanf(p + strlen(want),
			   "%u pmd=%u set=%u ip=%llx period=%llu vals={%llx,%llx}",
			   &cpu, &pmd, &set, &ip, &period, &time,
			   &other) != 7 ||
		    pmd != CPU_TIME_NS || set || period != PERIOD ||
		    other < time)
			++*bad;
	}
	free(line);
	fclose(file);
	return count;
}

/* This thread samples until there were so many overflows; that, or 0. */
static uint64_t sample(int fd, uint64_t overflows)
{
	const uint64_t begin = time_ns(CLOCK_THREAD_CPUTIME_ID);
	struct pfm_pmd_attr attr = {
		.num = CPU_TIME_NS,
		.long_reset = -(uint64_t)PERIOD,
		.short_reset = -(uint64_t)PERIOD,
	};
	struct pfm_config cfg;

	bit_set(attr.smpl_pmds, CPU_TIME_NS);
	bit_set(attr.smpl_pmds, WALL_TIME_NS);
	if (write_text(TRACING "/trace", "") ||
	    pmd_write(fd, CPU_TIME_NS, -(uint64_t)PERIOD) ||
	    attr_write(fd, &attr) || context_load(fd, 0) ||
	    context_start(fd, 0))
		return 0;
	do {
		if (config_get(fd, &cfg))
			return 0;
	} while (cfg.overflows < overflows &&
		 time_ns(CLOCK_THREAD_CPUTIME_ID) - begin < PATIENCE);
	if (context_stop(fd) || config_get(fd, &cfg))
		return 0;
	return cfg.overflows;
}

TEST_F(trace, every_overflow_is_an_event)
{
	uint64_t overflows, bad;

	NEED_TRACING();
	ASSERT_EQ(0, write_text(EVENT "/enable", "1"));
	overflows = sample(self->fd, 50);
	EXPECT_LE(50, overflows);
	EXPECT_EQ(overflows, events(&bad));
	EXPECT_EQ(0, bad);
}

/* Without a tracer sampling goes on all the same. */
TEST_F(trace, not_enabled)
{
	uint64_t bad;

	NEED_TRACING();
	EXPECT_LE(20, sample(self->fd, 20));
	EXPECT_EQ(0, events(&bad));
}

TEST_F(trace, no_argument)
{
	const uint64_t arg = 0;

	EXPECT_EQ(-EINVAL, format_open(0, uuid, &arg, sizeof(arg)));
}

TEST_HARNESS_MAIN

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sampling on several CPUs: each has a lane (a per-CPU buffer) of its own.
 */
#include "child.h"
#include "context.h"
#include "cpu.h"
#include "notification.h"
#include "sampling.h"

#include "kselftest_harness.h"

#define PATIENCE_NS 20000000000ULL /* ns that nothing needs */

struct lanes {
	struct pfm_config cfg;
	char *buf;
	uint64_t taken;
	uint64_t entries_bad;
};

static const struct pfm_default_hdr *lane_hdr(const struct lanes *lanes,
					      uint32_t i)
{
	return (const void *)(lanes->buf + i * lanes->cfg.lane_size);
}

/* Look at the samples of one lane, which nobody fills. */
static void lane_take(struct lanes *lanes, uint32_t index, uint16_t num)
{
	const struct pfm_default_hdr *hdr = lane_hdr(lanes, index);
	uint64_t i, last = 0;

	for (i = 0; i < hdr->hdr_count; i++) {
		const struct pfm_default_entry *entry = entry_at(hdr, i, 0);

		if (entry->cpu != index || entry->ovfl_pmd != num ||
		    entry->tstamp < last || !entry->tid || !entry->pid)
			lanes->entries_bad++;
		last = entry->tstamp;
	}
	lanes->taken += hdr->hdr_count;
}

FIXTURE(smp)
{
	int fd;
	uint16_t num;
	struct lanes lanes;
};

FIXTURE_VARIANT(smp)
{
	bool hardware;
};

FIXTURE_VARIANT_ADD(smp, cycles){
	.hardware = true,
};

FIXTURE_VARIANT_ADD(smp, cpu_time){
	.hardware = false,
};

FIXTURE_SETUP(smp)
{
	self->fd = -1;
	self->num = variant->hardware ? CYCLES : CPU_TIME_NS;
}

FIXTURE_TEARDOWN(smp)
{
	if (self->lanes.buf)
		munmap(self->lanes.buf, self->lanes.cfg.buffer_size);
	if (self->fd >= 0)
		close(self->fd);
}

#define NEED_VARIANT()                                        \
	do {                                                  \
		if (variant->hardware && !HAVE_CYCLES)        \
			SKIP(return, "no hardware PMU here"); \
	} while (0)

/* A session with lanes for so many samples, which notifies when one is full. */
static int session_open(FIXTURE_DATA(smp) * self, uint64_t entries, uint64_t p)
{
	struct pfm_pmd_attr attr = {
		.num = self->num,
		.flags = PFM_PMDF_NOTIFY,
		.long_reset = -p,
		.short_reset = -p,
	};
	int ret;

	self->fd = default_open(PFM_CTX_FOLLOW_ALL, buffer_bytes(entries, 0));
	if (self->fd < 0)
		return self->fd;
	ret = config_get(self->fd, &self->lanes.cfg);
	if (ret)
		return ret;
	self->lanes.buf = buffer_map(self->fd);
	if (!self->lanes.buf)
		return -ENOMEM;
	if (self->num == CYCLES)
		ret = pmc_write(self->fd, CYCLES, CYCLES_AT(USER));
	if (!ret)
		ret = pmd_write(self->fd, self->num, -p);
	return ret ? ret : attr_write(self->fd, &attr);
}

static uint64_t smp_lost(FIXTURE_DATA(smp) * self)
{
	uint64_t sum = 0;
	uint32_t i;

	for (i = 0; i < self->lanes.cfg.lanes; i++)
		sum += lane_hdr(&self->lanes, i)->hdr_lost;
	return sum;
}

/*
 * Programs on all processors at once: threads in processes, so many of these one
 * after the other.
 */
static void smp_begin(FIXTURE_DATA(smp) * self, struct child *child,
		      const char *processes)
{
	const int ret = measure_begin(self->fd, child,
				      ARGV(program("vforkexec"), processes,
					   program("threads"), "8", "2000000"));

	if (ret)
		abort();
}

/*
 * For a consumer that may be kept from its CPU: more processes than it needs for so
 * many restarts, after which no other one is begun.
 */
#define RESTARTS  20
#define PROCESSES "100"

static void smp_restarted(const struct child *child, uint64_t restarts)
{
	if (restarts == RESTARTS)
		kill(child->pid, SIGKILL);
}

TEST_F(smp, lanes)
{
	NEED_VARIANT();
	ASSERT_EQ(0, session_open(self, 1000, 100000));
	EXPECT_LE(cpus_online(), self->lanes.cfg.lanes);
	EXPECT_EQ(self->lanes.cfg.lanes * self->lanes.cfg.lane_size,
		  self->lanes.cfg.buffer_size);
}

TEST_F(smp, nobody_reads)
{
	struct child child;
	struct pfm_config cfg;
	union pfm_msg msg;
	uint64_t messages = 0, full = 0;
	uint32_t i;

	NEED_VARIANT();
	ASSERT_EQ(0, session_open(self, 20, 50000));
	smp_begin(self, &child, "4");
	child_reap(child.pid);
	/* A message for each lane that became full, then the end. */
	for (;;) {
		ASSERT_EQ(sizeof(msg), message_read(self->fd, &msg));
		if (msg.type != PFM_MSG_OVFL)
			break;
		EXPECT_EQ(1,
			  lane_hdr(&self->lanes, msg.ovfl.cpu)->hdr_overflows);
		messages++;
	}
	ASSERT_EQ(PFM_MSG_END, msg.type);
	for (i = 0; i < self->lanes.cfg.lanes; i++) {
		const struct pfm_default_hdr *hdr = lane_hdr(&self->lanes, i);

		EXPECT_GE(20, hdr->hdr_count);
		EXPECT_EQ(hdr->hdr_count == 20, hdr->hdr_overflows);
		full += hdr->hdr_overflows;
		if (hdr->hdr_lost)
			EXPECT_EQ(20, hdr->hdr_count);
		lane_take(&self->lanes, i, self->num);
	}
	ASSERT_EQ(0, config_get(self->fd, &cfg));
	EXPECT_EQ(full, messages);
	EXPECT_EQ(0, self->lanes.entries_bad);
	EXPECT_LT(0, self->lanes.taken);
	EXPECT_LT(0, smp_lost(self));
	EXPECT_EQ(cfg.overflows, self->lanes.taken + smp_lost(self));
}

/* The consumer empties each lane as it is told to. */
TEST_F(smp, reader)
{
	TEST_PROVES(G1);
	uint64_t restarts = 0, full = 0;
	struct child child;
	struct pfm_config cfg;
	union pfm_msg msg;
	uint32_t i;
	int ret;

	NEED_VARIANT();
	ASSERT_EQ(0, session_open(self, 20, 100000));
	smp_begin(self, &child, PROCESSES);
	for (;;) {
		ASSERT_EQ(sizeof(msg), message_read(self->fd, &msg));
		if (msg.type == PFM_MSG_END)
			break;
		ASSERT_GT(self->lanes.cfg.lanes, msg.ovfl.cpu);
		EXPECT_EQ(true, bit_is_set(msg.ovfl.ovfl_pmds, self->num));
		ret = config_get(self->fd, &cfg);
		ASSERT_EQ(0, ret);
		EXPECT_NE(PFM_STATE_MASKED, cfg.state);
		if (cfg.state == PFM_STATE_UNLOADED)
			continue;
		ASSERT_EQ(20, lane_hdr(&self->lanes, msg.ovfl.cpu)->hdr_count);
		lane_take(&self->lanes, msg.ovfl.cpu, self->num);
		ret = context_restart(self->fd, msg.ovfl.cpu);
		if (ret == -ENOTCONN) {
			/* The end came in between: it is taken below. */
			self->lanes.taken -= 20;
			continue;
		}
		ASSERT_EQ(0, ret);
		smp_restarted(&child, ++restarts);
	}
	child_reap(child.pid);
	for (i = 0; i < self->lanes.cfg.lanes; i++) {
		lane_take(&self->lanes, i, self->num);
		full += lane_hdr(&self->lanes, i)->hdr_overflows;
	}
	EXPECT_LE(RESTARTS, restarts);
	EXPECT_LE(restarts, full);
	EXPECT_EQ(0, self->lanes.entries_bad);
	ASSERT_EQ(0, config_get(self->fd, &cfg));
	EXPECT_EQ(cfg.overflows, self->lanes.taken + smp_lost(self));
	/* Each 100,000 is an overflow, but for the rest of each lane. */
	EXPECT_GE((cfg.overflows + cfg.skipped + cfg.lanes) * 100000 + 1,
		  pmd_value(self->fd, self->num));
	EXPECT_LE((cfg.overflows + cfg.skipped) * 100000,
		  pmd_value(self->fd, self->num));
}

/* RESTART of all lanes, again and again, beside the CPUs that fill them. */
TEST_F(smp, restart_all)
{
	struct pollfd pfd = { .fd = -1, .events = POLLIN };
	uint64_t restarts = 0;
	struct child child;
	union pfm_msg msg;
	int ret;

	NEED_VARIANT();
	ASSERT_EQ(0, session_open(self, 5, 50000));
	pfd.fd = self->fd;
	smp_begin(self, &child, PROCESSES);
	for (;;) {
		while (poll(&pfd, 1, 0) > 0 && (pfd.revents & POLLIN)) {
			ASSERT_EQ(sizeof(msg), message_read(self->fd, &msg));
			if (msg.type == PFM_MSG_END)
				goto ended;
		}
		ret = context_restart(self->fd, PFM_LANE_ALL);
		if (!ret)
			smp_restarted(&child, ++restarts);
		else if (ret != -EBUSY)
			ASSERT_EQ(-ENOTCONN, ret);
	}
ended:
	child_reap(child.pid);
	EXPECT_LE(RESTARTS, restarts);
}

/* A processor that is offline has a lane all the same. */
TEST_F(smp, restart_offline)
{
	const char *path = "/sys/devices/system/cpu/cpu1/online";
	int ret, fd = open(path, O_WRONLY | O_CLOEXEC);
	uint64_t begin;

	NEED_VARIANT();
	if (fd < 0)
		SKIP(return, "no second CPU that can be taken offline");
	/* CPU 1 never counts, so that its lane stays empty. */
	pin_to(0);
	ASSERT_EQ(0, session_open(self, 5, 100000));
	ASSERT_EQ(0, context_load(self->fd, 0));
	ASSERT_EQ(0, context_start(self->fd, 0));
	ret = write(fd, "0", 1);
	if (ret != 1)
		SKIP(return, "CPU 1 does not go offline");
	/* Most of burn_ns() is system calls: the user's cycles may be few. */
	begin = time_ns(CLOCK_MONOTONIC);
	do {
		burn_ns(20000000);
	} while (!lane_hdr(&self->lanes, 0)->hdr_overflows &&
		 time_ns(CLOCK_MONOTONIC) - begin < PATIENCE_NS);
	EXPECT_EQ(-EBUSY, context_restart(self->fd, 1));
	ret = context_restart(self->fd, PFM_LANE_ALL);
	EXPECT_EQ(1, write(fd, "1", 1));
	/* Lane 0 is full by now. */
	EXPECT_EQ(0, ret);
	EXPECT_EQ(0, lane_hdr(&self->lanes, 1)->hdr_lost);
	close(fd);
}

/* A thread that moves between processors takes its period along. */
TEST_F(smp, one_thread_moves)
{
	const uint64_t p = 1000000;
	const struct pfm_default_hdr *hdr;
	struct pfm_config cfg;
	uint64_t i, seen = 0, sum = 0;
	int cpu, round;

	NEED_VARIANT();
	self->fd = default_open(0, buffer_bytes(4000, 0));
	ASSERT_LE(0, self->fd);
	ASSERT_EQ(0, config_get(self->fd, &self->lanes.cfg));
	ASSERT_EQ(1, self->lanes.cfg.lanes);
	self->lanes.buf = buffer_map(self->fd);
	ASSERT_NE(NULL, self->lanes.buf);
	hdr = lane_hdr(&self->lanes, 0);
	/* User and kernel, as most of burn_ns() is system calls. */
	if (variant->hardware)
		ASSERT_EQ(0, pmc_write(self->fd, CYCLES, CYCLES_AT(ALL_LEVELS)));
	ASSERT_EQ(0, pmd_write(self->fd, self->num, -p));
	ASSERT_EQ(0, sample_every(self->fd, self->num, p, NULL, 0));
	ASSERT_EQ(0, context_load(self->fd, 0));
	ASSERT_EQ(0, context_start(self->fd, 0));
	for (round = 0; round < 10; round++) {
		for (cpu = 0; cpu < cpus_online(); cpu++) {
			pin_to(cpu);
			burn_ns(3000000);
		}
	}
	ASSERT_EQ(0, context_stop(self->fd));
	ASSERT_EQ(0, config_get(self->fd, &cfg));
	EXPECT_EQ(cfg.overflows, hdr->hdr_count);
	EXPECT_LT(cpus_online() * 10, hdr->hdr_count);
	for (i = 0; i < hdr->hdr_count; i++) {
		seen |= 1ULL << entry_at(hdr, i, 0)->cpu;
		sum += -entry_at(hdr, i, 0)->last_reset_val;
	}
	EXPECT_EQ((1ULL << cpus_online()) - 1, seen);
	EXPECT_EQ(hdr->hdr_count * p, sum);
	/* The rest is the beginning of the next period. */
	EXPECT_GT(p, pmd_value(self->fd, self->num) + p);
}

TEST_HARNESS_MAIN

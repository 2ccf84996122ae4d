// SPDX-License-Identifier: GPL-2.0-only
/*
 * Contexts that follow have a lane (a per-CPU buffer) for each CPU, and each lane notifies
 * for itself: none is forgotten because another one was faster.
 */
#include "child.h"
#include "context.h"
#include "cpu.h"
#include "notification.h"
#include "sampling.h"

#include <linux/perfmon_nway.h>

#include "kselftest_harness.h"

#define LANES	 2
#define PERIOD	 100000ULL

/* Flags by index; those below LANES: the child of that CPU may burn. */
#define GO_FORK	  LANES /* the parent may create its children */
#define GO_PINNED (LANES + 1) /* the parent runs on the first CPU */

FIXTURE(lanes)
{
	int fd;
	pid_t parent;
	int *go; /* flags: GO_* */
	char *buf;
	struct pfm_config cfg;
};

FIXTURE_SETUP(lanes)
{
	self->fd = -1;
	self->parent = 0;
	self->buf = NULL;
	self->go = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
			MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(MAP_FAILED, (void *)self->go);
}

FIXTURE_TEARDOWN(lanes)
{
	if (self->parent)
		child_kill(self->parent);
	if (self->buf)
		munmap(self->buf, self->cfg.buffer_size);
	if (self->fd >= 0)
		close(self->fd);
	munmap(self->go, 4096);
}

static bool may_go(const int *go, int index)
{
	return __atomic_load_n(&go[index], __ATOMIC_ACQUIRE);
}

static void allow(int *go, int index)
{
	__atomic_store_n(&go[index], 1, __ATOMIC_RELEASE);
}

/* A child that does nothing until it is let go, and then uses its CPU. */
static void burner(const int *go, int index)
{
	pin_to(index);
	for (;;) {
		if (may_go(go, index))
			burn(100000);
		else
			usleep(1000);
	}
}

/* A process that makes one child for each of the first CPUs when it is let go. */
static pid_t burners(int *go)
{
	const pid_t tester = getpid();
	const pid_t pid = fork();
	int i;

	if (pid) {
		while (pid > 0 && !may_go(go, GO_PINNED))
			usleep(1000);
		return pid;
	}
	die_with_parent(tester);
	/*
	 * It has samples too: in the first lane, not in that of a third CPU.  So it must
	 * not be loaded before it runs there.
	 */
	pin_to(0);
	allow(go, GO_PINNED);
	while (!may_go(go, GO_FORK))
		usleep(1000);
	for (i = 0; i < LANES; i++) {
		const pid_t parent = getpid();

		if (fork())
			continue;
		die_with_parent(parent);
		burner(go, i);
	}
	for (;;)
		pause();
}

static void let_go(FIXTURE_DATA(lanes) * self, int index)
{
	allow(self->go, index);
}

static void let_wait(FIXTURE_DATA(lanes) * self, int index)
{
	__atomic_store_n(&self->go[index], 0, __ATOMIC_RELEASE);
}

static int lanes_map(FIXTURE_DATA(lanes) * self)
{
	int ret = fcntl(self->fd, F_SETFL, O_NONBLOCK);

	if (!ret)
		ret = config_get(self->fd, &self->cfg);
	if (!ret && self->cfg.buffer_size)
		self->buf = buffer_map(self->fd);
	return ret;
}

/* The clock of each task samples. */
static int lanes_sample(FIXTURE_DATA(lanes) * self)
{
	const struct pfm_pmd_attr attr = {
		.num = CPU_TIME_NS,
		.flags = PFM_PMDF_NOTIFY,
		.long_reset = -PERIOD,
		.short_reset = -PERIOD,
	};
	const int ret = pmd_write(self->fd, CPU_TIME_NS, -PERIOD);

	return ret ? ret : attr_write(self->fd, &attr);
}

/* The children are followed, and wait. */
static int lanes_begin(FIXTURE_DATA(lanes) * self)
{
	int ret = lanes_map(self);

	self->parent = burners(self->go);
	if (self->parent < 0)
		abort();
	if (!ret)
		ret = context_load(self->fd, self->parent);
	if (!ret)
		ret = context_start(self->fd, 0);
	let_go(self, GO_FORK);
	return ret;
}

static const struct pfm_default_hdr *lane_default(FIXTURE_DATA(lanes) * self,
						  uint32_t lane)
{
	return (const void *)(self->buf + lane * self->cfg.lane_size);
}

static const struct pfm_nway_hdr *lane_nway(FIXTURE_DATA(lanes) * self,
					    uint32_t lane)
{
	return (const void *)(self->buf + lane * self->cfg.lane_size);
}

/* A child fills its lane, until something is lost. */
static void lane_lose(FIXTURE_DATA(lanes) * self, uint32_t lane)
{
	let_go(self, lane);
	while (!*(volatile const __u64 *)&lane_default(self, lane)->hdr_lost)
		usleep(1000);
	let_wait(self, lane);
}

/* Read all messages, and count them for each lane. */
static uint64_t messages_of(FIXTURE_DATA(lanes) * self, uint64_t *of)
{
	union pfm_msg msg;
	uint64_t n = 0;

	while (message_read(self->fd, &msg) == sizeof(msg)) {
		if (msg.type != PFM_MSG_OVFL || msg.ovfl.cpu >= LANES)
			abort();
		of[msg.ovfl.cpu]++;
		n++;
	}
	return n;
}

#define NEED_LANES()                                    \
	do {                                            \
		if (cpus_online() < LANES)              \
			SKIP(return, "needs two CPUs"); \
	} while (0)

/* A slice log that became full is told of, whatever lane was first. */
TEST_F(lanes, log)
{
	TEST_PROVES(G4);
	struct pfm_set_desc desc = {
		.flags = PFM_SETFL_TIME_SWITCH | PFM_SETFL_LOG,
		.timeout = 200000,
	};
	uint64_t of[LANES] = { 0 };
	int i;

	NEED_LANES();
	self->fd = default_open(PFM_CTX_FOLLOW_ALL, buffer_bytes(4, 1));
	ASSERT_LE(0, self->fd);
	for (i = 0; i < 2; i++) {
		const struct pfm_reg reg = { .num = CPU_TIME_NS, .set = i };

		desc.set = i;
		ASSERT_EQ(0, vector(self->fd, PFM_IOC_CREATE_EVTSET, &desc, 1,
				    NULL));
		ASSERT_EQ(0,
			  vector(self->fd, PFM_IOC_WRITE_PMDS, &reg, 1, NULL));
	}
	ASSERT_EQ(0, lanes_begin(self));
	lane_lose(self, 0);
	lane_lose(self, 1);
	messages_of(self, of);
	EXPECT_EQ(1, of[0]);
	EXPECT_EQ(1, of[1]);
}

/* Without messages: RESTART of a lane says nothing of the other. */
TEST_F(lanes, no_msg)
{
	NEED_LANES();
	self->fd = default_open(PFM_CTX_FOLLOW_ALL | PFM_CTX_NO_MSG,
				buffer_bytes(4, 0));
	ASSERT_LE(0, self->fd);
	ASSERT_EQ(0, lanes_sample(self));
	ASSERT_EQ(0, lanes_begin(self));
	lane_lose(self, 0);
	lane_lose(self, 1);
	ASSERT_EQ(0, context_stop(self->fd));
	EXPECT_EQ(POLLIN, readable(self->fd, 0));
	EXPECT_EQ(0, context_restart(self->fd, 0));
	EXPECT_EQ(POLLIN, readable(self->fd, 0));
	EXPECT_EQ(-EBUSY, context_restart(self->fd, 0));
	EXPECT_EQ(POLLIN, readable(self->fd, 0));
	EXPECT_EQ(0, context_restart(self->fd, 1));
	EXPECT_EQ(0, readable(self->fd, 0));
}

/* Without a format there is nothing but the notification to deal with. */
TEST_F(lanes, no_msg_no_format)
{
	NEED_LANES();
	self->fd = context_open(PFM_CTX_FOLLOW_ALL | PFM_CTX_NO_MSG);
	ASSERT_LE(0, self->fd);
	ASSERT_EQ(0, lanes_sample(self));
	ASSERT_EQ(0, lanes_begin(self));
	let_go(self, 1);
	EXPECT_EQ(POLLIN, readable(self->fd, PATIENCE));
	ASSERT_EQ(0, context_stop(self->fd));
	EXPECT_EQ(0, context_restart(self->fd, PFM_LANE_ALL));
	EXPECT_EQ(0, readable(self->fd, 0));
	EXPECT_EQ(-EBUSY, context_restart(self->fd, PFM_LANE_ALL));
}

/* A part of the lane is full, and another one. */
static void lane_fill(FIXTURE_DATA(lanes) * self, uint32_t lane,
		      uint64_t filled)
{
	const struct pfm_nway_hdr *hdr = lane_nway(self, lane);

	let_go(self, lane);
	while (__atomic_load_n(&hdr->filled, __ATOMIC_ACQUIRE) < filled)
		usleep(1000);
	let_wait(self, lane);
}

/* One lane notifies more often than messages find room; the other is told of. */
TEST_F(lanes, queue_full)
{
	TEST_PROVES(G4);
	const struct pfm_nway_arg arg = {
		.part_size = buffer_bytes(1, 0),
		.parts = PFM_NWAY_PARTS_MAX,
	};
	const uint8_t uuid[PFM_UUID_LEN] = PFM_NWAY_UUID;
	const struct pfm_restart never_full = { .arg = 1000 };
	uint64_t n, of[LANES] = { 0 };
	int i;

	NEED_LANES();
	self->fd = format_open(PFM_CTX_FOLLOW_ALL, uuid, &arg, sizeof(arg));
	ASSERT_LE(0, self->fd);
	ASSERT_EQ(0, lanes_sample(self));
	ASSERT_EQ(0, lanes_begin(self));
	for (i = 1; i <= 5; i++) {
		const struct pfm_restart release = { .arg = 8 * i };

		lane_fill(self, 0, 8 * i);
		ASSERT_EQ(0, call(self->fd, PFM_IOC_RESTART, &release));
	}
	lane_fill(self, 1, 1);
	ASSERT_EQ(0, context_stop(self->fd));
	/* RESTART returns the answer of the format. */
	EXPECT_EQ(-EINVAL, call(self->fd, PFM_IOC_RESTART, &never_full));
	n = messages_of(self, of);
	EXPECT_LT(0, of[0]);
	EXPECT_LT(0, of[1]);
	ASSERT_EQ(0, config_get(self->fd, &self->cfg));
	EXPECT_LT(0, self->cfg.msgs_merged);
	EXPECT_EQ(lane_nway(self, 0)->filled + lane_nway(self, 1)->filled,
		  n + self->cfg.msgs_merged);
}

/* Each overflow of two CPUs is a message, or counted as in another one. */
TEST_F(lanes, each_is_counted)
{
	TEST_PROVES(G3);
	uint64_t n = 0, of[LANES] = { 0 };

	NEED_LANES();
	self->fd = context_open(PFM_CTX_FOLLOW_ALL);
	ASSERT_LE(0, self->fd);
	ASSERT_EQ(0, lanes_sample(self));
	ASSERT_EQ(0, lanes_begin(self));
	let_go(self, 0);
	let_go(self, 1);
	while (of[0] < 500 || of[1] < 500) {
		ASSERT_EQ(POLLIN, readable(self->fd, PATIENCE));
		n += messages_of(self, of);
	}
	ASSERT_EQ(0, context_stop(self->fd));
	n += messages_of(self, of);
	ASSERT_EQ(0, config_get(self->fd, &self->cfg));
	EXPECT_EQ(self->cfg.overflows, n + self->cfg.msgs_merged);
}

TEST_HARNESS_MAIN

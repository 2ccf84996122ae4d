// SPDX-License-Identifier: GPL-2.0-only
/*
 * The format nway: parts are filled and released in turn, and each overflow is in one of
 * them or counted as lost.  The clock of CPU time samples, so that these run on every
 * machine.
 */
#include "child.h"
#include "context.h"
#include "cpu.h"
#include "sampling.h"

#include <linux/perfmon_nway.h>

#include "kselftest_harness.h"

#define ENTRIES	 10 /* in a part */
#define PERIOD	 2000000 /* ns of CPU time: a busy host fills no part unseen */
#define PATIENCE 20000 /* ms that nothing needs */

static const uint8_t uuid[PFM_UUID_LEN] = PFM_NWAY_UUID;

static int nway_open(uint32_t flags, uint64_t part_size, uint32_t parts,
		     uint32_t nway_flags)
{
	const struct pfm_nway_arg arg = {
		.part_size = part_size,
		.parts = parts,
		.flags = nway_flags,
	};

	return format_open(flags, uuid, &arg, sizeof(arg));
}

static int release(int fd, uint64_t part)
{
	const struct pfm_restart arg = { .arg = part };

	return call(fd, PFM_IOC_RESTART, &arg);
}

static const struct pfm_nway_part *part_at(const struct pfm_nway_hdr *hdr,
					   uint64_t seq)
{
	return (const void *)((const char *)hdr + hdr->part_offs +
			      (seq - 1) % hdr->parts * hdr->part_size);
}

/* The entries of a part; those that are not what they should be. */
static uint64_t bad_entries(const struct pfm_nway_part *part, uint64_t *last)
{
	uint64_t i, bad = 0;

	for (i = 0; i < part->count; i++) {
		const struct pfm_default_entry *entry =
			entry_at((const void *)part, i, 0);

		if (entry->ovfl_pmd != CPU_TIME_NS || entry->tstamp < *last ||
		    entry->pid != (uint32_t)getpid() ||
		    entry->last_reset_val != -(uint64_t)PERIOD)
			bad++;
		*last = entry->tstamp;
	}
	return bad;
}

FIXTURE(nway)
{
	int fd;
	const struct pfm_nway_hdr *hdr;
	struct pfm_config cfg;
	struct pfm_pmd_attr attr;
};

FIXTURE_SETUP(nway)
{
	self->fd = -1;
	self->hdr = NULL;
}

FIXTURE_TEARDOWN(nway)
{
	if (self->hdr)
		munmap((void *)self->hdr, self->cfg.buffer_size);
	if (self->fd >= 0)
		close(self->fd);
}

/* A context of two parts or more with room for so many entries in each. */
static int prepare(FIXTURE_DATA(nway) * self, uint32_t ctx_flags,
		   uint32_t parts, uint32_t entries, uint32_t flags)
{
	int ret;

	self->attr = (struct pfm_pmd_attr){
		.num = CPU_TIME_NS,
		.flags = PFM_PMDF_NOTIFY,
		.long_reset = -(uint64_t)PERIOD,
		.short_reset = -(uint64_t)PERIOD,
	};
	self->fd = nway_open(ctx_flags, buffer_bytes(entries, 0), parts, flags);
	if (self->fd < 0)
		return self->fd;
	self->hdr = buffer_map(self->fd);
	if (!self->hdr)
		return -ENOMEM;
	ret = config_get(self->fd, &self->cfg);
	if (!ret)
		ret = pmd_write(self->fd, CPU_TIME_NS, -(uint64_t)PERIOD);
	if (!ret)
		ret = attr_write(self->fd, &self->attr);
	return ret;
}

/* This thread samples. */
static int go(FIXTURE_DATA(nway) * self)
{
	const int ret = context_load(self->fd, 0);

	return ret ? ret : context_start(self->fd, 0);
}

static int begin(FIXTURE_DATA(nway) * self, uint32_t parts, uint32_t flags)
{
	const int ret = prepare(self, 0, parts, ENTRIES, flags);

	return ret ? ret : go(self);
}

static int take(int fd)
{
	union pfm_msg msg;

	return message_read(fd, &msg);
}

static bool burn_until_masked(FIXTURE_DATA(nway) * self)
{
	const uint64_t begin = time_ns(CLOCK_MONOTONIC);

	do {
		burn_ns(PERIOD);
		if (config_get(self->fd, &self->cfg))
			return false;
		if (self->cfg.state == PFM_STATE_MASKED)
			return true;
	} while (time_ns(CLOCK_MONOTONIC) - begin < PATIENCE * 1000000ULL);
	return false;
}

TEST_F(nway, argument)
{
	const uint64_t one = buffer_bytes(1, 0);
	struct pfm_nway_arg arg = { .part_size = one, .parts = 2 };
	size_t i;

	EXPECT_EQ(-EINVAL, nway_open(0, one, 0, 0));
	EXPECT_EQ(-EINVAL, nway_open(0, one, 1, 0));
	EXPECT_EQ(-EINVAL, nway_open(0, one, 9, 0));
	EXPECT_EQ(-EINVAL, nway_open(0, one, ~0U, 0));
	EXPECT_EQ(-EINVAL, nway_open(0, one - 8, 2, 0));
	EXPECT_EQ(-EINVAL, nway_open(0, one + 4, 2, 0));
	EXPECT_EQ(-EINVAL, nway_open(0, one, 2, 2));
	EXPECT_EQ(-ENOBUFS, nway_open(0, 1ULL << 62, 8, 0));
	for (i = 0; i < ARRAY_LEN(arg.reserved); i++) {
		arg.reserved[i] = 1;
		EXPECT_EQ(-EINVAL, format_open(0, uuid, &arg, sizeof(arg)));
		arg.reserved[i] = 0;
	}
	self->fd = format_open(0, uuid, &arg, sizeof(arg));
	EXPECT_LE(0, self->fd);
}

/* State that a refused release must not change. */
struct seen {
	struct pfm_nway_hdr hdr;
	uint64_t value, overflows, ready;
	uint32_t state;
};

static struct seen look(FIXTURE_DATA(nway) * self)
{
	struct pollfd pfd = { .fd = self->fd, .events = POLLIN };
	struct seen seen;

	memset(&seen, 0, sizeof(seen));
	if (config_get(self->fd, &self->cfg))
		abort();
	seen.hdr = *self->hdr;
	seen.value = pmd_value(self->fd, CPU_TIME_NS);
	seen.overflows = self->cfg.overflows;
	seen.state = self->cfg.state;
	seen.ready = poll(&pfd, 1, 0);
	return seen;
}

/* Masked as all parts are full: only a part that is full ends that. */
static void refused_while_masked(struct __test_metadata *_metadata,
				 FIXTURE_DATA(nway) * self)
{
	const uint64_t filled = self->hdr->filled;
	const struct seen before = look(self);
	struct seen after;

	EXPECT_EQ(PFM_STATE_MASKED, before.state);
	EXPECT_EQ(1, before.ready);
	EXPECT_EQ(-EINVAL, release(self->fd, filled + 1));
	EXPECT_EQ(-EINVAL, release(self->fd, ~0ULL));
	if (self->hdr->released)
		EXPECT_EQ(-EBUSY, release(self->fd, self->hdr->released));
	EXPECT_EQ(-ERANGE, context_restart(self->fd, 1));
	burn_ns(2 * PERIOD);
	after = look(self);
	EXPECT_EQ(0, memcmp(&before, &after, sizeof(before)));
}

TEST_F(nway, masked_refuses_other_parts)
{
	ASSERT_EQ(0, begin(self, 3, 0));
	ASSERT_EQ(true, burn_until_masked(self));
	refused_while_masked(_metadata, self);
	ASSERT_EQ(0, release(self->fd, 2));
	EXPECT_EQ(PFM_STATE_LOADED, look(self).state);
	ASSERT_EQ(true, burn_until_masked(self));
	EXPECT_EQ(5, self->hdr->filled);
	refused_while_masked(_metadata, self);
	/* One part is full again soon on a busy host, unless nothing counts. */
	ASSERT_EQ(0, context_stop(self->fd));
	ASSERT_EQ(0, release(self->fd, 0));
	EXPECT_EQ(3, self->hdr->released);
	EXPECT_EQ(PFM_STATE_LOADED, look(self).state);
}

/* Without messages poll() says that a restart is due while a part is full. */
TEST_F(nway, masked_refuses_without_messages)
{
	ASSERT_EQ(0, prepare(self, PFM_CTX_NO_MSG, 2, ENTRIES, 0));
	ASSERT_EQ(0, go(self));
	ASSERT_EQ(true, burn_until_masked(self));
	refused_while_masked(_metadata, self);
	/* Or it may be full, and a restart due, again. */
	ASSERT_EQ(0, context_stop(self->fd));
	/* The other part is full as well, which may be news to the consumer. */
	ASSERT_EQ(0, release(self->fd, 1));
	EXPECT_EQ(1, look(self).ready);
	ASSERT_EQ(0, release(self->fd, 2));
	EXPECT_EQ(0, look(self).ready);
	ASSERT_EQ(0, context_start(self->fd, 0));
	ASSERT_EQ(true, burn_until_masked(self));
	EXPECT_EQ(1, look(self).ready);
	EXPECT_EQ(4, self->hdr->filled);
}

/* A thread that sleeps as a part is full sleeps on. */
TEST_F(nway, blocked_refuses_other_parts)
{
	const pid_t parent = getpid();
	struct pollfd pfd = { .events = POLLIN };
	struct seen before, after;
	pid_t pid;
	int ret;

	/* Parts that are not full again before a busy host lets it sleep. */
	ret = prepare(self, PFM_CTX_NOTIFY_BLOCK, 2, 4 * ENTRIES, 0);
	if (ret == -EOPNOTSUPP)
		SKIP(return, "this kernel cannot block threads");
	ASSERT_EQ(0, ret);
	pid = fork();
	ASSERT_LE(0, pid);
	if (!pid) {
		die_with_parent(parent);
		for (;;)
			burn_ns(PERIOD);
	}
	ASSERT_EQ(0, context_load(self->fd, pid));
	ASSERT_EQ(0, context_start(self->fd, 0));
	pfd.fd = self->fd;
	ASSERT_EQ(1, poll(&pfd, 1, PATIENCE));
	wait_asleep(self->fd, pid);
	before = look(self);
	EXPECT_EQ(1, self->hdr->filled);
	EXPECT_EQ(PFM_STATE_LOADED, before.state);
	EXPECT_EQ(-EINVAL, release(self->fd, 2));
	usleep(100000);
	after = look(self);
	EXPECT_EQ(0, memcmp(&before, &after, sizeof(before)));
	ASSERT_EQ(sizeof(union pfm_msg), take(self->fd));
	EXPECT_EQ(0, release(self->fd, 1));
	ASSERT_EQ(1, poll(&pfd, 1, PATIENCE));
	EXPECT_EQ(2, self->hdr->filled);
	child_kill(pid);
}

/* More values than a part has room for: lost, told, and RESTART goes on. */
TEST_F(nway, too_small_for_an_entry)
{
	int round;

	ASSERT_EQ(0, prepare(self, 0, 2, 1, 0));
	bit_set(self->attr.smpl_pmds, WALL_TIME_NS);
	ASSERT_EQ(0, attr_write(self->fd, &self->attr));
	ASSERT_EQ(0, go(self));
	for (round = 1; round <= 3; round++) {
		ASSERT_EQ(true, burn_until_masked(self));
		EXPECT_EQ(sizeof(union pfm_msg), take(self->fd));
		EXPECT_EQ(round, self->hdr->lost);
		EXPECT_EQ(0, self->hdr->samples);
		EXPECT_EQ(-EINVAL, release(self->fd, 1));
		EXPECT_EQ(PFM_STATE_MASKED, look(self).state);
		ASSERT_EQ(0, release(self->fd, 0));
	}
}

TEST_F(nway, masks_when_all_are_full)
{
	uint64_t last = 0;

	ASSERT_EQ(0, prepare(self, 0, 2, ENTRIES, 0));
	ASSERT_EQ(0, context_load(self->fd, 0));
	EXPECT_EQ(-EBUSY, release(self->fd, 0));
	EXPECT_EQ(-EINVAL, release(self->fd, 1));
	ASSERT_EQ(0, context_start(self->fd, 0));
	ASSERT_EQ(true, burn_until_masked(self));
	EXPECT_EQ(2, self->hdr->filled);
	EXPECT_EQ(0, self->hdr->released);
	EXPECT_EQ(2 * ENTRIES, self->hdr->samples);
	EXPECT_EQ(1, self->hdr->overflows);
	EXPECT_EQ(0, self->hdr->lost);
	EXPECT_EQ(2 * ENTRIES, self->cfg.overflows);
	EXPECT_EQ(ENTRIES, part_at(self->hdr, 1)->count);
	EXPECT_EQ(ENTRIES, part_at(self->hdr, 2)->count);
	EXPECT_EQ(0, bad_entries(part_at(self->hdr, 1), &last));
	EXPECT_EQ(0, bad_entries(part_at(self->hdr, 2), &last));
	/* The first is free again: one more until it is masked. */
	ASSERT_EQ(0, context_stop(self->fd));
	ASSERT_EQ(0, release(self->fd, 1));
	EXPECT_EQ(-EINVAL, release(self->fd, 3));
	EXPECT_EQ(-EBUSY, release(self->fd, 1));
	ASSERT_EQ(0, context_start(self->fd, 0));
	ASSERT_EQ(true, burn_until_masked(self));
	EXPECT_EQ(3, self->hdr->filled);
	EXPECT_EQ(1, self->hdr->released);
	EXPECT_EQ(3, part_at(self->hdr, 3)->seq);
	EXPECT_EQ(0, bad_entries(part_at(self->hdr, 3), &last));
	EXPECT_EQ(3 * ENTRIES, self->hdr->samples);
	EXPECT_EQ(0, self->hdr->lost);
	EXPECT_EQ(3 * ENTRIES, self->cfg.overflows);
	/* Both at once. */
	ASSERT_EQ(0, release(self->fd, 3));
	EXPECT_EQ(3, self->hdr->released);
}

TEST_F(nway, drops_when_all_are_full)
{
	const struct pfm_nway_part *part;

	ASSERT_EQ(0, begin(self, 2, PFM_NWAY_DROP));
	while (!self->hdr->lost)
		burn_ns(PERIOD);
	ASSERT_EQ(0, config_get(self->fd, &self->cfg));
	EXPECT_EQ(PFM_STATE_LOADED, self->cfg.state);
	/* Each sample is counted, in a part or as lost. */
	ASSERT_EQ(0, release(self->fd, 0));
	burn_ns(3 * PERIOD);
	ASSERT_EQ(0, context_stop(self->fd));
	ASSERT_EQ(0, config_get(self->fd, &self->cfg));
	EXPECT_EQ(1, self->hdr->released);
	EXPECT_LT(2 * ENTRIES, self->hdr->samples);
	EXPECT_EQ(self->cfg.overflows, self->hdr->samples + self->hdr->lost);
	/* The part after the gap says how long that was. */
	part = part_at(self->hdr, 3);
	EXPECT_EQ(3, part->seq);
	EXPECT_LT(0, part->lost);
	EXPECT_EQ(part->lost, self->hdr->lost_told);
}

/* The consumer takes each part while the kernel fills the next. */
TEST_F(nway, reader_keeps_up)
{
	struct pollfd pfd = { .events = POLLIN };
	uint64_t taken = 0, bad = 0, last = 0, rounds;
	union pfm_msg msg;

	ASSERT_EQ(0, begin(self, 8, 0));
	pfd.fd = self->fd;
	/* More than once around. */
	for (rounds = 0; self->hdr->filled < 12; rounds++) {
		burn_ns(PERIOD);
		while (poll(&pfd, 1, 0) > 0)
			ASSERT_EQ(sizeof(msg), message_read(self->fd, &msg));
		while (self->hdr->released < self->hdr->filled) {
			const uint64_t seq = self->hdr->released + 1;

			ASSERT_EQ(seq, part_at(self->hdr, seq)->seq);
			bad += bad_entries(part_at(self->hdr, seq), &last);
			taken += part_at(self->hdr, seq)->count;
			ASSERT_EQ(0, release(self->fd, seq));
		}
	}
	ASSERT_EQ(0, context_stop(self->fd));
	/* And what was begun. */
	while (self->hdr->released < self->hdr->filled) {
		const uint64_t seq = self->hdr->released + 1;

		bad += bad_entries(part_at(self->hdr, seq), &last);
		taken += part_at(self->hdr, seq)->count;
		ASSERT_EQ(0, release(self->fd, seq));
	}
	bad += bad_entries(part_at(self->hdr, self->hdr->filled + 1), &last);
	taken += part_at(self->hdr, self->hdr->filled + 1)->count;
	ASSERT_EQ(0, config_get(self->fd, &self->cfg));
	EXPECT_EQ(0, bad);
	EXPECT_EQ(0, self->hdr->lost);
	EXPECT_EQ(0, self->hdr->overflows);
	EXPECT_EQ(taken, self->hdr->samples);
	EXPECT_EQ(taken, self->cfg.overflows);
}

TEST_HARNESS_MAIN

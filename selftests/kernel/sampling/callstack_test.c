// SPDX-License-Identifier: GPL-2.0-only
/*
 * The format callstack where stacks are counted in the kernel: as many paths
 * through a program as its table has room for, and more.  A run of the same
 * instructions that recorded each sample gives the count that each path must have.
 */
#include "checkers.h"
#include "child.h"
#include "context.h"
#include "cpu.h"
#include "exact_count.h"
#include "sampling.h"

#include <linux/perfmon_callstack.h>

#include "kselftest_harness.h"

#define TRUTH	    0 /* counts and does not sample */
/*
 * A path takes about 90 instructions outside leaf(), all paths together less than
 * a period. So a period that begins in leaf() of the first path ends in leaf() of
 * each path, and no sample has the stack of a function on the way there.
 */
#define PERIOD	    (40000 * checkers_factor())
#define CPU_PERIOD  200000 /* ns */
#define DEPTH	    10
#define BITS	    8 /* of the number of a path: one frame each */
#define PATHS_FIT   150
#define PATHS_SPILL 250
#define PART_SIZE   32768 /* 512 places, room for some 180 stacks */
#define PATIENCE    20000 /* ms that nothing needs */
#define STACKS_MAX  2048

#define NOINLINE __attribute__((noinline, noclone, noipa))

static const uint8_t uuid[PFM_UUID_LEN] = PFM_CALLSTACK_UUID;

/* Goes so many times around two instructions. */
static NOINLINE void leaf(unsigned long n)
{
#ifdef __aarch64__
	asm volatile("1: subs %0, %0, #1\n\tb.ne 1b" : "+r"(n) : : "cc");
#else
	asm volatile("1: dec %0\n\tjne 1b" : "+r"(n) : : "cc");
#endif
}

static void walk(unsigned int path, unsigned int bits, unsigned long n);

static NOINLINE void left(unsigned int path, unsigned int bits, unsigned long n)
{
	walk(path, bits, n);
	asm volatile("" : : : "memory");
}

static NOINLINE void right(unsigned int path, unsigned int bits,
			   unsigned long n)
{
	walk(path, bits, n);
	asm volatile("" : : : "memory");
}

/* The bits of the path say who calls whom. */
static inline __attribute__((always_inline)) void
walk(unsigned int path, unsigned int bits, unsigned long n)
{
	if (!bits)
		leaf(n);
	else if (path & 1)
		left(path >> 1, bits - 1, n);
	else
		right(path >> 1, bits - 1, n);
}

/* Each path takes the time of one to three samples.  The same each time. */
static NOINLINE int run(int fd, unsigned int paths)
{
	/* Before the start, as PERIOD has system calls in it. */
	const unsigned long half = PERIOD / 2;
	unsigned int i;
	int ret;

	ret = context_start(fd, 0);
	for (i = 0; i < paths; i++)
		left(i, BITS, (1 + i % 3) * half);
	return ret ? ret : context_stop(fd);
}

/**
 * struct stack - a stack and the samples of it
 * @flags: PFM_CALLSTACK_CUT_*
 * @n: frames
 * @frames: of the user's stack
 * @count: samples
 */
struct stack {
	uint32_t flags, n;
	uint64_t frames[DEPTH];
	uint64_t count;
};

struct stacks {
	struct stack list[STACKS_MAX];
	unsigned int count;
};

static struct stacks truth, seen;

/* The stack in a table, added when it is not there. */
static struct stack *stack_find(struct stacks *stacks, uint32_t flags,
				uint32_t n, const uint64_t *frames)
{
	struct stack *stack = stacks->list;

	if (n > DEPTH)
		abort();
	for (; stack < stacks->list + stacks->count; stack++) {
		if (stack->flags == flags && stack->n == n &&
		    !memcmp(stack->frames, frames, n * sizeof(*frames)))
			return stack;
	}
	if (stacks->count++ == STACKS_MAX)
		abort();
	stack->flags = flags;
	stack->n = n;
	memcpy(stack->frames, frames, n * sizeof(*frames));
	stack->count = 0;
	return stack;
}

FIXTURE(callstack)
{
	int fd;
	const struct pfm_callstack_hdr *hdr;
	struct pfm_config cfg;
	uint64_t map_size;
};

FIXTURE_SETUP(callstack)
{
	self->fd = -1;
	self->hdr = NULL;
	memset(&truth, 0, sizeof(truth));
	memset(&seen, 0, sizeof(seen));
}

static void finish(FIXTURE_DATA(callstack) * self)
{
	if (self->hdr)
		munmap((void *)self->hdr, self->map_size);
	if (self->fd >= 0)
		close(self->fd);
	self->hdr = NULL;
	self->fd = -1;
}

FIXTURE_TEARDOWN(callstack)
{
	finish(self);
}

/* A context that samples the user's stacks every so many of a register. */
static int prepare(FIXTURE_DATA(callstack) * self, uint32_t ctx_flags,
		   uint64_t part_size, uint32_t flags, uint16_t num,
		   uint64_t period)
{
	const struct pfm_callstack_arg arg = {
		.part_size = part_size,
		.parts = 1,
		.flags = flags | PFM_CALLSTACK_USER,
		.depth = DEPTH,
	};
	const struct pfm_pmd_attr attr = {
		.num = num,
		.flags = PFM_PMDF_NOTIFY,
		.long_reset = -period,
		.short_reset = -period,
	};
	int ret;

	self->fd = format_open(ctx_flags, uuid, &arg, sizeof(arg));
	if (self->fd < 0)
		return self->fd;
	self->hdr = buffer_map(self->fd);
	ret = self->hdr ? config_get(self->fd, &self->cfg) : -ENOMEM;
	self->map_size = self->cfg.buffer_size;
	if (!ret && num == CYCLES)
		ret = pmc_write(self->fd, CYCLES, CYCLES_AT(USER));
	if (!ret && num == CYCLES)
		ret = pmc_write(self->fd, TRUTH, USER | EVENT_CPU_CYCLES);
	if (!ret && num == CYCLES)
		ret = pmd_write(self->fd, TRUTH, 0);
	if (!ret)
		ret = pmd_write(self->fd, num, -period);
	return ret ? ret : attr_write(self->fd, &attr);
}

static const struct pfm_nway_part *part_of(const FIXTURE_DATA(callstack) * self)
{
	return (const void *)((const char *)self->hdr +
			      self->hdr->nway.part_offs);
}

/* Fills the table of what is to be counted by recording each sample. */
static int learn(FIXTURE_DATA(callstack) * self, unsigned int paths)
{
	const struct pfm_nway_part *part;
	const char *p;
	uint64_t i;
	int ret;

	ret = prepare(self, 0, 1 << 20, 0, CYCLES, PERIOD);
	if (!ret)
		ret = context_load(self->fd, 0);
	if (!ret)
		ret = run(self->fd, paths);
	if (ret)
		return ret;
	if (self->hdr->nway.lost || self->hdr->nway.filled)
		return -ENOSPC;
	part = part_of(self);
	p = (const char *)(part + 1);
	for (i = 0; i < part->count; i++) {
		const struct pfm_callstack_entry *entry = (const void *)p;
		const uint64_t *frames = (const void *)(entry + 1);

		stack_find(&truth, entry->flags, entry->nr_user, frames)
			->count++;
		p += sizeof(*entry) + entry->nr_user * sizeof(*frames);
	}
	finish(self);
	return 0;
}

/**
 * struct sums - what the records of a part add up to
 * @count: samples
 * @weight: their periods
 * @other: of @count, those without their stack
 * @twice: records of a stack that has one already
 */
struct sums {
	uint64_t count, weight, other, twice;
};

/* Adds up the records of the part and fills the table of what was counted. */
static struct sums add_up(const FIXTURE_DATA(callstack) * self)
{
	const struct pfm_nway_part *part = part_of(self);
	const char *p = (const char *)(part + 1);
	struct sums sums = {};
	uint64_t i;

	for (i = 0; i < part->count; i++) {
		const struct pfm_callstack_record *rec = (const void *)p;
		struct stack *stack;

		stack = stack_find(&seen, rec->flags, rec->nr_user,
				   (const uint64_t *)rec->frames);
		if (stack->count)
			sums.twice++;
		stack->count += rec->count;
		sums.count += rec->count;
		sums.weight += rec->weight;
		if (rec->flags & PFM_CALLSTACK_OTHER)
			sums.other += rec->count;
		p += sizeof(*rec) + rec->nr_user * sizeof(rec->frames[0]);
	}
	return sums;
}

/* Stacks whose count is not the true one; and samples of those not counted. */
static uint64_t wrong(uint64_t *missing)
{
	unsigned int i, known = truth.count;
	uint64_t bad = 0;

	*missing = 0;
	for (i = 0; i < truth.count; i++)
		*missing += truth.list[i].count;
	for (i = 0; i < seen.count; i++) {
		const struct stack *stack = &seen.list[i], *want;

		if (stack->flags & PFM_CALLSTACK_OTHER)
			continue;
		want = stack_find(&truth, stack->flags, stack->n,
				  stack->frames);
		if (want->count != stack->count)
			bad++;
		*missing -= want->count;
	}
	return bad + truth.count - known;
}

/*
 * A table of 512 places with 150 stacks and more: that no two of them begin at the
 * same place is as likely as 1 in 10^9, and so the comparison in full is what
 * keeps them apart.
 */
TEST_F(callstack, collisions_stay_apart)
{
	uint64_t missing;
	struct sums sums;

	NEED_EXACT();
	ASSERT_EQ(0, learn(self, PATHS_FIT));
	EXPECT_LE(PATHS_FIT, truth.count);
	ASSERT_EQ(0, prepare(self, 0, PART_SIZE, PFM_CALLSTACK_AGGREGATE,
			     CYCLES, PERIOD));
	ASSERT_EQ(0, context_load(self->fd, 0));
	ASSERT_EQ(0, run(self->fd, PATHS_FIT));
	ASSERT_EQ(0, config_get(self->fd, &self->cfg));
	sums = add_up(self);
	TH_LOG("%u stacks, %llu samples, %llu collisions", seen.count,
	       (unsigned long long)sums.count,
	       (unsigned long long)self->hdr->collisions);
	EXPECT_EQ(512, self->hdr->slots);
	EXPECT_LT(0, self->hdr->collisions);
	EXPECT_EQ(0, self->hdr->nway.lost);
	EXPECT_EQ(truth.count, part_of(self)->count);
	EXPECT_EQ(truth.count, seen.count);
	EXPECT_EQ(0, wrong(&missing));
	EXPECT_EQ(0, missing);
	EXPECT_EQ(0, sums.twice + sums.other);
	EXPECT_EQ(self->cfg.overflows, sums.count);
	EXPECT_EQ(pmd_value(self->fd, TRUTH) / PERIOD, sums.count);
	EXPECT_EQ(self->hdr->weight, sums.weight);
	EXPECT_EQ(sums.count * PERIOD, sums.weight);
}

/* More stacks than there is room for: those that it has are counted exactly. */
TEST_F(callstack, table_overflow)
{
	uint64_t missing;
	struct sums sums;

	NEED_EXACT();
	ASSERT_EQ(0, learn(self, PATHS_SPILL));
	EXPECT_LE(PATHS_SPILL, truth.count);
	ASSERT_EQ(0, prepare(self, 0, PART_SIZE,
			     PFM_CALLSTACK_AGGREGATE | PFM_CALLSTACK_DROP,
			     CYCLES, PERIOD));
	ASSERT_EQ(0, context_load(self->fd, 0));
	ASSERT_EQ(0, run(self->fd, PATHS_SPILL));
	ASSERT_EQ(0, config_get(self->fd, &self->cfg));
	sums = add_up(self);
	TH_LOG("%u of %u stacks, %llu samples, %llu of them others",
	       seen.count - 1, truth.count, (unsigned long long)sums.count,
	       (unsigned long long)sums.other);
	EXPECT_EQ(PFM_STATE_LOADED, self->cfg.state);
	EXPECT_LT(0, sums.other);
	EXPECT_LT(100, seen.count);
	EXPECT_GT(truth.count, seen.count);
	EXPECT_EQ(1, self->hdr->nway.overflows);
	EXPECT_EQ(0, wrong(&missing));
	EXPECT_EQ(missing, sums.other);
	EXPECT_EQ(0, sums.twice);
	EXPECT_EQ(sums.other, self->hdr->nway.lost);
	EXPECT_EQ(self->cfg.overflows, sums.count);
	EXPECT_EQ(sums.count, self->hdr->nway.samples + self->hdr->nway.lost);
	EXPECT_EQ(pmd_value(self->fd, TRUTH) / PERIOD, sums.count);
	EXPECT_EQ(sums.count * PERIOD, sums.weight);
	EXPECT_EQ(sums.weight, self->hdr->weight + self->hdr->lost_weight);
}

static uint64_t cpu_time(void)
{
	return time_ns(CLOCK_THREAD_CPUTIME_ID);
}

/* Walks all paths, a sample's time each, until there are so many of a number. */
static void walk_until(const volatile __u64 *number, uint64_t enough)
{
	const uint64_t begin = cpu_time();
	unsigned int i;

	for (i = 0;
	     *number < enough && cpu_time() - begin < PATIENCE * 1000000ULL;
	     i++) {
		const uint64_t until = cpu_time() + CPU_PERIOD;

		do {
			left(i % PATHS_SPILL, BITS, 1000);
		} while (cpu_time() < until && *number < enough);
	}
}

/* The same sums on every machine, by the clock of CPU time. */
TEST_F(callstack, table_overflow_by_the_clock)
{
	struct sums sums;

	ASSERT_EQ(0, prepare(self, 0, PFM_CALLSTACK_AGGR_MIN,
			     PFM_CALLSTACK_AGGREGATE | PFM_CALLSTACK_DROP,
			     CPU_TIME_NS, CPU_PERIOD));
	ASSERT_EQ(0, context_load(self->fd, 0));
	ASSERT_EQ(0, context_start(self->fd, 0));
	walk_until(&self->hdr->nway.lost, 20);
	ASSERT_EQ(0, context_stop(self->fd));
	ASSERT_EQ(0, config_get(self->fd, &self->cfg));
	sums = add_up(self);
	EXPECT_LE(20, sums.other);
	EXPECT_EQ(0, sums.twice);
	EXPECT_EQ(sums.other, self->hdr->nway.lost);
	EXPECT_EQ(self->cfg.overflows, sums.count);
	EXPECT_EQ(sums.count, self->hdr->nway.samples + self->hdr->nway.lost);
	EXPECT_EQ(sums.weight, self->hdr->weight + self->hdr->lost_weight);
}

/* Without DROP a full table masks, until the consumer has taken it. */
TEST_F(callstack, masked_when_full)
{
	uint64_t total = 0;
	struct sums sums;
	int round;

	ASSERT_EQ(0, prepare(self, 0, PFM_CALLSTACK_AGGR_MIN,
			     PFM_CALLSTACK_AGGREGATE, CPU_TIME_NS, CPU_PERIOD));
	ASSERT_EQ(0, context_load(self->fd, 0));
	ASSERT_EQ(0, context_start(self->fd, 0));
	for (round = 1; round <= 3; round++) {
		walk_until(&self->hdr->nway.filled, round);
		memset(&seen, 0, sizeof(seen));
		sums = add_up(self);
		total += sums.count;
		ASSERT_EQ(0, config_get(self->fd, &self->cfg));
		EXPECT_EQ(PFM_STATE_MASKED, self->cfg.state);
		EXPECT_EQ(round, self->hdr->nway.filled);
		EXPECT_EQ(self->cfg.overflows, total);
		EXPECT_EQ(0, self->hdr->nway.lost + sums.other + sums.twice);
		ASSERT_EQ(0, context_restart(self->fd, 0));
	}
}

/* Masked and asleep: a restart for another part wakes nobody. */
TEST_F(callstack, blocked_refuses_other_parts)
{
	const struct pfm_restart wrong_part = { .arg = 2 };
	const pid_t parent = getpid();
	struct pollfd pfd = { .events = POLLIN };
	union pfm_msg msg;
	uint64_t value;
	pid_t pid;
	int ret;

	ret = prepare(self, PFM_CTX_NOTIFY_BLOCK, PFM_CALLSTACK_AGGR_MIN,
		      PFM_CALLSTACK_AGGREGATE, CPU_TIME_NS, CPU_PERIOD);
	if (ret == -EOPNOTSUPP)
		SKIP(return, "this kernel cannot block threads");
	ASSERT_EQ(0, ret);
	pid = fork();
	ASSERT_LE(0, pid);
	if (!pid) {
		const __u64 never = 0;

		die_with_parent(parent);
		for (;;)
			walk_until(&never, 1);
	}
	ASSERT_EQ(0, context_load(self->fd, pid));
	ASSERT_EQ(0, context_start(self->fd, 0));
	pfd.fd = self->fd;
	ASSERT_EQ(1, poll(&pfd, 1, PATIENCE));
	ASSERT_EQ(sizeof(msg), message_read(self->fd, &msg));
	wait_asleep(self->fd, pid);
	value = pmd_value(self->fd, CPU_TIME_NS);
	EXPECT_EQ(-EINVAL, call(self->fd, PFM_IOC_RESTART, &wrong_part));
	usleep(100000);
	EXPECT_EQ('S', state_letter(pid));
	EXPECT_EQ(value, pmd_value(self->fd, CPU_TIME_NS));
	ASSERT_EQ(0, config_get(self->fd, &self->cfg));
	EXPECT_EQ(PFM_STATE_MASKED, self->cfg.state);
	ASSERT_EQ(0, context_restart(self->fd, 0));
	/* It goes on to fill the table again. */
	ASSERT_EQ(1, poll(&pfd, 1, PATIENCE));
	EXPECT_EQ(2, self->hdr->nway.filled);
	child_kill(pid);
}

TEST_HARNESS_MAIN

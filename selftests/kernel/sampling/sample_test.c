// SPDX-License-Identifier: GPL-2.0-only
/*
 * The contents of a sample: where the program was, when, and what its registers held; and that
 * no event and no overflow is lost without being counted.
 *
 * Where the guest executes one instruction a nanosecond numbers are compared for equality.
 */
#include "checkers.h"
#include "child.h"
#include "context.h"
#include "cpu.h"
#include "exact_count.h"
#include "rights.h"
#include "sampling.h"

#include <sys/stat.h>
#include <sys/syscall.h>

#include "kselftest_harness.h"
#include "exact_sampler.h"
#include "progs/exact.h"

/* The number of samples is the count by the period, each where it belongs. */
TEST_F(exact, total_by_period)
{
	TEST_PROVES(O2);
	/* Interrupts that follow each other as closely as four are throttled: on x86 10 us are near that. */
	const uint64_t periods[] = { 12500,   33333,   100000,	262144,
				     1000000, 2500001, 10000000 };
	const uint64_t factor = checkers_factor();
	const uint64_t n = 10000000 * factor, total = SELF_COST(n);
	const struct pfm_default_entry *entry;
	uint64_t i, before, after, last;
	struct pfm_config cfg;
	size_t k;

	NEED_EXACT();
	for (k = 0; k < ARRAY_LEN(periods); k++) {
		const uint64_t p = periods[k] * factor;

		ASSERT_EQ(0, sampler_setup(self, 0, 4000, p));
		ASSERT_EQ(0, context_load(self->fd, 0));
		before = time_ns(CLOCK_MONOTONIC);
		ASSERT_EQ(0, self_loop(self->fd, n));
		after = time_ns(CLOCK_MONOTONIC);
		EXPECT_EQ(total, pmd_value(self->fd, TRUTH));
		EXPECT_EQ(total / p, self->hdr->hdr_count);
		EXPECT_EQ(0, self->hdr->hdr_lost);
		EXPECT_EQ(0, self->hdr->hdr_overflows);
		last = before;
		for (i = 0; i < self->hdr->hdr_count; i++) {
			entry = entry_at(self->hdr, i, 2);
			/* On time: nothing was counted beyond the overflow. */
			ASSERT_EQ((i + 1) * p, entry_val(entry, 0));
			ASSERT_EQ(0, entry_val(entry, 1));
			ASSERT_EQ(-p, entry->last_reset_val);
			ASSERT_EQ(CYCLES, entry->ovfl_pmd);
			ASSERT_EQ(syscall(SYS_gettid), entry->tid);
			ASSERT_EQ(getpid(), entry->pid);
			ASSERT_EQ(0, entry->cpu);
			ASSERT_EQ(0, entry->set);
			ASSERT_EQ(0, entry->nr_branches);
			ASSERT_LT(last, entry->tstamp);
			if (i)
				ASSERT_LE(p, entry->tstamp - last);
			last = entry->tstamp;
		}
		EXPECT_GT(after, last);
		EXPECT_EQ(total % p - p, pmd_value(self->fd, CYCLES));
		ASSERT_EQ(0, config_get(self->fd, &cfg));
		EXPECT_EQ(total / p, cfg.overflows);
		EXPECT_EQ(0, cfg.skipped);
		EXPECT_EQ(0, cfg.throttled);
		EXPECT_EQ(0, cfg.fmt_errors);
	}
}

/* The header as it is described, before and after. */
TEST_F(exact, header)
{
	const uint64_t bytes = buffer_bytes(100, 2);
	struct pfm_config cfg;

	NEED_EXACT();
	ASSERT_EQ(0, sampler_setup(self, 0, 100, 100000));
	EXPECT_EQ(0, self->hdr->hdr_count);
	EXPECT_EQ(sizeof(*self->hdr), self->hdr->hdr_cur_offs);
	EXPECT_EQ(bytes, self->hdr->hdr_buf_size);
	EXPECT_EQ(PFM_DEFAULT_VERSION, self->hdr->hdr_version);
	ASSERT_EQ(0, config_get(self->fd, &cfg));
	EXPECT_EQ(1, cfg.lanes);
	EXPECT_LE(bytes, cfg.lane_size);
	EXPECT_EQ(0, cfg.lane_size % 4096);
	EXPECT_EQ(cfg.lane_size, cfg.buffer_size);
	ASSERT_EQ(0, context_load(self->fd, 0));
	ASSERT_EQ(0, self_loop(self->fd, 200000));
	EXPECT_EQ(4, self->hdr->hdr_count);
	EXPECT_EQ(buffer_bytes(4, 2), self->hdr->hdr_cur_offs);
	EXPECT_EQ(40 + 2 * 8, self->hdr->hdr_min_buf_space);
}

/* Samples say where the program was: in the loop. */
TEST_F(exact, ip)
{
	const uint64_t factor = checkers_factor();
	const struct pfm_default_entry *entry;
	uint64_t i, low = ~0ULL, high = 0;

	NEED_EXACT();
	ASSERT_EQ(0, sampler_setup(self, 0, 1000, 10000 * factor + 1));
	ASSERT_EQ(0, context_load(self->fd, 0));
	ASSERT_EQ(0, self_loop(self->fd, 1000000 * factor));
	ASSERT_EQ(199, self->hdr->hdr_count);
	for (i = 0; i < self->hdr->hdr_count; i++) {
		entry = entry_at(self->hdr, i, 2);
		low = entry->ip < low ? entry->ip : low;
		high = entry->ip > high ? entry->ip : high;
	}
	/* Both of its instructions are seen, as the period is odd. */
	EXPECT_EQ(SELF_LOOP_FIRST, high - low);
	EXPECT_LT((uintptr_t)self_loop & ~0xfffffUL, low);
}

/* Values come in ascending order, of whatever part the registers are. */
TEST_F(exact, smpl_pmds)
{
	const uint64_t p = 1000000;
	const struct pfm_default_entry *entry;
	struct pfm_pmd_attr attr;
	uint64_t i, last[3] = {};

	NEED_EXACT();
	ASSERT_EQ(0, sampler_open(self, 0, buffer_bytes(100, 5)));
	ASSERT_EQ(0, cycle_counter(self->fd, TRUTH, 7));
	ASSERT_EQ(0, cycle_counter(self->fd, 3, 1000));
	ASSERT_EQ(0, cycle_counter(self->fd, CYCLES, -p));
	ASSERT_EQ(0, sample_every(self->fd, CYCLES, p,
				  PMD_LIST(WALL_TIME_NS, 3, CPU_TIME_NS, TRUTH,
					   CONTEXT_SWITCHES)));
	ASSERT_EQ(0, context_load(self->fd, 0));
	ASSERT_EQ(0, self_loop(self->fd, 5000000));
	ASSERT_EQ(10, self->hdr->hdr_count);
	for (i = 0; i < 10; i++) {
		entry = entry_at(self->hdr, i, 5);
		EXPECT_EQ((i + 1) * p + 7, entry_val(entry, 0));
		EXPECT_EQ((i + 1) * p + 1000, entry_val(entry, 1));
		/* CPU time, wall time: no less than what was executed. */
		EXPECT_LE(last[0] + p, entry_val(entry, 2));
		EXPECT_LE(last[1] + p, entry_val(entry, 3));
		EXPECT_LE(entry_val(entry, 2), entry_val(entry, 3) + 2000);
		EXPECT_LE(last[2], entry_val(entry, 4));
		EXPECT_GE(last[2] + 100, entry_val(entry, 4));
		last[0] = entry_val(entry, 2);
		last[1] = entry_val(entry, 3);
		last[2] = entry_val(entry, 4);
	}
	EXPECT_LE(last[2], pmd_value(self->fd, CONTEXT_SWITCHES));
	ASSERT_EQ(0, attr_read(self->fd, CYCLES, &attr));
	EXPECT_EQ(-p, attr.last_reset);
}

/* A program from its first instruction to its last. */
TEST_F(exact, program)
{
	const uint64_t p = 70000, n = 3000000;
	const uint64_t total =
		COST_NUMBER(digits(n)) + COST_LOOP(n) + COST_ENDING;
	struct child child;
	uint64_t i;

	NEED_EXACT();
	ASSERT_EQ(0, sampler_setup(self, 0, 1000, p));
	ASSERT_EQ(0, measure_begin(self->fd, &child,
				   ARGV(program("loop"), "3000000")));
	ASSERT_EQ(0, measure_end(self->fd, &child));
	EXPECT_EQ(total, pmd_value(self->fd, TRUTH));
	EXPECT_EQ(total / p, self->hdr->hdr_count);
	for (i = 0; i < self->hdr->hdr_count; i++)
		EXPECT_EQ(child.pid, entry_at(self->hdr, i, 2)->tid);
}

/* Switches between two overflows, thousands of them, change nothing. */
TEST_F(exact, switches)
{
	const uint64_t p = 12345, k = 2000, n = 500;
	const uint64_t total = COST_NUMBER(digits(k)) + COST_NUMBER(digits(n)) +
			       k * (COST_LOOP(n) + COST_YIELD + COST_REPEAT) +
			       COST_ENDING;
	const struct sched_param fifo = { .sched_priority = 1 };
	struct child child, others[3];
	struct pfm_config cfg;
	uint64_t i;

	NEED_EXACT();
	ASSERT_EQ(0, sampler_setup(self, 0, 1000, p));
	/* Before the others run: otherwise this one has to wait for a second. */
	ASSERT_EQ(0, sched_setscheduler(0, SCHED_FIFO, &fifo));
	for (i = 0; i < ARRAY_LEN(others); i++) {
		child_exec(&others[i],
			   ARGV(program("yieldloop"), "1000000000", "100"));
		child_go(&others[i]);
	}
	ASSERT_EQ(0, measure_begin(self->fd, &child,
				   ARGV(program("yieldloop"), "2000", "500")));
	ASSERT_EQ(0, measure_end(self->fd, &child));
	for (i = 0; i < ARRAY_LEN(others); i++)
		child_kill(others[i].pid);
	EXPECT_EQ(total, pmd_value(self->fd, TRUTH));
	EXPECT_EQ(total / p, self->hdr->hdr_count);
	ASSERT_EQ(0, config_get(self->fd, &cfg));
	EXPECT_EQ(total / p, cfg.overflows);
	for (i = 0; i < self->hdr->hdr_count; i++) {
		const struct pfm_default_entry *entry =
			entry_at(self->hdr, i, 2);

		/* One found at a switch is a few instructions late. */
		EXPECT_LE((i + 1) * p, entry_val(entry, 0));
		EXPECT_GT((i + 1) * p + 600, entry_val(entry, 0));
		EXPECT_EQ(entry_val(entry, 0),
			  (i + 1) * p + entry_val(entry, 1));
	}
}

/* Loaded again a context goes on where it was; the buffer too. */
TEST_F(exact, loaded_again)
{
	const uint64_t p = 70000;
	uint64_t round, total = 0;

	NEED_EXACT();
	ASSERT_EQ(0, sampler_setup(self, 0, 1000, p));
	for (round = 0; round < 5; round++) {
		ASSERT_EQ(0, context_load(self->fd, 0));
		ASSERT_EQ(0, self_loop(self->fd, 100000));
		ASSERT_EQ(0, context_unload(self->fd));
		total += SELF_COST(100000);
		EXPECT_EQ(total, pmd_value(self->fd, TRUTH));
		EXPECT_EQ(total / p, self->hdr->hdr_count);
		EXPECT_EQ(total % p - p, pmd_value(self->fd, CYCLES));
	}
}

/* Stopped and started between overflows. */
TEST_F(exact, stopped_between)
{
	const uint64_t p = 70000;
	uint64_t round, total = 0;

	NEED_EXACT();
	ASSERT_EQ(0, sampler_setup(self, 0, 1000, p));
	ASSERT_EQ(0, context_load(self->fd, 0));
	for (round = 0; round < 100; round++) {
		ASSERT_EQ(0, self_loop(self->fd, 10000));
		total += SELF_COST(10000);
	}
	EXPECT_EQ(total, pmd_value(self->fd, TRUTH));
	EXPECT_EQ(total / p, self->hdr->hdr_count);
}

/* Kernel addresses are for those who may know them. */
static int kernel_samples(uint64_t *kernel, uint64_t *hidden)
{
	const struct pfm_default_hdr *hdr;
	uint64_t i;
	int fd;

	fd = default_open(0, 1 << 16);
	if (fd < 0)
		return fd;
	hdr = buffer_map(fd);
	if (!hdr || pmd_write(fd, CPU_TIME_NS, -200000ULL) ||
	    sample_every(fd, CPU_TIME_NS, 200000, NULL, 0) ||
	    context_load(fd, 0) || context_start(fd, 0))
		return -EIO;
	/* Most of this is kernel. */
	for (i = 0; i < 3000000 && hdr->hdr_count < 200; i++)
		close(-1);
	context_stop(fd);
	*kernel = 0;
	*hidden = 0;
	for (i = 0; i < hdr->hdr_count; i++) {
		const struct pfm_default_entry *entry = entry_at(hdr, i, 0);

		if (!entry->ip)
			++*hidden;
		else if (entry->ip >> 63)
			++*kernel;
	}
	i = hdr->hdr_count;
	munmap((void *)hdr, 1 << 16);
	close(fd);
	return i;
}

static int unprivileged_samples(void *arg)
{
	uint64_t kernel, hidden;

	rights_drop();
	if (kernel_samples(&kernel, &hidden) <= 20)
		return 1;
	if (kernel)
		return 2;
	return hidden ? 0 : 3;
}

TEST(kernel_addresses)
{
	uint64_t kernel, hidden;

	EXPECT_LT(20, kernel_samples(&kernel, &hidden));
	EXPECT_LT(0, kernel);
	ASSERT_EQ(0, chmod(DEVICE, 0666));
	EXPECT_EQ(0, in_child(unprivileged_samples, NULL));
	EXPECT_EQ(0, chmod(DEVICE, 0660));
}

TEST_HARNESS_MAIN

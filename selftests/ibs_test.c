// SPDX-License-Identifier: GPL-2.0-only
/*
 * AMD's instruction-based sampling: counts, samples and rights, against what the emulator
 * knows.  Needs root and the emulator with a processor of AMD.
 */
#include "child.h"
#include "context.h"
#include "cpu.h"
#include "emulator.h"
#include "hotplug.h"
#include "ibs_copy.h"
#include "ibs_count.h"
#include "ibs_sampler.h"
#include "module.h"
#include "notification.h"
#include "perf.h"
#include "rights.h"
#include "sampling.h"
#include "sysfs.h"
#include "modules/fmt_test.h"

#include <perfmon/perfmon.h>
#include <sys/syscall.h>

#include "kselftest_harness.h"
#include "ibs_fixture.h"

/* Longest piece that an engine counts for a period: beyond it are random bits and a multiple of 16. */
#define PIECE(period) ((period) + 142)

/* The shortest periods of the engines */
#define OP_SHORTEST    0x90
#define FETCH_SHORTEST 0x10

/* The longest period of 20 bits, which is that of registers that do not sample: not less */
#define LONGEST 0xffff0

/* Nothing is left out: what IBS counted is what the emulator knows. */
TEST_F(ibs, counts)
{
	const uint64_t period = 10000;
	uint64_t samples, all;
	struct emulated before;
	struct pfm_config cfg;

	NEED_IBS();
	ASSERT_EQ(0, ibs_sampler_open(&self->ibs, variant->ctl, period));
	ASSERT_EQ(0, context_load(self->ibs.fd, 0));
	emulated_here(&before);
	ASSERT_EQ(0, context_start(self->ibs.fd, 0));
	spin(1000000);
	ASSERT_EQ(0, context_stop(self->ibs.fd));
	all = counted_since(&before, self->ibs.num, &samples);
	ASSERT_EQ(0, config_get(self->ibs.fd, &cfg));
	EXPECT_LE(1000000, all);
	EXPECT_EQ(true,
		  is_all(variant->ctl,
			 counted(self->ibs.fd, self->ibs.num, period), all,
			 samples, 1 + switches(),
			 lost_by_stop(variant->ctl, self->ibs.num, period)));
	/* What cannot be read is in no count. */
	if (!is_readable(self->ibs.num))
		EXPECT_EQ(samples * period,
			  counted(self->ibs.fd, self->ibs.num, period));
	EXPECT_EQ(samples, cfg.overflows);
	EXPECT_EQ(cfg.overflows, self->ibs.hdr->hdr_count);
	EXPECT_EQ(0, cfg.skipped);
}

/*
 * Without sampling it goes on beyond the longest period of the hardware.  A count that cannot be
 * read stands still until such a period is over.
 */
TEST_F(ibs, only_counts)
{
	uint64_t samples, all, value, last = 0;
	struct emulated before;

	NEED_IBS();
	self->ibs.fd = context_open(0);
	ASSERT_LE(0, self->ibs.fd);
	ASSERT_EQ(0, pmc_write(self->ibs.fd, self->ibs.num, variant->ctl));
	ASSERT_EQ(0, pmd_write(self->ibs.fd, self->ibs.num, 0));
	ASSERT_EQ(0, context_load(self->ibs.fd, 0));
	emulated_here(&before);
	ASSERT_EQ(0, context_start(self->ibs.fd, 0));
	for (int i = 0; i < 20; i++) {
		spin(100000);
		ASSERT_EQ(0, pmd_read(self->ibs.fd, self->ibs.num, &value));
		ASSERT_LE(last, value);
		if (is_readable(self->ibs.num))
			ASSERT_LT(last, value);
		if (!is_readable(self->ibs.num))
			ASSERT_EQ(0, value % LONGEST);
		last = value;
	}
	ASSERT_EQ(0, context_stop(self->ibs.fd));
	all = counted_since(&before, self->ibs.num, &samples);
	EXPECT_LT(0, last);
	EXPECT_EQ(true,
		  is_all(variant->ctl, pmd_value(self->ibs.fd, self->ibs.num),
			 all, samples, 1 + switches(),
			 lost_by_stop(variant->ctl, self->ibs.num, LONGEST)));
}

/*
 * The random low bits of a period are part of what a sample says of it: the periods add up to
 * what was counted.  A switch of threads divides a period, and the sample has its last part.
 */
TEST_F(ibs, periods)
{
	uint64_t i, samples, all, more, sum = 0, others = 0;
	const uint64_t period = 5003;
	uint64_t vals[PFM_IBS_OP_VALS];
	unsigned int divided;
	struct emulated before;
	int at;

	NEED_IBS();
	at = self->ibs.num == OP ? PERIOD : FETCH_PERIOD;
	ASSERT_EQ(0, ibs_sampler_open(&self->ibs, variant->ctl, period));
	ASSERT_EQ(0, context_load(self->ibs.fd, 0));
	divided = switches();
	emulated_here(&before);
	ASSERT_EQ(0, context_start(self->ibs.fd, 0));
	spin(4000000);
	ASSERT_EQ(0, context_stop(self->ibs.fd));
	all = counted_since(&before, self->ibs.num, &samples);
	divided = switches() - divided;
	ASSERT_LT(100, self->ibs.hdr->hdr_count);
	for (i = 0; i < self->ibs.hdr->hdr_count; i++) {
		ibs_sampler_values(&self->ibs, i, vals);
		ASSERT_GE(PIECE(period), vals[at]);
		/* A count that cannot be written begins at 0. */
		if (!is_readable(self->ibs.num))
			ASSERT_EQ(0, vals[at] % 16);
		sum += vals[at];
		others += vals[at] % 16 != period % 16;
	}
	if (variant->ctl & COUNT_OPS)
		EXPECT_LT(self->ibs.hdr->hdr_count / 2, others);
	/* The last period has no sample. */
	more = unsure(variant->ctl, samples, 0);
	EXPECT_LE(sum, all + more);
	EXPECT_GE(sum + more + (1 + divided) * (PIECE(period) + LOST_BY_STOP),
		  all);
}

/* Each sample is at the first byte of an instruction, and each instruction of the loop has samples. */
TEST_F(ibs, addresses)
{
	uint64_t i, vals[PFM_IBS_OP_VALS];
	unsigned int own = 0, loads = 0, stores = 0, branches = 0, others = 0;

	NEED_IBS();
	ASSERT_EQ(0,
		  ibs_sampler_open(&self->ibs, variant->ctl | USER_ONLY, 5003));
	ASSERT_EQ(0, context_load(self->ibs.fd, 0));
	ASSERT_EQ(0, context_start(self->ibs.fd, 0));
	/* A slow kernel's NMIs take so long that some samples are throttled. */
	for (i = 0; i < 100 && self->ibs.hdr->hdr_count <= 100; i++)
		copy(400);
	ASSERT_EQ(0, context_stop(self->ibs.fd));
	ASSERT_LT(100, self->ibs.hdr->hdr_count);
	for (i = 0; i < self->ibs.hdr->hdr_count; i++) {
		const struct pfm_default_entry *entry =
			ibs_sampler_entry(&self->ibs, i);

		ibs_sampler_values(&self->ibs, i, vals);
		ASSERT_EQ(getpid(), entry->pid);
		ASSERT_EQ(self->ibs.num, entry->ovfl_pmd);
		ASSERT_EQ(entry->ip, vals[RIP]);
		ASSERT_EQ(0, entry->ip >> 63);
		if (entry->ip < (uintptr_t)copy_begin ||
		    entry->ip >= (uintptr_t)copy_end)
			continue;
		own++;
		ASSERT_EQ(true, is_instruction(entry->ip));
		others += entry->ip == (uintptr_t)copy_next ||
			  entry->ip == (uintptr_t)copy_test;
		if (self->ibs.num == FETCH) {
			loads += entry->ip == (uintptr_t)copy_load;
			stores += entry->ip == (uintptr_t)copy_store;
			branches += entry->ip == (uintptr_t)copy_back;
			ASSERT_EQ(entry->ip % 4096, vals[FETCH_PHYSAD] % 4096);
			ASSERT_NE(0, vals[FETCH_PHYSAD]);
			continue;
		}
		if (entry->ip == (uintptr_t)copy_load) {
			loads++;
			ASSERT_EQ(1, vals[DATA3] & 3);
			ASSERT_EQ(true, is_within(vals[LINAD], copy_from));
		} else if (entry->ip == (uintptr_t)copy_store) {
			stores++;
			ASSERT_EQ(2, vals[DATA3] & 3);
			ASSERT_EQ(true, is_within(vals[LINAD], copy_to));
		} else {
			ASSERT_EQ(0, vals[DATA3] & 3);
			ASSERT_EQ(0, vals[LINAD]);
		}
		ASSERT_EQ(entry->ip == (uintptr_t)copy_back,
			  vals[DATA] >> 37 & 1);
		branches += entry->ip == (uintptr_t)copy_back;
		if (vals[LINAD]) {
			ASSERT_NE(0, vals[PHYSAD]);
			ASSERT_EQ(vals[LINAD] % 4096, vals[PHYSAD] % 4096);
		}
	}
	EXPECT_LT(self->ibs.hdr->hdr_count * 9 / 10, own);
	EXPECT_LT(own / 40, loads);
	EXPECT_LT(own / 40, stores);
	EXPECT_LT(own / 40, branches);
	EXPECT_LT(own / 40, others);
}

/* Samples of the level that is left out are dropped, and counted by nobody. */
TEST_F(ibs, levels)
{
	const uint64_t excludes[] = { 0, PFM_IBS_EXCLUDE_KERNEL,
				      PFM_IBS_EXCLUDE_USER };
	unsigned int user, kernel;

	NEED_IBS();
	for (size_t n = 0; n < ARRAY_LEN(excludes); n++) {
		struct pfm_config cfg;

		ASSERT_EQ(0,
			  ibs_sampler_open(&self->ibs,
					   variant->ctl | excludes[n], 5000));
		ASSERT_EQ(0, context_load(self->ibs.fd, 0));
		ASSERT_EQ(0, context_start(self->ibs.fd, 0));
		for (int i = 0; i < 2000; i++) {
			getppid();
			spin(100);
		}
		ASSERT_EQ(0, context_stop(self->ibs.fd));
		user = 0;
		kernel = 0;
		for (uint64_t i = 0; i < self->ibs.hdr->hdr_count; i++) {
			if (ibs_sampler_entry(&self->ibs, i)->ip >> 63)
				kernel++;
			else
				user++;
		}
		ASSERT_EQ(0, config_get(self->ibs.fd, &cfg));
		EXPECT_EQ(cfg.overflows, self->ibs.hdr->hdr_count);
		EXPECT_EQ(!(excludes[n] & PFM_IBS_EXCLUDE_KERNEL), kernel > 0);
		EXPECT_EQ(!(excludes[n] & PFM_IBS_EXCLUDE_USER), user > 0);
		ibs_sampler_close(&self->ibs);
	}
}

static uint64_t rivals[ELEMENTS];
extern const char steal_begin[], steal_end[];

/* Stores in an array that nobody else uses, four instructions an element, and counts its rounds. */
static __attribute__((noinline, noreturn)) void steal(volatile uint64_t *rounds)
{
	uint64_t i;

	for (;;) {
		__asm__ volatile("steal_begin:	xor	%k0, %k0\n"
				 "1:	mov	%0, (%1,%0,8)\n"
				 "	inc	%0\n"
				 "	cmp	%2, %0\n"
				 "	jb	1b\n"
				 "steal_end:\n"
				 : "=&r"(i)
				 : "r"(rivals), "i"(ELEMENTS)
				 : "cc", "memory");
		++*rounds;
	}
}

/* A child that steals on CPU 0, and is in the middle of it when this returns */
static pid_t rival_begin(volatile uint64_t *rounds)
{
	const pid_t parent = getpid();
	const pid_t pid = fork();

	if (pid < 0)
		abort();
	if (!pid) {
		die_with_parent(parent);
		pin_to(0);
		steal(rounds);
	}
	while (!*rounds)
		sched_yield();
	return pid;
}

/* All instructions that the CPU has executed since, but for those of the rival's rounds since */
static uint64_t not_stolen(const struct emulated *before, uint64_t rounds)
{
	struct emulated now;

	emulated_here(&now);
	return now.user + now.kernel - before->user - before->kernel -
	       4 * ELEMENTS * rounds;
}

/*
 * Another process takes turns on the CPU: no sample is of its code nor of its data, and what it
 * executes is not counted.
 */
TEST_F(ibs, isolation)
{
	uint64_t i, own, stolen, rest, vals[PFM_IBS_OP_VALS];
	volatile uint64_t *rival_rounds;
	struct pfm_config cfg;
	struct emulated before;
	unsigned int divided, rounds;
	pid_t rival;

	NEED_IBS();
	rival_rounds = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
			    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(MAP_FAILED, (void *)rival_rounds);
	rival = rival_begin(rival_rounds);
	ASSERT_EQ(0, ibs_sampler_open(&self->ibs, variant->ctl, 50021));
	ASSERT_EQ(0, context_load(self->ibs.fd, 0));
	divided = switches();
	stolen = *rival_rounds;
	emulated_here(&before);
	ASSERT_EQ(0, context_start(self->ibs.fd, 0));
	for (rounds = 0; switches() - divided < 3; rounds += 1000)
		copy(1000);
	ASSERT_EQ(0, context_stop(self->ibs.fd));
	/* The round that the rival was in has begun before. */
	stolen = *rival_rounds - stolen - 1;
	rest = not_stolen(&before, stolen);
	divided = switches() - divided;
	child_kill(rival);
	munmap((void *)rival_rounds, 4096);
	ASSERT_EQ(0, config_get(self->ibs.fd, &cfg));
	/* Throttling would stop it. */
	ASSERT_EQ(0, cfg.throttled);
	ASSERT_LT(0, self->ibs.hdr->hdr_count);
	for (i = 0; i < self->ibs.hdr->hdr_count; i++) {
		const struct pfm_default_entry *entry =
			ibs_sampler_entry(&self->ibs, i);

		ASSERT_EQ(getpid(), entry->pid);
		ASSERT_EQ(true, entry->ip < (uintptr_t)steal_begin ||
					entry->ip >= (uintptr_t)steal_end);
		if (self->ibs.num == FETCH)
			continue;
		ibs_sampler_values(&self->ibs, i, vals);
		ASSERT_EQ(false, is_within(vals[LINAD], rivals));
		if (vals[DATA3] & 3 && entry->ip >= (uintptr_t)copy_begin &&
		    entry->ip < (uintptr_t)copy_end)
			ASSERT_EQ(true, is_within(vals[LINAD],
						  vals[DATA3] & 1 ? copy_from
								  : copy_to));
	}
	/* 5 instructions an element, and the kernel's.  A rival that hardly ran would show nothing. */
	own = 5ULL * rounds * ELEMENTS;
	EXPECT_LT(own / 10, 4 * ELEMENTS * stolen);
	EXPECT_LE(own, counted(self->ibs.fd, self->ibs.num, 50021) +
			       divided * lost_by_stop(variant->ctl,
						      self->ibs.num, 50021) +
			       unsure(variant->ctl, self->ibs.hdr->hdr_count,
				      divided));
	EXPECT_GE(rest + unsure(variant->ctl, self->ibs.hdr->hdr_count,
				divided),
		  counted(self->ibs.fd, self->ibs.num, 50021));
}

/* A buffer for two samples: what finds no room is counted, exactly. */
TEST_F(ibs, lost)
{
	const struct pfm_nway_hdr *hdr;
	struct pfm_config cfg;

	NEED_IBS();
	ASSERT_EQ(0, ibs_sampler_open_parts(&self->ibs, variant->ctl, 5003,
					    PFM_IBS_DROP, 2));
	hdr = buffer_map(self->ibs.fd);
	ASSERT_NE(NULL, hdr);
	ASSERT_EQ(0, context_load(self->ibs.fd, 0));
	ASSERT_EQ(0, context_start(self->ibs.fd, 0));
	copy(400);
	ASSERT_EQ(0, context_stop(self->ibs.fd));
	ASSERT_EQ(0, config_get(self->ibs.fd, &cfg));
	EXPECT_LT(4, hdr->lost);
	EXPECT_EQ(cfg.overflows, hdr->samples + hdr->lost);
	EXPECT_EQ(0, cfg.fmt_errors);
	for (uint64_t seq = 1; seq <= 2; seq++) {
		const struct pfm_nway_part *part =
			(const void *)((const char *)hdr + hdr->part_offs +
				       (seq - 1) * hdr->part_size);
		const struct pfm_ibs_entry *entry = (const void *)(part + 1);

		ASSERT_LE(1, part->count);
		EXPECT_EQ(self->ibs.num == OP ? PFM_IBS_KIND_OP
					      : PFM_IBS_KIND_FETCH,
			  entry->kind);
		EXPECT_EQ((uint32_t)getpid(), entry->pid);
		EXPECT_EQ(0, entry->cpu);
		EXPECT_NE(0, entry->tsc);
	}
}

/* RESTART with the format's argument: the last part to release */
static int release_to(int fd, uint64_t last)
{
	const struct pfm_restart arg = { .arg = last };

	return call(fd, PFM_IOC_RESTART, &arg);
}

/*
 * RESET_BUFFER and GET_LOST of the toolkit: what there is is left out, and only what is lost later
 * is told.
 */
TEST_F(ibs, resets)
{
	const struct pfm_ibs_entry *entry;
	const struct pfm_nway_hdr *hdr;
	uint64_t reset, read = 0, told = 0;
	struct pfm_parts parts;
	struct pfm_config before, cfg;

	NEED_IBS();
	ASSERT_EQ(0, ibs_sampler_open_parts(&self->ibs, variant->ctl, 5003,
					    PFM_IBS_DROP, 16));
	hdr = buffer_map(self->ibs.fd);
	ASSERT_NE(NULL, hdr);
	ASSERT_EQ(0, config_get(self->ibs.fd, &before));
	ASSERT_EQ(0, pfm_ibs_begin(&parts, hdr, before.buffer_size));
	ASSERT_EQ(0, context_load(self->ibs.fd, 0));
	ASSERT_EQ(0, context_start(self->ibs.fd, 0));
	copy(400);
	ASSERT_EQ(0, context_stop(self->ibs.fd));
	EXPECT_LT(10, pfm_parts_lost(&parts, &told));
	ASSERT_EQ(0, pfm_ibs_skip(&parts));
	ASSERT_EQ(0, release_to(self->ibs.fd, pfm_parts_done(&parts)));
	reset = time_ns(CLOCK_MONOTONIC);
	EXPECT_EQ(0, pfm_ibs_next(&parts, UINT64_MAX, &entry));
	EXPECT_EQ(0, pfm_parts_lost(&parts, &told));
	ASSERT_EQ(0, config_get(self->ibs.fd, &before));
	ASSERT_EQ(0, context_start(self->ibs.fd, 0));
	copy(400);
	ASSERT_EQ(0, context_stop(self->ibs.fd));
	ASSERT_EQ(0, config_get(self->ibs.fd, &cfg));
	while (pfm_ibs_next(&parts, UINT64_MAX, &entry) > 0) {
		ASSERT_LT(reset, entry->tstamp);
		read++;
	}
	EXPECT_LE(30, read);
	EXPECT_EQ(cfg.overflows - before.overflows,
		  read + pfm_parts_lost(&parts, &told));
	EXPECT_EQ(0, pfm_parts_lost(&parts, &told));
	munmap((void *)hdr, cfg.buffer_size);
}

static int available(int fd)
{
	int entries = -1;

	return ioctl(fd, FIONREAD, &entries) ? -errno : entries;
}

/*
 * What the drivers of others set and ask: the current count, the period, how many samples
 * wait, how many must wait before the consumer is told, how many were lost; that a stopped
 * engine leaves its samples readable; and that a restart empties the buffer.
 */
TEST_F(ibs, controls)
{
	struct pfm_pmd_attr attr;
	struct pfm_config cfg;
	const struct pfm_nway_part *part;
	const struct pfm_nway_hdr *hdr;
	uint64_t first, second;
	char info[80];

	NEED_IBS();
	/* The calls to the kernel take 10000 ops, too. */
	ASSERT_EQ(0,
		  ibs_sampler_open_parts(&self->ibs, variant->ctl | USER_ONLY,
					 10000, 0, 16));
	hdr = buffer_map(self->ibs.fd);
	ASSERT_NE(NULL, hdr);
	ASSERT_EQ(0, attr_read(self->ibs.fd, self->ibs.num, &attr));
	EXPECT_EQ(-10000ULL, attr.long_reset);
	/* The count begins where it is told to: 20 periods early. */
	ASSERT_EQ(0, pmd_write(self->ibs.fd, self->ibs.num, -200000));
	ASSERT_EQ(0, context_load(self->ibs.fd, 0));
	ASSERT_EQ(0, context_start(self->ibs.fd, 0));
	spin(20000);
	ASSERT_EQ(0, pmd_read(self->ibs.fd, self->ibs.num, &first));
	spin(20000);
	ASSERT_EQ(0, pmd_read(self->ibs.fd, self->ibs.num, &second));
	if (is_readable(self->ibs.num)) {
		EXPECT_LT(-200000LL + 20000, (int64_t)first);
		EXPECT_LT((int64_t)first + 20000, (int64_t)second);
	} else {
		EXPECT_EQ(-200000ULL, first);
		EXPECT_EQ(-200000ULL, second);
	}
	EXPECT_EQ(0, available(self->ibs.fd));
	EXPECT_EQ(0, readable(self->ibs.fd, 0));
	/* The consumer is told when a part is full, and not before. */
	while (!available(self->ibs.fd))
		spin(5000);
	EXPECT_EQ(0, readable(self->ibs.fd, 0));
	while (available(self->ibs.fd) < 16)
		spin(5000);
	EXPECT_EQ(POLLIN, readable(self->ibs.fd, 0) & POLLIN);
	ASSERT_EQ(0, context_stop(self->ibs.fd));
	first = available(self->ibs.fd);
	EXPECT_LE(16, first);
	EXPECT_EQ(first, hdr->samples);
	part = (const void *)((const char *)hdr + hdr->part_offs);
	/* A part is full when an op's entry, the largest, has no room. */
	EXPECT_LE(15, part->count);
	first -= part->count;
	ASSERT_EQ(0, context_restart(self->ibs.fd, 0));
	EXPECT_EQ(first, (uint64_t)available(self->ibs.fd));
	ASSERT_EQ(0, context_unload(self->ibs.fd));
	EXPECT_EQ(first, (uint64_t)available(self->ibs.fd));
	EXPECT_EQ(0, hdr->lost);
	ASSERT_EQ(0, config_get(self->ibs.fd, &cfg));
	snprintf(info, sizeof(info), "pfm_overflows:\t%llu\n",
		 (unsigned long long)cfg.overflows);
	EXPECT_EQ(true, fdinfo_has(self->ibs.fd, info));
	munmap((void *)hdr, cfg.buffer_size);
}

/*
 * SET_CUR_CNT and GET_CUR_CNT of the toolkit: the first period begins where it is told to, and the
 * count that is read is that of now.  The periods after it are those that were set.
 */
TEST_F(ibs, first_period)
{
	const uint64_t first = 20000000, period = 100000;
	uint64_t samples, all;
	struct emulated before;
	struct pfm_config cfg;

	NEED_IBS();
	ASSERT_EQ(0, ibs_sampler_open_parts(&self->ibs, variant->ctl, period,
					    PFM_IBS_DROP, 16));
	ASSERT_EQ(0, pmd_write(self->ibs.fd, self->ibs.num, -first));
	EXPECT_EQ(-first, pmd_value(self->ibs.fd, self->ibs.num));
	ASSERT_EQ(0, context_load(self->ibs.fd, 0));
	emulated_here(&before);
	ASSERT_EQ(0, context_start(self->ibs.fd, 0));
	spin(200000);
	ASSERT_EQ(0, context_stop(self->ibs.fd));
	all = counted_since(&before, self->ibs.num, &samples);
	ASSERT_EQ(0, config_get(self->ibs.fd, &cfg));
	EXPECT_EQ(0, cfg.overflows);
	EXPECT_LE(200000, all);
	EXPECT_EQ(true,
		  is_all(variant->ctl,
			 pmd_value(self->ibs.fd, self->ibs.num) + first, all,
			 samples, 1 + switches(),
			 lost_by_stop(variant->ctl, self->ibs.num, LONGEST)));
	ASSERT_EQ(0, context_start(self->ibs.fd, 0));
	spin(40000000);
	ASSERT_EQ(0, context_stop(self->ibs.fd));
	all = counted_since(&before, self->ibs.num, &samples);
	ASSERT_EQ(0, config_get(self->ibs.fd, &cfg));
	EXPECT_LT(0, cfg.overflows);
	EXPECT_EQ(true,
		  is_all(variant->ctl,
			 counted(self->ibs.fd, self->ibs.num, period) + first -
				 period,
			 all, samples, 2 + switches(),
			 lost_by_stop(variant->ctl, self->ibs.num, LONGEST)));
}

/* The control register in each sample of a context with this control register. */
static int sampled_ctl(struct ibs_sampler *ibs, uint64_t ctl, uint64_t mask,
		       uint64_t *zeros, uint64_t *ones)
{
	uint64_t i, vals[PFM_IBS_OP_VALS];

	*zeros = 0;
	*ones = 0;
	if (ibs_sampler_open(ibs, ctl, 5003) || context_load(ibs->fd, 0) ||
	    context_start(ibs->fd, 0))
		return -1;
	spin(2000000);
	if (context_stop(ibs->fd))
		return -1;
	for (i = 0; i < ibs->hdr->hdr_count; i++) {
		ibs_sampler_values(ibs, i, vals);
		++*(vals[CTL] & mask ? ones : zeros);
	}
	ibs_sampler_close(ibs);
	return 0;
}

/* GET_CNT_CTL and GET_RAND_EN: each sample says how it was chosen. */
TEST_F(ibs, chosen)
{
	const uint64_t bit = self->ibs.num == OP ? COUNT_OPS : RANDOM;
	uint64_t zeros, ones;

	NEED_IBS();
	if (self->ibs.num == FETCH || ibs_caps() & CAP_OPS) {
		ASSERT_EQ(0, sampled_ctl(&self->ibs, bit, bit, &zeros, &ones));
		EXPECT_EQ(0, zeros);
		EXPECT_LT(10, ones);
	}
	ASSERT_EQ(0, sampled_ctl(&self->ibs, 0, bit, &zeros, &ones));
	EXPECT_LT(10, zeros);
	EXPECT_EQ(0, ones);
}

extern const char streaming_op[];

/* A store that goes past the caches, among others that do not */
static __attribute__((noinline)) void stream(unsigned int rounds)
{
	while (rounds--) {
		__asm__ volatile("streaming_op:	movnti	%1, %0\n"
				 "	mov	%1, %2\n"
				 : "=m"(copy_to[0])
				 : "r"((uint64_t)rounds), "m"(copy_to[1])
				 : "memory");
	}
}

/* Samples of a context that leaves out what the filter does not let through, in user mode. */
static int filtered(struct ibs_sampler *ibs, uint64_t ctl, uint64_t *samples,
		    uint64_t *streaming, uint64_t *latency)
{
	uint64_t i, vals[PFM_IBS_OP_VALS];

	*streaming = 0;
	/* What the kernel does for a sample may take thousands of ops. */
	if (ibs_sampler_open(ibs, ctl | USER_ONLY, 20011) ||
	    context_load(ibs->fd, 0) || context_start(ibs->fd, 0))
		return -1;
	stream(1000000);
	if (context_stop(ibs->fd))
		return -1;
	*samples = ibs->hdr->hdr_count;
	for (i = 0; i < ibs->hdr->hdr_count; i++) {
		ibs_sampler_values(ibs, i, vals);
		*streaming += vals[RIP] == (uintptr_t)streaming_op;
		*latency = vals[FETCH_CTL] >> 32 & 0xffff;
	}
	ibs_sampler_close(ibs);
	return 0;
}

/* The filters of the second control registers: refused where the processor has none. */
TEST_F(ibs, filters)
{
	const uint64_t bits = self->ibs.num == OP ? PFM_IBS_OP_STREAMING
						  : PFM_IBS_FETCH_LATENCY;
	uint64_t samples, streaming, latency = 0;
	struct pfm_reg_info info = { .num = self->ibs.num };

	NEED_IBS();
	self->ibs.fd = context_open(0);
	ASSERT_LE(0, self->ibs.fd);
	ASSERT_EQ(0,
		  vector(self->ibs.fd, PFM_IOC_GETINFO_PMCS, &info, 1, NULL));
	if (info.rsvd & bits) {
		EXPECT_EQ(bits, info.rsvd & bits);
		EXPECT_EQ(-ERANGE, pmc_write(self->ibs.fd, self->ibs.num,
					     variant->ctl | (bits & -bits)));
		return;
	}
	EXPECT_EQ(-ERANGE, pmc_write(self->ibs.fd, self->ibs.num,
				     variant->ctl | 1ULL << 39));
	ibs_sampler_close(&self->ibs);
	ASSERT_EQ(0, filtered(&self->ibs, variant->ctl, &samples, &streaming,
			      &latency));
	EXPECT_LT(10, samples);
	EXPECT_LT(streaming, samples);
	if (self->ibs.num == OP) {
		ASSERT_EQ(0, filtered(&self->ibs, variant->ctl | bits, &samples,
				      &streaming, &latency));
		EXPECT_LT(10, samples);
		EXPECT_EQ(samples, streaming);
		/* The filter does not outlive the context that has it. */
		ASSERT_EQ(0, filtered(&self->ibs, variant->ctl, &samples,
				      &streaming, &latency));
		EXPECT_LT(streaming, samples);
		return;
	}
	/* Each fetch of the emulator has the same latency. */
	for (uint64_t n = 0; n <= 15; n++) {
		uint64_t unused;

		ASSERT_EQ(0, filtered(&self->ibs, variant->ctl | n << 35,
				      &samples, &streaming, &unused));
		EXPECT_EQ(!n || latency > n * 128, samples > 0);
	}
}

/**
 * struct seen - what samples say of the caches
 * @samples: how many there are
 * @loads: of these, loads
 * @misses: of these, ops that miss the L2 cache, or fetches that miss the L3 cache
 * @latency: the longest latency of a load
 */
struct seen {
	uint64_t samples;
	uint64_t loads;
	uint64_t misses;
	uint64_t latency;
};

static void see(uint16_t num, const uint64_t *vals, struct seen *seen)
{
	const uint64_t latency = vals[DATA3] >> 32 & 0xffff;

	seen->samples++;
	if (num == FETCH) {
		seen->misses += vals[FETCH_CTL] >> 61 & 1;
		return;
	}
	seen->misses += vals[DATA3] >> 20 & 1;
	if (!(vals[DATA3] & 1))
		return;
	seen->loads++;
	if (seen->latency < latency)
		seen->latency = latency;
}

/* Samples of copy() with such a control register */
static int see_copy(struct ibs_sampler *ibs, uint64_t ctl, struct seen *seen)
{
	uint64_t i, vals[PFM_IBS_OP_VALS];

	*seen = (struct seen){};
	if (ibs_sampler_open(ibs, ctl | USER_ONLY, 20011) ||
	    context_load(ibs->fd, 0) || context_start(ibs->fd, 0))
		return -1;
	copy(800);
	if (context_stop(ibs->fd))
		return -1;
	for (i = 0; i < ibs->hdr->hdr_count; i++) {
		ibs_sampler_values(ibs, i, vals);
		see(ibs->num, vals, seen);
	}
	ibs_sampler_close(ibs);
	return 0;
}

/* Whether the processor has bits of the control register: then none of them is reserved. */
static bool has_bits(struct ibs_sampler *ibs, uint64_t bits)
{
	struct pfm_reg_info info = { .num = ibs->num };

	ibs->fd = context_open(0);
	if (ibs->fd < 0 ||
	    vector(ibs->fd, PFM_IOC_GETINFO_PMCS, &info, 1, NULL))
		abort();
	return !(info.rsvd & bits);
}

/* The filter of misses: each sample misses, and without it some do and some do not. */
TEST_F(ibs, only_misses)
{
	const uint64_t bit = self->ibs.num == OP ? OP_L3_ONLY : FETCH_L3_ONLY;
	struct seen all, some;

	NEED_IBS();
	if (!has_bits(&self->ibs, bit)) {
		EXPECT_EQ(-ERANGE, pmc_write(self->ibs.fd, self->ibs.num,
					     variant->ctl | bit));
		return;
	}
	ibs_sampler_close(&self->ibs);
	ASSERT_EQ(0, see_copy(&self->ibs, variant->ctl, &all));
	EXPECT_LT(0, all.misses);
	EXPECT_LT(all.misses, all.samples);
	ASSERT_EQ(0, see_copy(&self->ibs, variant->ctl | bit, &some));
	EXPECT_LT(5, some.samples);
	EXPECT_EQ(some.samples, some.misses);
	/* It does not outlive the context that has it. */
	ASSERT_EQ(0, see_copy(&self->ibs, variant->ctl, &all));
	EXPECT_LT(all.misses, all.samples);
}

/* The filter of latencies, below and above that of the emulator's loads, which is the same for all */
TEST_F(ibs, only_slow_loads)
{
	uint64_t latency;
	struct seen seen;

	NEED_IBS();
	if (self->ibs.num == FETCH ||
	    !has_bits(&self->ibs, OP_LATENCY(16 * 128))) {
		if (self->ibs.fd < 0)
			self->ibs.fd = context_open(0);
		EXPECT_EQ(-ERANGE, pmc_write(self->ibs.fd, self->ibs.num,
					     variant->ctl | OP_LATENCY(128)));
		return;
	}
	ibs_sampler_close(&self->ibs);
	ASSERT_EQ(0, see_copy(&self->ibs, variant->ctl, &seen));
	latency = seen.latency;
	EXPECT_LT(seen.loads, seen.samples);
	/* Some of the thresholds are below, and some above. */
	ASSERT_LT(128, latency);
	ASSERT_GT(16 * 128, latency);
	for (uint64_t n = 128; n <= 16 * 128; n += 128) {
		ASSERT_EQ(0, see_copy(&self->ibs, variant->ctl | OP_LATENCY(n),
				      &seen));
		EXPECT_EQ(latency > n, seen.samples > 5);
		EXPECT_EQ(latency > n, seen.samples > 0);
		EXPECT_EQ(seen.samples, seen.loads);
		EXPECT_EQ(seen.samples, seen.misses);
	}
}

/* GET_POLL_SIZE and GET_BUFFER_SIZE: the mapped header and the context tell what was asked for. */
TEST_F(ibs, sizes)
{
	const uint64_t page = sysconf(_SC_PAGESIZE);
	const uint64_t entry = self->ibs.num == OP
				       ? sizeof(struct pfm_ibs_op)
				       : sizeof(struct pfm_ibs_fetch);
	const struct pfm_nway_hdr *hdr;
	struct pfm_config cfg;
	uint64_t bytes;

	NEED_IBS();
	for (unsigned int entries = 16; entries < 2000; entries *= 5) {
		ASSERT_EQ(0, ibs_sampler_open_parts(&self->ibs, variant->ctl,
						    10000, 0, entries));
		ASSERT_EQ(0, config_get(self->ibs.fd, &cfg));
		hdr = buffer_map(self->ibs.fd);
		ASSERT_NE(NULL, hdr);
		EXPECT_EQ(2, hdr->parts);
		EXPECT_EQ(sizeof(struct pfm_nway_part) + entries * entry,
			  hdr->part_size);
		bytes = hdr->part_offs + hdr->parts * hdr->part_size;
		EXPECT_EQ((bytes + page - 1) / page * page, cfg.buffer_size);
		munmap((void *)hdr, cfg.buffer_size);
		close(self->ibs.fd);
		self->ibs.fd = -1;
	}
}

/* Values that nobody may write, and that nobody without rights may. */
TEST_F(ibs, refused)
{
	const uint64_t bad[] = { 1ULL << 17, 1ULL << 18, 1ULL << 48,
				 1ULL << 49, 1ULL << 32, 0xffff };

	NEED_IBS();
	self->ibs.fd = context_open(0);
	ASSERT_LE(0, self->ibs.fd);
	for (size_t i = 0; i < ARRAY_LEN(bad); i++)
		EXPECT_EQ(-ERANGE, pmc_write(self->ibs.fd, self->ibs.num,
					     bad[i] | PFM_IBS_EXCLUDE_KERNEL |
						     PFM_IBS_EXCLUDE_USER));
	if (self->ibs.num == OP && !(ibs_caps() & CAP_OPS))
		EXPECT_EQ(-ERANGE, pmc_write(self->ibs.fd, OP, COUNT_OPS));
}

static int try_without_rights(void *arg)
{
	const int device = device_open();
	const uint16_t *num = arg;
	int fd;

	rights_drop();
	fd = context_create(device, 0);
	return fd < 0 ? 255 : -pmc_write(fd, *num, USER_ONLY);
}

TEST_F(ibs, rights)
{
	NEED_IBS();
	EXPECT_EQ(EPERM, in_child(try_without_rights, &self->ibs.num));
}

/* The kernel's copy of the interrupt table, which is at the same place in each kernel */
#define KERNEL_PAGE 0xfffffe0000000000ULL

extern const char prefetch_op[];

static __attribute__((noinline)) void prefetch(unsigned int rounds)
{
	while (rounds--) {
		__asm__ volatile(
			"prefetch_op:	prefetcht0 (%0)" ::"r"(KERNEL_PAGE));
	}
}

static int add_prefetches(struct ibs_sampler *ibs, uint64_t ctl,
			  uint64_t period, unsigned int *samples,
			  unsigned int *telling)
{
	uint64_t i, vals[PFM_IBS_OP_VALS];

	if (ibs_sampler_open(ibs, ctl | USER_ONLY, period) ||
	    context_load(ibs->fd, 0) || context_start(ibs->fd, 0))
		return -1;
	prefetch(400000);
	if (context_stop(ibs->fd))
		return -1;
	for (i = 0; i < ibs->hdr->hdr_count; i++) {
		ibs_sampler_values(ibs, i, vals);
		if (vals[RIP] != (uintptr_t)prefetch_op)
			continue;
		++*samples;
		*telling += vals[DATA2] || vals[DATA3] || vals[LINAD] ||
			    vals[PHYSAD];
	}
	ibs_sampler_close(ibs);
	return 0;
}

/*
 * Samples of a prefetch: how many there are, and how many tell of the page.  Some periods may be
 * in step with the loop, which has three instructions.
 */
static int sample_prefetch(struct ibs_sampler *ibs, uint64_t ctl,
			   unsigned int *samples, unsigned int *telling)
{
	uint64_t period;

	*samples = 0;
	*telling = 0;
	for (period = 20000; period < 20000 + 4 * 16; period += 16) {
		if (add_prefetches(ibs, ctl, period, samples, telling))
			return -1;
	}
	return 0;
}

struct sampling {
	struct ibs_sampler *ibs;
	uint64_t ctl;
};

/* Whether samples of copy() have what only those with rights may see: 0, or what of it */
static int copy_without_rights(void *arg)
{
	const struct sampling *sampling = arg;
	struct ibs_sampler *ibs = sampling->ibs;
	uint64_t i, vals[PFM_IBS_OP_VALS];
	unsigned int loads = 0;

	/* For the device */
	rights_keep(1ULL << CAP_DAC_OVERRIDE);
	if (ibs_sampler_open(ibs, sampling->ctl | USER_ONLY, 20011) ||
	    context_load(ibs->fd, 0) || context_start(ibs->fd, 0))
		return 1;
	copy(800);
	if (context_stop(ibs->fd))
		return 2;
	for (i = 0; i < ibs->hdr->hdr_count; i++) {
		ibs_sampler_values(ibs, i, vals);
		if (ibs_sampler_entry(ibs, i)->ip >> 63 || vals[RIP] >> 63)
			return 3;
		if (vals[ibs->num == OP ? PHYSAD : FETCH_PHYSAD])
			return 4;
		if (ibs->num == OP && vals[RIP] == (uintptr_t)copy_load) {
			if (!is_within(vals[LINAD], copy_from))
				return 5;
			loads++;
		}
	}
	if (ibs->num == OP && loads < 5)
		return 6;
	return ibs->hdr->hdr_count < 20 ? 7 : 0;
}

/* With leave, users without rights sample their own code: no address of memory, none of the kernel */
TEST_F(ibs, unprivileged)
{
	struct sampling sampling = { .ibs = &self->ibs, .ctl = variant->ctl };
	int ret;

	NEED_IBS();
	ASSERT_EQ(0, system("rmmod perfmon_ibs"));
	ASSERT_EQ(0, system("modprobe perfmon_ibs unprivileged=1"));
	ret = in_child(copy_without_rights, &sampling);
	EXPECT_EQ(0, ret);
	ASSERT_EQ(0, system("rmmod perfmon_ibs && modprobe perfmon_ibs"));
}

static int prefetch_without_rights(void *arg)
{
	const struct sampling *sampling = arg;
	unsigned int samples, telling;

	/* For the device */
	rights_keep(1ULL << CAP_DAC_OVERRIDE);
	if (sample_prefetch(sampling->ibs, sampling->ctl, &samples, &telling))
		return 1;
	if (!samples)
		return 2;
	return telling ? 3 : 0;
}

/* User code can prefetch any address.  Where the kernel has pages is not for everybody. */
TEST_F(ibs, kernel_pages)
{
	struct sampling sampling = { .ibs = &self->ibs, .ctl = variant->ctl };
	unsigned int samples, telling;
	int ret;

	NEED_IBS();
	if (self->ibs.num != OP)
		SKIP(return, "a fetch has no data");
	ASSERT_EQ(0, sample_prefetch(&self->ibs, variant->ctl, &samples,
				     &telling));
	EXPECT_LT(0, samples);
	EXPECT_EQ(samples, telling);
	ASSERT_EQ(0, sysfs_write("policy/kernel_level", "1"));
	ret = in_child(prefetch_without_rights, &sampling);
	ASSERT_EQ(0, sysfs_write("policy/kernel_level", "0"));
	EXPECT_EQ(0, ret);
}

/* A short run, at whose begin so much is left of the value; returns what the value counted in it. */
static uint64_t run_with(int fd, uint16_t num, uint64_t left)
{
	if (pmd_write(fd, num, -left) || context_start(fd, 0))
		abort();
	spin(2000);
	if (context_stop(fd))
		abort();
	return pmd_value(fd, num) + left;
}

/* More than a short run counts */
#define LONG_PERIOD (1 << 16)

/*
 * A stop where the engine has counted as much as is left of the value, or a little more, but has no
 * sample: the random bits let it go on beyond.  No period is lost.  The engine has the random bits of
 * ops after a sample only, so there is a run with one before.
 */
static bool stops_lose_nothing(struct ibs_sampler *ibs, uint64_t ctl,
			       uint64_t period)
{
	const uint64_t after = period < LONG_PERIOD ? period : 0;
	uint64_t usual, left, value, samples, all, last;
	struct pfm_config first, cfg;
	struct emulated before;

	usual = run_with(ibs->fd, ibs->num, LONG_PERIOD) / 16 * 16;
	if (usual < after + 500 || usual > LONG_PERIOD / 2) {
		printf("# a run counts %llu\n", (unsigned long long)usual);
		return false;
	}
	last = usual - after + 160;
	for (left = usual - after - 160; left <= last; left += 16) {
		if (config_get(ibs->fd, &first))
			return false;
		emulated_here(&before);
		value = run_with(ibs->fd, ibs->num, left);
		all = counted_since(&before, ibs->num, &samples);
		if (config_get(ibs->fd, &cfg))
			return false;
		value += (cfg.overflows - first.overflows) * period;
		if (!is_all(ctl, value, all, 2, 1,
			    lost_by_stop(ctl, ibs->num, period)))
			return false;
	}
	return true;
}

TEST_F(ibs, stop_before_sample)
{
	const uint64_t periods[] = { LONG_PERIOD, 2000 };

	NEED_IBS();
	if (!is_readable(self->ibs.num))
		SKIP(return, "a stop loses what cannot be read");
	for (size_t i = 0; i < ARRAY_LEN(periods); i++) {
		ASSERT_EQ(0, ibs_sampler_open(&self->ibs, variant->ctl,
					      periods[i]));
		ASSERT_EQ(0, context_load(self->ibs.fd, 0));
		for (unsigned int n = 0; n < 16; n++) {
			ASSERT_EQ(true,
				  stops_lose_nothing(&self->ibs, variant->ctl,
						     periods[i]));
		}
		ibs_sampler_close(&self->ibs);
	}
}

/*
 * The shortest period: the CPU goes on, and the samples' periods are all that was counted.  Most stops
 * are those of the throttling, after a sample; a switch leaves a period without one.
 */
TEST_F(ibs, storm)
{
	uint64_t i, samples, all, more, sum = 0, vals[PFM_IBS_OP_VALS];
	uint64_t shortest;
	struct emulated before;
	struct pfm_config cfg;
	unsigned int divided;
	int at;

	NEED_IBS();
	shortest = self->ibs.num == OP ? OP_SHORTEST : FETCH_SHORTEST;
	at = self->ibs.num == OP ? PERIOD : FETCH_PERIOD;
	ASSERT_EQ(0, ibs_sampler_open(&self->ibs, variant->ctl, 1));
	ASSERT_EQ(0, context_load(self->ibs.fd, 0));
	divided = switches();
	emulated_here(&before);
	ASSERT_EQ(0, context_start(self->ibs.fd, 0));
	spin(20000000);
	ASSERT_EQ(0, context_stop(self->ibs.fd));
	all = counted_since(&before, self->ibs.num, &samples);
	divided = switches() - divided;
	ASSERT_EQ(0, config_get(self->ibs.fd, &cfg));
	EXPECT_LT(100, samples);
	EXPECT_LT(0, cfg.throttled);
	EXPECT_LE(samples * shortest, all);
	EXPECT_EQ(cfg.overflows, self->ibs.hdr->hdr_count);
	ASSERT_LT(self->ibs.hdr->hdr_count, ENTRIES);
	for (i = 0; i < self->ibs.hdr->hdr_count; i++) {
		ibs_sampler_values(&self->ibs, i, vals);
		ASSERT_LE(shortest, vals[at]);
		sum += vals[at];
	}
	more = unsure(variant->ctl, samples, 0);
	EXPECT_LE(sum, all + more);
	EXPECT_GE(sum + more +
			  (1 + divided) * (PIECE(shortest) + LOST_BY_STOP) +
			  cfg.throttled * LOST_BY_STOP,
		  all);
	printf("# storm: %llu samples, %llu counted, emulator %llu, %llu throttled\n",
	       (unsigned long long)samples, (unsigned long long)sum,
	       (unsigned long long)all, (unsigned long long)cfg.throttled);
}

/*
 * A full buffer masks the context, and the virtual clock, whose timer runs, stops with it.  That
 * is not done in the NMI, as timers have locks: the debug kernel would complain.
 */
TEST_F(ibs, masked_with_clock)
{
	struct pfm_config cfg = {};
	uint64_t clock;

	NEED_IBS();
	ASSERT_EQ(0, ibs_sampler_open_parts(&self->ibs, variant->ctl, 100000, 0,
					    16));
	ASSERT_EQ(0, pmd_write(self->ibs.fd, CPU_TIME_NS, 1ULL << 63));
	ASSERT_EQ(0, context_load(self->ibs.fd, 0));
	ASSERT_EQ(0, context_start(self->ibs.fd, 0));
	for (int i = 0; i < 1000 && cfg.state != PFM_STATE_MASKED; i++) {
		spin(1000000);
		ASSERT_EQ(0, config_get(self->ibs.fd, &cfg));
	}
	EXPECT_EQ(PFM_STATE_MASKED, cfg.state);
	clock = pmd_value(self->ibs.fd, CPU_TIME_NS);
	EXPECT_LE(1ULL << 63, clock);
	spin(1000000);
	EXPECT_EQ(clock, pmd_value(self->ibs.fd, CPU_TIME_NS));
	ASSERT_EQ(0, context_stop(self->ibs.fd));
}

/*
 * A value that the format does not have reset goes on, and passes a million of its periods until
 * the next sample.  They have none, and are not gone through one by one.
 */
TEST_F(ibs, unreset)
{
	const uint8_t uuid[PFM_UUID_LEN] = FMT_TEST_UUID;
	const struct fmt_test_arg arg = {
		.size = 4096,
		.handler_ret = FMT_TEST_RESET,
		.every = 2,
		.every_ret = FMT_TEST_NOTIFY | FMT_TEST_MASK,
	};
	const struct pfm_pmd_attr attr = {
		.num = self->ibs.num,
		.flags = PFM_PMDF_NOTIFY,
		.long_reset = -1,
		.short_reset = -1,
	};
	struct pfm_config cfg;
	uint64_t begin;

	NEED_IBS();
	LOAD_OR_SKIP("fmt_test");
	self->ibs.fd = format_open(PFM_CTX_NO_MSG, uuid, &arg, sizeof(arg));
	ASSERT_LE(0, self->ibs.fd);
	ASSERT_EQ(0, pmc_write(self->ibs.fd, self->ibs.num, variant->ctl));
	ASSERT_EQ(0, pmd_write(self->ibs.fd, self->ibs.num, -1000));
	ASSERT_EQ(0, attr_write(self->ibs.fd, &attr));
	ASSERT_EQ(0, context_load(self->ibs.fd, 0));
	ASSERT_EQ(0, context_start(self->ibs.fd, 0));
	/* Nothing else answers the second overflow. */
	while (context_restart(self->ibs.fd, 0) == -EBUSY)
		spin(1000);
	begin = time_ns(CLOCK_MONOTONIC);
	spin(2000000);
	ASSERT_EQ(0, context_stop(self->ibs.fd));
	/* An instruction is a nanosecond. */
	EXPECT_GT(begin + 100 * 1000000, time_ns(CLOCK_MONOTONIC));
	ASSERT_EQ(0, config_get(self->ibs.fd, &cfg));
	EXPECT_EQ(0, cfg.skipped);
	close(self->ibs.fd);
	self->ibs.fd = -1;
	while (syscall(SYS_delete_module, "fmt_test", O_NONBLOCK) &&
	       errno == EWOULDBLOCK)
		usleep(1000);
}

/* An event of perf's own driver, on this CPU.  Returns its descriptor or -errno. */
static int perf_ibs(const char *pmu, uint64_t config, uint64_t period)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.config = config,
		.sample_period = period,
	};
	char path[80], text[16] = "";
	int fd;

	snprintf(path, sizeof(path), "/sys/bus/event_source/devices/%s/type",
		 pmu);
	fd = open(path, O_RDONLY);
	if (fd < 0)
		return -errno;
	if (read(fd, text, sizeof(text) - 1) < 0)
		text[0] = '\0';
	close(fd);
	attr.type = atoi(text);
	return perf_open(&attr, -1, 0, -1);
}

/*
 * perf and perfmon take turns: whoever comes second is refused, and what the first one
 * has goes on.
 */
TEST_F(ibs, perf_in_turn)
{
	struct emulated before;
	uint64_t samples;
	int event, round;

	NEED_IBS();
	for (round = 0; round < 3; round++) {
		event = perf_ibs("ibs_op", 0, 100000);
		ASSERT_LE(0, event);
		ASSERT_EQ(0, ibs_sampler_open(&self->ibs, variant->ctl, 10000));
		EXPECT_EQ(-EBUSY, context_load(self->ibs.fd, 0));
		emulated_here(&before);
		spin(2000000);
		counted_since(&before, OP, &samples);
		EXPECT_LT(10, samples);
		close(event);
		ASSERT_EQ(0, context_load(self->ibs.fd, 0));
		EXPECT_EQ(-EOPNOTSUPP, perf_ibs("ibs_op", 0, 10000));
		EXPECT_EQ(-EOPNOTSUPP, perf_ibs("ibs_fetch", 0, 10000));
		/* The period may be in the bits of the register as well. */
		EXPECT_EQ(-EOPNOTSUPP, perf_ibs("ibs_op", 10000 / 16, 0));
		EXPECT_EQ(-EOPNOTSUPP, perf_ibs("ibs_fetch", 10000 / 16, 0));
		ASSERT_EQ(0, context_start(self->ibs.fd, 0));
		spin(2000000);
		ASSERT_EQ(0, context_stop(self->ibs.fd));
		EXPECT_LT(10, self->ibs.hdr->hdr_count);
		ASSERT_EQ(0, context_unload(self->ibs.fd));
		ibs_sampler_close(&self->ibs);
	}
}

/* Write the control register of the engine on this CPU. */
static int control_write(uint16_t num, uint64_t value)
{
	const int fd = open("/sys/module/msr_test/parameters/write", O_WRONLY);
	char text[64];
	int len, ret;

	if (fd < 0)
		return -errno;
	len = snprintf(text, sizeof(text), "%#x %#llx",
		       num == OP ? 0xc0011033 : 0xc0011030,
		       (unsigned long long)value);
	ret = write(fd, text, len) == len ? 0 : -errno;
	close(fd);
	return ret;
}

/*
 * An engine runs that perf has not started.  It is another driver's, which is not disturbed.  If it
 * keeps its sample, an earlier kernel has left it, and it is taken.
 */
TEST_F(ibs, left_running)
{
	const uint64_t en = self->ibs.num == OP ? 1ULL << 17 : 1ULL << 48;
	const uint64_t valid = self->ibs.num == OP ? 1ULL << 18 : 1ULL << 49;
	const uint64_t period = 0xffff;

	NEED_IBS();
	LOAD_OR_SKIP("msr_test");
	ASSERT_EQ(0, ibs_sampler_open(&self->ibs, variant->ctl, 10000));
	ASSERT_EQ(0, control_write(self->ibs.num, en | period));
	EXPECT_EQ(-EBUSY, context_load(self->ibs.fd, 0));
	/* Some processors look at a write that enables a stopped engine only. */
	ASSERT_EQ(0, control_write(self->ibs.num, 0));
	ASSERT_EQ(0, control_write(self->ibs.num, en | valid | period));
	EXPECT_EQ(0, context_load(self->ibs.fd, 0));
	ASSERT_EQ(0, context_start(self->ibs.fd, 0));
	spin(200000);
	ASSERT_EQ(0, context_stop(self->ibs.fd));
	EXPECT_LT(10, self->ibs.hdr->hdr_count);
	ASSERT_EQ(0, system("rmmod msr_test"));
}

/* perf samples when the module is gone, and both take turns again when it is back. */
TEST_F(ibs, perf_after_removal)
{
	struct emulated before;
	uint64_t samples;
	int event;

	NEED_IBS();
	ASSERT_EQ(0, ibs_sampler_open(&self->ibs, variant->ctl, 10000));
	ASSERT_EQ(0, context_load(self->ibs.fd, 0));
	ASSERT_EQ(0, context_start(self->ibs.fd, 0));
	spin(200000);
	ASSERT_EQ(0, context_unload(self->ibs.fd));
	ibs_sampler_close(&self->ibs);
	ASSERT_EQ(0, system("rmmod perfmon_ibs"));
	event = perf_ibs("ibs_op", 0, 100000);
	EXPECT_LE(0, event);
	emulated_here(&before);
	spin(2000000);
	counted_since(&before, OP, &samples);
	EXPECT_LT(10, samples);
	close(event);
	ASSERT_EQ(0, system("modprobe perfmon_ibs"));
	ASSERT_EQ(0, ibs_sampler_open(&self->ibs, variant->ctl, 10000));
	ASSERT_EQ(0, context_load(self->ibs.fd, 0));
	ASSERT_EQ(0, context_start(self->ibs.fd, 0));
	spin(2000000);
	ASSERT_EQ(0, context_stop(self->ibs.fd));
	EXPECT_LT(10, self->ibs.hdr->hdr_count);
}

/* Children are followed, and each counts for itself. */
TEST_F(ibs, follows)
{
	struct emulated before;
	uint64_t all, samples;
	int fd, child;

	NEED_IBS();
	fd = context_open(PFM_CTX_FOLLOW_ALL);
	ASSERT_LE(0, fd);
	self->ibs.fd = fd;
	ASSERT_EQ(0, pmc_write(fd, self->ibs.num, variant->ctl));
	ASSERT_EQ(0, pmd_write(fd, self->ibs.num, 0));
	ASSERT_EQ(0, context_load(fd, 0));
	emulated_here(&before);
	ASSERT_EQ(0, context_start(fd, 0));
	for (child = 0; child < 5; child++) {
		const pid_t pid = fork();

		ASSERT_LE(0, pid);
		if (!pid) {
			spin(200000);
			_exit(0);
		}
		ASSERT_EQ(0, child_reap(pid));
	}
	ASSERT_EQ(0, context_stop(fd));
	all = counted_since(&before, self->ibs.num, &samples);
	EXPECT_LE(5 * 200000, all);
	/* A fork, a wait, an exit and its own end stop each child or its parent. */
	EXPECT_EQ(true,
		  is_all(variant->ctl, pmd_value(fd, self->ibs.num), all,
			 samples, 1 + 5 * 6,
			 lost_by_stop(variant->ctl, self->ibs.num, LONGEST)));
}

/* A CPU goes offline with a sample that waits, and comes back when IBS is perf's. */
TEST_F(ibs, offline)
{
	const struct pfm_pmd_attr attr = {
		.num = self->ibs.num,
		.flags = PFM_PMDF_NOTIFY,
		.long_reset = -10000,
		.short_reset = -10000,
	};
	int event;

	NEED_IBS();
	NEED_TWO_CPUS();
	pin_to(1);
	self->ibs.fd = context_open(0);
	ASSERT_LE(0, self->ibs.fd);
	ASSERT_EQ(0, pmc_write(self->ibs.fd, self->ibs.num, variant->ctl));
	ASSERT_EQ(0, pmd_write(self->ibs.fd, self->ibs.num, -10000));
	ASSERT_EQ(0, attr_write(self->ibs.fd, &attr));
	ASSERT_EQ(0, context_load(self->ibs.fd, 0));
	ASSERT_EQ(0, context_start(self->ibs.fd, 0));
	/* The overflow masks the context, so the engine is not armed again. */
	spin(50000);
	pin_to(0);
	ASSERT_EQ(true, cpu1_online(false));
	close(self->ibs.fd);
	self->ibs.fd = -1;
	/* IBS is given back a little later. */
	while ((event = perf_ibs("ibs_op", 0, 10000)) == -EOPNOTSUPP)
		usleep(1000);
	EXPECT_LE(0, event);
	close(event);
	ASSERT_EQ(true, cpu1_online(true));
	ASSERT_EQ(0, ibs_sampler_open(&self->ibs, variant->ctl, 10000));
	EXPECT_EQ(0, context_load(self->ibs.fd, 0));
}

TEST_HARNESS_MAIN

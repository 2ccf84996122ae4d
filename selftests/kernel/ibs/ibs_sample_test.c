// SPDX-License-Identifier: GPL-2.0-only
/*
 * Samples of AMD's instruction-based sampling: their contents, and that they are of the context's own
 * code.  Needs root and the emulator with a processor of AMD.
 */
#include "child.h"
#include "context.h"
#include "cpu.h"
#include "emulator.h"
#include "ibs_copy.h"
#include "ibs_count.h"

#include "kselftest_harness.h"
#include "ibs_fixture.h"

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

TEST_HARNESS_MAIN

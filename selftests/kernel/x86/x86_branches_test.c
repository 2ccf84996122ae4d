// SPDX-License-Identifier: GPL-2.0-only
/*
 * Samples with the branches that led to them, on x86: which they are, who sees them, and who may
 * have them.
 *
 * The emulator records each branch of the guest's code, so those of a known program are known.
 */
#include "branch_loop.h"
#include "child.h"
#include "exact_count.h"
#include "msr.h"
#include "rights.h"

#include <sched.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "kselftest_harness.h"

#define BUFFER	 (1 << 20)
#define DEBUGCTL 0x1d9
/* Bits of it */
#define DEBUGCTL_LBR	0x1
#define DEBUGCTL_FREEZE 0x800
#define ARCH_CONTROL	0x14ce
#define AMD_CONFIG	0xc000010f

/* No user address is as high. */
#define USER_END (1ULL << 47)

FIXTURE(branches)
{
	struct recorder recorder;
	bool there;
	int fd;
	const struct pfm_default_hdr *hdr;
};

FIXTURE_SETUP(branches)
{
	self->fd = -1;
	self->there = recorder_find(&self->recorder);
	if (!self->there)
		return;
	self->fd = default_open(0, BUFFER);
	ASSERT_LE(0, self->fd);
	self->hdr = buffer_map(self->fd);
	ASSERT_NE(NULL, self->hdr);
}

FIXTURE_TEARDOWN(branches)
{
	if (self->fd >= 0)
		close(self->fd);
}

#define NEED_RECORDS()                                                     \
	do {                                                               \
		if (!self->there)                                          \
			SKIP(return, "this processor records no branches"); \
		NEED_EXACT();                                              \
	} while (0)

/* True if a branch of the loop is recorded with the filter. */
static bool is_wanted(const struct loop_branch *branch, uint64_t filter)
{
	return !(filter & PFM_BRANCH_KINDS) || filter & branch->kind;
}

/*
 * Compare the branches of a sample with those that precede instruction number @done of the loop,
 * which is the first one not executed.
 */
static void check_sample(struct __test_metadata *_metadata,
			 const struct pfm_default_entry *entry, uint64_t done,
			 uint64_t filter, uint16_t depth)
{
	const struct pfm_branch *branch = entry_branches(entry);
	unsigned int n = 0;
	uint64_t i;
	int k;

	for (i = done; i-- && n < depth;) {
		const struct loop_branch *expected = NULL;
		uint64_t kind;

		for (k = 0; k < LOOP_BRANCHES; k++) {
			if (loop_branches[k].instruction ==
			    i % LOOP_INSTRUCTIONS)
				expected = &loop_branches[k];
		}
		if (!expected || !is_wanted(expected, filter))
			continue;
		ASSERT_GT(entry->nr_branches, n);
		ASSERT_EQ((uintptr_t)expected->from, branch->from)
		{
			TH_LOG("branch %u of a sample at instruction %llu", n,
			       (unsigned long long)done);
		}
		ASSERT_EQ((uintptr_t)expected->to, branch->to);
		kind = (branch->info & PFM_BRANCH_INFO_KIND) >>
		       PFM_BRANCH_INFO_KIND_SHIFT;
		if (kind)
			ASSERT_EQ(expected->is, kind);
		ASSERT_EQ(0, branch->info & (PFM_BRANCH_INFO_TX |
					     PFM_BRANCH_INFO_ABORT));
		ASSERT_NE(PFM_BRANCH_INFO_MISPREDICTED |
				  PFM_BRANCH_INFO_PREDICTED,
			  branch->info & (PFM_BRANCH_INFO_MISPREDICTED |
					  PFM_BRANCH_INFO_PREDICTED));
		branch++;
		n++;
	}
	ASSERT_EQ(depth, n);
	ASSERT_EQ(depth, entry->nr_branches);
}

/*
 * So few that the samples are done with before their share of a millisecond is used up; with checkers
 * each takes more of it.
 */
static uint64_t few_rounds(void)
{
	return kernel_has_checkers() ? 1600 : 4000;
}

/* The samples of a run, whose first instruction is no part of the loop. */
static void check_run(struct __test_metadata *_metadata, int fd,
		      const struct pfm_default_hdr *hdr,
		      const struct recorder *recorder, uint64_t filter)
{
	const uint64_t period = 1000, rounds = few_rounds();
	const struct pfm_default_entry *entry = (const void *)(hdr + 1);
	uint64_t i;

	ASSERT_EQ(0, recorder_setup(fd, recorder, 0, filter, period));
	ASSERT_EQ(0, context_load(fd, 0));
	ASSERT_EQ(0, branch_loop(fd, rounds));
	EXPECT_EQ(rounds * LOOP_INSTRUCTIONS / period, hdr->hdr_count);
	EXPECT_EQ(0, hdr->hdr_lost);
	for (i = 0; i < hdr->hdr_count; i++) {
		ASSERT_EQ(-period, entry->last_reset_val);
		check_sample(_metadata, entry, (i + 1) * period - 1, filter,
			     recorder->depth);
		entry = entry_next(entry);
	}
	EXPECT_EQ((const char *)hdr + hdr->hdr_cur_offs, (const char *)entry);
	ASSERT_EQ(0, context_unload(fd));
}

/* Each branch of user code, as many as the processor records, the last one first. */
TEST_F(branches, exact)
{
	TEST_PROVES(N11);
	NEED_RECORDS();
	EXPECT_LE(8, self->recorder.depth);
	EXPECT_GE(64, self->recorder.depth);
	check_run(_metadata, self->fd, self->hdr, &self->recorder,
		  PFM_BRANCH_USER);
}

/* Those of one kind only. */
TEST_F(branches, filters)
{
	const uint64_t kinds[] = { PFM_BRANCH_COND,	PFM_BRANCH_CALL,
				   PFM_BRANCH_IND_CALL, PFM_BRANCH_RETURN,
				   PFM_BRANCH_JUMP,	PFM_BRANCH_IND_JUMP,
				   PFM_BRANCH_CALL | PFM_BRANCH_RETURN };
	const struct pfm_default_hdr *hdr;
	size_t i;
	int fd;

	NEED_RECORDS();
	if (!(self->recorder.filter & PFM_BRANCH_KINDS))
		SKIP(return, "this processor has no filter of kinds");
	for (i = 0; i < ARRAY_LEN(kinds); i++) {
		fd = default_open(0, BUFFER);
		ASSERT_LE(0, fd);
		hdr = buffer_map(fd);
		ASSERT_NE(NULL, hdr);
		check_run(_metadata, fd, hdr, &self->recorder,
			  PFM_BRANCH_USER | kinds[i]);
		munmap((void *)hdr, BUFFER);
		close(fd);
	}
}

/* A filter of 0 records nothing, and samples are as without the register. */
TEST_F(branches, off)
{
	NEED_RECORDS();
	ASSERT_EQ(0, recorder_setup(self->fd, &self->recorder, 0, 0, 1000));
	ASSERT_EQ(0, context_load(self->fd, 0));
	ASSERT_EQ(0, branch_loop(self->fd, 1000));
	EXPECT_EQ(8, self->hdr->hdr_count);
	EXPECT_EQ(sizeof(*self->hdr) +
			  8 * sizeof(struct pfm_default_entry),
		  self->hdr->hdr_cur_offs);
}

/* Values that mean nothing, or that the processor lacks, are refused. */
TEST_F(branches, refused)
{
	const uint64_t kinds = self->recorder.filter & PFM_BRANCH_KINDS;
	const struct recorder *recorder = &self->recorder;

	NEED_RECORDS();
	EXPECT_EQ(-ERANGE, pmc_write(self->fd, recorder->pmc, 1ULL << 63));
	EXPECT_EQ(-ERANGE, pmc_write(self->fd, recorder->pmc,
				     PFM_BRANCH_USER | PFM_BRANCH_MISPREDICTED));
	/* Neither level */
	if (kinds) {
		ASSERT_EQ(0, recorder_setup(self->fd, recorder, 0,
					    PFM_BRANCH_CALL, 1000));
		EXPECT_EQ(-EINVAL, context_load(self->fd, 0));
	}
	if (!(recorder->filter & PFM_BRANCH_STACK))
		return;
	ASSERT_EQ(0, pmc_write(self->fd, recorder->pmc,
			       PFM_BRANCH_USER | PFM_BRANCH_KERNEL |
				       PFM_BRANCH_STACK));
	EXPECT_EQ(-EINVAL, context_load(self->fd, 0));
	ASSERT_EQ(0, pmc_write(self->fd, recorder->pmc,
			       PFM_BRANCH_USER | PFM_BRANCH_COND |
				       PFM_BRANCH_STACK));
	EXPECT_EQ(-EINVAL, context_load(self->fd, 0));
}

/*
 * The records are one session's; others have the counters beside it, unless an erratum gives all of
 * them to one.
 */
TEST_F(branches, busy)
{
	const struct recorder *recorder = &self->recorder;
	int other, ret;

	TEST_PROVES(N12);
	NEED_RECORDS();
	ASSERT_EQ(0, recorder_setup(self->fd, recorder, 0, PFM_BRANCH_USER,
				    1000));
	ASSERT_EQ(0, context_load(self->fd, 0));
	other = default_open(0, BUFFER);
	ASSERT_LE(0, other);
	ASSERT_EQ(0, recorder_setup(other, recorder, 1, PFM_BRANCH_USER, 1000));
	/* That of the same thread has another error. */
	EXPECT_EQ(-EEXIST, context_load(other, 0));
	close(other);
	other = default_open(PFM_CTX_SYSTEM_WIDE, BUFFER);
	ASSERT_LE(0, other);
	ASSERT_EQ(0, recorder_setup(other, recorder, 1, PFM_BRANCH_USER, 1000));
	EXPECT_EQ(-EBUSY, context_load(other, 0));
	close(other);
	other = context_open(0);
	ASSERT_LE(0, other);
	ASSERT_EQ(0, pmc_write(other, 1, USER | EVENT_INST_RETIRED));
	ASSERT_EQ(0, pmd_write(other, 1, 0));
	ret = context_load(other, 0);
	if (ret != -EEXIST) {
		ASSERT_EQ(0, ret);
		ASSERT_EQ(0, context_start(other, 0));
	}
	ASSERT_EQ(0, branch_loop(self->fd, 1000));
	if (!ret) {
		ASSERT_EQ(0, context_stop(other));
		EXPECT_LT(8000, pmd_value(other, 1));
	}
	EXPECT_EQ(8, self->hdr->hdr_count);
	check_sample(_metadata, (const void *)(self->hdr + 1), 999,
		     PFM_BRANCH_USER, recorder->depth);
	close(other);
	/* When the first has gone, another may have them. */
	ASSERT_EQ(0, context_unload(self->fd));
	other = default_open(PFM_CTX_SYSTEM_WIDE, BUFFER);
	ASSERT_LE(0, other);
	ASSERT_EQ(0, recorder_setup(other, recorder, 0, PFM_BRANCH_USER, 1000));
	EXPECT_EQ(0, context_load(other, 0));
	close(other);
}

/* Count branches of all samples with an address of the kernel, and with one of either side 0. */
static void count_kernel(const struct pfm_default_hdr *hdr, uint64_t *kernel,
			 uint64_t *hidden, uint64_t *all)
{
	const struct pfm_default_entry *entry = (const void *)(hdr + 1);
	uint64_t i, k;

	*kernel = 0;
	*hidden = 0;
	*all = 0;
	for (i = 0; i < hdr->hdr_count; i++, entry = entry_next(entry)) {
		const struct pfm_branch *branch = entry_branches(entry);

		for (k = 0; k < entry->nr_branches; k++, branch++) {
			*kernel += branch->from >= USER_END ||
				   branch->to >= USER_END;
			*hidden += !branch->from || !branch->to;
			++*all;
		}
	}
}

#define SYSCALLS 400

/* Enter the kernel, and return from it, often: a sample has branches of it. */
static int enter_kernel(int fd)
{
	int i, ret = context_start(fd, 0);

	for (i = 0; i < SYSCALLS; i++)
		syscall(SYS_getppid);
	return ret ?: context_stop(fd);
}

/* With the right to see the kernel its branches are there. */
TEST_F(branches, kernel)
{
	uint64_t kernel, hidden, all;

	NEED_RECORDS();
	ASSERT_EQ(0, recorder_setup(self->fd, &self->recorder, 0,
				    PFM_BRANCH_USER | PFM_BRANCH_KERNEL, 101));
	ASSERT_EQ(0, context_load(self->fd, 0));
	ASSERT_EQ(0, enter_kernel(self->fd));
	count_kernel(self->hdr, &kernel, &hidden, &all);
	EXPECT_LT(0, self->hdr->hdr_count);
	EXPECT_LT(0, kernel);
	EXPECT_LT(kernel, all);
	EXPECT_EQ(0, hidden);
}

/* Returned by the child of the next test */
#define NO_KERNEL    0
#define SAW_KERNEL   1
#define SAW_NOTHING  2
#define NOT_REFUSED  3
#define NOT_SET_UP   4
#define NONE_HIDDEN  5

static int see_without_rights(void *arg)
{
	const struct recorder *recorder = arg;
	const struct pfm_default_arg format = { .buf_size = BUFFER };
	struct pfm_create create = {
		.fmt_arg = (uintptr_t)&format,
		.fmt_arg_size = sizeof(format),
	};
	const uint8_t uuid[PFM_UUID_LEN] = PFM_DEFAULT_UUID;
	const int device = device_open();
	const struct pfm_default_hdr *hdr;
	uint64_t kernel, hidden, all;
	int fd;

	memcpy(create.fmt_uuid, uuid, sizeof(uuid));
	rights_drop();
	fd = call(device, PFM_IOC_CREATE_CONTEXT, &create);
	if (fd < 0)
		return NOT_SET_UP;
	if (pmc_write(fd, recorder->pmc, PFM_BRANCH_USER | PFM_BRANCH_KERNEL) !=
	    -EPERM)
		return NOT_REFUSED;
	hdr = buffer_map(fd);
	if (!hdr ||
	    recorder_setup(fd, recorder, 0, PFM_BRANCH_USER, 101) ||
	    context_load(fd, 0) || enter_kernel(fd) || !hdr->hdr_count)
		return NOT_SET_UP;
	count_kernel(hdr, &kernel, &hidden, &all);
	if (!all)
		return SAW_NOTHING;
	/* Returns from the kernel end in user code. */
	if (!hidden)
		return NONE_HIDDEN;
	return kernel ? SAW_KERNEL : NO_KERNEL;
}

/* Without, no address of the kernel is, neither where a branch came from nor where it went. */
TEST_F(branches, unprivileged)
{
	TEST_PROVES(N13);
	NEED_RECORDS();
	EXPECT_EQ(NO_KERNEL, in_child(see_without_rights, &self->recorder));
}

/* A copy of the loop at another address, with which another program is told from this one. */
static void *copy_loop(void)
{
	const size_t size = loop_end - (const char *)branch_loop_;
	char *copy = mmap(NULL, 1 << 16, PROT_READ | PROT_WRITE | PROT_EXEC,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (copy == MAP_FAILED)
		abort();
	return memcpy(copy, (const void *)branch_loop_, size + 1);
}

#define TURNS 300

/* Rounds of a turn are so few that the records of the turn before are not all overwritten. */
static void take_turns(long (*loop)(long, uint64_t, unsigned long, unsigned long))
{
	int i;

	for (i = 0; i < TURNS; i++) {
		/* A descriptor that is none: START and STOP do nothing. */
		loop(-1, 2, PFM_IOC_START, PFM_IOC_STOP);
		sched_yield();
	}
}

static bool is_in(uint64_t address, const void *begin)
{
	const size_t size = loop_end - (const char *)branch_loop_;

	return address >= (uintptr_t)begin &&
	       address < (uintptr_t)begin + size + 1;
}

/* Count branches that touch a copy of the loop. */
static uint64_t count_in(const struct pfm_default_hdr *hdr, const void *begin)
{
	const struct pfm_default_entry *entry = (const void *)(hdr + 1);
	uint64_t i, k, n = 0;

	for (i = 0; i < hdr->hdr_count; i++, entry = entry_next(entry)) {
		const struct pfm_branch *branch = entry_branches(entry);

		for (k = 0; k < entry->nr_branches; k++, branch++)
			n += is_in(branch->from, begin) ||
			     is_in(branch->to, begin);
	}
	return n;
}

/*
 * Three programs take turns on a CPU, two of which are sampled by sessions of their own.  No sample
 * of one has a branch of another.
 */
TEST_F(branches, no_leak)
{
	const struct pfm_default_hdr *hdr[2];
	struct child child[3];
	void *loop[3];
	int fd[2], i, k;

	TEST_PROVES(N10);
	NEED_RECORDS();
	for (i = 0; i < 3; i++)
		loop[i] = copy_loop();
	for (i = 0; i < 3; i++) {
		if (child_begin(&child[i], 0)) {
			take_turns(loop[i]);
			_exit(0);
		}
	}
	for (i = 0; i < 2; i++) {
		fd[i] = default_open(0, BUFFER);
		ASSERT_LE(0, fd[i]);
		hdr[i] = buffer_map(fd[i]);
		ASSERT_NE(NULL, hdr[i]);
		ASSERT_EQ(0, recorder_setup(fd[i], &self->recorder, 0,
					    PFM_BRANCH_USER, 53));
		ASSERT_EQ(0, context_load(fd[i], child[i].pid));
		ASSERT_EQ(0, context_start(fd[i], 0));
	}
	for (i = 0; i < 3; i++)
		child_go(&child[i]);
	for (i = 0; i < 3; i++)
		ASSERT_EQ(0, child_reap(child[i].pid));
	for (i = 0; i < 2; i++) {
		EXPECT_LT(0, hdr[i]->hdr_count);
		for (k = 0; k < 3; k++) {
			const uint64_t n = count_in(hdr[i], loop[k]);

			if (i == k) {
				EXPECT_LT(0, n);
			} else {
				EXPECT_EQ(0, n);
			}
		}
		close(fd[i]);
	}
}

/* Calls that have not returned: the loop's caller is there, what it has called is not. */
TEST_F(branches, call_stack)
{
	const struct pfm_default_entry *entry;
	const uint64_t rounds = few_rounds();
	uint64_t i;

	NEED_RECORDS();
	if (!(self->recorder.filter & PFM_BRANCH_STACK))
		SKIP(return, "this processor records no call stacks");
	ASSERT_EQ(0, recorder_setup(self->fd, &self->recorder, 0,
				    PFM_BRANCH_USER | PFM_BRANCH_STACK, 1001));
	ASSERT_EQ(0, context_load(self->fd, 0));
	ASSERT_EQ(0, branch_loop(self->fd, rounds));
	entry = (const void *)(self->hdr + 1);
	EXPECT_EQ(rounds * LOOP_INSTRUCTIONS / 1001, self->hdr->hdr_count);
	for (i = 0; i < self->hdr->hdr_count; i++) {
		/* The number of the first instruction that is not executed. */
		const unsigned int at =
			((i + 1) * 1001 - 1) % LOOP_INSTRUCTIONS;
		const struct pfm_branch *branch = entry_branches(entry);

		if (at >= 1 && at <= 3) {
			ASSERT_EQ(1, entry->nr_branches);
			EXPECT_EQ((uintptr_t)loop_call, branch->from);
			EXPECT_EQ((uintptr_t)loop_callee, branch->to);
		} else if (at == 5) {
			ASSERT_EQ(1, entry->nr_branches);
			EXPECT_EQ((uintptr_t)loop_ind_call, branch->from);
		} else {
			ASSERT_EQ(0, entry->nr_branches);
		}
		entry = entry_next(entry);
	}
}

/* The register that switches recording on, and the bit. */
static uint32_t switch_of(uint64_t *bit)
{
	if (is_amd()) {
		*bit = 0x40;
		return AMD_CONFIG;
	}
	*bit = 1;
	return msr_read(ARCH_CONTROL) != ~0ULL ? ARCH_CONTROL : DEBUGCTL;
}

/* Whoever records already is left alone, and everything is found as it was afterwards. */
TEST_F(branches, left_alone)
{
	const struct recorder *recorder = &self->recorder;
	uint64_t found, debugctl, bit;
	uint32_t msr;

	TEST_PROVES(N12);
	NEED_RECORDS();
	ASSERT_EQ(0, system("modprobe msr_test"));
	msr = switch_of(&bit);
	found = msr_read(msr);
	debugctl = msr_read(DEBUGCTL);
	ASSERT_EQ(0, found & bit);
	ASSERT_EQ(0, recorder_setup(self->fd, recorder, 0, PFM_BRANCH_USER,
				    1000));
	ASSERT_TRUE(msr_write(msr, found | bit));
	EXPECT_EQ(-EBUSY, context_load(self->fd, 0));
	EXPECT_EQ(found | bit, msr_read(msr));
	ASSERT_TRUE(msr_write(msr, found));
	ASSERT_EQ(0, context_load(self->fd, 0));
	ASSERT_EQ(0, branch_loop(self->fd, 1000));
	ASSERT_EQ(8, self->hdr->hdr_count);
	check_sample(_metadata, (const void *)(self->hdr + 1), 999,
		     PFM_BRANCH_USER, recorder->depth);
	ASSERT_EQ(0, context_unload(self->fd));
	EXPECT_EQ(found, msr_read(msr));
	EXPECT_EQ(debugctl, msr_read(DEBUGCTL));
	EXPECT_EQ(0, system("rmmod msr_test"));
}

/* A processor without records has no such register. */
TEST(branches_missing)
{
	struct recorder recorder;
	int fd;

	if (recorder_find(&recorder))
		SKIP(return, "this processor records branches");
	fd = context_open(0);
	ASSERT_LE(0, fd);
	EXPECT_EQ(-ENXIO, pmc_write(fd, 43, PFM_BRANCH_USER));
	close(fd);
}

TEST_HARNESS_MAIN

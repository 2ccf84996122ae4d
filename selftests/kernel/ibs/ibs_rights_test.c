// SPDX-License-Identifier: GPL-2.0-only
/*
 * Rights of users of AMD's instruction-based sampling, and what samples tell those without
 * rights.  Needs root and the emulator with a processor of AMD.
 */
#include "child.h"
#include "context.h"
#include "ibs_copy.h"
#include "rights.h"
#include "sysfs.h"

#include "kselftest_harness.h"
#include "ibs_fixture.h"

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

TEST_HARNESS_MAIN

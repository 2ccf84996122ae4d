// SPDX-License-Identifier: GPL-2.0-only
/*
 * Samples of a thread beside a process on another CPU that writes the registers
 * which go into them: each sample has a value that the register had.
 */
#include "child.h"
#include "context.h"
#include "cpu.h"
#include "sampling.h"

#include "kselftest_harness.h"

#define PERIOD	20000 /* ns of CPU time */
#define SAMPLES 10000

/* A child that uses the second CPU. */
static pid_t burner(void)
{
	const pid_t parent = getpid();
	const pid_t pid = fork();
	volatile unsigned int i;

	if (pid)
		return pid;
	die_with_parent(parent);
	pin_to(1);
	for (i = 0;; i++)
		;
}

/* Registers whose sources were counting long before they are written. */
static const struct pfm_reg zeros[] = {
	{ .num = WALL_TIME_NS }, { .num = CONTEXT_SWITCHES },
	{ .num = MIGRATIONS },	 { .num = MINOR_FAULTS },
	{ .num = MAJOR_FAULTS },
};

TEST(write_beside_samples)
{
	TEST_PROVES(C6);
	const size_t size = buffer_bytes(SAMPLES, 1);
	const struct pfm_default_hdr *hdr;
	struct pfm_pmd_attr attr = {
		.num = CPU_TIME_NS,
		.long_reset = -(uint64_t)PERIOD,
		.short_reset = -(uint64_t)PERIOD,
	};
	uint64_t i, begin, took, bad = 0, writes = 0, worst = 0;
	pid_t pid;
	int fd;

	if (cpus_online() < 2)
		SKIP(return, "needs two CPUs");
	pin_to(0);
	fd = default_open(0, size);
	ASSERT_LE(0, fd);
	hdr = buffer_map(fd);
	ASSERT_NE(NULL, hdr);
	bit_set(attr.smpl_pmds, WALL_TIME_NS);
	ASSERT_EQ(0, vector(fd, PFM_IOC_WRITE_PMDS, zeros, ARRAY_LEN(zeros),
			    NULL));
	ASSERT_EQ(0, pmd_write(fd, CPU_TIME_NS, -(uint64_t)PERIOD));
	ASSERT_EQ(0, attr_write(fd, &attr));
	pid = burner();
	ASSERT_LT(0, pid);
	ASSERT_EQ(0, context_load(fd, pid));
	begin = time_ns(CLOCK_MONOTONIC);
	ASSERT_EQ(0, context_start(fd, 0));
	while (*(volatile const __u64 *)&hdr->hdr_count < SAMPLES) {
		ASSERT_EQ(0, vector(fd, PFM_IOC_WRITE_PMDS, zeros,
				    ARRAY_LEN(zeros), NULL));
		writes++;
	}
	ASSERT_EQ(0, context_stop(fd));
	took = time_ns(CLOCK_MONOTONIC) - begin;
	child_kill(pid);
	/*
	 * No wall-clock time is longer than the test took.  The time of the sample is no bound:
	 * it is read first, and the host may take the CPU away in between.
	 */
	for (i = 0; i < hdr->hdr_count; i++) {
		const struct pfm_default_entry *entry = entry_at(hdr, i, 1);
		const uint64_t wall = entry_val(entry, 0);

		if (wall > took) {
			worst = wall;
			bad++;
		}
	}
	TH_LOG("%llu samples beside %llu writes",
	       (unsigned long long)hdr->hdr_count, (unsigned long long)writes);
	EXPECT_EQ(0, bad)
	{
		TH_LOG("%llu samples have a time like %llu ns",
		       (unsigned long long)bad, (unsigned long long)worst);
	}
	munmap((void *)hdr, size);
	close(fd);
}

TEST_HARNESS_MAIN

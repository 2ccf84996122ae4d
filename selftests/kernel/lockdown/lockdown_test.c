// SPDX-License-Identifier: GPL-2.0-only
/*
 * A kernel that is locked down shows nobody what samples have of it.  Lockdown cannot be taken
 * back, so the guest is of no use for other tests afterwards.
 */
#include "child.h"
#include "context.h"
#include "cpu.h"
#include "sampling.h"

#include <sys/mount.h>

#include "kselftest_harness.h"

#define SECURITYFS "/sys/kernel/security"

/* Raise lockdown to a level; 0 or -errno. */
static int lock_down(const char *level)
{
	const int fd = open(SECURITYFS "/lockdown", O_WRONLY | O_CLOEXEC);
	int ret = 0;

	if (fd < 0)
		return -errno;
	if (write(fd, level, strlen(level)) < 0)
		ret = -errno;
	close(fd);
	return ret;
}

/* Sample a CPU that is in the kernel mostly: 1 if the kernel's addresses are told, 0 if not. */
static int sample_cpu(void *arg)
{
	const struct pfm_pmd_attr attr = {
		.num = CPU_TIME_NS,
		.flags = PFM_PMDF_NOTIFY,
		.long_reset = -200000ULL,
		.short_reset = -200000ULL,
	};
	const struct pfm_default_hdr *hdr;
	uint64_t i, kernel = 0, hidden = 0;
	int fd;

	pin_to(0);
	fd = default_open(PFM_CTX_SYSTEM_WIDE, buffer_bytes(1000, 0));
	hdr = fd < 0 ? NULL : buffer_map(fd);
	if (!hdr || pmd_write(fd, CPU_TIME_NS, -200000ULL) ||
	    attr_write(fd, &attr) || context_load(fd, 0) ||
	    context_start(fd, 0))
		return 100;
	for (i = 0; i < 3000000 && hdr->hdr_count < 200; i++)
		close(-1);
	context_stop(fd);
	for (i = 0; i < hdr->hdr_count; i++) {
		const struct pfm_default_entry *entry = entry_at(hdr, i, 0);

		kernel += entry->ip >> 63;
		hidden += !entry->ip;
	}
	if (i < 20)
		return 101;
	if (!kernel && !hidden)
		return 102;
	return kernel > 0;
}

/* 0 or -errno of having a counter count at some levels in a context that samples, or not. */
static int count_at(int fd, uint64_t levels)
{
	const int ret = fd < 0 ? fd : pmc_write(fd, 0, levels | EVENT_INST_RETIRED);

	close(fd);
	return ret;
}

static int sampling(void)
{
	return default_open(0, buffer_bytes(100, 0));
}

TEST(kernel_addresses)
{
	const int device = device_open();
	int early;

	if (access(SECURITYFS "/lockdown", F_OK) &&
	    (mount("security", SECURITYFS, "securityfs", 0, NULL) ||
	     access(SECURITYFS "/lockdown", F_OK)))
		SKIP(return, "a kernel without lockdown");
	ASSERT_LE(0, device);
	if (lock_down("integrity") == -EPERM)
		SKIP(return, "the kernel is locked down already");
	EXPECT_EQ(1, in_child(sample_cpu, NULL));
	early = sampling();
	ASSERT_LE(0, early);
	ASSERT_EQ(0, lock_down("confidentiality"));
	EXPECT_EQ(0, in_child(sample_cpu, NULL));
	if (!has_register(0))
		SKIP(return, "no register that counts kernel code here");
	EXPECT_EQ(-EPERM, count_at(sampling(), ALL_LEVELS));
	EXPECT_EQ(0, count_at(sampling(), USER));
	/* A count is no state, and perf counts as well. */
	EXPECT_EQ(0, count_at(context_create(device, 0), ALL_LEVELS));
	/* Rights are those at the creation, as perf's are those at the open. */
	EXPECT_EQ(0, count_at(early, ALL_LEVELS));
	close(device);
}

TEST_HARNESS_MAIN

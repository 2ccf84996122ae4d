// SPDX-License-Identifier: GPL-2.0-only
/*
 * A kernel that is locked down shows nobody what samples have of it.  Lockdown cannot be taken
 * back, so the guest is of no use for other tests afterwards.
 */
#include "child.h"
#include "context.h"
#include "kernel_samples.h"
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
	EXPECT_EQ(1, in_child(kernel_samples, NULL));
	early = sampling();
	ASSERT_LE(0, early);
	ASSERT_EQ(0, lock_down("confidentiality"));
	EXPECT_EQ(0, in_child(kernel_samples, NULL));
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

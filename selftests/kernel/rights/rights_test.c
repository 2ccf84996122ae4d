// SPDX-License-Identifier: GPL-2.0-only
/*
 * Users without rights: what they may do, what the administrator's policy changes
 * about that, and what no user gets to see.
 */
#include "child.h"
#include "context.h"
#include "kernel_samples.h"
#include "rights.h"
#include "sampling.h"
#include "sysfs.h"

#include <sys/stat.h>

#include "kselftest_harness.h"

#define GROUP	4711

/* An unprivileged process that belongs to one more group. */
static void drop_to_group(gid_t gid)
{
	if (setgroups(1, &gid) || setresgid(NOBODY, NOBODY, NOBODY) ||
	    setresuid(NOBODY, NOBODY, NOBODY) || prctl(PR_SET_DUMPABLE, 1))
		abort();
}

FIXTURE(rights) {
	int device;
};

static void policy_reset(void)
{
	sysfs_write("policy/sys_group", "-1");
	sysfs_write("policy/task_group", "-1");
	sysfs_write("policy/kernel_level", "0");
	sysfs_write("policy/timer_min_ns", "10000");
}

FIXTURE_SETUP(rights)
{
	self->device = device_open();
	ASSERT_LE(0, self->device);
	policy_reset();
}

FIXTURE_TEARDOWN(rights)
{
	close(self->device);
	policy_reset();
}

/* A context of the caller's with a register, or -errno. */
static int counting_create(int device, uint32_t flags)
{
	const int fd = context_create(device, flags);
	const int ret = fd < 0 ? fd : pmd_write(fd, CPU_TIME_NS, 0);

	return ret ? ret : fd;
}

static int load_cpu(void *device)
{
	const int fd = counting_create(*(int *)device, PFM_CTX_SYSTEM_WIDE);

	return fd < 0 ? 1 : -context_load(fd, 0);
}

static int load_cpu_as_nobody(void *device)
{
	rights_drop();
	return load_cpu(device);
}

static int load_cpu_as_group(void *device)
{
	drop_to_group(GROUP);
	return load_cpu(device);
}

TEST_F(rights, system_wide)
{
	EXPECT_EQ(0, in_child(load_cpu, &self->device));
	EXPECT_EQ(EPERM, in_child(load_cpu_as_nobody, &self->device));
	EXPECT_EQ(EPERM, in_child(load_cpu_as_group, &self->device));
	ASSERT_EQ(0, sysfs_write("policy/sys_group", "4711"));
	EXPECT_EQ(EPERM, in_child(load_cpu_as_nobody, &self->device));
	EXPECT_EQ(0, in_child(load_cpu_as_group, &self->device));
	EXPECT_EQ(0, in_child(load_cpu, &self->device));
	ASSERT_EQ(0, sysfs_write("policy/sys_group", "-1"));
	EXPECT_EQ(EPERM, in_child(load_cpu_as_group, &self->device));
	EXPECT_EQ(0, sysfs_number("sys_sessions_count"));
}

/* A context made by root gives no right to who uses it. */
static int load_given(void *fd)
{
	rights_drop();
	return -context_load(*(int *)fd, 0);
}

TEST_F(rights, system_wide_is_the_callers)
{
	int fd = counting_create(self->device, PFM_CTX_SYSTEM_WIDE);

	ASSERT_LE(0, fd);
	EXPECT_EQ(EPERM, in_child(load_given, &fd));
	close(fd);
}

static int load_self(void *device)
{
	const int fd = counting_create(*(int *)device, 0);

	return fd < 0 ? 1 : -context_load(fd, 0);
}

static int load_self_as_nobody(void *device)
{
	rights_drop();
	return load_self(device);
}

static int load_self_as_group(void *device)
{
	drop_to_group(GROUP);
	return load_self(device);
}

TEST_F(rights, threads)
{
	EXPECT_EQ(0, in_child(load_self_as_nobody, &self->device));
	ASSERT_EQ(0, sysfs_write("policy/task_group", "4711"));
	EXPECT_EQ(EPERM, in_child(load_self_as_nobody, &self->device));
	EXPECT_EQ(0, in_child(load_self_as_group, &self->device));
	EXPECT_EQ(0, in_child(load_self, &self->device));
	ASSERT_EQ(0, sysfs_write("policy/task_group", "-1"));
	EXPECT_EQ(0, in_child(load_self_as_nobody, &self->device));
}

/* 0 allowed, or the errno; 255 where the machine has no such register. */
static int count_kernel(void *device)
{
	int fd;

	rights_drop();
	fd = context_create(*(int *)device, 0);
	if (fd < 0)
		return 1;
	return -pmc_write(fd, 0, ALL_LEVELS | EVENT_INST_RETIRED);
}

TEST_F(rights, kernel_level)
{
	if (!has_register(0))
		SKIP(return, "no register that counts kernel code here");
	EXPECT_EQ(EPERM, in_child(count_kernel, &self->device));
	ASSERT_EQ(0, sysfs_write("policy/kernel_level", "1"));
	EXPECT_EQ(0, in_child(count_kernel, &self->device));
	ASSERT_EQ(0, sysfs_write("policy/kernel_level", "0"));
	EXPECT_EQ(EPERM, in_child(count_kernel, &self->device));
}

static int kernel_samples_as_group(void *arg)
{
	drop_to_group(GROUP);
	return kernel_samples(arg);
}

/* The policy lets a user sample CPUs and count the kernel: its addresses stay hidden. */
TEST_F(rights, kernel_addresses)
{
	ASSERT_EQ(0, chmod(DEVICE, 0666));
	ASSERT_EQ(0, sysfs_write("policy/sys_group", "4711"));
	ASSERT_EQ(0, sysfs_write("policy/kernel_level", "1"));
	EXPECT_EQ(1, in_child(kernel_samples, NULL));
	EXPECT_EQ(0, in_child(kernel_samples_as_group, NULL));
	ASSERT_EQ(0, chmod(DEVICE, 0660));
}

TEST_F(rights, policy_values)
{
	char text[64];

	ASSERT_EQ(0, sysfs_text("policy/sys_group", text, sizeof(text)));
	EXPECT_STREQ("-1\n", text);
	EXPECT_EQ(-EINVAL, sysfs_write("policy/sys_group", "staff"));
	EXPECT_EQ(-ERANGE, sysfs_write("policy/sys_group", "-2"));
	EXPECT_EQ(-ERANGE, sysfs_write("policy/sys_group", "4294967295"));
	EXPECT_EQ(-ERANGE, sysfs_write("policy/task_group", "4294967296"));
	EXPECT_EQ(-EINVAL, sysfs_write("policy/task_group", "1 2"));
	EXPECT_EQ(-EINVAL, sysfs_write("policy/kernel_level", "2"));
	EXPECT_EQ(10000, sysfs_number("policy/timer_min_ns"));
	EXPECT_EQ(-ERANGE, sysfs_write("policy/timer_min_ns", "999"));
	EXPECT_EQ(-ERANGE, sysfs_write("policy/timer_min_ns", "1000001"));
	EXPECT_EQ(-EINVAL, sysfs_write("policy/timer_min_ns", "-1"));
	EXPECT_EQ(0, sysfs_write("policy/timer_min_ns", "1000"));
	EXPECT_EQ(1000, sysfs_number("policy/timer_min_ns"));
	ASSERT_EQ(0, sysfs_text("policy/sys_group", text, sizeof(text)));
	EXPECT_STREQ("-1\n", text);
	EXPECT_EQ(0, sysfs_write("policy/sys_group", "4294967294\n"));
	ASSERT_EQ(0, sysfs_text("policy/sys_group", text, sizeof(text)));
	EXPECT_STREQ("4294967294\n", text);
	ASSERT_EQ(0, sysfs_text("policy/kernel_level", text, sizeof(text)));
	EXPECT_STREQ("0\n", text);
}

static int change_policy(void *arg)
{
	char path[128];
	int fd;

	/* Open already, as if somebody had handed it over. */
	snprintf(path, sizeof(path), SYSFS "/policy/sys_group");
	fd = open(path, O_WRONLY);
	rights_drop();
	if (sysfs_write("policy/sys_group", "1000") != -EACCES)
		return 1;
	if (write(fd, "1000", 4) != -1 || errno != EPERM)
		return 2;
	return 0;
}

TEST_F(rights, policy_is_roots)
{
	EXPECT_EQ(0, in_child(change_policy, NULL));
	EXPECT_EQ(-1, sysfs_number("policy/sys_group"));
}

/* Sessions of others are counted and not shown. */
static int look_at_holders(void *arg)
{
	const int device = *(int *)arg;
	char text[4096], want[128];
	int fd;

	rights_drop();
	if (sysfs_text("holders", text, sizeof(text)) ||
	    strcmp(text, "others 1\n"))
		return 1;
	fd = counting_create(device, 0);
	if (fd < 0 || context_load(fd, 0))
		return 2;
	snprintf(want, sizeof(want),
		 "thread %d pid %d uid %d comm rights_test\nothers 1\n",
		 getpid(), getpid(), NOBODY);
	if (sysfs_text("holders", text, sizeof(text)) || strcmp(text, want))
		return 3;
	return 0;
}

TEST_F(rights, holders)
{
	const int fd = counting_create(self->device, 0);
	const pid_t pid = child_idle();

	ASSERT_LE(0, fd);
	ASSERT_EQ(0, context_load(fd, pid));
	EXPECT_EQ(0, in_child(look_at_holders, &self->device));
	child_kill(pid);
	close(fd);
}

/* GETINFO_HELD tells a user the registers of another user's session, and no name. */
static int look_at_held(void *device)
{
	struct pfm_held thread = { .cpu = PFM_CPU_NONE }, cpu = { .cpu = 0 };
	struct pfm_held other = { .cpu = PFM_CPU_NONE, .tid = getppid() };
	int fd;

	rights_drop();
	fd = context_create(*(int *)device, 0);
	if (fd < 0)
		return 1;
	if (call(fd, PFM_IOC_GETINFO_HELD, &thread) || !(thread.pmds[0] & 1))
		return 2;
	if (thread.pid || thread.uid || *thread.comm)
		return 3;
	/* They may load no context there. */
	if (call(fd, PFM_IOC_GETINFO_HELD, &cpu) != -EPERM)
		return 4;
	if (call(fd, PFM_IOC_GETINFO_HELD, &other) != -EPERM)
		return 5;
	return 0;
}

TEST_F(rights, held)
{
	struct pfm_held held = { .cpu = PFM_CPU_NONE };
	struct pfm_held no_cpu = { .cpu = 100000 };
	struct pfm_held no_thread = { .cpu = PFM_CPU_NONE, .tid = INT32_MAX };
	int fd, other;

	if (!has_register(0))
		SKIP(return, "no register that can be held here");
	other = context_create(self->device, 0);
	fd = context_create(self->device, PFM_CTX_SYSTEM_WIDE);
	ASSERT_LE(0, other);
	ASSERT_LE(0, fd);
	ASSERT_EQ(0, pmc_write(fd, 0, USER | EVENT_INST_RETIRED));
	ASSERT_EQ(0, pmd_write(fd, 0, 0));
	ASSERT_EQ(0, context_load(fd, 0));
	EXPECT_EQ(0, in_child(look_at_held, &self->device));
	ASSERT_EQ(0, call(other, PFM_IOC_GETINFO_HELD, &held));
	EXPECT_EQ(1, held.pmds[0] & 1);
	EXPECT_EQ((uint32_t)getpid(), held.pid);
	EXPECT_STREQ("rights_test", held.comm);
	EXPECT_EQ(-ERANGE, call(other, PFM_IOC_GETINFO_HELD, &no_cpu));
	EXPECT_EQ(-ESRCH, call(other, PFM_IOC_GETINFO_HELD, &no_thread));
	close(fd);
	close(other);
}

/* The files of the folder that anybody may write, or that do not exist. */
TEST_F(rights, modes)
{
	const struct {
		const char *name;
		mode_t mode;
	} files[] = {
		{ "holders", 0444 },
		{ "held", 0444 },
		{ "task_sessions_count", 0444 },
		{ "sys_sessions_count", 0444 },
		{ "policy/sys_group", 0644 },
		{ "policy/task_group", 0644 },
		{ "policy/take_group", 0644 },
		{ "policy/reserved", 0644 },
		{ "policy/kernel_level", 0644 },
		{ "policy/timer_min_ns", 0644 },
	};
	char path[128];
	struct stat st;
	size_t i;

	for (i = 0; i < ARRAY_LEN(files); i++) {
		snprintf(path, sizeof(path), SYSFS "/%s", files[i].name);
		ASSERT_EQ(0, stat(path, &st));
		EXPECT_EQ(files[i].mode, st.st_mode & 07777);
		EXPECT_EQ(0, st.st_uid);
	}
}

/* fdinfo of another user's process is not readable in the first place. */
static int look_at_fdinfo(void *arg)
{
	char path[64];

	rights_drop();
	snprintf(path, sizeof(path), "/proc/%d/fdinfo/%d", getppid(),
		 *(int *)arg);
	return open(path, O_RDONLY) < 0 ? errno : 0;
}

TEST_F(rights, fdinfo)
{
	int fd = counting_create(self->device, 0);

	ASSERT_LE(0, fd);
	EXPECT_EQ(EACCES, in_child(look_at_fdinfo, &fd));
	close(fd);
}

TEST_HARNESS_MAIN

// SPDX-License-Identifier: GPL-2.0-only
/*
 * The rights of a user whose only capability is CAP_PERFMON, and of one without any:
 * each test runs as both.
 */
#include "child.h"
#include "context.h"
#include "cpu.h"
#include "records.h"
#include "rights.h"
#include "sampling.h"
#include "sets.h"
#include "sysfs.h"

#include <linux/capability.h>
#include <sys/resource.h>

#include "kselftest_harness.h"

#ifndef CAP_PERFMON
#define CAP_PERFMON 38
#endif

#define GROUP  4711
#define LOCKED 65536 /* RLIMIT_MEMLOCK, where a test sets it */

/* Given to a child, which becomes the user. */
struct user {
	uint64_t caps;
	int device; /* opened by root */
	int policy; /* policy/sys_group, opened by root */
	pid_t other; /* a process of root's */
	const char *setuid; /* a program that runs as root */
};

FIXTURE(user)
{
	struct user user;
};

FIXTURE_VARIANT(user)
{
	uint64_t caps;
};

FIXTURE_VARIANT_ADD(user, without){
	.caps = 0,
};

FIXTURE_VARIANT_ADD(user, perfmon){
	.caps = 1ULL << CAP_PERFMON,
};

static void policy_reset(void)
{
	sysfs_write("policy/sys_group", "-1");
	sysfs_write("policy/task_group", "-1");
	sysfs_write("policy/kernel_level", "0");
}

FIXTURE_SETUP(user)
{
	policy_reset();
	self->user = (struct user){
		.caps = variant->caps,
		.device = device_open(),
		.policy = open(SYSFS "/policy/sys_group", O_WRONLY | O_CLOEXEC),
		.other = child_idle(),
	};
	ASSERT_LE(0, self->user.device);
	ASSERT_LE(0, self->user.policy);
}

FIXTURE_TEARDOWN(user)
{
	child_kill(self->user.other);
	close(self->user.device);
	close(self->user.policy);
	policy_reset();
}

/* The capability is needed: 0 with it, an error without. */
#define EXPECT_WITH_CAP(error, fn) \
	EXPECT_EQ(variant->caps ? 0 : (error), in_child(fn, &self->user))

/* The capability makes no difference. */
#define EXPECT_WITHOUT(error, fn) EXPECT_EQ(error, in_child(fn, &self->user))

/* A context that counts, made by the user; the errno ends the child. */
static int user_context(const struct user *user, uint32_t flags)
{
	int fd;

	rights_keep(user->caps);
	fd = context_create(user->device, flags);
	if (fd < 0)
		_exit(-fd);
	if (pmd_write(fd, CPU_TIME_NS, 0))
		_exit(255);
	return fd;
}

static int load_cpu(void *user)
{
	return -context_load(user_context(user, PFM_CTX_SYSTEM_WIDE), 0);
}

TEST_F(user, cpu)
{
	EXPECT_WITH_CAP(EPERM, load_cpu);
}

static int load_other(void *arg)
{
	const struct user *user = arg;

	return -context_load(user_context(user, 0), user->other);
}

TEST_F(user, threads_of_others)
{
	EXPECT_WITH_CAP(EPERM, load_other);
}

static int load_self(void *user)
{
	return -context_load(user_context(user, 0), 0);
}

/* The policy gives its own threads to a group that the user is not in. */
TEST_F(user, task_group)
{
	EXPECT_WITHOUT(0, load_self);
	ASSERT_EQ(0, sysfs_write("policy/task_group", "4711"));
	EXPECT_WITH_CAP(EPERM, load_self);
}

static int count_kernel(void *user)
{
	return -pmc_write(user_context(user, 0), 0, ALL_LEVELS | EVENT_INST_RETIRED);
}

TEST_F(user, kernel_level)
{
	if (!has_register(0))
		SKIP(return, "no register that counts kernel code here");
	EXPECT_WITH_CAP(EPERM, count_kernel);
}

/* Sampled in system calls: 0 when addresses of the kernel are told. */
static int sample_kernel(void *arg)
{
	const struct user *user = arg;
	const struct pfm_default_arg size = { .buf_size = 1 << 16 };
	struct pfm_create create = {
		.fmt_uuid = PFM_DEFAULT_UUID,
		.fmt_arg = (uintptr_t)&size,
		.fmt_arg_size = sizeof(size),
	};
	const struct pfm_default_hdr *hdr;
	uint64_t i, kernel = 0, hidden = 0;
	int fd;

	rights_keep(user->caps);
	fd = call(user->device, PFM_IOC_CREATE_CONTEXT, &create);
	hdr = fd < 0 ? NULL : buffer_map(fd);
	if (!hdr || pmd_write(fd, CPU_TIME_NS, -200000ULL) ||
	    sample_every(fd, CPU_TIME_NS, 200000, NULL, 0) ||
	    context_load(fd, 0) || context_start(fd, 0))
		return 255;
	for (i = 0; i < 3000000 && hdr->hdr_count < 200; i++)
		close(-1);
	context_stop(fd);
	for (i = 0; i < hdr->hdr_count; i++) {
		const uint64_t ip = entry_at(hdr, i, 0)->ip;

		kernel += ip >> 63;
		hidden += !ip;
	}
	/* Some are not known, whoever asks. */
	if (i < 20 || (!kernel && !hidden))
		return 254;
	return kernel ? 0 : EPERM;
}

TEST_F(user, kernel_addresses)
{
	EXPECT_WITH_CAP(EPERM, sample_kernel);
}

static int raise_records(void *user)
{
	const int fd = user_context(user, 0);
	struct pfm_config cfg;

	if (config_get(fd, &cfg))
		return 255;
	cfg.records_max = PFM_RECORDS_DFL + 1;
	return -config_set(fd, &cfg);
}

TEST_F(user, records)
{
	EXPECT_WITH_CAP(EPERM, raise_records);
}

/* As many as everybody may have, then one more. */
static int one_more_set(void *user)
{
	const int fd = user_context(user, 0);
	unsigned int set;

	/* Set 0 is there. */
	for (set = 1; set < PFM_SETS_DFL; set++) {
		if (set_describe(fd, set, 0))
			return 255;
	}
	return -set_describe(fd, set, 0);
}

TEST_F(user, event_sets)
{
	EXPECT_WITH_CAP(EPERM, one_more_set);
}

/* With the capability root's session is shown, without it is only counted. */
static int look_at_holders(void *arg)
{
	const struct user *user = arg;
	char text[4096], want[128];

	snprintf(want, sizeof(want), "thread %d pid %d uid 0 comm ",
		 user->other, getppid());
	rights_keep(user->caps);
	if (sysfs_text("holders", text, sizeof(text)))
		return 255;
	if (!strncmp(text, want, strlen(want)))
		return strchr(text, '\n')[1] ? 254 : 0;
	return strcmp(text, "others 1\n") ? 253 : EPERM;
}

TEST_F(user, holders)
{
	const int fd = context_open(0);

	ASSERT_LE(0, fd);
	ASSERT_EQ(0, pmd_write(fd, CPU_TIME_NS, 0));
	ASSERT_EQ(0, context_load(fd, self->user.other));
	EXPECT_WITH_CAP(EPERM, look_at_holders);
	close(fd);
}

/* A program that runs as root is followed: 0; monitoring ends there: EPERM. */
static int follow_setuid(void *arg)
{
	const struct user *user = arg;
	const int fd = user_context(user, PFM_CTX_FOLLOW_ALL);
	struct records recs = {};
	struct pfm_record *rec;
	int programs = 0;

	if (measure(fd,
		    ARGV(program("execloop"), "1000", user->setuid, "1000")) ||
	    records_collect(fd, &recs, 4096))
		return 255;
	for_each_record(rec, &recs)
		programs += !strcmp(record_path(rec), user->setuid);
	/* The other one is of the program before. */
	if (recs.n != 1U + programs)
		return 254;
	return programs ? 0 : EPERM;
}

TEST_F(user, setuid_program)
{
	static const char path[] = "/tmp/capability_test.setuid";
	char command[1200];

	snprintf(command, sizeof(command), "cp %s %s && chmod 4755 %s",
		 program("loop"), path, path);
	ASSERT_EQ(0, system(command));
	self->user.setuid = path;
	EXPECT_WITH_CAP(EPERM, follow_setuid);
	unlink(path);
}

static int open_device(void *arg)
{
	const struct user *user = arg;

	rights_keep(user->caps);
	return -device_open();
}

TEST_F(user, device)
{
	EXPECT_WITHOUT(EACCES, open_device);
}

/* The file was opened by somebody who may write it. */
static int write_policy(void *arg)
{
	const struct user *user = arg;

	rights_keep(user->caps);
	return write(user->policy, "1000", 4) < 0 ? errno : 0;
}

TEST_F(user, policy)
{
	EXPECT_WITHOUT(EPERM, write_policy);
	EXPECT_EQ(-1, sysfs_number("policy/sys_group"));
}

static int lock_memory(void *arg)
{
	const struct rlimit limit = { LOCKED, LOCKED };
	const struct pfm_default_arg size = { .buf_size = LOCKED + 1 };
	const struct pfm_create create = {
		.fmt_uuid = PFM_DEFAULT_UUID,
		.fmt_arg = (uintptr_t)&size,
		.fmt_arg_size = sizeof(size),
	};
	const struct user *user = arg;
	int fd;

	if (setrlimit(RLIMIT_MEMLOCK, &limit))
		return 255;
	rights_keep(user->caps);
	fd = call(user->device, PFM_IOC_CREATE_CONTEXT, &create);
	return fd < 0 ? -fd : 0;
}

TEST_F(user, locked_memory)
{
	EXPECT_WITHOUT(ENOBUFS, lock_memory);
}

TEST_HARNESS_MAIN

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Modules with formats: the registry, and modules that come and go.
 */
#include "child.h"
#include "context.h"
#include "cpu.h"
#include "notification.h"
#include "sampling.h"
#include "sysfs.h"

#include "kselftest_harness.h"
#include "test_format.h"

#define REGISTRY_CYCLES 1000 /* registrations under load */

static const uint8_t extra_uuid[PFM_UUID_LEN] = FMT_TEST_EXTRA_UUID;
static const uint8_t bare_uuid[PFM_UUID_LEN] = FMT_TEST_BARE_UUID;

TEST_F(format, register_errors)
{
	NEED_MODULE();
	EXPECT_EQ(0, command("try-nothing"));
	EXPECT_EQ(-EINVAL, command("try-name-null"));
	EXPECT_EQ(-EINVAL, command("try-name-empty"));
	EXPECT_EQ(-EINVAL, command("try-name-slash"));
	EXPECT_EQ(-EINVAL, command("try-uuid-zero"));
	EXPECT_EQ(-EINVAL, command("try-no-handler"));
	EXPECT_EQ(-EINVAL, command("try-arg-beyond"));
	EXPECT_EQ(0, command("try-arg-page"));
	EXPECT_EQ(-EEXIST, command("try-name-taken"));
	EXPECT_EQ(-EEXIST, command("try-name-default"));
	EXPECT_EQ(-EEXIST, command("try-uuid-taken"));
	EXPECT_EQ(-EEXIST, command("try-uuid-default"));
	/* Nothing of that is left. */
	EXPECT_EQ(0, command("try-nothing"));
	EXPECT_EQ(-1, access(SYSFS "/formats/test-other", F_OK));
}

TEST_F(format, register_unregister)
{
	int fd;

	NEED_MODULE();
	EXPECT_EQ(-ENOENT, command("unregister"));
	EXPECT_EQ(-ENOENT,
		  format_open(0, extra_uuid, &self->arg, sizeof(self->arg)));
	ASSERT_EQ(0, command("register"));
	EXPECT_EQ(-EEXIST, command("register"));
	EXPECT_EQ(-ENOENT, command("unregister-twin"));
	fd = format_open(0, extra_uuid, &self->arg, sizeof(self->arg));
	ASSERT_LE(0, fd);
	EXPECT_EQ(-EBUSY, command("unregister"));
	close(fd);
	EXPECT_EQ(0, command("unregister"));
	EXPECT_EQ(-ENOENT,
		  format_open(0, extra_uuid, &self->arg, sizeof(self->arg)));
}

static void read_text(const char *path, char *text, size_t size)
{
	const int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, text, size - 1);

	text[n < 0 ? 0 : n] = '\0';
	close(fd);
}

TEST_F(format, sysfs)
{
	char text[128];

	NEED_MODULE();
	read_text(SYSFS "/formats/default/uuid", text, sizeof(text));
	EXPECT_STREQ("4d72bec0-0664-4143-82b4-d3fd27243c97\n", text);
	read_text(SYSFS "/formats/default/version", text, sizeof(text));
	EXPECT_STREQ("1.0\n", text);
	read_text(SYSFS "/formats/test/uuid", text, sizeof(text));
	EXPECT_STREQ("7e57f0a7-0000-4000-8000-000000000001\n", text);
	read_text(SYSFS "/formats/test/version", text, sizeof(text));
	EXPECT_STREQ("2.7\n", text);
	EXPECT_EQ(-1, access(SYSFS "/formats/test-extra", F_OK));
	ASSERT_EQ(0, command("register"));
	EXPECT_EQ(0, access(SYSFS "/formats/test-extra", F_OK));
	ASSERT_EQ(0, command("unregister"));
	EXPECT_EQ(-1, access(SYSFS "/formats/test-extra", F_OK));
}

TEST_F(format, module_pinned)
{
	uint64_t calls;

	NEED_MODULE();
	ASSERT_EQ(0, sample_arg(self, 0, PFM_PMDF_NOTIFY));
	calls = self->buf->calls;
	EXPECT_EQ(-EWOULDBLOCK, module_unload());
	/* A mapping keeps the buffer's memory and nothing of the format. */
	close(self->fd);
	self->fd = -1;
	EXPECT_EQ(0, module_unload());
	EXPECT_EQ(false, is_loaded());
	EXPECT_LE(calls, self->buf->calls);
	munmap(self->buf, self->size);
	self->buf = NULL;
	/* A registration that failed holds nothing either. */
	ASSERT_EQ(0, module_load());
	self->arg.validate_ret = -EXFULL;
	EXPECT_EQ(-EXFULL, try_arg(&self->arg, 0));
	self->arg.validate_ret = 0;
	self->arg.init_ret = -EIO;
	EXPECT_EQ(-EIO, try_arg(&self->arg, 0));
	EXPECT_EQ(-EINVAL, format_open(0, test_uuid, NULL, 0));
	EXPECT_EQ(0, module_unload());
}

/* A module whose init may yet fail, and take its formats away, is not used. */
TEST_F(format, while_loading)
{
	const uint64_t begin = time_ns(CLOCK_MONOTONIC);
	pid_t pid;
	int fd;

	NEED_MODULE();
	ASSERT_EQ(0, module_unload());
	pid = fork();
	ASSERT_LE(0, pid);
	if (!pid) {
		execlp("modprobe", "modprobe", "-q", MODULE, "fail=1", NULL);
		_exit(127);
	}
	while (access(SYSFS "/formats/test-bare/uuid", F_OK) &&
	       time_ns(CLOCK_MONOTONIC) - begin < PATIENCE * 1000000ULL)
		usleep(1000);
	fd = format_open(0, bare_uuid, NULL, 0);
	EXPECT_EQ(-ENOENT, fd);
	ASSERT_EQ(0, command("fail"));
	EXPECT_NE(0, child_reap(pid));
	if (fd >= 0)
		close(fd);
	EXPECT_EQ(false, is_loaded());
}

/* A context with a format that is not registered loads the module of that format. */
TEST_F(format, autoload)
{
	NEED_MODULE();
	ASSERT_EQ(0, module_unload());
	ASSERT_EQ(false, is_loaded());
	/* This one has no alias. */
	EXPECT_EQ(-ENOENT, format_open(0, bare_uuid, NULL, 0));
	ASSERT_EQ(false, is_loaded());
	ASSERT_EQ(0, open_arg(self, 0));
	EXPECT_EQ(true, is_loaded());
}

/*
 * Children that make contexts, sample with some of them and close them, until
 * they are killed.  What is refused because the format is not there is fine.
 */
static pid_t user_of(const uint8_t *uuid, const struct fmt_test_arg *arg)
{
	const pid_t parent = getpid();
	const pid_t pid = fork();
	uint64_t n;
	int fd;

	if (pid)
		return pid;
	die_with_parent(parent);
	for (n = 0;; n++) {
		fd = format_open(n % 2 ? PFM_CTX_FOLLOW_ALL : 0, uuid, arg,
				 sizeof(*arg));
		if (fd < 0) {
			if (fd != -ENOENT)
				_exit(-fd);
			usleep(500);
			continue;
		}
		if (n % 3 == 0) {
			if (clock_sampler(fd, PFM_PMDF_NOTIFY) ||
			    context_load(fd, 0) || context_start(fd, 0))
				_exit(1);
			burn(10000);
		}
		close(fd);
		/* At times nobody has one, also where there is one CPU. */
		usleep(1000);
	}
}

static int kill_users(pid_t *pids, size_t n)
{
	int status, bad = 0;
	size_t i;

	for (i = 0; i < n; i++) {
		kill(pids[i], SIGKILL);
		status = child_reap(pids[i]);
		if (!WIFSIGNALED(status) || WTERMSIG(status) != SIGKILL)
			bad = status ?: 1;
	}
	return bad;
}

TEST_F(format, register_under_load)
{
	uint64_t busy = 0;
	pid_t pids[4];
	int ret, round;
	size_t i;

	NEED_MODULE();
	for (i = 0; i < ARRAY_LEN(pids); i++)
		pids[i] = user_of(extra_uuid, &self->arg);
	for (round = 0; round < REGISTRY_CYCLES; round++) {
		ASSERT_EQ(0, command("register"));
		usleep(500);
		while ((ret = command("unregister")) == -EBUSY) {
			busy++;
			usleep(100);
		}
		ASSERT_EQ(0, ret);
	}
	EXPECT_EQ(0, kill_users(pids, ARRAY_LEN(pids)));
	TH_LOG("refused as busy: %llu", (unsigned long long)busy);
	EXPECT_LT(0, busy);
}

TEST_F(format, unload_under_load)
{
	TEST_PROVES(F2);
	int round, ret, unloaded = 0;
	pid_t pids[3];
	size_t i;

	NEED_MODULE();
	for (i = 0; i < ARRAY_LEN(pids); i++)
		pids[i] = user_of(test_uuid, &self->arg);
	for (round = 0; round < 2000 && unloaded < 20; round++) {
		ret = module_unload();
		if (!ret)
			unloaded++;
		/* Not loaded, in use, or on its way. */
		else if (ret != -ENOENT && ret != -EWOULDBLOCK && ret != -EBUSY)
			ASSERT_EQ(0, ret);
		usleep(1000);
	}
	EXPECT_EQ(0, kill_users(pids, ARRAY_LEN(pids)));
	TH_LOG("unloaded %d times", unloaded);
	EXPECT_LT(0, unloaded);
	ASSERT_EQ(0, module_load());
}

/* A process that dies with a context of the format gives everything back. */
TEST_F(format, killed)
{
	pid_t pid;
	int round;

	NEED_MODULE();
	for (round = 0; round < 20; round++) {
		pid = user_of(test_uuid, &self->arg);
		usleep(5000 + 100 * round);
		child_kill(pid);
	}
	EXPECT_EQ(0, module_unload());
}

TEST_HARNESS_MAIN

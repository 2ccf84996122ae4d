// SPDX-License-Identifier: GPL-2.0-only
/*
 * Event sets: whose memory they take.
 */
#include "sets.h"

#include <limits.h>
#include <stdlib.h>
#include <sys/mount.h>
#include <sys/stat.h>

#include "kselftest_harness.h"

static bool file_write(const char *dir, const char *name, const char *text)
{
	char path[PATH_MAX];
	ssize_t len;
	int fd;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	len = write(fd, text, strlen(text));
	close(fd);
	return len == (ssize_t)strlen(text);
}

/* Bytes that are charged to a control group, or -1. */
static long charged(const char *group)
{
	char path[PATH_MAX];
	long bytes = -1;
	FILE *file;

	snprintf(path, sizeof(path), "%s/memory.current", group);
	file = fopen(path, "r");
	if (!file)
		return -1;
	if (fscanf(file, "%ld", &bytes) != 1)
		bytes = -1;
	fclose(file);
	return bytes;
}

/* In a control group: create sets, and tell what they cost it. */
static void create_in_group(const char *group, int pipefd)
{
	struct pfm_set_desc desc = {};
	long bytes;
	int fd, i;

	if (!file_write(group, "cgroup.procs", "0"))
		_exit(1);
	bytes = -charged(group);
	fd = context_open(0);
	for (i = 0; i < 16384; i++) {
		desc.set = i;
		if (set_create(fd, &desc) ||
		    set_pmd_write(fd, i, CPU_TIME_NS, 0))
			_exit(1);
	}
	bytes += charged(group);
	if (write(pipefd, &bytes, sizeof(bytes)) != sizeof(bytes))
		_exit(1);
	_exit(0);
}

/* The memory of sets counts for the control group of who creates them. */
TEST(charged_to_the_owner)
{
	char mount_point[] = "/tmp/cgroup2-XXXXXX", group[64];
	const bool mounted = mkdtemp(mount_point) &&
			     !mount("none", mount_point, "cgroup2", 0, NULL);
	long bytes = -1;
	int pipefd[2];
	pid_t pid;

	if (!mounted) {
		rmdir(mount_point);
		SKIP(return, "cannot mount cgroup2");
	}
	file_write(mount_point, "cgroup.subtree_control", "+memory");
	snprintf(group, sizeof(group), "%s/perfmon", mount_point);
	ASSERT_EQ(0, mkdir(group, 0755));
	ASSERT_EQ(0, pipe(pipefd));
	if (charged(group) >= 0) {
		pid = fork();
		if (!pid)
			create_in_group(group, pipefd[1]);
		EXPECT_EQ(0, child_reap(pid));
		EXPECT_EQ(sizeof(bytes),
			  read(pipefd[0], &bytes, sizeof(bytes)));
		TH_LOG("16,384 sets: %ld bytes", bytes);
		/* A set of one register takes some hundred. */
		EXPECT_LT(16384 * 100, bytes);
	}
	rmdir(group);
	umount2(mount_point, MNT_DETACH);
	rmdir(mount_point);
	if (bytes == -1)
		SKIP(return, "no control groups for memory");
}

TEST_HARNESS_MAIN

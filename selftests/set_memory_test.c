// SPDX-License-Identifier: GPL-2.0-only
/*
 * The memory of a context is charged to the process that creates it.
 */
#include "child.h"
#include "context.h"
#include "sampling.h"
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

/**
 * struct charge - what something costs
 * @owner: bytes that the control group of who measures pays
 * @target: bytes that the control group of who is measured pays
 */
struct charge {
	long owner;
	long target;
};

FIXTURE(memory)
{
	char mount_point[32];
	char owner[64];
	char target[64];
	bool possible;
};

FIXTURE_SETUP(memory)
{
	strcpy(self->mount_point, "/tmp/cgroup2-XXXXXX");
	ASSERT_NE(NULL, mkdtemp(self->mount_point));
	if (mount("none", self->mount_point, "cgroup2", 0, NULL))
		return;
	file_write(self->mount_point, "cgroup.subtree_control", "+memory");
	snprintf(self->owner, sizeof(self->owner), "%s/owner",
		 self->mount_point);
	snprintf(self->target, sizeof(self->target), "%s/target",
		 self->mount_point);
	ASSERT_EQ(0, mkdir(self->owner, 0755));
	ASSERT_EQ(0, mkdir(self->target, 0755));
	self->possible = charged(self->owner) >= 0;
}

FIXTURE_TEARDOWN(memory)
{
	rmdir(self->owner);
	rmdir(self->target);
	umount2(self->mount_point, MNT_DETACH);
	rmdir(self->mount_point);
}

/* Joins a control group, or ends. */
static void join(const char *group)
{
	if (!file_write(group, "cgroup.procs", "0"))
		_exit(1);
}

static void begin(const FIXTURE_DATA(memory) * self, struct charge *charge)
{
	charge->owner = -charged(self->owner);
	charge->target = -charged(self->target);
}

static void end(const FIXTURE_DATA(memory) * self, struct charge *charge)
{
	charge->owner += charged(self->owner);
	charge->target += charged(self->target);
}

/* Has a process in the owner's control group say what something costs. */
static void measure_charge(struct __test_metadata *_metadata,
			   const FIXTURE_DATA(memory) * self,
			   int (*what)(const FIXTURE_DATA(memory) * self,
				       struct charge *charge),
			   struct charge *charge)
{
	int pipefd[2];
	pid_t pid;

	ASSERT_EQ(0, pipe(pipefd));
	pid = fork();
	if (!pid) {
		join(self->owner);
		if (what(self, charge) ||
		    write(pipefd[1], charge, sizeof(*charge)) !=
			    sizeof(*charge))
			_exit(1);
		_exit(0);
	}
	ASSERT_EQ(0, child_reap(pid));
	ASSERT_EQ(sizeof(*charge), read(pipefd[0], charge, sizeof(*charge)));
	close(pipefd[0]);
	close(pipefd[1]);
	TH_LOG("%ld bytes of the owner's, %ld of the target's", charge->owner,
	       charge->target);
}

#define SETS 16384

static int create_sets(const FIXTURE_DATA(memory) * self, struct charge *charge)
{
	struct pfm_set_desc desc = {};
	int fd, i;

	begin(self, charge);
	fd = context_open(0);
	for (i = 0; i < SETS; i++) {
		desc.set = i;
		if (set_create(fd, &desc) ||
		    set_pmd_write(fd, i, CPU_TIME_NS, 0))
			return 1;
	}
	end(self, charge);
	return 0;
}

TEST_F(memory, sets)
{
	struct charge charge;

	if (!self->possible)
		SKIP(return, "no control groups for memory");
	measure_charge(_metadata, self, create_sets, &charge);
	/* A set of one register takes some hundred bytes. */
	EXPECT_LT(SETS * 100, charge.owner);
}

#define BUFFER (8 << 20)

static int create_buffer(const FIXTURE_DATA(memory) * self,
			 struct charge *charge)
{
	begin(self, charge);
	if (default_open(0, BUFFER) < 0)
		return 1;
	end(self, charge);
	return 0;
}

TEST_F(memory, sampling_buffer)
{
	struct charge charge;

	if (!self->possible)
		SKIP(return, "no control groups for memory");
	measure_charge(_metadata, self, create_buffer, &charge);
	/* The kernel returns what else is charged when it likes, so almost all. */
	EXPECT_LT(BUFFER - BUFFER / 8, charge.owner);
}

/* Children that leave large records: three values a set, eight bytes each. */
#define CHILDREN 900
#define RECORD	 (256 * 3 * 8)

static void fork_children(const char *group, pid_t parent, int go, int done)
{
	char c;
	int i;

	die_with_parent(parent);
	join(group);
	/* In the group before anything is measured. */
	if (write(done, "", 1) != 1 || read(go, &c, 1) != 1)
		_exit(1);
	for (i = 0; i < CHILDREN; i++) {
		const pid_t pid = fork();

		if (!pid)
			_exit(0);
		child_reap(pid);
	}
	if (write(done, "", 1) != 1 || read(go, &c, 1) != 1)
		_exit(1);
	_exit(0);
}

static int follow_children(const FIXTURE_DATA(memory) * self,
			   struct charge *charge)
{
	const int fd = context_open(PFM_CTX_FOLLOW_ALL);
	const pid_t parent = getpid();
	struct pfm_set_desc desc = {};
	struct pfm_config cfg;
	int go[2], done[2], i;
	pid_t pid;
	char c;

	for (i = 0; i < 256; i++) {
		desc.set = i;
		if (set_create(fd, &desc) ||
		    set_pmd_write(fd, i, CPU_TIME_NS, 0))
			return 1;
	}
	if (pipe(go) || pipe(done))
		return 1;
	pid = fork();
	if (!pid)
		fork_children(self->target, parent, go[0], done[1]);
	if (read(done[0], &c, 1) != 1 || context_load(fd, pid))
		return 1;
	begin(self, charge);
	if (write(go[1], "", 1) != 1 || read(done[0], &c, 1) != 1)
		return 1;
	end(self, charge);
	if (config_get(fd, &cfg) || cfg.records != CHILDREN)
		return 1;
	child_kill(pid);
	return 0;
}

/* A followed task is not charged for records that the owner has not read. */
TEST_F(memory, records)
{
	struct charge charge;

	if (!self->possible)
		SKIP(return, "no control groups for memory");
	measure_charge(_metadata, self, follow_children, &charge);
	EXPECT_LT(CHILDREN * RECORD, charge.owner);
	/* The kernel charges some pages in advance. */
	EXPECT_GT(CHILDREN * RECORD / 2, charge.target);
}

TEST_HARNESS_MAIN

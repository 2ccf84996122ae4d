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
	TEST_PROVES(M4);
	struct charge charge;

	if (!self->possible)
		SKIP(return, "no control groups for memory");
	measure_charge(_metadata, self, follow_children, &charge);
	EXPECT_LT(CHILDREN * RECORD, charge.owner);
	/* The kernel charges some pages in advance. */
	EXPECT_GT(CHILDREN * RECORD / 2, charge.target);
}

/* Mappings of code, each of which takes a page of the kernel's memory for its path. */
#define MAPPINGS 600
#define DIRS	 15
#define DIR_NAME 250

/* Makes a file with a long path, and opens it. */
static int open_deep(char *path)
{
	int i, fd;

	strcpy(path, "/tmp/");
	for (i = 0; i < DIRS; i++) {
		memset(path + strlen(path), 'a' + i, DIR_NAME);
		path[5 + i * (DIR_NAME + 1) + DIR_NAME] = '\0';
		if (mkdir(path, 0755) && errno != EEXIST)
			return -1;
		strcat(path, "/");
	}
	strcat(path, "code");
	fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0755);
	if (fd < 0 || ftruncate(fd, 2 * MAPPINGS * getpagesize()))
		return -1;
	return fd;
}

static void map_code(const char *group, pid_t parent, int file, int go,
		     int done)
{
	const size_t page = getpagesize();
	char c;
	int i;

	die_with_parent(parent);
	join(group);
	if (write(done, "", 1) != 1 || read(go, &c, 1) != 1)
		_exit(1);
	for (i = 0; i < MAPPINGS; i++) {
		/* Pages that do not follow one another, so that mappings do not merge. */
		if (mmap(NULL, page, PROT_READ | PROT_EXEC, MAP_PRIVATE, file,
			 2 * i * page) == MAP_FAILED)
			_exit(1);
		burn_ns(50000);
	}
	/* Counting may have paused for the rest of a millisecond. */
	burn_ns(50000000);
	_exit(write(done, "", 1) != 1 || read(go, &c, 1) != 1);
}

static int report_mappings(const FIXTURE_DATA(memory) * self,
			   struct charge *charge)
{
	const int fd = default_open(PFM_CTX_MAPS, 1 << 20);
	const pid_t parent = getpid();
	struct pfm_read_records arg = { .size = 16 << 20 };
	static char path[PATH_MAX];
	const int file = open_deep(path);
	struct pfm_config cfg;
	int go[2], done[2];
	pid_t pid;
	char c;

	if (file < 0 || pipe(go) || pipe(done) ||
	    sample_every(fd, CPU_TIME_NS, 10000, NULL, 0) ||
	    pmd_write(fd, CPU_TIME_NS, -10000ULL))
		return 1;
	arg.buf = (uintptr_t)mmap(NULL, arg.size, PROT_READ | PROT_WRITE,
				  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	pid = fork();
	if (!pid)
		map_code(self->target, parent, file, go[0], done[1]);
	/* More than the child needs, and less than its reports. */
	if (!file_write(self->target, "memory.max", "16777216") ||
	    read(done[0], &c, 1) != 1 || context_load(fd, pid) ||
	    context_start(fd, 0))
		return 1;
	begin(self, charge);
	/* A child that was killed closes its end, so that this one must not be open. */
	close(done[1]);
	if (write(go[1], "", 1) != 1 || read(done[0], &c, 1) != 1)
		return 2;
	end(self, charge);
	if (config_get(fd, &cfg) || call(fd, PFM_IOC_READ_MAPS, &arg))
		return 1;
	child_kill(pid);
	unlink(path);
	/* Memory that waits is within its limit, and the rest is counted. */
	if (arg.count != cfg.maps || arg.used > PFM_MAPS_BYTES_MAX ||
	    arg.count + cfg.maps_lost < MAPPINGS)
		return 3;
	return 0;
}

/* A sampled task is not charged for reports of its mappings, and not killed for them. */
TEST_F(memory, mappings)
{
	const int fd = context_open(PFM_CTX_MAPS);
	struct charge charge;

	if (!self->possible)
		SKIP(return, "no control groups for memory");
	if (fd == -EOPNOTSUPP)
		SKIP(return, "this kernel reports no mappings");
	ASSERT_LE(0, fd);
	close(fd);
	measure_charge(_metadata, self, report_mappings, &charge);
	EXPECT_LT(MAPPINGS * DIRS * DIR_NAME, charge.owner);
	EXPECT_GT(MAPPINGS * DIRS * DIR_NAME / 2, charge.target);
}

TEST_HARNESS_MAIN

// SPDX-License-Identifier: GPL-2.0-only
/*
 * A LOAD of a privileged caller that takes registers from sessions of others: whose sessions end, what
 * they are told, and what stays with them.
 */
#include "child.h"
#include "context.h"
#include "exact_count.h"
#include "rights.h"
#include "sets.h"
#include "sysfs.h"

#include "kselftest_harness.h"

#define GROUP 4711
#define LOOPS 100000

/* An unprivileged process with a register, and the end of its session */
struct owner {
	/* Set by the test */
	uint32_t flags; /* of the context */
	uint16_t pmd;
	bool group; /* it belongs to the group */
	bool starts;
	bool on_exec; /* START waits for one */
	/* Set by the process */
	int loaded, taken, started, again;
	uint32_t state;
	uint64_t before, after, later;
	union pfm_msg msg;
	/* Of the test */
	pid_t pid;
	int ready[2], go[2];
};

FIXTURE(share_take)
{
	struct owner *owner;
	int fd;
};

static void policy_reset(void)
{
	sysfs_write("policy/sys_group", "-1");
	sysfs_write("policy/take_group", "-1");
	sysfs_write("policy/reserved", "\n");
}

FIXTURE_SETUP(share_take)
{
	pin_to(0);
	policy_reset();
	self->fd = -1;
	self->owner = mmap(NULL, 2 * sizeof(*self->owner),
			   PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
			   -1, 0);
	ASSERT_NE(MAP_FAILED, (void *)self->owner);
}

FIXTURE_TEARDOWN(share_take)
{
	close(self->fd);
	policy_reset();
	munmap(self->owner, 2 * sizeof(*self->owner));
	EXPECT_EQ(0, sysfs_number("task_sessions_count"));
	EXPECT_EQ(0, sysfs_number("sys_sessions_count"));
}

/* A context with one register; a counter counts instructions at user level. */
static int one_create(int device, uint32_t flags, uint16_t num)
{
	const int fd = context_create(device, flags);
	int ret = fd < 0 ? fd : 0;

	if (!ret && num < CPU_TIME_NS)
		ret = pmc_write(fd, num, USER | EVENT_INST_RETIRED);
	if (!ret)
		ret = pmd_write(fd, num, 0);
	return ret ? ret : fd;
}

static int one_open(uint32_t flags, uint16_t num)
{
	const int device = device_open();
	const int fd = one_create(device, flags, num);

	close(device);
	return fd;
}

static void drop_to_group(void)
{
	const gid_t gid = GROUP;

	if (setgroups(1, &gid) || setresgid(NOBODY, NOBODY, NOBODY) ||
	    setresuid(NOBODY, NOBODY, NOBODY) || prctl(PR_SET_DUMPABLE, 1))
		_exit(1);
}

static void __attribute__((noreturn)) own(struct owner *owner)
{
	const int device = device_open();
	char c;
	int fd;

	/* Created without rights, too. */
	if (owner->group)
		drop_to_group();
	else
		rights_drop();
	fd = one_create(device, owner->flags, owner->pmd);
	owner->loaded = fd < 0 ? fd : context_load(fd, 0);
	if (owner->starts)
		owner->loaded |= context_start(
			fd, owner->on_exec ? PFM_START_ON_EXEC : 0);
	for (volatile unsigned int i = 0; i < LOOPS; i++)
		;
	owner->before = pmd_value(fd, owner->pmd);
	if (write(owner->ready[1], "", 1) != 1 ||
	    read(owner->go[0], &c, 1) != 1)
		_exit(1);
	owner->state = state_of(fd);
	owner->after = pmd_value(fd, owner->pmd);
	fcntl(fd, F_SETFL, O_NONBLOCK);
	owner->taken = message_read(fd, &owner->msg);
	owner->started = context_start(fd, 0);
	for (volatile unsigned int i = 0; i < LOOPS; i++)
		;
	owner->later = pmd_value(fd, owner->pmd);
	owner->again = context_load(fd, 0);
	_exit(0);
}

/* Start the process; returns when it has its register. */
static int owner_begin(struct owner *owner)
{
	const pid_t parent = getpid();
	pid_t pid;
	char c;

	if (pipe2(owner->ready, O_CLOEXEC) || pipe2(owner->go, O_CLOEXEC))
		abort();
	/* The memory is shared. */
	pid = fork();
	if (!pid) {
		die_with_parent(parent);
		own(owner);
	}
	owner->pid = pid;
	return read(owner->ready[0], &c, 1) == 1 ? owner->loaded : -EPROTO;
}

/* Let it look what has become of its session, and end. */
static int owner_end(struct owner *owner)
{
	int ret = write(owner->go[1], "", 1) == 1 ? 0 : -EPROTO;

	if (child_reap(owner->pid))
		ret = -EPROTO;
	for (unsigned int i = 0; i < 2; i++) {
		close(owner->ready[i]);
		close(owner->go[i]);
	}
	return ret;
}

static int load(int fd, pid_t tid, uint16_t flags)
{
	const struct pfm_load arg = { .tid = tid, .flags = flags };

	return call(fd, PFM_IOC_LOAD_CONTEXT, &arg);
}

/* Its session was taken: it is told by whom, keeps its count, and can load again later. */
#define EXPECT_TAKEN(owner)                                             \
	do {                                                            \
		EXPECT_EQ(PFM_STATE_UNLOADED, (owner)->state);          \
		EXPECT_EQ(0, (owner)->taken > 0 ? 0 : (owner)->taken);  \
		EXPECT_EQ(PFM_MSG_END, (owner)->msg.type);              \
		EXPECT_EQ(PFM_END_TAKEN, (owner)->msg.end.reason);      \
		EXPECT_EQ(getpid(), (pid_t)(owner)->msg.end.taker_pid); \
		EXPECT_EQ(0, (owner)->msg.end.taker_uid);               \
		EXPECT_EQ(0, strncmp("share_take_test",                 \
				     (owner)->msg.end.taker_comm, 15)); \
		EXPECT_EQ(-ENOTCONN, (owner)->started);                 \
		EXPECT_EQ((owner)->after, (owner)->later);              \
	} while (0)

#define EXPECT_KEPT(owner)                                   \
	do {                                                 \
		EXPECT_EQ(PFM_STATE_LOADED, (owner)->state); \
		EXPECT_EQ(-EAGAIN, (owner)->taken);          \
		EXPECT_EQ(0, (owner)->started);              \
	} while (0)

/* A session that is not started holds nothing against a privileged caller. */
TEST_F(share_take, not_started)
{
	TEST_PROVES(J9);
	if (!general_counters(1))
		SKIP(return, "needs a counter of any event");
	ASSERT_EQ(0, owner_begin(self->owner));
	self->fd = one_open(PFM_CTX_SYSTEM_WIDE, 0);
	EXPECT_EQ(0, load(self->fd, 0, 0));
	EXPECT_EQ(0, sysfs_number("task_sessions_count"));
	EXPECT_EQ(0, owner_end(self->owner));
	EXPECT_TAKEN(self->owner);
	EXPECT_EQ(0, self->owner->after);
	EXPECT_EQ(-EBUSY, self->owner->again);
}

/* A session that is started, or waits for an exec, ends if the caller wants it so. */
static void started(struct __test_metadata *_metadata,
		    FIXTURE_DATA(share_take) * self, bool on_exec)
{
	self->owner->starts = true;
	self->owner->on_exec = on_exec;
	ASSERT_EQ(0, owner_begin(self->owner));
	self->fd = one_open(PFM_CTX_SYSTEM_WIDE, 0);
	EXPECT_EQ(-EBUSY, load(self->fd, 0, 0));
	EXPECT_EQ(1, sysfs_number("task_sessions_count"));
	EXPECT_EQ(0, load(self->fd, 0, PFM_LOAD_TAKE));
	EXPECT_EQ(0, sysfs_number("task_sessions_count"));
	EXPECT_EQ(0, owner_end(self->owner));
	EXPECT_TAKEN(self->owner);
	EXPECT_LE(self->owner->before, self->owner->after);
}

TEST_F(share_take, started)
{
	TEST_PROVES(J9);
	if (!general_counters(1))
		SKIP(return, "needs a counter of any event");
	started(_metadata, self, false);
	if (!exact_missing())
		EXPECT_LT(LOOPS, self->owner->before);
	/* Nothing of what it does after its session has ended: the code before that is short. */
	EXPECT_GT(self->owner->before + 1000, self->owner->after);
}

TEST_F(share_take, waits_for_exec)
{
	if (!general_counters(1))
		SKIP(return, "needs a counter of any event");
	started(_metadata, self, true);
	EXPECT_EQ(0, self->owner->after);
}

/* A session of a CPU ends for one of a thread, and for one of the same CPU. */
TEST_F(share_take, of_a_cpu)
{
	TEST_PROVES(J9);
	if (!general_counters(1))
		SKIP(return, "needs a counter of any event");
	ASSERT_EQ(0, sysfs_write("policy/sys_group", "4711"));
	self->owner->flags = PFM_CTX_SYSTEM_WIDE;
	self->owner->group = true;
	self->owner->starts = true;
	for (unsigned int i = 0; i < 2; i++) {
		ASSERT_EQ(0, owner_begin(self->owner));
		self->fd = one_open(i ? PFM_CTX_SYSTEM_WIDE : 0, 0);
		EXPECT_EQ(-EBUSY, load(self->fd, 0, 0));
		EXPECT_EQ(0, load(self->fd, 0, PFM_LOAD_TAKE));
		EXPECT_EQ(0, owner_end(self->owner));
		EXPECT_TAKEN(self->owner);
		close(self->fd);
	}
	self->fd = -1;
}

/* Both slots of a CPU are in use: one session is enough. */
TEST_F(share_take, slot_of_a_cpu)
{
	ASSERT_EQ(0, sysfs_write("policy/sys_group", "4711"));
	for (unsigned int i = 0; i < 2; i++) {
		self->owner[i].flags = PFM_CTX_SYSTEM_WIDE;
		self->owner[i].group = true;
		self->owner[i].pmd = CPU_TIME_NS;
		ASSERT_EQ(0, owner_begin(&self->owner[i]));
	}
	self->fd = one_open(PFM_CTX_SYSTEM_WIDE, CPU_TIME_NS);
	EXPECT_EQ(0, load(self->fd, 0, 0));
	EXPECT_EQ(2, sysfs_number("sys_sessions_count"));
	for (unsigned int i = 0; i < 2; i++)
		EXPECT_EQ(0, owner_end(&self->owner[i]));
	EXPECT_EQ(1, (self->owner[0].taken > 0) + (self->owner[1].taken > 0));
}

/* Another context of the same thread */
TEST_F(share_take, on_a_thread)
{
	TEST_PROVES(J9);
	if (!general_counters(1))
		SKIP(return, "needs a counter of any event");
	self->owner->starts = true;
	ASSERT_EQ(0, owner_begin(self->owner));
	self->fd = one_open(0, 0);
	EXPECT_EQ(-EEXIST, load(self->fd, self->owner->pid, 0));
	EXPECT_EQ(0, load(self->fd, self->owner->pid, PFM_LOAD_TAKE));
	EXPECT_EQ(0, owner_end(self->owner));
	EXPECT_TAKEN(self->owner);
	EXPECT_EQ(-EEXIST, self->owner->again);
	close(self->fd);

	/* All threads of a process */
	ASSERT_EQ(0, owner_begin(self->owner));
	self->fd = one_open(PFM_CTX_FOLLOW_ALL, 0);
	EXPECT_EQ(-EEXIST, load(self->fd, self->owner->pid, PFM_LOAD_PROCESS));
	EXPECT_EQ(0, load(self->fd, self->owner->pid,
			  PFM_LOAD_PROCESS | PFM_LOAD_TAKE));
	EXPECT_EQ(0, owner_end(self->owner));
	EXPECT_TAKEN(self->owner);
}

static int takes(void *group)
{
	const int fd = one_open(PFM_CTX_SYSTEM_WIDE, 0);

	if (group)
		drop_to_group();
	else
		rights_drop();
	return -load(fd, 0, PFM_LOAD_TAKE);
}

/* The right to take, and sessions that nobody takes from */
TEST_F(share_take, rights)
{
	char group[] = "4711";
	int other;

	if (!general_counters(1))
		SKIP(return, "needs a counter of any event");
	ASSERT_EQ(0, sysfs_write("policy/sys_group", group));
	self->owner->starts = true;
	ASSERT_EQ(0, owner_begin(self->owner));
	EXPECT_EQ(EPERM, in_child(takes, NULL));
	EXPECT_EQ(EPERM, in_child(takes, group));
	ASSERT_EQ(0, sysfs_write("policy/take_group", group));
	EXPECT_EQ(EPERM, in_child(takes, NULL));
	/* From root it takes nothing. */
	self->fd = one_open(PFM_CTX_SYSTEM_WIDE, 0);
	ASSERT_EQ(0, load(self->fd, 0, PFM_LOAD_TAKE));
	EXPECT_EQ(EBUSY, in_child(takes, group));
	/* Nor does root. */
	other = one_open(0, 0);
	EXPECT_EQ(-EBUSY, load(other, 0, PFM_LOAD_TAKE));
	close(other);
	EXPECT_EQ(0, owner_end(self->owner));
	EXPECT_TAKEN(self->owner);
	close(self->fd);
	self->fd = -1;
	ASSERT_EQ(0, owner_begin(self->owner));
	EXPECT_EQ(0, in_child(takes, group));
	EXPECT_EQ(0, owner_end(self->owner));
	EXPECT_EQ(PFM_END_TAKEN, self->owner->msg.end.reason);
	EXPECT_EQ((uint32_t)NOBODY, self->owner->msg.end.taker_uid);
}

/* Nobody is ended for a LOAD that fails in any case, or that finds other registers free. */
TEST_F(share_take, needs_nothing)
{
	if (!general_counters(2))
		SKIP(return, "needs two counters of any event");
	self->owner->starts = true;
	ASSERT_EQ(0, owner_begin(self->owner));
	self->fd = one_open(PFM_CTX_SYSTEM_WIDE, 1);
	EXPECT_EQ(-ERANGE, load(self->fd, 100000, PFM_LOAD_TAKE));
	EXPECT_EQ(0, load(self->fd, 0, PFM_LOAD_TAKE));
	EXPECT_EQ(0, owner_end(self->owner));
	EXPECT_KEPT(self->owner);
}

/* Registers that the administrator keeps for contexts of CPUs */
TEST_F(share_take, reserved)
{
	struct pfm_held held = { .cpu = PFM_CPU_NONE };
	char text[128];
	int thread;

	if (!general_counters(1))
		SKIP(return, "needs a counter of any event");
	EXPECT_EQ(-EINVAL, sysfs_write("policy/reserved", "x"));
	EXPECT_EQ(-ERANGE, sysfs_write("policy/reserved", "0-100000"));
	ASSERT_EQ(0, sysfs_write("policy/reserved", "0"));
	ASSERT_EQ(0, sysfs_text("policy/reserved", text, sizeof(text)));
	EXPECT_EQ(0, strcmp("0\n", text));
	thread = one_open(0, 0);
	EXPECT_EQ(-EACCES, load(thread, 0, 0));
	EXPECT_EQ(-EACCES, load(thread, 0, PFM_LOAD_TAKE));
	ASSERT_EQ(0, call(thread, PFM_IOC_GETINFO_HELD, &held));
	EXPECT_EQ(1, held.pmds[0] & 1);
	EXPECT_EQ(1, held.pmcs[0] & 1);
	self->fd = one_open(PFM_CTX_SYSTEM_WIDE, 0);
	EXPECT_EQ(0, load(self->fd, 0, 0));
	ASSERT_EQ(0, sysfs_text("held", text, sizeof(text)));
	EXPECT_EQ(0, strcmp("threads \ncpus 0\n", text));
	ASSERT_EQ(0, context_unload(self->fd));
	ASSERT_EQ(0, sysfs_write("policy/reserved", "\n"));
	EXPECT_EQ(0, load(thread, 0, 0));
	ASSERT_EQ(0, sysfs_text("held", text, sizeof(text)));
	EXPECT_EQ(0, strcmp("threads 0\ncpus \n", text));
	close(thread);
}

TEST_HARNESS_MAIN

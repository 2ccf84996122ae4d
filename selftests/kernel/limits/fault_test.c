// SPDX-License-Identifier: GPL-2.0-only
/*
 * Memory that runs out: each ioctl is made again and again, while the kernel's fault
 * injection has its first allocation or user copy fail, then its second, and so
 * on until it comes through.  Each failure says so (ENOMEM, EFAULT), changes
 * nothing, and the same ioctl succeeds when there is memory.  kmemleak finds leaks, at
 * the end of the guest.
 *
 * Needs a kernel with FAULT_INJECTION, FAILSLAB and FAIL_PAGE_ALLOC (guest --kernel
 * debug), and root.
 */
#include "child.h"
#include "context.h"
#include "module.h"
#include "records.h"
#include "sampling.h"
#include "sysfs.h"

#include <pthread.h>
#include <sys/syscall.h>

#include "kselftest_harness.h"
#include "modules/fmt_test.h"

#define DEBUGFS	    "/sys/kernel/debug"
#define PARAMETERS  "/sys/module/fmt_test/parameters"
#define THREADS	    3
#define TRIES_MAX   2000 /* more allocations than any call makes */
#define FORK_ROUNDS 5
#define STORM	    300
#define BUFFER	    65536

static const uint8_t test_uuid[PFM_UUID_LEN] = FMT_TEST_UUID;

static int write_text(const char *path, const char *text)
{
	const int fd = open(path, O_WRONLY | O_CLOEXEC);
	int ret;

	if (fd < 0)
		return -errno;
	ret = write(fd, text, strlen(text)) < 0 ? -errno : 0;
	close(fd);
	return ret;
}

/* Faults reach allocations that may wait, too, and say nothing in the log. */
static const char *injection_missing(void)
{
	static const char *const kinds[] = { "failslab", "fail_page_alloc",
					     "fail_usercopy" };
	char path[128];
	unsigned int i;

	if (access("/proc/thread-self/fail-nth", W_OK))
		return "no fault injection in this kernel (guest --kernel debug)";
	for (i = 0; i < ARRAY_LEN(kinds); i++) {
		snprintf(path, sizeof(path), DEBUGFS "/%s/verbose", kinds[i]);
		if (write_text(path, "0"))
			return "no fault injection in " DEBUGFS;
		snprintf(path, sizeof(path), DEBUGFS "/%s/ignore-gfp-wait",
			 kinds[i]);
		if (i < 2 && write_text(path, "N"))
			return "allocations that may wait do not fail";
	}
	if (write_text(DEBUGFS "/fail_page_alloc/ignore-gfp-highmem", "N") ||
	    write_text(DEBUGFS "/fail_page_alloc/min-order", "0"))
		return "single pages do not fail";
	return NULL;
}

/* All that a context says of itself. */
struct state {
	struct pfm_config cfg;
	struct pfm_set_info sets[2];
	struct pfm_reg pmds[2];
	struct pfm_pmd_attr attr;
	long sessions, bytes;
};

FIXTURE(fault)
{
	int nth; /* /proc/thread-self/fail-nth */
	int device;
	int fd; /* the context */
	pid_t pid; /* what it is to be loaded on */
	int made; /* what a call made: a context */
	void *map;
	struct pfm_create create;
};

FIXTURE_SETUP(fault)
{
	const char *missing = injection_missing();

	self->nth = self->device = self->fd = self->made = -1;
	self->pid = 0;
	self->map = MAP_FAILED;
	memset(&self->create, 0, sizeof(self->create));
	if (missing)
		SKIP(return, "%s", missing);
	self->nth = open("/proc/thread-self/fail-nth", O_RDWR | O_CLOEXEC);
	ASSERT_LE(0, self->nth);
	self->device = device_open();
	ASSERT_LE(0, self->device);
}

FIXTURE_TEARDOWN(fault)
{
	if (self->pid)
		child_kill(self->pid);
	if (self->fd >= 0)
		close(self->fd);
	if (self->device >= 0)
		close(self->device);
	if (self->nth >= 0)
		close(self->nth);
}

/* The n-th allocation or copy of this thread is to fail. */
static void arm(int nth, unsigned int n)
{
	char text[16];
	int len;

	len = snprintf(text, sizeof(text), "%u", n);
	if (pwrite(nth, text, len, 0) != len)
		abort();
}

/*
 * No fault from now on.  Returns whether there was one since arm(): the number
 * says how many are left to go, and reading and writing it are copies themselves.
 */
static bool disarm(int nth)
{
	char text[16] = "";
	bool hit;

	hit = pread(nth, text, sizeof(text) - 1, 0) > 0 && text[0] == '0';
	if (pwrite(nth, "0", 1, 0) != 1 && pwrite(nth, "0", 1, 0) != 1)
		abort();
	return hit;
}

static void look(const FIXTURE_DATA(fault) * self, struct state *state)
{
	memset(state, 0, sizeof(*state));
	state->sessions = sysfs_number("task_sessions_count");
	state->bytes = sysfs_number("smpl_buffer_mem_cur");
	if (self->fd < 0)
		return;
	if (config_get(self->fd, &state->cfg))
		abort();
	state->sets[1].set = 1;
	state->attr.num = CPU_TIME_NS;
	vector(self->fd, PFM_IOC_GETINFO_EVTSET, state->sets,
	       state->cfg.sets > 1 ? 2 : 1, NULL);
	state->pmds[0].num = CPU_TIME_NS;
	state->pmds[1].num = CONTEXT_SWITCHES;
	vector(self->fd, PFM_IOC_READ_PMDS, state->pmds, 2, NULL);
	vector(self->fd, PFM_IOC_READ_PMDATTRS, &state->attr, 1, NULL);
}

/**
 * struct step - a call that is made to fail
 * @call: 0 or more when it came through, or -errno
 * @undo: makes what it did undone
 */
struct step {
	int (*call)(FIXTURE_DATA(fault) * self);
	void (*undo)(FIXTURE_DATA(fault) * self);
};

/*
 * Makes each allocation of a call fail.  Returns how many of these calls failed, 0
 * when one of them misbehaved.
 *
 * Callers ask for more than 0 only.  The number depends on the state of the
 * allocators: the fault may meet an allocation of pages for a slab, for which the
 * kernel then takes fewer pages, so that the call succeeds.
 */
static unsigned int each_fault(struct __test_metadata *_metadata,
			       FIXTURE_DATA(fault) * self,
			       const struct step *step)
{
	struct state before, after;
	unsigned int n, failed = 0;
	bool hit;
	int ret;

	for (n = 1; n < TRIES_MAX; n++) {
		look(self, &before);
		arm(self->nth, n);
		ret = step->call(self);
		hit = disarm(self->nth);
		if (!hit)
			break;
		if (ret >= 0) {
			/* There was another way. */
			step->undo(self);
			continue;
		}
		failed++;
		look(self, &after);
		EXPECT_TRUE(ret == -ENOMEM || ret == -EFAULT)
		{
			TH_LOG("fault %u: %s", n, strerror(-ret));
		}
		EXPECT_EQ(0, memcmp(&before, &after, sizeof(before)))
		{
			TH_LOG("fault %u (%s) changed the state", n,
			       strerror(-ret));
		}
		ret = step->call(self);
		EXPECT_LE(0, ret)
		{
			TH_LOG("fault %u: then %s", n, strerror(-ret));
			return 0;
		}
		step->undo(self);
	}
	EXPECT_LE(0, ret);
	EXPECT_GT(TRIES_MAX, n);
	if (ret >= 0)
		step->undo(self);
	TH_LOG("%u faults, %u of them failures", n - 1, failed);
	return failed;
}

/*
 * Making contexts.
 */

static int create(FIXTURE_DATA(fault) * self)
{
	self->made = call(self->device, PFM_IOC_CREATE_CONTEXT, &self->create);
	return self->made;
}

static void destroy(FIXTURE_DATA(fault) * self)
{
	close(self->made);
	self->made = -1;
}

TEST_F(fault, create)
{
	const struct step step = { create, destroy };

	self->create.flags = PFM_CTX_FOLLOW_ALL;
	EXPECT_LT(0, each_fault(_metadata, self, &step));
}

TEST_F(fault, create_with_buffer)
{
	const struct pfm_default_arg arg = { .buf_size = BUFFER };
	const uint8_t uuid[PFM_UUID_LEN] = PFM_DEFAULT_UUID;
	const struct step step = { create, destroy };

	memcpy(self->create.fmt_uuid, uuid, sizeof(uuid));
	self->create.fmt_arg = (uintptr_t)&arg;
	self->create.fmt_arg_size = sizeof(arg);
	EXPECT_LT(0, each_fault(_metadata, self, &step));
	EXPECT_EQ(0, sysfs_number("smpl_buffer_mem_cur"));
}

static int map(FIXTURE_DATA(fault) * self)
{
	self->map = mmap(NULL, BUFFER, PROT_READ, MAP_SHARED, self->fd, 0);
	return self->map == MAP_FAILED ? -errno : 0;
}

static void unmap(FIXTURE_DATA(fault) * self)
{
	munmap(self->map, BUFFER);
}

TEST_F(fault, map)
{
	const struct step step = { map, unmap };

	self->fd = default_open(0, BUFFER);
	ASSERT_LE(0, self->fd);
	EXPECT_LT(0, each_fault(_metadata, self, &step));
	close(self->fd);
	self->fd = -1;
	/* No mapping that failed holds the buffer. */
	EXPECT_EQ(0, sysfs_number("smpl_buffer_mem_cur"));
}

static int map_page(FIXTURE_DATA(fault) * self)
{
	self->map = mmap(NULL, getpagesize(), PROT_READ, MAP_SHARED, self->fd,
			 PFM_USER_PAGE_OFFSET);
	return self->map == MAP_FAILED ? -errno : 0;
}

static void unmap_page(FIXTURE_DATA(fault) * self)
{
	munmap(self->map, getpagesize());
}

TEST_F(fault, map_control_page)
{
	const struct step step = { map_page, unmap_page };

	self->fd = context_open(0);
	ASSERT_LE(0, self->fd);
	EXPECT_LT(0, each_fault(_metadata, self, &step));
}

/*
 * Formats.
 */

static int registry(const char *what)
{
	const int fd = open(PARAMETERS "/command", O_WRONLY | O_CLOEXEC);
	int ret;

	if (fd < 0)
		return -errno;
	ret = write(fd, what, strlen(what)) < 0 ? -errno : 0;
	close(fd);
	return ret;
}

static int format_register(FIXTURE_DATA(fault) * self)
{
	return registry("register");
}

static void format_unregister(FIXTURE_DATA(fault) * self)
{
	if (registry("unregister"))
		abort();
}

TEST_F(fault, register_format)
{
	const struct step step = { format_register, format_unregister };

	LOAD_OR_SKIP("fmt_test");
	EXPECT_LT(0, each_fault(_metadata, self, &step));
}

static void module_unload(void)
{
	/* The last reference on a file may be dropped a little later. */
	while (syscall(SYS_delete_module, "fmt_test", O_NONBLOCK) &&
	       errno == EWOULDBLOCK)
		usleep(1000);
}

/*
 * A fault behind the load of the module leaves it loaded, which ends this: what is
 * behind is the subject of the tests above.
 */
TEST_F(fault, autoload_format)
{
	struct fmt_test_arg arg = {};
	struct state before, after;
	unsigned int n;
	bool hit;
	int ret;

	LOAD_OR_SKIP("fmt_test");
	ASSERT_EQ(0, system("rmmod fmt_test"));
	memcpy(self->create.fmt_uuid, test_uuid, sizeof(test_uuid));
	self->create.fmt_arg = (uintptr_t)&arg;
	self->create.fmt_arg_size = sizeof(arg);
	for (n = 1; n < TRIES_MAX; n++) {
		look(self, &before);
		arm(self->nth, n);
		ret = create(self);
		hit = disarm(self->nth);
		if (!hit)
			break;
		if (ret >= 0) {
			destroy(self);
			module_unload();
			continue;
		}
		look(self, &after);
		EXPECT_TRUE(ret == -ENOMEM || ret == -EFAULT)
		{
			TH_LOG("fault %u: %s", n, strerror(-ret));
		}
		EXPECT_EQ(0, memcmp(&before, &after, sizeof(before)));
	}
	TH_LOG("%u faults until the module was there", n - 1);
	EXPECT_LT(5, n);
	ASSERT_LE(0, ret);
	destroy(self);
	module_unload();
}

/*
 * Registers and event sets.
 */

static int write_pmcs(FIXTURE_DATA(fault) * self)
{
#ifdef __aarch64__
	return pmc_write(self->fd, CYCLES, CYCLES_AT(USER));
#else
	return -ENXIO;
#endif
}

/* More of them than the kernel has on its stack. */
static int write_pmds(FIXTURE_DATA(fault) * self)
{
	struct pfm_reg regs[12] = {};
	unsigned int i;

	for (i = 0; i < ARRAY_LEN(regs); i++) {
		regs[i].num = CPU_TIME_NS;
		regs[i].value = i + self->made;
	}
	return vector(self->fd, PFM_IOC_WRITE_PMDS, regs, ARRAY_LEN(regs),
		      NULL);
}

static void write_other(FIXTURE_DATA(fault) * self)
{
	self->made += 100;
}

static int write_attr(FIXTURE_DATA(fault) * self)
{
	const struct pfm_pmd_attr attr = {
		.num = CPU_TIME_NS,
		.long_reset = -1000000 - self->made,
		.short_reset = -1000000 - self->made,
	};

	return attr_write(self->fd, &attr);
}

TEST_F(fault, write_registers)
{
	const struct step pmcs = { write_pmcs, write_other };
	const struct step pmds = { write_pmds, write_other };
	const struct step attrs = { write_attr, write_other };

	self->fd = context_open(0);
	ASSERT_LE(0, self->fd);
	ASSERT_EQ(0, pmd_write(self->fd, CONTEXT_SWITCHES, 0));
	if (write_pmcs(self) != -ENXIO)
		EXPECT_LT(0, each_fault(_metadata, self, &pmcs));
	EXPECT_LT(0, each_fault(_metadata, self, &pmds));
	EXPECT_LT(0, each_fault(_metadata, self, &attrs));
}

static int make_sets(FIXTURE_DATA(fault) * self)
{
	const struct pfm_set_desc descs[] = { { .set = 1 },
					      { .set = 300 },
					      { .set = 40000 } };

	return vector(self->fd, PFM_IOC_CREATE_EVTSET, descs, ARRAY_LEN(descs),
		      NULL);
}

static void delete_sets(FIXTURE_DATA(fault) * self)
{
	const struct pfm_set_desc descs[] = { { .set = 1 },
					      { .set = 300 },
					      { .set = 40000 } };

	if (vector(self->fd, PFM_IOC_DELETE_EVTSET, descs, ARRAY_LEN(descs),
		   NULL))
		abort();
}

TEST_F(fault, create_event_sets)
{
	const struct step step = { make_sets, delete_sets };

	self->fd = context_open(0);
	ASSERT_LE(0, self->fd);
	ASSERT_EQ(0, pmd_write(self->fd, CPU_TIME_NS, 7));
	EXPECT_LT(0, each_fault(_metadata, self, &step));
}

/*
 * Loading.
 */

static int load_child(FIXTURE_DATA(fault) * self)
{
	return context_load(self->fd, self->pid);
}

static void unload_child(FIXTURE_DATA(fault) * self)
{
	if (context_unload(self->fd))
		abort();
}

/* With all that may need memory: sampling, a buffer, sets. */
static void sampler(struct __test_metadata *_metadata,
		    FIXTURE_DATA(fault) * self, uint32_t flags)
{
	const struct pfm_pmd_attr attr = {
		.num = CPU_TIME_NS,
		.flags = PFM_PMDF_NOTIFY,
		.long_reset = -1000000,
		.short_reset = -1000000,
	};

	self->fd = default_open(flags, BUFFER);
	ASSERT_LE(0, self->fd);
	ASSERT_EQ(0, pmd_write(self->fd, CPU_TIME_NS, -1000000));
	ASSERT_EQ(0, pmd_write(self->fd, CONTEXT_SWITCHES, 0));
	ASSERT_EQ(0, attr_write(self->fd, &attr));
}

TEST_F(fault, load)
{
	const struct step step = { load_child, unload_child };

	sampler(_metadata, self, 0);
	self->pid = child_idle();
	EXPECT_LT(0, each_fault(_metadata, self, &step));
	EXPECT_EQ(0, sysfs_number("task_sessions_count"));
}

static void *idle_thread(void *arg)
{
	for (;;)
		pause();
	return NULL;
}

/* A child of so many threads, which do nothing. */
static pid_t idle_process(void)
{
	const pid_t parent = getpid();
	pthread_t threads[THREADS];
	int pipefd[2], i;
	char c;
	pid_t pid;

	if (pipe2(pipefd, O_CLOEXEC))
		abort();
	pid = fork();
	if (pid < 0)
		abort();
	if (!pid) {
		die_with_parent(parent);
		for (i = 0; i < THREADS - 1; i++) {
			if (pthread_create(&threads[i], NULL, idle_thread,
					   NULL))
				_exit(1);
		}
		if (write(pipefd[1], "", 1) == 1)
			idle_thread(NULL);
		_exit(1);
	}
	if (read(pipefd[0], &c, 1) != 1)
		abort();
	close(pipefd[0]);
	close(pipefd[1]);
	return pid;
}

static int load_process(FIXTURE_DATA(fault) * self)
{
	const struct pfm_load arg = {
		.tid = self->pid,
		.flags = PFM_LOAD_PROCESS,
	};

	return call(self->fd, PFM_IOC_LOAD_CONTEXT, &arg);
}

/* It has all of them; they leave no records behind. */
static void unload_process(FIXTURE_DATA(fault) * self)
{
	static char buf[16384];
	struct pfm_read_records arg;
	struct pfm_config cfg;

	if (config_get(self->fd, &cfg) || cfg.tasks != THREADS ||
	    context_unload(self->fd))
		abort();
	do {
		if (records_read(self->fd, buf, sizeof(buf), &arg))
			abort();
	} while (arg.count);
	/* The sums are what the registers begin with. */
	if (pmd_write(self->fd, CPU_TIME_NS, -1000000) ||
	    pmd_write(self->fd, CONTEXT_SWITCHES, 0))
		abort();
}

TEST_F(fault, load_process)
{
	const struct step step = { load_process, unload_process };

	sampler(_metadata, self, PFM_CTX_FOLLOW_ALL);
	self->pid = idle_process();
	EXPECT_LT(0, each_fault(_metadata, self, &step));
	EXPECT_EQ(0, sysfs_number("task_sessions_count"));
}

/*
 * Following.
 */

static int child_main(void *arg)
{
	return 0;
}

static pid_t clone_child(void)
{
	static char stack[65536] __attribute__((aligned(16)));
	const pid_t pid = clone(child_main, stack + sizeof(stack),
				CLONE_VM | SIGCHLD, NULL);

	return pid < 0 ? -errno : pid;
}

/*
 * Each child is followed: for an allocation that fails there is a reserve.  Which of a
 * fork's allocations is the n-th differs from fork to fork, as slabs and per-CPU lists
 * run empty; so one round may miss the one that is ours.
 */
TEST_F(fault, fork_followed)
{
	TEST_PROVES(M1);
	unsigned int n, round, made = 0, failed = 0;
	struct pfm_config cfg = {};
	struct records recs = {};
	bool hit;

	self->fd = context_open(PFM_CTX_FOLLOW_ALL);
	ASSERT_LE(0, self->fd);
	ASSERT_EQ(0, pmd_write(self->fd, CPU_TIME_NS, 0));
	/* All rounds together make fewer, so each child has a record of its own. */
	ASSERT_EQ(0, config_get(self->fd, &cfg));
	cfg.records_max = PFM_RECORDS_MAX;
	ASSERT_EQ(0, config_set(self->fd, &cfg));
	ASSERT_EQ(0, context_load(self->fd, 0));
	ASSERT_EQ(0, context_start(self->fd, 0));
	for (round = 0; round < FORK_ROUNDS; round++) {
		for (n = 1; n < TRIES_MAX; n++) {
			pid_t pid;

			arm(self->nth, n);
			pid = clone_child();
			hit = disarm(self->nth);
			if (pid > 0) {
				child_reap(pid);
				made++;
			} else {
				EXPECT_EQ(-ENOMEM, pid);
				failed++;
			}
			ASSERT_EQ(0, config_get(self->fd, &cfg));
			EXPECT_EQ(1, cfg.tasks);
			EXPECT_EQ(made, cfg.records);
			EXPECT_EQ(0, cfg.follow_failed);
			if (!hit)
				break;
		}
		EXPECT_GT(TRIES_MAX, n);
	}
	TH_LOG("%u forks failed, %u children", failed, made);
	EXPECT_LT(0, failed);
	ASSERT_EQ(0, records_collect(self->fd, &recs, 65536));
	EXPECT_EQ(made, recs.n);
	free(recs.buf);
	ASSERT_EQ(0, context_unload(self->fd));
	EXPECT_EQ(0, sysfs_number("task_sessions_count"));
}

static bool failslab_set(const char *name, const char *value)
{
	char path[128];

	snprintf(path, sizeof(path), DEBUGFS "/failslab/%s", name);
	return !write_text(path, value);
}

/*
 * Makes all allocations from slabs that cannot wait fail, in threads that ask for it.
 * The probability is set last and cleared first: without the filter, faults would meet
 * the whole machine.  Those of pages are left alone, as kmemleak allocates some with
 * raw locks held, where fault injection must not draw random numbers.
 */
static bool no_atomic_memory(bool fail)
{
	return failslab_set("probability", "0") &&
	       failslab_set("task-filter", fail ? "Y" : "N") &&
	       failslab_set("ignore-gfp-wait", fail ? "Y" : "N") &&
	       failslab_set("times", fail ? "1000000" : "1") &&
	       (!fail || failslab_set("probability", "100"));
}

static int storm_child(void)
{
	unsigned int i;
	pid_t pid;

	if (write_text("/proc/self/make-it-fail", "1"))
		return 1;
	for (i = 0; i < STORM; i++) {
		pid = fork();
		if (!pid && i % 10)
			_exit(0);
		if (!pid) {
			execl(program("loop"), "loop", "1", NULL);
			_exit(1);
		}
		if (pid < 0 || child_reap(pid))
			return 1;
	}
	return 0;
}

/*
 * A storm of forks and execs without any memory that comes at once: all are followed,
 * each program has its record, and the record its path.
 */
TEST_F(fault, storm_without_memory)
{
	unsigned int execs = 0, paths = 0;
	struct pfm_config cfg = {};
	struct records recs = {};
	struct pfm_record *rec;
	struct child child;
	int go[2];
	char c;

	self->fd = context_open(PFM_CTX_FOLLOW_ALL);
	ASSERT_LE(0, self->fd);
	ASSERT_EQ(0, pmd_write(self->fd, CPU_TIME_NS, 0));
	ASSERT_EQ(0, pipe2(go, O_CLOEXEC));
	child.pid = fork();
	if (!child.pid)
		_exit(read(go[0], &c, 1) == 1 ? storm_child() : 1);
	ASSERT_EQ(0, context_load(self->fd, child.pid));
	ASSERT_EQ(0, context_start(self->fd, 0));
	ASSERT_TRUE(no_atomic_memory(true));
	ASSERT_EQ(1, write(go[1], "", 1));
	EXPECT_EQ(0, measure_end(self->fd, &child));
	ASSERT_TRUE(no_atomic_memory(false));
	ASSERT_EQ(0, config_get(self->fd, &cfg));
	EXPECT_EQ(0, cfg.follow_failed);
	EXPECT_EQ(0, cfg.unsplit);
	ASSERT_EQ(0, records_collect(self->fd, &recs, 65536));
	/* The parent, its children, and a tenth of them before their exec. */
	EXPECT_EQ(1 + STORM + STORM / 10, recs.n);
	for_each_record(rec, &recs)
	{
		execs += rec->reason == PFM_RECORD_EXEC;
		paths += rec->path_len > 0;
	}
	EXPECT_EQ(STORM / 10, execs);
	EXPECT_EQ(STORM / 10, paths);
	EXPECT_EQ(pmd_value(self->fd, CPU_TIME_NS),
		  records_sum(&recs, CPU_TIME_NS));
	free(recs.buf);
}

/*
 * Reading: what cannot be copied stays.
 */

static int read_message(FIXTURE_DATA(fault) * self)
{
	union pfm_msg msg;
	const int ret = message_read(self->fd, &msg);

	return ret == sizeof(msg) && msg.type == PFM_MSG_END ? 0 : ret ?: -EPROTO;
}

/* The next END. */
static void next_message(FIXTURE_DATA(fault) * self)
{
	const pid_t pid = child_idle();

	if (context_load(self->fd, pid))
		abort();
	child_kill(pid);
}

TEST_F(fault, read_message)
{
	const struct step step = { read_message, next_message };

	self->fd = context_open(0);
	ASSERT_LE(0, self->fd);
	ASSERT_EQ(0, pmd_write(self->fd, CONTEXT_SWITCHES, 0));
	next_message(self);
	EXPECT_LT(0, each_fault(_metadata, self, &step));
}

TEST_HARNESS_MAIN

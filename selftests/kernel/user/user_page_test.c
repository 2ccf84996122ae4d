// SPDX-License-Identifier: GPL-2.0-only
/*
 * Registers read in user mode: the same values as by READ_PMDS, which is used where user
 * mode cannot read; and which threads may read counters, and when.
 */
#include "child.h"
#include "context.h"
#include "cpu.h"
#include "user_page.h"

#include <pthread.h>

#include "kselftest_harness.h"

FIXTURE(page)
{
	const char *missing;
	struct setup s;
};

FIXTURE_SETUP(page)
{
	self->missing = user_reads_missing();
	if (!self->missing)
		ASSERT_EQ(0, setup(&self->s, 2, EVENT_CPU_CYCLES, 0));
}

FIXTURE_TEARDOWN(page)
{
	if (self->s.page)
		teardown(&self->s);
}

#define NEED_USER_READS()                                  \
	do {                                               \
		if (self->missing)                         \
			SKIP(return, "%s", self->missing); \
	} while (0)

TEST_F(page, between)
{
	TEST_PROVES(W1);
	unsigned int i, calls = 0;
	uint64_t last = 0;

	NEED_USER_READS();
	for (i = 0; i < 2000; i++)
		ASSERT_EQ(true, between(&self->s, &last, &calls));
	EXPECT_GT(100, calls);
	EXPECT_EQ(PFM_USER_PAGE_VALID, pfm_user_page_state(self->s.page));
}

/* Every way in which a read cannot be valid: the call gives the right value. */
TEST_F(page, stopped)
{
	uint64_t vals[2];

	NEED_USER_READS();
	pfm_user_page_read(self->s.page, vals);
	ASSERT_EQ(0, context_stop(self->s.fd));
	EXPECT_EQ(PFM_USER_PAGE_STOPPED, pfm_user_page_state(self->s.page));
	EXPECT_EQ(1, pfm_user_page_read(self->s.page, vals));
	EXPECT_EQ(vals[0], pmd_value(self->s.fd, 0));
	ASSERT_EQ(0, pmd_write(self->s.fd, 0, 4711));
	ASSERT_EQ(0, context_start(self->s.fd, 0));
	EXPECT_EQ(PFM_USER_PAGE_VALID, pfm_user_page_state(self->s.page));
	EXPECT_LE(0, pfm_user_page_read(self->s.page, vals));
	EXPECT_LT(4711, vals[0]);
	ASSERT_EQ(0, context_unload(self->s.fd));
	EXPECT_EQ(PFM_USER_PAGE_UNLOADED, pfm_user_page_state(self->s.page));
	EXPECT_EQ(1, pfm_user_page_read(self->s.page, vals));
	EXPECT_EQ(vals[0], pmd_value(self->s.fd, 0));
	/* Loaded with other registers: they are looked for again. */
	ASSERT_EQ(0, cycles_setup_beside(self->s.fd, 0));
	ASSERT_EQ(0, context_load(self->s.fd, 0));
	EXPECT_EQ(PFM_USER_PAGE_STOPPED,
		  pfm_user_page_state(self->s.page) ? 2 : 0);
	ASSERT_EQ(0, context_start(self->s.fd, 0));
	EXPECT_LE(0, pfm_user_page_read(self->s.page, vals));
	EXPECT_EQ(PFM_USER_PAGE_VALID, pfm_user_page_state(self->s.page));
}

TEST_F(page, other_process)
{
	const pid_t pid = child_idle();
	uint64_t vals[2];

	NEED_USER_READS();
	ASSERT_EQ(0, context_unload(self->s.fd));
	ASSERT_EQ(0, context_load(self->s.fd, pid));
	ASSERT_EQ(0, context_start(self->s.fd, 0));
	EXPECT_NE(PFM_USER_PAGE_VALID, pfm_user_page_state(self->s.page));
	EXPECT_EQ(1, pfm_user_page_read(self->s.page, vals));
	child_kill(pid);
}

TEST_F(page, follows)
{
	struct pfm_config cfg;
	uint64_t vals[2];

	NEED_USER_READS();
	ASSERT_EQ(0, context_unload(self->s.fd));
	ASSERT_EQ(0, config_get(self->s.fd, &cfg));
	cfg.flags |= PFM_CTX_FOLLOW_FORK;
	ASSERT_EQ(0, config_set(self->s.fd, &cfg));
	ASSERT_EQ(0, context_load(self->s.fd, 0));
	ASSERT_EQ(0, context_start(self->s.fd, 0));
	EXPECT_EQ(PFM_USER_PAGE_FOLLOWS, pfm_user_page_state(self->s.page));
	EXPECT_EQ(1, pfm_user_page_read(self->s.page, vals));
}

TEST_F(page, virtual_register)
{
	const struct pfm_reg regs[2] = { { .num = 0 }, { .num = CPU_TIME_NS } };
	struct pfm_user_page_map *page;
	uint64_t vals[2];

	NEED_USER_READS();
	ASSERT_EQ(0, context_unload(self->s.fd));
	ASSERT_EQ(0, pmd_write(self->s.fd, CPU_TIME_NS, 0));
	ASSERT_EQ(0, context_load(self->s.fd, 0));
	ASSERT_EQ(0, context_start(self->s.fd, 0));
	ASSERT_EQ(0, pfm_user_page_open(self->s.fd, regs, 2, &page));
	EXPECT_EQ(PFM_USER_PAGE_REGISTER, pfm_user_page_state(page));
	EXPECT_EQ(1, pfm_user_page_read(page, vals));
	EXPECT_NE(0, vals[1]);
	pfm_user_page_close(page);
}

static void *read_elsewhere(void *arg)
{
	struct setup *s = arg;
	uint64_t vals[2];
	static long result;

	result = pfm_user_page_state(s->page) != PFM_USER_PAGE_THREAD ||
		 pfm_user_page_read(s->page, vals) != 1;
	return &result;
}

TEST_F(page, other_thread)
{
	TEST_PROVES(W2);
	pthread_t thread;
	uint64_t vals[2];
	long *result;

	NEED_USER_READS();
	pfm_user_page_read(self->s.page, vals);
	EXPECT_EQ(PFM_USER_PAGE_VALID, pfm_user_page_state(self->s.page));
	ASSERT_EQ(0, pthread_create(&thread, NULL, read_elsewhere, &self->s));
	ASSERT_EQ(0, pthread_join(thread, (void **)&result));
	EXPECT_EQ(0, *result);
}

/* A child has no page, and no access to counters while the parent counts. */
TEST_F(page, child)
{
	uint64_t vals[2];
	int status;
	pid_t pid;

	NEED_USER_READS();
	pfm_user_page_read(self->s.page, vals);
	EXPECT_EQ(true, may_read());
	pid = fork();
	ASSERT_LE(0, pid);
	if (!pid) {
		if (may_read() == ACCESS_BY_PAGE)
			_exit(1);
		if (pfm_user_page_state(self->s.page) !=
		    PFM_USER_PAGE_NOT_MAPPED)
			_exit(2);
		if (pfm_user_page_read(self->s.page, vals) != 1)
			_exit(3);
		pfm_user_page_close(self->s.page);
		signal(DENIED_SIGNAL, SIG_DFL);
		counter(0);
		_exit(ACCESS_BY_PAGE ? 4 : 0);
	}
	status = child_reap(pid);
	EXPECT_EQ(ACCESS_BY_PAGE, WIFSIGNALED(status));
	EXPECT_EQ(ACCESS_BY_PAGE ? DENIED_SIGNAL : 0, WTERMSIG(status));
	EXPECT_EQ(0, WEXITSTATUS(status));
	EXPECT_EQ(true, may_read());
}

/* A CPU that is monitored as a whole has counters for nobody in user mode. */
TEST_F(page, monitored_cpu)
{
	const int wide = context_open(PFM_CTX_SYSTEM_WIDE);
	uint64_t vals[2];

	NEED_USER_READS();
	ASSERT_LE(0, wide);
	pin_to(0);
	pfm_user_page_read(self->s.page, vals);
	EXPECT_EQ(true, may_read());
	ASSERT_EQ(0, context_unload(self->s.fd));
	ASSERT_EQ(0, cycles_setup_beside(wide, 0));
	ASSERT_EQ(0, context_load(wide, 0));
	EXPECT_EQ(!ACCESS_BY_PAGE, may_read());
	usleep(10000);
	EXPECT_EQ(!ACCESS_BY_PAGE, may_read());
	ASSERT_EQ(0, context_start(wide, 0));
	EXPECT_EQ(!ACCESS_BY_PAGE, may_read());
	usleep(10000);
	EXPECT_EQ(!ACCESS_BY_PAGE, may_read());
	EXPECT_EQ(0, close(wide));
	ASSERT_EQ(0, context_load(self->s.fd, 0));
	ASSERT_EQ(0, context_start(self->s.fd, 0));
	EXPECT_EQ(true, may_read());
	EXPECT_EQ(PFM_USER_PAGE_VALID, pfm_user_page_state(self->s.page));
}

/**
 * struct foreign - somebody else's context on this thread
 * @ready: it counts
 * @tid: the thread
 * @type: what it counts
 * @second: what its second set counts, 0 without one
 */
struct foreign {
	volatile bool ready;
	pid_t tid;
	uint64_t type;
	uint64_t second;
};

static int foreign_begin(const struct foreign *f)
{
	const int fd = context_open(0);
	struct pfm_reg reg = { .set = 1, .value = f->second };
	int ret;

	ret = fd < 0 ? fd : pmc_write(fd, 0, f->type | EVENT_CPU_CYCLES);
	if (!ret)
		ret = pmd_write(fd, 0, 0);
	if (!ret && f->second) {
		ret = set_describe(fd, 1, 0);
		if (!ret)
			ret = vector(fd, PFM_IOC_WRITE_PMCS, &reg, 1, NULL);
		reg.value = 0;
		if (!ret)
			ret = vector(fd, PFM_IOC_WRITE_PMDS, &reg, 1, NULL);
	}
	if (!ret)
		ret = context_load(fd, f->tid);
	if (!ret)
		ret = context_start(fd, 0);
	return ret;
}

/* In a child, which counts until it is killed; the thread does not wait asleep. */
static pid_t foreign_start(struct foreign *f)
{
	const pid_t parent = getpid();
	pid_t pid;

	f->ready = false;
	f->tid = syscall(SYS_gettid);
	pid = fork();
	if (pid < 0)
		abort();
	if (!pid) {
		die_with_parent(parent);
		if (foreign_begin(f))
			_exit(1);
		f->ready = true;
		for (;;)
			pause();
	}
	while (!f->ready && !waitpid(pid, NULL, WNOHANG))
		;
	return f->ready ? pid : -ECHILD;
}

/* The count of the first counter in a system call, or 0 if it cannot be read. */
static uint64_t counted_of_call(void)
{
	uint64_t before;

	if (!may_read())
		return 0;
	before = counter(0);
	syscall(SYS_getppid);
	return may_read() ? counter(0) - before : 0;
}

/*
 * The process has a page, of a context that is not loaded, and somebody else
 * counts the kernel for its thread: what that counts is not for the thread.
 */
TEST_F(page, kernel_of_others)
{
	TEST_PROVES(X3);
	const struct {
		uint64_t type;
		uint64_t second;
		bool readable;
	} cases[] = {
		{ KERNEL, 0, false },
		{ ALL_LEVELS, 0, false },
		{ USER, KERNEL | EVENT_CPU_CYCLES, false },
		{ USER, 0, true },
		{ USER, USER | EVENT_CPU_CYCLES, true },
	};
	struct foreign *f = mmap(NULL, sizeof(*f), PROT_READ | PROT_WRITE,
				 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	const uint64_t own = pmd_value(self->s.fd, 0);
	uint64_t vals[2];
	size_t i;
	pid_t pid;

	NEED_USER_READS();
	NEED_ACCESS_BY_PAGE();
	ASSERT_NE(MAP_FAILED, f);
	ASSERT_EQ(0, context_unload(self->s.fd));
	for (i = 0; i < ARRAY_LEN(cases); i++) {
		f->type = cases[i].type;
		f->second = cases[i].second;
		EXPECT_EQ(true, may_read());
		pid = foreign_start(f);
		ASSERT_LT(0, pid);
		EXPECT_EQ(cases[i].readable, may_read())
		TH_LOG("case %zu", i);
		if (!cases[i].readable)
			EXPECT_EQ(0, counted_of_call());
		/* Also when the thread comes back. */
		usleep(1000);
		EXPECT_EQ(cases[i].readable, may_read());
		if (!cases[i].readable)
			EXPECT_EQ(0, counted_of_call());
		child_kill(pid);
		usleep(1000);
		/* Nothing is left of it. */
		EXPECT_EQ(true, may_read());
		EXPECT_EQ(0, counter(0));
	}
	/* The own context, whatever it counts, is for its page's process. */
	ASSERT_EQ(0, pmc_write(self->s.fd, 0, ALL_LEVELS | EVENT_CPU_CYCLES));
	ASSERT_EQ(0, context_load(self->s.fd, 0));
	ASSERT_EQ(0, context_start(self->s.fd, 0));
	EXPECT_EQ(true, may_read());
	EXPECT_LT(0, counted_of_call());
	EXPECT_LE(0, pfm_user_page_read(self->s.page, vals));
	EXPECT_LT(own, vals[0]);
	munmap(f, sizeof(*f));
}

/* A process on the same CPU as the one with access, or beside it, never has access. */
TEST_F(page, in_turn)
{
	TEST_PROVES(X4);
	unsigned int i, calls = 0;
	uint64_t last = 0;
	int status;
	pid_t pid;

	NEED_USER_READS();
	pid = fork();
	ASSERT_LE(0, pid);
	if (!pid) {
		for (i = 0; i < 300; i++) {
			if (may_read() == ACCESS_BY_PAGE)
				_exit(1);
			sched_yield();
		}
		_exit(0);
	}
	while (!waitpid(pid, &status, WNOHANG)) {
		ASSERT_EQ(true, between(&self->s, &last, &calls));
		sched_yield();
	}
	EXPECT_EQ(0, status);
}

/* Access ends with the mapping. */
TEST_F(page, closed)
{
	TEST_PROVES(X4);
	NEED_USER_READS();
	NEED_ACCESS_BY_PAGE();
	EXPECT_EQ(true, may_read());
	pfm_user_page_close(self->s.page);
	EXPECT_EQ(!ACCESS_BY_PAGE, may_read());
	self->s.page = open_regs(self->s.fd, 2);
	ASSERT_NE(NULL, self->s.page);
	EXPECT_EQ(true, may_read());
}

TEST_F(page, mapping)
{
	const size_t size = sysconf(_SC_PAGESIZE);
	const struct pfm_user_page *ctl;
	int status;
	pid_t pid;

	NEED_USER_READS();
	EXPECT_EQ(MAP_FAILED,
		  mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED,
		       self->s.fd, PFM_USER_PAGE_OFFSET));
	EXPECT_EQ(EACCES, errno);
	EXPECT_EQ(MAP_FAILED, mmap(NULL, 2 * size, PROT_READ, MAP_SHARED,
				   self->s.fd, PFM_USER_PAGE_OFFSET));
	EXPECT_EQ(EINVAL, errno);
	ctl = mmap(NULL, size, PROT_READ, MAP_SHARED, self->s.fd,
		   PFM_USER_PAGE_OFFSET);
	ASSERT_NE(MAP_FAILED, ctl);
	EXPECT_EQ(-1, mprotect((void *)ctl, size, PROT_READ | PROT_WRITE));
	EXPECT_EQ(EACCES, errno);
	EXPECT_EQ(PFM_USER_PAGE_VERSION, ctl->version);
	EXPECT_EQ((uint32_t)syscall(SYS_gettid), ctl->tid);
	EXPECT_EQ(2, ctl->nregs);
	pid = fork();
	ASSERT_LE(0, pid);
	if (!pid) {
		void *other = mmap(NULL, size, PROT_READ, MAP_SHARED,
				   self->s.fd, PFM_USER_PAGE_OFFSET);

		_exit(other == MAP_FAILED && errno == EBUSY ? 0 : 1);
	}
	status = child_reap(pid);
	EXPECT_EQ(0, status);
	EXPECT_EQ(0, munmap((void *)ctl, size));
	/* The library has it mapped still. */
	EXPECT_EQ(true, may_read());
}

/* A page outlives the descriptor, but tells nothing any more. */
TEST_F(page, outlives_descriptor)
{
	uint64_t vals[2];

	NEED_USER_READS();
	pfm_user_page_read(self->s.page, vals);
	close(self->s.fd);
	EXPECT_EQ(PFM_USER_PAGE_UNLOADED, pfm_user_page_state(self->s.page));
	/* There is no descriptor to read by either. */
	EXPECT_EQ(-EBADF, pfm_user_page_read(self->s.page, vals));
	pfm_user_page_close(self->s.page);
	EXPECT_EQ(!ACCESS_BY_PAGE, may_read());
	self->s.page = NULL;
}

/*
 * Where each is an interrupt between two of the some 100 instructions of the reading
 * loop, each two of them see a dozen.  A slow host leaves it at less.
 */
#define ROUNDS	     1000
#define DISTURBED_NS 10000000000ULL

/* Other threads that disturb the reading thread until it is done. */
struct disturber {
	pthread_t thread;
	int fd;
	pid_t tid;
	volatile unsigned int rounds;
	volatile bool over;
};

static void *disturb_state(void *arg)
{
	struct disturber *d = arg;

	while (!d->over) {
		context_stop(d->fd);
		context_start(d->fd, 0);
		usleep(100);
		context_unload(d->fd);
		context_load(d->fd, d->tid);
		context_start(d->fd, 0);
		usleep(100);
		d->rounds++;
	}
	return NULL;
}

static void *disturb_place(void *arg)
{
	struct disturber *d = arg;
	unsigned int i = 0;

	while (!d->over) {
		cpu_set_t set;

		CPU_ZERO(&set);
		CPU_SET(i++ % cpus_online(), &set);
		sched_setaffinity(d->tid, sizeof(set), &set);
		usleep(100);
		d->rounds++;
	}
	return NULL;
}

static int disturbed(struct setup *s, void *(*how)(void *arg),
		     unsigned int *reads, unsigned int *calls)
{
	const uint64_t end = time_ns(CLOCK_MONOTONIC) + DISTURBED_NS;
	struct disturber d = { .fd = s->fd, .tid = syscall(SYS_gettid) };
	uint64_t last = 0, vals[2];
	int ret = 0;

	if (pthread_create(&d.thread, NULL, how, &d))
		return -errno;
	*reads = *calls = 0;
	do {
		ret = pfm_user_page_read(s->page, vals);
		if (ret < 0)
			break;
		if (vals[0] < last) {
			ret = -ERANGE;
			break;
		}
		last = vals[0];
		*calls += ret;
		++*reads;
		if (!(*reads % 512) && !between(s, &last, calls)) {
			ret = -EDOM;
			break;
		}
	} while (d.rounds < ROUNDS && time_ns(CLOCK_MONOTONIC) < end);
	d.over = true;
	pthread_join(d.thread, NULL);
	printf("# %u times disturbed, %u of %u reads by the call\n", d.rounds,
	       *calls, *reads);
	return ret < 0 ? ret : 0;
}

/* A read that is overtaken by the end of counting gets no signal. */
TEST_F(page, disturbed)
{
	TEST_PROVES(X1);
	unsigned int reads, calls;

	NEED_USER_READS();
	ASSERT_EQ(0, disturbed(&self->s, disturb_state, &reads, &calls));
	EXPECT_LT(0, calls);
	EXPECT_LT(calls, reads);
}

TEST_F(page, migrated)
{
	unsigned int reads, calls;

	NEED_USER_READS();
	if (cpus_online() < 2)
		SKIP(return, "needs two CPUs");
	ASSERT_EQ(0, disturbed(&self->s, disturb_place, &reads, &calls));
	EXPECT_LT(calls, reads / 2);
}

TEST_HARNESS_MAIN

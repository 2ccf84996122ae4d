// SPDX-License-Identifier: GPL-2.0-only
/*
 * Registers read in user mode while something happens to the thread: signals,
 * children of all kinds, threads that end, and threads that take its context.
 */
#include "child.h"
#include "context.h"
#include "cpu.h"
#include "user_page.h"

#include <errno.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <ucontext.h>

#include "kselftest_harness.h"

/* In the library: where the code of pfm_user_page_read() ends. */
const void *pfmi_user_page_code(unsigned int width);

#define SHORT_NS 1000000000ULL
#define LONG_NS	 20000000000ULL
#define JUMP	 (1LL << 33)
#define TRY	 "--try-counters"

/* Exit status of a program that cannot read, reads zero, or reads more. */
enum { TRY_DENIED = 40, TRY_ZERO, TRY_COUNTS };

/* This program was executed as another one: may it read counters at once? */
static __attribute__((constructor)) void try(int argc, char *argv[])
{
	if (argc != 2 || strcmp(argv[1], TRY))
		return;
	if (!may_read())
		_exit(TRY_DENIED);
	spin(1000);
	_exit(counter(0) || counter(31) ? TRY_COUNTS : TRY_ZERO);
}

static void exec_try(void)
{
	execl("/proc/self/exe", "page_race_test", TRY, NULL);
	_exit(1);
}

FIXTURE(race)
{
	const char *missing;
	struct setup s;
};

FIXTURE_SETUP(race)
{
	self->missing = user_reads_missing();
	if (!self->missing)
		ASSERT_EQ(0, setup(&self->s, 2, EVENT_CPU_CYCLES, 0));
}

FIXTURE_TEARDOWN(race)
{
	if (self->s.page)
		teardown(&self->s);
}

/*
 * Signals
 */
static uint64_t interrupted_at(const ucontext_t *uc)
{
#ifdef __aarch64__
	return uc->uc_mcontext.pc;
#else
	return uc->uc_mcontext.gregs[REG_RIP];
#endif
}

static struct {
	const struct setup *s;
	volatile uint64_t own;
	volatile uint64_t main;
	volatile unsigned int n;
	volatile unsigned int inside;
	volatile unsigned int wrong;
} handler;

static void on_timer(int sig, siginfo_t *info, void *context)
{
	const ucontext_t *uc = context;
	const uint64_t at = interrupted_at(uc);
	uint64_t vals[2];

	handler.n++;
	handler.inside += at >= (uint64_t)pfm_user_page_read &&
			  at < (uint64_t)pfmi_user_page_code;
	if (pfm_user_page_read(handler.s->page, vals) < 0 ||
	    vals[0] < handler.main || vals[0] < handler.own)
		handler.wrong++;
	handler.own = vals[0];
	/* The values that the interrupted read began with change. */
	if (!(handler.n % 4)) {
		const struct pfm_reg regs[] = {
			{ .num = 0, .value = vals[0] + JUMP },
			{ .num = 1, .value = vals[1] + JUMP },
		};

		context_stop(handler.s->fd);
		handler.wrong += vector(handler.s->fd, PFM_IOC_WRITE_PMDS, regs,
					2, NULL) != 0;
		context_start(handler.s->fd, 0);
	}
}

/*
 * A handler reads in the middle of the thread's reads, and has both registers,
 * which count the same, make a leap: a read is before it or behind it.
 */
TEST_F(race, handler)
{
	const struct sigaction action = {
		.sa_sigaction = on_timer,
		.sa_flags = SA_SIGINFO | SA_RESTART,
	};
	const struct itimerspec interval = {
		.it_interval.tv_nsec = 50000,
		.it_value.tv_nsec = 50000,
	};
	struct sigevent event = { .sigev_notify = SIGEV_SIGNAL,
				  .sigev_signo = SIGUSR1 };
	unsigned int i, calls = 0;
	uint64_t vals[2], last = 0;
	bool wrong = false;
	timer_t timer;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	handler.s = &self->s;
	ASSERT_EQ(0, sigaction(SIGUSR1, &action, NULL));
	ASSERT_EQ(0, timer_create(CLOCK_MONOTONIC, &event, &timer));
	ASSERT_EQ(0, timer_settime(timer, 0, &interval, NULL));
	for (i = 0; i < 4000000 && (handler.n < 400 || !handler.inside); i++) {
		const uint64_t floor = handler.own;
		const int ret = pfm_user_page_read(self->s.page, vals);

		wrong = ret < 0 || vals[0] < last || vals[0] < floor ||
			llabs((long long)(vals[1] - vals[0])) > JUMP / 2;
		if (wrong)
			break;
		handler.main = last = vals[0];
		calls += ret;
	}
	timer_delete(timer);
	TH_LOG("%u signals, %u within one of %u reads, %u of them calls",
	       handler.n, handler.inside, i, calls);
	EXPECT_EQ(false, wrong);
	EXPECT_EQ(0, handler.wrong);
	EXPECT_LT(0, handler.inside);
	EXPECT_LT(calls, i / 2);
	EXPECT_EQ(true, between(&self->s, &last, &calls));
}

/*
 * Children
 */

/* While the parent sleeps, its child is told what the call says. */
TEST_F(race, vfork_reads)
{
	volatile uint64_t before = 0, inner = 0;
	volatile int ret = -1;
	uint64_t vals[2];
	pid_t pid;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_LE(0, pfm_user_page_read(self->s.page, vals));
	EXPECT_EQ(PFM_USER_PAGE_VALID, pfm_user_page_state(self->s.page));
	before = vals[0];
	pid = vfork();
	ASSERT_LE(0, pid);
	if (!pid) {
		usleep(20000);
		ret = pfm_user_page_read(self->s.page, vals);
		inner = vals[0];
		_exit(0);
	}
	EXPECT_EQ(0, child_reap(pid));
	EXPECT_EQ(1, ret);
	EXPECT_LE(before, inner);
	EXPECT_EQ(0, read_direct(self->s.page, vals));
	EXPECT_LE(inner, vals[0]);
	EXPECT_GE(pmd_value(self->s.fd, 0), vals[0]);
}

static __attribute__((noinline)) int vfork_try(void)
{
	const pid_t pid = vfork();

	if (!pid)
		exec_try();
	return pid < 0 ? -1 : WEXITSTATUS(child_reap(pid));
}

/* The new program has none of the access that its address space had before. */
TEST_F(race, vfork_executes)
{
	unsigned int i;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	NEED_ACCESS_BY_PAGE();
	for (i = 0; i < 20; i++) {
		EXPECT_EQ(true, may_read());
		EXPECT_EQ(TRY_DENIED, vfork_try());
	}
	EXPECT_EQ(true, may_read());
}

FIXTURE(executes){};

FIXTURE_VARIANT(executes)
{
	int fd_flags;
};

/* The context ends with the old program, or counts in the new one. */
FIXTURE_VARIANT_ADD(executes, closed){ .fd_flags = FD_CLOEXEC };
FIXTURE_VARIANT_ADD(executes, kept){ .fd_flags = 0 };

FIXTURE_SETUP(executes)
{
}

FIXTURE_TEARDOWN(executes)
{
}

TEST_F(executes, itself)
{
	pid_t pid;

	NEED_ACCESS_BY_PAGE();
	pid = fork();
	ASSERT_LE(0, pid);
	if (!pid) {
		struct setup s;

		if (setup(&s, 2, EVENT_CPU_CYCLES, 0) || !may_read() ||
		    fcntl(s.fd, F_SETFD, variant->fd_flags))
			_exit(1);
		exec_try();
	}
	EXPECT_EQ(TRY_DENIED, WEXITSTATUS(child_reap(pid)));
}

/*
 * A mapping that a child was given by advice is none of its parent's, and gives
 * nobody access when the parent is gone.
 */
struct family {
	int fd;
	void *map;
	int gone[2];
	int said[2];
};

static void *map_page(int fd)
{
	return mmap(NULL, sysconf(_SC_PAGESIZE), PROT_READ, MAP_SHARED, fd,
		    PFM_USER_PAGE_OFFSET);
}

/* True if any of many new processes may read: one may be where the parent was. */
static bool anybody_may_read(void)
{
	unsigned int i, n = 0;

	for (i = 0; i < 40; i++) {
		const pid_t pid = fork();

		if (!pid) {
			sched_yield();
			_exit(may_read());
		}
		n += WEXITSTATUS(child_reap(pid));
	}
	return n;
}

/* 0, or the number of what is wrong. */
static char heir(const struct family *f)
{
	const size_t size = sysconf(_SC_PAGESIZE);
	const struct pfm_user_page *ctl = f->map;
	void *own;
	char c;

	close(f->gone[1]);
	if (read(f->gone[0], &c, 1) || ctl->version != PFM_USER_PAGE_VERSION)
		return 1;
	if (may_read() || anybody_may_read())
		return 2;
	own = map_page(f->fd);
	if (own == MAP_FAILED)
		return 3;
	if (counters_setup(f->fd, 2, EVENT_CPU_CYCLES, 0) ||
	    context_load(f->fd, 0) || context_start(f->fd, 0))
		return 4;
	if (!may_read())
		return 5;
	/* Not with the one that was inherited, but with the own one. */
	if (munmap(f->map, size) || !may_read())
		return 6;
	if (munmap(own, size) || may_read())
		return 7;
	return 0;
}

/* The exit status that says that the kernel does not let the mapping be inherited */
#define REFUSED 100

static void bequeath(struct family *f)
{
	char c;

	f->fd = context_open(0);
	f->map = map_page(f->fd);
	if (f->map == MAP_FAILED ||
	    counters_setup(f->fd, 2, EVENT_CPU_CYCLES, 0) ||
	    context_load(f->fd, 0) || context_start(f->fd, 0) || !may_read())
		_exit(1);
	/* Newer kernels let no process inherit such a mapping. */
	if (madvise(f->map, sysconf(_SC_PAGESIZE), MADV_DOFORK))
		_exit(errno == EINVAL ? REFUSED : 2);
	if (fork())
		_exit(0);
	c = heir(f);
	_exit(write(f->said[1], &c, 1) != 1);
}

TEST_F(race, inherited)
{
	struct family f;
	char c = 99;
	int status;
	pid_t pid;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	NEED_ACCESS_BY_PAGE();
	/* The fixture's context keeps the probes. */
	ASSERT_EQ(0, pipe(f.gone));
	ASSERT_EQ(0, pipe(f.said));
	pid = fork();
	ASSERT_LE(0, pid);
	if (!pid)
		bequeath(&f);
	status = child_reap(pid);
	close(f.gone[1]);
	close(f.said[1]);
	if (WIFEXITED(status) && WEXITSTATUS(status) == REFUSED) {
		TH_LOG("this kernel refuses MADV_DOFORK");
	} else {
		EXPECT_EQ(0, status);
		ASSERT_EQ(1, read(f.said[0], &c, 1));
		EXPECT_EQ(0, c);
	}
	EXPECT_EQ(true, may_read());
}

/*
 * Threads
 */

/**
 * struct shift - what one thread leaves to the next
 * @s: made by the first
 * @pointer: thread pointer of each
 * @value: the last that the first read
 * @wrong: number of what is wrong, or 0
 */
struct shift {
	struct setup s;
	void *pointer[2];
	uint64_t value;
	int wrong;
};

static void *first_shift(void *arg)
{
	struct shift *shift = arg;
	uint64_t vals[2];

	shift->pointer[0] = __builtin_thread_pointer();
	if (setup(&shift->s, 2, EVENT_CPU_CYCLES, 0) ||
	    pfm_user_page_read(shift->s.page, vals) < 0 ||
	    read_direct(shift->s.page, vals))
		shift->wrong = 1;
	shift->value = vals[0];
	return NULL;
}

/* That a thread ended is seen when it was joined, or soon after. */
static bool has_ended(int fd)
{
	const uint64_t begin = time_ns(CLOCK_MONOTONIC);
	struct pfm_config cfg;

	do {
		if (config_get(fd, &cfg))
			return false;
	} while (cfg.tasks && time_ns(CLOCK_MONOTONIC) < begin + LONG_NS);
	return !cfg.tasks;
}

static void *second_shift(void *arg)
{
	struct shift *shift = arg;
	unsigned int i, calls = 0;
	uint64_t vals[2], last;

	shift->pointer[1] = __builtin_thread_pointer();
	/* The kernel may not have done with the first one. */
	shift->wrong = 2;
	if (pfm_user_page_read(shift->s.page, vals) != 1 ||
	    vals[0] < shift->value)
		return NULL;
	last = vals[0];
	if (!has_ended(shift->s.fd) ||
	    pfm_user_page_read(shift->s.page, vals) != 1 || vals[0] < last ||
	    vals[0] != pmd_value(shift->s.fd, 0))
		return NULL;
	last = vals[0];
	/* It counts for this thread, which did not open the page. */
	shift->wrong = 3;
	if (context_load(shift->s.fd, 0) || context_start(shift->s.fd, 0))
		return NULL;
	shift->wrong = 4;
	for (i = 0; i < 20; i++) {
		if (!between(&shift->s, &last, &calls))
			return NULL;
	}
	shift->wrong = 5;
	if (calls != 20 ||
	    pfm_user_page_state(shift->s.page) != PFM_USER_PAGE_THREAD)
		return NULL;
	shift->wrong = 0;
	return NULL;
}

/*
 * A thread with the stack and thread pointer of one that ended is another one, also
 * while the other CPU has that one in the kernel.
 */
TEST(successor)
{
	TEST_PROVES(W2);
	const char *missing;
	const size_t size = 1 << 18;
	pthread_attr_t attr;
	pthread_t thread;
	void *stack;
	int round;

	missing = user_reads_missing();
	if (missing)
		SKIP(return, "%s", missing);
	stack = mmap(NULL, size, PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(MAP_FAILED, stack);
	ASSERT_EQ(0, pthread_attr_init(&attr));
	ASSERT_EQ(0, pthread_attr_setstack(&attr, stack, size));
	for (round = 0; round < 100; round++) {
		struct shift shift = {};

		ASSERT_EQ(0,
			  pthread_create(&thread, &attr, first_shift, &shift));
		ASSERT_EQ(0, pthread_join(thread, NULL));
		ASSERT_EQ(0, shift.wrong);
		ASSERT_EQ(0,
			  pthread_create(&thread, &attr, second_shift, &shift));
		ASSERT_EQ(0, pthread_join(thread, NULL));
		EXPECT_EQ(shift.pointer[0], shift.pointer[1]);
		teardown(&shift.s);
		ASSERT_EQ(0, shift.wrong)
		{
			TH_LOG("round %d", round);
		}
	}
}

/* For a while, and as long as a busy host needs for what is to happen. */
static bool goes_on(uint64_t begin, bool enough)
{
	return time_ns(CLOCK_MONOTONIC) < begin + (enough ? SHORT_NS : LONG_NS);
}

/* Two threads that are monitored in turn, and one that sees to that. */
struct turns {
	const struct setup *s;
	pid_t tids[2];
	volatile unsigned int moves;
	volatile bool ready;
	volatile bool over;
};

static void *sibling(void *arg)
{
	struct turns *turns = arg;

	turns->tids[1] = syscall(SYS_gettid);
	turns->ready = true;
	while (!turns->over) {
		spin(1000);
		sched_yield();
	}
	return NULL;
}

static void *move_about(void *arg)
{
	struct turns *turns = arg;
	unsigned int i;

	for (i = 1; !turns->over; i++) {
		if (!context_unload(turns->s->fd) &&
		    !context_load(turns->s->fd, turns->tids[i % 2]) &&
		    !context_start(turns->s->fd, 0))
			turns->moves++;
		usleep(200);
	}
	return NULL;
}

/*
 * The context is loaded on another thread and back while the one that opened the
 * page goes on reading.  A value is the sum of both, so it only ever grows.
 */
TEST_F(race, taken_away)
{
	TEST_PROVES(W2);
	struct turns turns = { .s = &self->s, .tids = { syscall(SYS_gettid) } };
	unsigned int reads = 0, calls = 0, before = 0;
	pthread_t threads[2];
	const uint64_t begin = time_ns(CLOCK_MONOTONIC);
	uint64_t last = 0, vals[2];
	bool wrong = false;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, pthread_create(&threads[0], NULL, sibling, &turns));
	while (!turns.ready)
		sched_yield();
	ASSERT_EQ(0, pthread_create(&threads[1], NULL, move_about, &turns));
	while (goes_on(begin, turns.moves > 5 && calls)) {
		const int ret = pfm_user_page_read(self->s.page, vals);

		wrong = ret < 0 || vals[0] < last;
		if (!wrong && !(++reads % 16))
			wrong = !between(&self->s, &vals[0], &before);
		if (wrong)
			break;
		last = vals[0];
		calls += ret;
	}
	turns.over = true;
	pthread_join(threads[0], NULL);
	pthread_join(threads[1], NULL);
	TH_LOG("%u moves, %u of %u reads by the call", turns.moves, calls,
	       reads);
	EXPECT_EQ(false, wrong);
	EXPECT_LT(5, turns.moves);
	EXPECT_LT(0, calls);
	EXPECT_LT(calls, reads);
}

/* The last values of two threads that read. */
struct readers {
	const struct setup *s;
	_Atomic uint64_t by_call;
	_Atomic uint64_t by_page;
	volatile unsigned int n;
	unsigned int wrong;
	volatile bool over;
};

static void *read_by_call(void *arg)
{
	struct readers *readers = arg;

	for (; !readers->over; readers->n++) {
		const uint64_t floor = readers->by_page;
		const uint64_t value = pmd_value(readers->s->fd, 0);

		readers->wrong += value == ~0ULL || value < floor ||
				  value < readers->by_call;
		readers->by_call = value;
		usleep(50);
	}
	return NULL;
}

/* Another thread's calls change the page; both see what the other one saw. */
TEST_F(race, read_meanwhile)
{
	const uint64_t begin = time_ns(CLOCK_MONOTONIC);
	struct readers readers = { .s = &self->s };
	unsigned int reads = 0, calls = 0;
	uint64_t vals[2] = {};
	pthread_t thread;
	bool wrong = false;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, pthread_create(&thread, NULL, read_by_call, &readers));
	while (goes_on(begin, readers.n > 20)) {
		const uint64_t floor = readers.by_call;
		const int ret = pfm_user_page_read(self->s.page, vals);

		wrong = ret < 0 || vals[0] < floor || vals[0] < readers.by_page;
		if (wrong)
			break;
		readers.by_page = vals[0];
		calls += ret;
		reads++;
	}
	readers.over = true;
	pthread_join(thread, NULL);
	TH_LOG("%u reads by the other, %u of %u by the call", readers.n, calls,
	       reads);
	EXPECT_EQ(false, wrong);
	EXPECT_EQ(0, readers.wrong);
	EXPECT_LT(20, readers.n);
	EXPECT_LT(calls, reads / 2);
}

/**
 * struct thief - takes a thread's context away, and counts the kernel for the thread instead
 * @own: the thread's context
 * @tid: the thread
 * @rounds: number of times so far
 * @failed: an ioctl failed
 */
struct thief {
	int own;
	pid_t tid;
	volatile unsigned int rounds;
	volatile bool failed;
};

/*
 * On the thread's CPU: all this happens between two instructions of the thread, often in the
 * middle of a read.
 */
static void steal(struct thief *thief)
{
	const int fd = context_open(0);
	int ret;

	pin_to(0);
	ret = pmc_write(fd, 0, ALL_LEVELS | EVENT_CPU_CYCLES);
	if (!ret)
		ret = pmd_write(fd, 0, 0);
	while (!ret) {
		usleep(300);
		ret = context_unload(thief->own);
		if (!ret)
			ret = context_load(fd, thief->tid);
		if (!ret)
			ret = context_start(fd, 0);
		usleep(300);
		if (!ret)
			ret = context_unload(fd);
		if (!ret)
			ret = context_load(thief->own, thief->tid);
		if (!ret)
			ret = context_start(thief->own, 0);
		thief->rounds++;
	}
	thief->failed = true;
}

static volatile unsigned int denials;

static void count_denial(int sig, siginfo_t *info, void *context)
{
	if (!pfm_user_page_denied(sig, info, context))
		_exit(1);
	denials++;
}

/* Read until the context was taken away so often, and at least @min times in a read. */
static void robbed(struct __test_metadata *_metadata, const struct setup *s,
		   unsigned int min)
{
	struct thief *thief = mmap(NULL, sizeof(*thief), PROT_READ | PROT_WRITE,
				   MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	const uint64_t begin = time_ns(CLOCK_MONOTONIC);
	const pid_t parent = getpid();
	uint64_t vals[2], last = 0;
	bool wrong = false;
	pid_t pid;

	ASSERT_NE(MAP_FAILED, thief);
	pin_to(0);
	thief->own = s->fd;
	thief->tid = syscall(SYS_gettid);
	pid = fork();
	ASSERT_LE(0, pid);
	if (!pid) {
		die_with_parent(parent);
		steal(thief);
		_exit(1);
	}
	while (!wrong && !thief->failed &&
	       goes_on(begin, thief->rounds > 20 && denials >= min)) {
		wrong = pfm_user_page_read(s->page, vals) < 0 || vals[0] < last;
		last = vals[0];
	}
	child_kill(pid);
	TH_LOG("taken away %u times, %u times in a read", thief->rounds,
	       denials);
	EXPECT_EQ(false, wrong);
	EXPECT_EQ(false, thief->failed);
	EXPECT_LT(20, thief->rounds);
	EXPECT_LE(min, denials);
	munmap(thief, sizeof(*thief));
}

/* The library's handler is enough for a program that has none. */
TEST_F(race, robbed)
{
	NEED_ACCESS_BY_PAGE();
	robbed(_metadata, &self->s, 0);
}

/* A program's own handler passes the signal on. */
TEST_F(race, robbed_with_handler)
{
	const struct sigaction action = {
		.sa_sigaction = count_denial,
		.sa_flags = SA_SIGINFO,
	};

	NEED_ACCESS_BY_PAGE();
	ASSERT_EQ(0, sigaction(DENIED_SIGNAL, &action, NULL));
	robbed(_metadata, &self->s, 3);
}

TEST_HARNESS_MAIN

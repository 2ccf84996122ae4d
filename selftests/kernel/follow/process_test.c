// SPDX-License-Identifier: GPL-2.0-only
/*
 * Attaching to a running process: all its threads, also while it creates and
 * ends them without pause.
 */
#include "child.h"
#include "context.h"
#include "cpu.h"
#include "exact_count.h"
#include "memory.h"
#include "records.h"
#include "rights.h"
#include "sysfs.h"

#include <pthread.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <time.h>

#include "kselftest_harness.h"

#define WORKERS	200	/* at most */
#define LOOP	20000ULL

/*
 * Sizes of the tests: smaller where each step takes a hundred times as long, so that it comes to its
 * end, and on one CPU, which a LOAD shares with all threads of the crowd.  What is done at the same
 * time needs two.
 */
static struct {
	int workers;
	int rounds;
	int loads;
} size = { WORKERS, 50, 200 };

static void __attribute__((constructor)) size_choose(void)
{
	struct utsname name;

	if (!uname(&name) && strstr(name.release, "-debug")) {
		size.workers = 30;
		size.rounds = 5;
		size.loads = 20;
	} else if (!exact_missing() || sysconf(_SC_NPROCESSORS_ONLN) == 1) {
		size.rounds = 15;
		size.loads = 60;
	}
}

/*
 * A process of many threads, each of which creates its successor and ends,
 * until it is told to park.
 */
struct crowd {
	int complete;
	int park;
	int parked;
	unsigned long created;
	pid_t tids[WORKERS];
	int begin[2], go[2], done[2], resume[2];
	pid_t pid;
};

/* Fresh pages that a thread touches: as many minor faults, on every machine. */
#define FAULTS	16ULL

/*
 * Wait to be let go, touch fresh pages, work, tell, and wait to be resumed: in one
 * piece of assembly, so that from one wait to the other WORK_COST instructions are
 * executed.
 */
#define WORK_COST	(2 * LOOP + 4 * FAULTS + 13)

static void work(struct crowd *crowd)
{
	const size_t page = sysconf(_SC_PAGESIZE);
	char *const fresh = mmap(NULL, FAULTS * page, PROT_READ | PROT_WRITE,
				 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char c = 0;

	if (fresh == MAP_FAILED)
		_exit(1);
	/* EINVAL from a kernel without huge pages does no harm. */
	madvise(fresh, FAULTS * page, MADV_NOHUGEPAGE);
#ifdef __aarch64__
	register long x0 asm("x0") = crowd->go[0];
	register long x1 asm("x1") = (long)&c;
	register long x2 asm("x2") = 1;
	register long x8 asm("x8") = 63;	/* read */

	asm volatile("svc	#0\n"
		     "	mov	x9, %[faults]\n"
		     "	mov	x10, %[fresh]\n"
		     "2:	strb	wzr, [x10]\n"
		     "	add	x10, x10, %[page]\n"
		     "	subs	x9, x9, #1\n"
		     "	b.ne	2b\n"
		     "	mov	x9, %[n]\n"
		     "1:	subs	x9, x9, #1\n"
		     "	b.ne	1b\n"
		     "	mov	x0, %[done]\n"
		     "	mov	x1, %[c]\n"
		     "	mov	x2, #1\n"
		     "	mov	x8, #64\n"	/* write */
		     "	svc	#0\n"
		     "	mov	x0, %[resume]\n"
		     "	mov	x1, %[c]\n"
		     "	mov	x2, #1\n"
		     "	mov	x8, #63\n"
		     "	svc	#0\n"
		     : "+&r" (x0), "+&r" (x1), "+&r" (x2), "+&r" (x8)
		     : [n] "r" (LOOP), [done] "r" ((long)crowd->done[1]),
		       [resume] "r" ((long)crowd->resume[0]), [c] "r" (&c),
		       [faults] "r" (FAULTS), [fresh] "r" (fresh), [page] "r" (page)
		     : "x9", "x10", "cc", "memory");
#elif defined(__x86_64__)
	register long rax asm("rax") = SYS_read;
	register long rdi asm("rdi") = crowd->go[0];
	register long rsi asm("rsi") = (long)&c;
	register long rdx asm("rdx") = 1;

	asm volatile("syscall\n"
		     "	mov	%[faults], %%r8\n"
		     "	mov	%[fresh], %%r9\n"
		     "2:	movb	$0, (%%r9)\n"
		     "	add	%[page], %%r9\n"
		     "	dec	%%r8\n"
		     "	jnz	2b\n"
		     "	mov	%[n], %%r8\n"
		     "1:	dec	%%r8\n"
		     "	jnz	1b\n"
		     "	mov	%[done], %%rdi\n"
		     "	mov	%[c], %%rsi\n"
		     "	mov	$1, %%edx\n"
		     "	mov	%[write], %%eax\n"
		     "	syscall\n"
		     "	mov	%[resume], %%rdi\n"
		     "	mov	%[c], %%rsi\n"
		     "	mov	$1, %%edx\n"
		     "	mov	%[read], %%eax\n"
		     "	syscall\n"
		     : "+&r" (rax), "+&r" (rdi), "+&r" (rsi), "+&r" (rdx)
		     : [n] "i" (LOOP), [done] "r" ((long)crowd->done[1]),
		       [resume] "r" ((long)crowd->resume[0]), [c] "r" (&c),
		       [faults] "i" (FAULTS), [fresh] "r" (fresh), [page] "r" (page),
		       [read] "i" (SYS_read), [write] "i" (SYS_write)
		     : "rcx", "r8", "r9", "r11", "cc", "memory");
#else
	volatile unsigned long n = LOOP;
	size_t i;

	if (read(crowd->go[0], &c, 1) != 1)
		_exit(1);
	for (i = 0; i < FAULTS; i++)
		((volatile char *)fresh)[i * page] = 0;
	while (n--)
		;
	if (write(crowd->done[1], &c, 1) != 1 ||
	    read(crowd->resume[0], &c, 1) != 1)
		_exit(1);
#endif
	munmap(fresh, FAULTS * page);
}

static struct crowd *crowd;

static void *worker(void *slot);

/*
 * The kernel frees a thread when an RCU grace period has passed since its end.  With its
 * checkers and one CPU that may take longer than tens of thousands of threads do.
 */
static void await_memory(void)
{
	while (memory_available() < 256 * 1024)
		usleep(1000);
}

static void create_worker(void *slot)
{
	pthread_attr_t attr;
	pthread_t thread;

	pthread_attr_init(&attr);
	pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
	pthread_attr_setstacksize(&attr, 65536);
	if (__atomic_add_fetch(&crowd->created, 1, __ATOMIC_RELAXED) % 64 == 0)
		await_memory();
	/* Threads that end may hold what new ones need for a moment. */
	while (pthread_create(&thread, &attr, worker, slot))
		sched_yield();
}

static void *worker(void *slot)
{
	char c;

	/*
	 * Leave the CPUs to who creates the first ones, which closes its end then:
	 * hundreds that look every millisecond take all of a slow one.
	 */
	if (!__atomic_load_n(&crowd->complete, __ATOMIC_ACQUIRE) &&
	    read(crowd->begin[0], &c, 1))
		_exit(1);
	if (__atomic_load_n(&crowd->park, __ATOMIC_ACQUIRE)) {
		crowd->tids[(long)slot] = gettid();
		__atomic_add_fetch(&crowd->parked, 1, __ATOMIC_RELEASE);
		work(crowd);
	}
	create_worker(slot);
	return NULL;
}

static unsigned long crowd_created(void)
{
	return __atomic_load_n(&crowd->created, __ATOMIC_RELAXED);
}

static bool crowd_begin(void)
{
	const pid_t parent = getpid();
	pid_t pid;
	long i;

	crowd = mmap(NULL, sizeof(*crowd), PROT_READ | PROT_WRITE,
		     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (crowd == MAP_FAILED || pipe(crowd->begin) || pipe(crowd->go) ||
	    pipe(crowd->done) || pipe(crowd->resume))
		return false;
	pid = fork();
	if (pid < 0)
		return false;
	if (pid) {
		crowd->pid = pid;
		close(crowd->begin[1]);
		while (!__atomic_load_n(&crowd->complete, __ATOMIC_ACQUIRE))
			usleep(1000);
		return true;
	}
	die_with_parent(parent);
	for (i = 0; i < size.workers; i++)
		create_worker((void *)i);
	__atomic_store_n(&crowd->complete, 1, __ATOMIC_RELEASE);
	close(crowd->begin[1]);
	for (;;)
		pause();
}

/* Those on their way out included. */
static int crowd_threads(void)
{
	char path[64], line[256];
	int n = 0;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/status", crowd->pid);
	file = fopen(path, "r");
	if (!file)
		abort();
	while (fgets(line, sizeof(line), file)) {
		if (sscanf(line, "Threads: %d", &n) == 1)
			break;
	}
	fclose(file);
	return n;
}

/* True if a thread of the crowd sleeps in read(2) of a descriptor. */
static bool sleeps_in_read(pid_t tid, int fd)
{
	unsigned long arg = 0;
	bool found = false;
	char path[64];
	FILE *file;
	long nr;

	snprintf(path, sizeof(path), "/proc/%d/task/%d/syscall", crowd->pid,
		 tid);
	file = fopen(path, "r");
	if (!file)
		abort();
	/* There is the word "running" for a thread that does not sleep. */
	if (fscanf(file, "%ld 0x%lx", &nr, &arg) == 2)
		found = nr == SYS_read && arg == (unsigned long)fd;
	fclose(file);
	return found;
}

static void crowd_await_read(int fd)
{
	int i;

	for (i = 0; i < size.workers; i++) {
		while (!sleeps_in_read(crowd->tids[i], fd))
			usleep(1000);
	}
}

static void crowd_park(void)
{
	__atomic_store_n(&crowd->park, 1, __ATOMIC_RELEASE);
	/* Threads that created the last ones may end after these have parked. */
	while (__atomic_load_n(&crowd->parked, __ATOMIC_ACQUIRE) <
		       size.workers ||
	       crowd_threads() > size.workers + 1) {
		/* A worker that fails ends the process. */
		if (waitpid(crowd->pid, NULL, WNOHANG))
			abort();
		usleep(1000);
	}
	/* The last ones are on their way into the wait. */
	crowd_await_read(crowd->go[0]);
}

static bool crowd_work(void)
{
	char text[WORKERS] = "";
	ssize_t ret;
	int n;

	if (write(crowd->go[1], text, size.workers) != size.workers)
		return false;
	for (n = 0; n < size.workers; n += ret) {
		ret = read(crowd->done[0], text, sizeof(text));
		if (ret <= 0)
			return false;
	}
	crowd_await_read(crowd->resume[0]);
	return true;
}

static bool crowd_resume(void)
{
	char text[WORKERS] = "";

	crowd->parked = 0;
	__atomic_store_n(&crowd->park, 0, __ATOMIC_RELEASE);
	return write(crowd->resume[1], text, size.workers) == size.workers;
}

static int process_load(int fd, pid_t pid)
{
	const struct pfm_load arg = {
		.tid = pid,
		.flags = PFM_LOAD_PROCESS,
	};

	return call(fd, PFM_IOC_LOAD_CONTEXT, &arg);
}

static int limit_records(int fd, uint32_t max)
{
	struct pfm_config cfg;
	int ret = config_get(fd, &cfg);

	cfg.records_max = max;
	return ret ? ret : config_set(fd, &cfg);
}

static struct pfm_record *record_of(const struct records *recs, pid_t tid)
{
	struct pfm_record *rec;

	for_each_record(rec, recs) {
		if (rec->tid == (uint32_t)tid)
			return rec;
	}
	return NULL;
}

FIXTURE(process) {
	int fd;
	int reg;	/* what is counted */
	struct records recs;
};

FIXTURE_SETUP(process)
{
	self->fd = context_open(PFM_CTX_FOLLOW_CLONE);
	ASSERT_LE(0, self->fd) {
		TH_LOG("no context: %s", strerror(-self->fd));
	}
	self->reg = instructions_setup(self->fd, 0);
	ASSERT_EQ(0, pmd_write(self->fd, CPU_TIME_NS, 0));
	ASSERT_EQ(0, limit_records(self->fd, PFM_RECORDS_MAX));
}

FIXTURE_TEARDOWN(process)
{
	close(self->fd);
	free(self->recs.buf);
}

/*
 * Attach to the crowd at any moment, then have each thread do its work: each one
 * has a record of it, with its faults, and where these count exactly with its
 * instructions.  Threads that were created during the attach are among them: with two
 * CPUs there always are some.
 */
TEST_F(process, crowd_of_threads)
{
	TEST_PROVES(L1, U5);
	const bool exact = !exact_missing();
	unsigned long before, during = 0;
	struct pfm_config cfg;
	int round, i, missed;

	ASSERT_EQ(0, pmd_write(self->fd, MINOR_FAULTS, 0));
	ASSERT_TRUE(crowd_begin());
	for (round = 0; round < size.rounds; round++) {
		usleep(1000 + round * 100);
		before = crowd_created();
		ASSERT_EQ(0, process_load(self->fd, crowd->pid));
		during += crowd_created() - before;
		crowd_park();
		ASSERT_EQ(0, context_start(self->fd, 0));
		ASSERT_TRUE(crowd_work());
		ASSERT_EQ(0, context_stop(self->fd));
		ASSERT_EQ(0, config_get(self->fd, &cfg));
		EXPECT_EQ(size.workers + 1, cfg.tasks);
		EXPECT_EQ(0, cfg.follow_failed);
		EXPECT_EQ(size.workers * FAULTS,
			  pmd_value(self->fd, MINOR_FAULTS));
		if (exact)
			EXPECT_EQ(size.workers * WORK_COST,
				  pmd_value(self->fd, self->reg));
		ASSERT_EQ(0, context_unload(self->fd));
		ASSERT_EQ(0, records_collect(self->fd, &self->recs, 65536));
		for (i = 0, missed = 0; i < size.workers; i++) {
			const struct pfm_record *rec =
				record_of(&self->recs, crowd->tids[i]);

			if (!rec) {
				missed++;
				continue;
			}
			EXPECT_EQ(PFM_RECORD_UNLOAD, rec->reason);
			EXPECT_EQ((uint32_t)crowd->pid, rec->pid);
			EXPECT_LT(0, record_value(rec, CPU_TIME_NS));
			EXPECT_EQ(FAULTS, record_value(rec, MINOR_FAULTS));
			if (exact)
				EXPECT_EQ(WORK_COST,
					  record_value(rec, self->reg));
		}
		ASSERT_EQ(0, missed) {
			TH_LOG("round %d: %d of %d threads were missed", round,
			       missed, size.workers);
		}
		EXPECT_EQ(pmd_value(self->fd, CPU_TIME_NS),
			  records_sum(&self->recs, CPU_TIME_NS));
		free(self->recs.buf);
		self->recs = (struct records){};
		ASSERT_EQ(0, pmd_write(self->fd, CPU_TIME_NS, 0));
		ASSERT_EQ(0, pmd_write(self->fd, MINOR_FAULTS, 0));
		if (self->reg >= 0)
			ASSERT_EQ(0, pmd_write(self->fd, self->reg, 0));
		ASSERT_TRUE(crowd_resume());
	}
	TH_LOG("%lu threads were created, %lu of them during a load",
	       crowd_created(), during);
	EXPECT_LT((unsigned long)size.rounds * size.workers, crowd_created());
	if (cpus_online() > 1)
		EXPECT_LT(0, during);
	child_kill(crowd->pid);
	EXPECT_EQ(0, sysfs_number("task_sessions_count"));
}

/* Loaded again and again, with nothing but churn: no leak, no lost session. */
TEST_F(process, crowd_attach_detach)
{
	TEST_PROVES(U3);
	struct pfm_config cfg;
	int i;

	ASSERT_TRUE(crowd_begin());
	for (i = 0; i < size.loads; i++) {
		ASSERT_EQ(0, process_load(self->fd, crowd->pid));
		ASSERT_EQ(0, context_start(self->fd, 0));
		/* With one CPU nobody else runs here as a matter of course. */
		if (i % 10 == 0)
			usleep(1000);
		ASSERT_EQ(0, config_get(self->fd, &cfg));
		EXPECT_LE(size.workers + 1, cfg.tasks);
		EXPECT_EQ(0, cfg.follow_failed);
		ASSERT_EQ(0, context_unload(self->fd));
	}
	EXPECT_LT(0, pmd_value(self->fd, CPU_TIME_NS));
	/* The process may end at any time, too. */
	ASSERT_EQ(0, process_load(self->fd, crowd->pid));
	ASSERT_EQ(0, context_start(self->fd, 0));
	child_kill(crowd->pid);
	EXPECT_EQ(0, sysfs_number("task_sessions_count"));
	EXPECT_EQ(-ESRCH, process_load(self->fd, crowd->pid));
}

/* A process with quiet threads: its threads' ids. */
struct quiet {
	pid_t pid;
	pid_t tids[4];
};

static void *quiet_thread(void *arg)
{
	const int *to = arg;
	const pid_t tid = gettid();

	if (write(*to, &tid, sizeof(tid)) != sizeof(tid))
		abort();
	for (;;)
		pause();
	return NULL;
}

static bool quiet_begin(struct quiet *quiet, bool leader_ends)
{
	const pid_t parent = getpid();
	pthread_t thread;
	size_t i, want;
	int pipefd[2];

	if (pipe(pipefd))
		return false;
	quiet->pid = fork();
	if (!quiet->pid) {
		die_with_parent(parent);
		for (i = 0; i < ARRAY_LEN(quiet->tids); i++) {
			if (pthread_create(&thread, NULL, quiet_thread,
					   &pipefd[1]))
				abort();
		}
		if (leader_ends)
			syscall(SYS_exit, 0);
		for (;;)
			pause();
	}
	for (i = 0; i < ARRAY_LEN(quiet->tids); i++) {
		want = sizeof(quiet->tids[i]);
		if (read(pipefd[0], &quiet->tids[i], want) != (ssize_t)want)
			return false;
	}
	close(pipefd[0]);
	close(pipefd[1]);
	while (state_letter(quiet->pid) != (leader_ends ? 'Z' : 'S'))
		usleep(1000);
	return true;
}

/*
 * Nanoseconds of a start and a stop: not the first ones, nor those in which a timer
 * interrupts.
 */
static uint64_t start_stop_cost(int fd)
{
	uint64_t begin, cost, least = ~0ULL;
	int i;

	for (i = 0; i < 10; i++) {
		begin = time_ns(CLOCK_MONOTONIC);
		if (context_start(fd, 0) || context_stop(fd))
			return 0;
		cost = time_ns(CLOCK_MONOTONIC) - begin;
		if (cost < least)
			least = cost;
	}
	return least;
}

/* The most that a START and a STOP may take for each task, in instructions. */
static uint64_t start_stop_limit(void)
{
	return kernel_has_checkers() ? 40000 : 500;
}

/*
 * They look at each task to find the CPUs to call, so that no others are interrupted.  That
 * takes little, and interrupts are on again after every few tasks: see bounded_test.
 */
TEST_F(process, start_and_stop_grow_little)
{
	const char *missing = exact_missing();
	uint64_t few, many;
	struct quiet quiet;

	if (missing)
		SKIP(return, "%s", missing);
	ASSERT_TRUE(quiet_begin(&quiet, false));
	ASSERT_EQ(0, process_load(self->fd, quiet.pid));
	few = start_stop_cost(self->fd);
	ASSERT_EQ(0, context_unload(self->fd));
	child_kill(quiet.pid);
	ASSERT_TRUE(crowd_begin());
	ASSERT_EQ(0, process_load(self->fd, crowd->pid));
	crowd_park();
	many = start_stop_cost(self->fd);
	child_kill(crowd->pid);
	TH_LOG("%llu ns with 5 tasks, %llu with %d",
	       (unsigned long long)few, (unsigned long long)many,
	       size.workers + 1);
	EXPECT_LT(0, few);
	EXPECT_LT(many, few + few / 2 + size.workers * start_stop_limit());
}

TEST_F(process, any_thread_names_the_process)
{
	struct pfm_config cfg;
	struct quiet quiet;

	ASSERT_TRUE(quiet_begin(&quiet, false));
	ASSERT_EQ(0, process_load(self->fd, quiet.tids[2]));
	ASSERT_EQ(0, config_get(self->fd, &cfg));
	EXPECT_EQ(5, cfg.tasks);
	EXPECT_EQ(PFM_STATE_LOADED, cfg.state);
	EXPECT_EQ(-EBUSY, process_load(self->fd, quiet.pid));
	ASSERT_EQ(0, context_unload(self->fd));
	ASSERT_EQ(0, records_collect(self->fd, &self->recs, 65536));
	EXPECT_EQ(5, self->recs.n);
	EXPECT_NE(NULL, record_of(&self->recs, quiet.pid));
	EXPECT_NE(NULL, record_of(&self->recs, quiet.tids[0]));
	child_kill(quiet.pid);
}

TEST_F(process, leader_has_ended)
{
	struct pfm_config cfg;
	struct quiet quiet;

	ASSERT_TRUE(quiet_begin(&quiet, true));
	EXPECT_EQ(-ESRCH, context_load(self->fd, quiet.pid));
	ASSERT_EQ(0, process_load(self->fd, quiet.pid));
	ASSERT_EQ(0, config_get(self->fd, &cfg));
	EXPECT_EQ(4, cfg.tasks);
	child_kill(quiet.pid);
}

TEST_F(process, needs_follow_clone)
{
	const uint32_t flags[] = {
		0, PFM_CTX_FOLLOW_FORK, PFM_CTX_FOLLOW_VFORK,
		PFM_CTX_FOLLOW_EXEC,
	};
	size_t i;
	int fd;

	for (i = 0; i < ARRAY_LEN(flags); i++) {
		fd = context_open(flags[i]);
		ASSERT_EQ(0, pmd_write(fd, CPU_TIME_NS, 0));
		EXPECT_EQ(-EINVAL, process_load(fd, 0));
		close(fd);
	}
	EXPECT_EQ(0, process_load(self->fd, 0));
}

TEST_F(process, unknown_flags)
{
	struct pfm_load arg = {};
	int bit;

	for (bit = 2; bit < 16; bit++) {
		arg.flags = 1U << bit;
		EXPECT_EQ(-EINVAL, call(self->fd, PFM_IOC_LOAD_CONTEXT, &arg));
	}
}

TEST_F(process, not_there)
{
	const int empty = context_open(PFM_CTX_FOLLOW_CLONE);
	const pid_t pid = child_idle();
	siginfo_t info;

	EXPECT_EQ(-ENODATA, process_load(empty, pid));
	EXPECT_EQ(-EOPNOTSUPP, process_load(self->fd, 2));
	kill(pid, SIGKILL);
	ASSERT_EQ(0, waitid(P_PID, pid, &info, WEXITED | WNOWAIT));
	/* A zombie. */
	EXPECT_EQ(-ESRCH, process_load(self->fd, pid));
	child_reap(pid);
	EXPECT_EQ(-ESRCH, process_load(self->fd, pid));
	close(empty);
}

/* One thread has as many contexts as it can have: nothing is attached, and nothing is left. */
TEST_F(process, a_thread_is_full)
{
	TEST_PROVES(L3);
	struct pollfd poll_fd = { .fd = self->fd, .events = POLLIN | POLLPRI };
	int fds[CONTEXTS_OF_THREAD];
	struct pfm_config cfg;
	struct quiet quiet;
	size_t i;

	ASSERT_TRUE(quiet_begin(&quiet, false));
	for (i = 0; i < ARRAY_LEN(quiet.tids); i++) {
		ASSERT_EQ(0, contexts_fill(fds, quiet.tids[i]));
		ASSERT_EQ(0, pmd_write(self->fd, CPU_TIME_NS, 77));
		EXPECT_EQ(-EEXIST, process_load(self->fd, quiet.pid));
		EXPECT_EQ(CONTEXTS_OF_THREAD,
			  sysfs_number("task_sessions_count"));
		ASSERT_EQ(0, config_get(self->fd, &cfg));
		EXPECT_EQ(PFM_STATE_UNLOADED, cfg.state);
		EXPECT_EQ(0, cfg.tasks);
		EXPECT_EQ(0, cfg.records);
		EXPECT_EQ(0, poll(&poll_fd, 1, 0));
		EXPECT_EQ(77, pmd_value(self->fd, CPU_TIME_NS));
		contexts_close(fds);
	}
	/* None of the threads is held by the load that failed. */
	for (i = 0; i < ARRAY_LEN(quiet.tids); i++) {
		EXPECT_EQ(0, contexts_fill(fds, quiet.tids[i]));
		contexts_close(fds);
	}
	EXPECT_EQ(0, process_load(self->fd, quiet.pid));
	child_kill(quiet.pid);
}

TEST_F(process, two_processes)
{
	const int other = context_open(PFM_CTX_FOLLOW_CLONE);
	struct pfm_config cfg;
	struct quiet a, b;

	ASSERT_EQ(0, pmd_write(other, CPU_TIME_NS, 0));
	ASSERT_TRUE(quiet_begin(&a, false));
	ASSERT_TRUE(quiet_begin(&b, false));
	ASSERT_EQ(0, process_load(self->fd, a.pid));
	ASSERT_EQ(0, process_load(other, b.pid));
	EXPECT_EQ(2, sysfs_number("task_sessions_count"));
	ASSERT_EQ(0, config_get(other, &cfg));
	EXPECT_EQ(5, cfg.tasks);
	child_kill(b.pid);
	ASSERT_EQ(0, config_get(other, &cfg));
	EXPECT_EQ(0, cfg.tasks);
	ASSERT_EQ(0, config_get(self->fd, &cfg));
	EXPECT_EQ(5, cfg.tasks);
	child_kill(a.pid);
	close(other);
}

static int load_foreign(void *arg)
{
	const int device = device_open();
	int fd;

	rights_drop();
	fd = context_create(device, PFM_CTX_FOLLOW_CLONE);
	if (fd < 0 || pmd_write(fd, CPU_TIME_NS, 0))
		return 1;
	if (process_load(fd, *(pid_t *)arg) != -EPERM)
		return 2;
	return process_load(fd, 0) ? 3 : 0;
}

TEST_F(process, foreign_process)
{
	pid_t pid = child_idle();

	EXPECT_EQ(0, in_child(load_foreign, &pid));
	child_kill(pid);
}

/* A thread of a user's in a process of root's. */
static void *thread_of_nobody(void *to)
{
	/* The library's functions would change all threads. */
	if (syscall(SYS_setresgid, NOBODY, NOBODY, NOBODY) ||
	    syscall(SYS_setresuid, NOBODY, NOBODY, NOBODY) ||
	    prctl(PR_SET_DUMPABLE, 1))
		abort();
	return quiet_thread(to);
}

static pid_t mixed_begin(pid_t *tid)
{
	const pid_t parent = getpid();
	pthread_t thread;
	int pipefd[2];
	pid_t pid;

	if (pipe(pipefd))
		abort();
	pid = fork();
	if (pid < 0)
		abort();
	if (!pid) {
		die_with_parent(parent);
		if (pthread_create(&thread, NULL, thread_of_nobody, &pipefd[1]))
			_exit(1);
		for (;;)
			pause();
	}
	close(pipefd[1]);
	if (read(pipefd[0], tid, sizeof(*tid)) != sizeof(*tid))
		abort();
	close(pipefd[0]);
	return pid;
}

static int load_mixed(void *arg)
{
	const int device = device_open();
	const pid_t tid = *(pid_t *)arg;
	int fd;

	rights_drop();
	fd = context_create(device, PFM_CTX_FOLLOW_CLONE);
	if (fd < 0 || pmd_write(fd, CPU_TIME_NS, 0))
		return 1;
	if (context_load(fd, tid))
		return 2;
	if (context_unload(fd))
		return 3;
	if (process_load(fd, tid) != -EPERM)
		return 4;
	return sysfs_number("task_sessions_count") ? 5 : 0;
}

/* The user may monitor one of the threads, and so not the process. */
TEST_F(process, threads_of_two_users)
{
	TEST_PROVES(L2);
	pid_t tid;
	const pid_t pid = mixed_begin(&tid);

	EXPECT_EQ(0, in_child(load_mixed, &tid));
	child_kill(pid);
}

/* A user's own process, whose first thread has ended. */
static int load_own(void *arg)
{
	const int device = device_open();
	struct quiet quiet;
	int fd, ret = 2;

	rights_drop();
	if (!quiet_begin(&quiet, true))
		return 1;
	fd = context_create(device, PFM_CTX_FOLLOW_CLONE);
	if (fd >= 0 && !pmd_write(fd, CPU_TIME_NS, 0))
		ret = -process_load(fd, quiet.pid);
	child_kill(quiet.pid);
	return ret;
}

TEST_F(process, own_process_whose_leader_has_ended)
{
	EXPECT_EQ(0, in_child(load_own, NULL));
}

/* A process that may not be looked at, whose first thread has ended. */
static int load_undumpable(void *arg)
{
	const int device = device_open();
	struct quiet quiet;
	int fd, ret;

	rights_drop();
	prctl(PR_SET_DUMPABLE, 0);
	if (!quiet_begin(&quiet, true))
		return 1;
	/* The rights to end it; those to look at it do not come back. */
	prctl(PR_SET_DUMPABLE, 1);
	fd = context_create(device, PFM_CTX_FOLLOW_CLONE);
	if (fd < 0 || pmd_write(fd, CPU_TIME_NS, 0))
		ret = 2;
	else if (context_load(fd, quiet.tids[0]) != -EPERM)
		ret = 3;
	else if (process_load(fd, quiet.tids[0]) != -EPERM)
		ret = 4;
	else if (process_load(fd, quiet.pid) != -EPERM)
		ret = 5;
	else
		ret = sysfs_number("task_sessions_count") ? 6 : 0;
	child_kill(quiet.pid);
	return ret;
}

TEST_F(process, undumpable_process)
{
	EXPECT_EQ(0, in_child(load_undumpable, NULL));
}

TEST_HARNESS_MAIN

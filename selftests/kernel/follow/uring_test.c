// SPDX-License-Identifier: GPL-2.0-only
/*
 * Threads that the kernel creates for a process: the workers of io_uring, which read
 * files on behalf of a program, and its thread that polls for requests.
 */
#include "child.h"
#include "context.h"
#include "exact_count.h"
#include "records.h"

#include <dirent.h>
#include <linux/io_uring.h>
#include <sys/syscall.h>

#include "kselftest_harness.h"

#define IN_FLIGHT 4
#define CHUNK	  (1 << 20)
#define WORKERS	  64
/* Nanoseconds that the workers are to run. */
#define WORK_NS 20000000

/**
 * struct worker - a thread that the kernel created
 * @tid: its id
 * @ns: time on a CPU, as /proc has it
 */
struct worker {
	pid_t tid;
	uint64_t ns;
};

/**
 * struct report - what a child says of its workers
 * @missing: the kernel has no io_uring
 * @n: number of workers
 * @before: those that there were before it was measured
 * @workers: all of them, with the time since then
 */
struct report {
	bool missing;
	int n;
	int before;
	struct worker workers[WORKERS];
};

struct ring {
	int fd;
	unsigned int *sq_tail, *sq_mask, *sq_flags, *sq_array;
	unsigned int *cq_head, *cq_tail;
	struct io_uring_sqe *sqes;
};

static bool ring_open(struct ring *ring, unsigned int flags)
{
	struct io_uring_params p = { .flags = flags, .sq_thread_idle = 1000 };
	char *sq, *cq;

	ring->fd = syscall(__NR_io_uring_setup, IN_FLIGHT, &p);
	if (ring->fd < 0)
		return false;
	sq = mmap(NULL, p.sq_off.array + p.sq_entries * sizeof(unsigned int),
		  PROT_READ | PROT_WRITE, MAP_SHARED, ring->fd,
		  IORING_OFF_SQ_RING);
	cq = mmap(NULL,
		  p.cq_off.cqes + p.cq_entries * sizeof(struct io_uring_cqe),
		  PROT_READ | PROT_WRITE, MAP_SHARED, ring->fd,
		  IORING_OFF_CQ_RING);
	ring->sqes = mmap(NULL, p.sq_entries * sizeof(struct io_uring_sqe),
			  PROT_READ | PROT_WRITE, MAP_SHARED, ring->fd,
			  IORING_OFF_SQES);
	if (sq == MAP_FAILED || cq == MAP_FAILED || ring->sqes == MAP_FAILED)
		return false;
	ring->sq_tail = (unsigned int *)(sq + p.sq_off.tail);
	ring->sq_mask = (unsigned int *)(sq + p.sq_off.ring_mask);
	ring->sq_flags = (unsigned int *)(sq + p.sq_off.flags);
	ring->sq_array = (unsigned int *)(sq + p.sq_off.array);
	ring->cq_head = (unsigned int *)(cq + p.cq_off.head);
	ring->cq_tail = (unsigned int *)(cq + p.cq_off.tail);
	return true;
}

/* Reads the file as often as there is room, and waits until all is read. */
static void ring_read(struct ring *ring, int file, char *buf)
{
	const unsigned int tail = *ring->sq_tail;
	unsigned int i, flags = IORING_ENTER_GETEVENTS;

	for (i = 0; i < IN_FLIGHT; i++) {
		const unsigned int at = (tail + i) & *ring->sq_mask;

		ring->sqes[at] = (struct io_uring_sqe){
			.opcode = IORING_OP_READ,
			.flags = IOSQE_ASYNC,
			.fd = file,
			.addr = (uintptr_t)buf + i * CHUNK,
			.len = CHUNK,
		};
		ring->sq_array[at] = at;
	}
	__atomic_store_n(ring->sq_tail, tail + IN_FLIGHT, __ATOMIC_SEQ_CST);
	if (__atomic_load_n(ring->sq_flags, __ATOMIC_SEQ_CST) &
	    IORING_SQ_NEED_WAKEUP)
		flags |= IORING_ENTER_SQ_WAKEUP;
	while (syscall(__NR_io_uring_enter, ring->fd, IN_FLIGHT, IN_FLIGHT,
		       flags, NULL, 0) < 0) {
		if (errno != EINTR)
			_exit(2);
	}
	while (__atomic_load_n(ring->cq_tail, __ATOMIC_ACQUIRE) -
		       *ring->cq_head <
	       IN_FLIGHT)
		syscall(__NR_io_uring_enter, ring->fd, 0, IN_FLIGHT,
			IORING_ENTER_GETEVENTS, NULL, 0);
	__atomic_store_n(ring->cq_head, *ring->cq_head + IN_FLIGHT,
			 __ATOMIC_RELEASE);
}

static uint64_t time_of(pid_t tid)
{
	unsigned long long ns = 0;
	char path[64];
	FILE *file;

	snprintf(path, sizeof(path), "/proc/self/task/%d/schedstat", tid);
	file = fopen(path, "re");
	if (!file)
		return 0;
	if (fscanf(file, "%llu", &ns) != 1)
		ns = 0;
	fclose(file);
	return ns;
}

/* All threads but this one, which the program did not create. */
static int list_workers(struct worker *workers)
{
	DIR *dir = opendir("/proc/self/task");
	struct dirent *entry;
	int n = 0;

	while ((entry = readdir(dir)) && n < WORKERS) {
		const pid_t tid = atoi(entry->d_name);

		if (!tid || tid == getpid())
			continue;
		workers[n].tid = tid;
		workers[n].ns = time_of(tid);
		n++;
	}
	closedir(dir);
	return n;
}

/* Time that a worker has run since a list was made; all, when it is not in the list. */
static uint64_t time_since(const struct worker *worker,
			   const struct worker *then, int n)
{
	int i;

	for (i = 0; i < n; i++) {
		if (then[i].tid == worker->tid)
			return worker->ns - then[i].ns;
	}
	return worker->ns;
}

/* Has the workers run for some time, and says for how long each did. */
static void use_workers(struct ring *ring, int file, char *buf,
			struct report *report)
{
	struct worker then[WORKERS];
	const int n = list_workers(then);
	uint64_t sum;
	int i;

	do {
		ring_read(ring, file, buf);
		report->n = list_workers(report->workers);
		for (i = 0, sum = 0; i < report->n; i++) {
			struct worker *worker = &report->workers[i];

			worker->ns = time_since(worker, then, n);
			sum += worker->ns;
		}
	} while (sum < WORK_NS);
	report->before = n;
}

/* The child: makes use of io_uring, if @early before it is measured as well. */
static int child_main(pid_t parent, const int *ready, const int *go,
		      unsigned int flags, bool early, struct report *report)
{
	const int file = memfd_create("uring_test", MFD_CLOEXEC);
	struct ring ring;
	char *buf, c = 0;

	die_with_parent(parent);
	buf = mmap(NULL, IN_FLIGHT * CHUNK, PROT_READ | PROT_WRITE,
		   MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
	if (file < 0 || buf == MAP_FAILED || write(file, buf, CHUNK) != CHUNK)
		return 1;
	if (early) {
		report->missing = !ring_open(&ring, flags);
		if (!report->missing)
			use_workers(&ring, file, buf, report);
	}
	if (write(ready[1], &c, 1) != 1 || read(go[0], &c, 1) != 1)
		return 1;
	if (!early)
		report->missing = !ring_open(&ring, flags);
	if (!report->missing)
		use_workers(&ring, file, buf, report);
	return 0;
}

FIXTURE(uring)
{
	int fd;
	int go;
	struct child child;
	struct report *report;
	struct records recs;
};

FIXTURE_SETUP(uring)
{
	self->report = mmap(NULL, sizeof(*self->report), PROT_READ | PROT_WRITE,
			    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(MAP_FAILED, self->report);
	self->fd = -1;
}

FIXTURE_TEARDOWN(uring)
{
	if (self->fd >= 0)
		close(self->fd);
	free(self->recs.buf);
}

/* A child that waits, and a context to measure it with. */
static void begin(struct __test_metadata *_metadata, FIXTURE_DATA(uring) * self,
		  uint32_t follow, unsigned int flags, bool early)
{
	const pid_t parent = getpid();
	int ready[2], go[2];
	char c;

	self->fd = context_open(follow);
	ASSERT_LE(0, self->fd);
	ASSERT_EQ(0, pmd_write(self->fd, CPU_TIME_NS, 0));
	ASSERT_EQ(0, pipe2(ready, O_CLOEXEC));
	ASSERT_EQ(0, pipe2(go, O_CLOEXEC));
	self->child.pid = fork();
	if (!self->child.pid)
		_exit(child_main(parent, ready, go, flags, early,
				 self->report));
	ASSERT_EQ(1, read(ready[0], &c, 1));
	self->go = go[1];
}

/* The child is measured to its end. */
static void finish(struct __test_metadata *_metadata,
		   FIXTURE_DATA(uring) * self)
{
	ASSERT_EQ(0, context_start(self->fd, 0));
	ASSERT_EQ(1, write(self->go, "", 1));
	ASSERT_EQ(0, measure_end(self->fd, &self->child));
	ASSERT_EQ(0, records_collect(self->fd, &self->recs, 4096));
}

static struct pfm_record *find_record(const struct records *recs, pid_t tid)
{
	struct pfm_record *rec;

	for_each_record(rec, recs)
	{
		if (rec->tid == (uint32_t)tid)
			return rec;
	}
	return NULL;
}

/* Each worker has a record that has its time, and is the process's. */
static void expect_counted(struct __test_metadata *_metadata,
			   FIXTURE_DATA(uring) * self)
{
	struct pfm_config cfg;
	uint64_t sum = 0;
	int i;

	EXPECT_LT(0, self->report->n);
	for (i = 0; i < self->report->n; i++) {
		const struct worker *worker = &self->report->workers[i];
		const struct pfm_record *rec =
			find_record(&self->recs, worker->tid);

		EXPECT_NE(NULL, rec);
		if (!rec)
			continue;
		sum += record_value(rec, CPU_TIME_NS);
		EXPECT_EQ(self->child.pid, (pid_t)rec->pid);
		EXPECT_EQ(getpid(), (pid_t)rec->ppid);
		EXPECT_EQ(0, strncmp(rec->comm, "iou-", 4));
		EXPECT_LT(0, record_value(rec, CPU_TIME_NS));
		/*
		 * Two clocks that are read at different moments of a switch.  If the host
		 * stands still in between, one of them has that time and the other has
		 * not: they can be compared only where clocks follow the instructions.
		 */
		if (!exact_missing())
			EXPECT_LE(worker->ns / 2,
				  record_value(rec, CPU_TIME_NS));
	}
	if (!exact_missing())
		EXPECT_LE((uint64_t)WORK_NS / 2, sum);
	EXPECT_EQ(pmd_value(self->fd, CPU_TIME_NS),
		  records_sum(&self->recs, CPU_TIME_NS));
	ASSERT_EQ(0, config_get(self->fd, &cfg));
	EXPECT_EQ(0, cfg.follow_failed);
	EXPECT_EQ(0, cfg.unfollowed_threads);
}

TEST_F(uring, workers_are_followed)
{
	begin(_metadata, self, PFM_CTX_FOLLOW_ALL, 0, false);
	ASSERT_EQ(0, context_load(self->fd, self->child.pid));
	finish(_metadata, self);
	if (self->report->missing)
		SKIP(return, "this kernel has no io_uring");
	EXPECT_EQ(0, self->report->before);
	expect_counted(_metadata, self);
}

/* Here the request itself is handed over by a thread of the kernel's. */
TEST_F(uring, polling_thread_is_followed)
{
	begin(_metadata, self, PFM_CTX_FOLLOW_ALL, IORING_SETUP_SQPOLL, false);
	ASSERT_EQ(0, context_load(self->fd, self->child.pid));
	finish(_metadata, self);
	if (self->report->missing)
		SKIP(return, "this kernel has no io_uring");
	/* There before the first request, with the workers behind it. */
	EXPECT_EQ(1, self->report->before);
	EXPECT_LT(1, self->report->n);
	expect_counted(_metadata, self);
}

/* Workers that were there before are threads of the process like others. */
TEST_F(uring, workers_are_attached)
{
	struct pfm_load arg = { .flags = PFM_LOAD_PROCESS };

	begin(_metadata, self, PFM_CTX_FOLLOW_ALL, 0, true);
	arg.tid = self->child.pid;
	ASSERT_EQ(0, call(self->fd, PFM_IOC_LOAD_CONTEXT, &arg));
	finish(_metadata, self);
	if (self->report->missing)
		SKIP(return, "this kernel has no io_uring");
	EXPECT_LT(0, self->report->before);
	expect_counted(_metadata, self);
}

/* A context that does not follow threads says what it left out. */
TEST_F(uring, workers_are_unfollowed)
{
	struct pfm_config cfg;

	begin(_metadata, self, PFM_CTX_FOLLOW_FORK, 0, false);
	ASSERT_EQ(0, context_load(self->fd, self->child.pid));
	finish(_metadata, self);
	if (self->report->missing)
		SKIP(return, "this kernel has no io_uring");
	EXPECT_EQ(1, self->recs.n);
	EXPECT_LT(0, self->report->n);
	ASSERT_EQ(0, config_get(self->fd, &cfg));
	EXPECT_LE((uint64_t)self->report->n, cfg.unfollowed_threads);
	EXPECT_EQ(0, cfg.unfollowed_processes);
}

/*
 * A thread of the kernel's may be counted, but cannot sleep for a consumer: it would
 * sleep with a mutex held that the process's system calls wait for.
 */
TEST_F(uring, workers_do_not_block)
{
	int i, fd;

	fd = context_open(PFM_CTX_NOTIFY_BLOCK);
	if (fd == -EOPNOTSUPP)
		SKIP(return, "this kernel cannot block threads");
	ASSERT_LE(0, fd);
	ASSERT_EQ(0, pmd_write(fd, CPU_TIME_NS, 0));
	begin(_metadata, self, 0, IORING_SETUP_SQPOLL, true);
	if (self->report->missing)
		SKIP(return, "this kernel has no io_uring");
	EXPECT_LT(0, self->report->n);
	/* The first is the thread that polls, which does not end. */
	for (i = 0; i < self->report->n; i++) {
		const int ret = context_load(fd, self->report->workers[i].tid);

		EXPECT_EQ(true, ret == -EOPNOTSUPP || (i && ret == -ESRCH));
		EXPECT_EQ(PFM_STATE_UNLOADED, state_of(fd));
	}
	EXPECT_EQ(0, context_load(self->fd, self->report->workers[0].tid));
	/* The thread that asks for their work can sleep. */
	EXPECT_EQ(0, context_load(fd, self->child.pid));
	child_kill(self->child.pid);
	close(fd);
}

TEST_HARNESS_MAIN

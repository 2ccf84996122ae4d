// SPDX-License-Identifier: GPL-2.0-only
/*
 * The end of a session: it ends when the last descriptor of its context is closed, whatever
 * of the context is still mapped, and a mapping keeps its memory.
 */
#include "child.h"
#include "context.h"
#include "cpu.h"
#include "sampling.h"
#include "sysfs.h"
#include "user_page.h"

#include <sys/socket.h>

#include "kselftest_harness.h"

#define SESSIONS "task_sessions_count"

#define PERIOD 200000ULL

/* A context that is loaded on this thread, counts, and has its memory mapped. */
FIXTURE(mapped)
{
	const char *missing;
	struct pfm_user_page_map *page;
	volatile struct pfm_default_hdr *hdr;
	size_t size;
	int fd;
};

FIXTURE_VARIANT(mapped)
{
	bool page;
};

FIXTURE_VARIANT_ADD(mapped, buffer){
	.page = false,
};

FIXTURE_VARIANT_ADD(mapped, user_page){
	.page = true,
};

static int sample(int fd)
{
	const struct pfm_pmd_attr attr = {
		.num = CPU_TIME_NS,
		.long_reset = -PERIOD,
		.short_reset = -PERIOD,
	};
	int ret;

	ret = pmd_write(fd, CPU_TIME_NS, -PERIOD);
	if (!ret)
		ret = attr_write(fd, &attr);
	if (!ret)
		ret = context_load(fd, 0);
	return ret ? ret : context_start(fd, 0);
}

/* Processes that the programs before this one have left take a moment to die. */
static bool all_over(void)
{
	int i;

	for (i = 0; i < 2000 && sysfs_number(SESSIONS); i++)
		usleep(10000);
	return i < 2000;
}

FIXTURE_SETUP(mapped)
{
	struct pfm_config cfg;
	struct setup s;

	self->missing = NULL;
	self->page = NULL;
	self->hdr = NULL;
	self->fd = -1;
	ASSERT_TRUE(all_over());
	if (variant->page) {
		self->missing = user_reads_missing();
		if (self->missing)
			return;
		ASSERT_EQ(0, setup(&s, 2, EVENT_CPU_CYCLES, 0));
		self->page = s.page;
		self->fd = s.fd;
	} else {
		self->fd = default_open(0, 1 << 20);
		ASSERT_LE(0, self->fd);
		ASSERT_EQ(0, config_get(self->fd, &cfg));
		self->size = cfg.buffer_size;
		self->hdr = buffer_map(self->fd);
		ASSERT_NE(NULL, self->hdr);
		ASSERT_EQ(0, sample(self->fd));
		while (self->hdr->hdr_count < 10)
			spin(1000);
	}
	ASSERT_EQ(1, sysfs_number(SESSIONS));
}

FIXTURE_TEARDOWN(mapped)
{
	if (self->page)
		pfm_user_page_close(self->page);
	if (self->hdr)
		munmap((void *)self->hdr, self->size);
	if (self->fd >= 0)
		close(self->fd);
}

#define NEED_MAPPED()                                      \
	do {                                               \
		if (self->missing)                         \
			SKIP(return, "%s", self->missing); \
	} while (0)

/* The session is over, and the thread is free for the next one. */
#define EXPECT_OVER()                                            \
	do {                                                     \
		const int __next = context_open(0);              \
		EXPECT_EQ(0, sysfs_number(SESSIONS));            \
		EXPECT_EQ(0, pmd_write(__next, CPU_TIME_NS, 0)); \
		EXPECT_EQ(0, context_load(__next, 0));           \
		EXPECT_EQ(0, context_start(__next, 0));          \
		EXPECT_EQ(1, sysfs_number(SESSIONS));            \
		EXPECT_EQ(0, close(__next));                     \
		EXPECT_EQ(0, sysfs_number(SESSIONS));            \
	} while (0)

/* The session goes on. */
#define EXPECT_LASTS() EXPECT_EQ(1, sysfs_number(SESSIONS))

TEST_F(mapped, close)
{
	NEED_MAPPED();
	EXPECT_LASTS();
	EXPECT_EQ(0, close(self->fd));
	self->fd = -1;
	EXPECT_OVER();
}

TEST_F(mapped, dup)
{
	int other;

	NEED_MAPPED();
	other = dup(self->fd);
	ASSERT_LE(0, other);
	EXPECT_EQ(0, close(self->fd));
	self->fd = -1;
	EXPECT_LASTS();
	EXPECT_EQ(0, close(other));
	EXPECT_OVER();
}

/* A child has the descriptor, but not the mapping. */
TEST_F(mapped, fork)
{
	pid_t pid;

	NEED_MAPPED();
	pid = child_idle();
	EXPECT_EQ(0, close(self->fd));
	self->fd = -1;
	EXPECT_LASTS();
	child_kill(pid);
	EXPECT_OVER();
}

/* A program that is executed does not have it, because of close-on-exec. */
TEST_F(mapped, exec)
{
	const char *const argv[] = { program("spin"), NULL };
	const pid_t parent = getpid();
	int pipefd[2];
	pid_t pid;
	char c;

	NEED_MAPPED();
	ASSERT_EQ(0, pipe2(pipefd, O_CLOEXEC));
	pid = fork();
	ASSERT_LE(0, pid);
	if (!pid) {
		die_with_parent(parent);
		execv(argv[0], (char *const *)argv);
		_exit(1);
	}
	close(pipefd[1]);
	/* The pipe ends where the context's descriptor does. */
	EXPECT_EQ(0, read(pipefd[0], &c, 1));
	close(pipefd[0]);
	EXPECT_EQ(0, close(self->fd));
	self->fd = -1;
	EXPECT_OVER();
	child_kill(pid);
}

TEST_F(mapped, socket)
{
	char control[CMSG_SPACE(sizeof(int))] = {};
	struct iovec iov = { .iov_base = "", .iov_len = 1 };
	struct msghdr msg = {
		.msg_iov = &iov,
		.msg_iovlen = 1,
		.msg_control = control,
		.msg_controllen = sizeof(control),
	};
	struct cmsghdr *cmsg = CMSG_FIRSTHDR(&msg);
	int pair[2];

	NEED_MAPPED();
	ASSERT_EQ(0, socketpair(AF_UNIX, SOCK_STREAM, 0, pair));
	cmsg->cmsg_level = SOL_SOCKET;
	cmsg->cmsg_type = SCM_RIGHTS;
	cmsg->cmsg_len = CMSG_LEN(sizeof(int));
	memcpy(CMSG_DATA(cmsg), &self->fd, sizeof(self->fd));
	ASSERT_EQ(1, sendmsg(pair[0], &msg, 0));
	EXPECT_EQ(0, close(self->fd));
	self->fd = -1;
	EXPECT_LASTS();
	/* Closed unread, the message is the last that refers to the context. */
	close(pair[0]);
	close(pair[1]);
	EXPECT_OVER();
}

/* Samples that were taken stay readable, and none is added. */
static void check_samples(struct __test_metadata *_metadata,
			  const volatile struct pfm_default_hdr *hdr)
{
	const uint64_t n = hdr->hdr_count;
	uint64_t i;

	EXPECT_LE(10, n);
	for (i = 0; i < 10; i++)
		spin(PERIOD);
	EXPECT_EQ(n, hdr->hdr_count);
	for (i = 0; i < n; i++) {
		EXPECT_EQ(getpid(), entry_at((void *)hdr, i, 0)->pid);
		EXPECT_EQ(CPU_TIME_NS, entry_at((void *)hdr, i, 0)->ovfl_pmd);
	}
}

/*
 * A thread that has looked at the page may be about to read a counter when another thread
 * closes the descriptor: it gets no signal.  Nothing counts any more; what the counters
 * hold until the next switch is what they have counted for the thread.
 */
static void check_counters(struct __test_metadata *_metadata,
			   struct pfm_user_page_map *page)
{
	uint64_t value;

	EXPECT_EQ(PFM_USER_PAGE_UNLOADED, pfm_user_page_state(page));
	EXPECT_EQ(true, may_read());
	if (!ACCESS_BY_PAGE)
		return;
	value = counter(0);
	spin(10000);
	/* A switch meanwhile has zeroed it. */
	EXPECT_GE(value, counter(0));
}

TEST_F(mapped, memory)
{
	TEST_PROVES(F1, X1);
	NEED_MAPPED();
	EXPECT_EQ(0, close(self->fd));
	self->fd = -1;
	if (!variant->page) {
		check_samples(_metadata, self->hdr);
		return;
	}
	check_counters(_metadata, self->page);
	pfm_user_page_close(self->page);
	self->page = NULL;
	EXPECT_EQ(!ACCESS_BY_PAGE, may_read());
}

TEST_HARNESS_MAIN

// SPDX-License-Identifier: GPL-2.0-only
/*
 * The sampling buffer: only the kernel writes to it, a mapping shows nothing but samples of
 * its context, and its memory is accounted for and freed.
 */
#include "child.h"
#include "context.h"
#include "cpu.h"
#include "rights.h"
#include "sampling.h"
#include "sysfs.h"

#include <grp.h>
#include <setjmp.h>
#include <sys/eventfd.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/uio.h>

#include "kselftest_harness.h"

#define PERIOD 200000ULL

/* Bytes of all buffers, and what other programs have of them. */
static long buffer_bytes_now(void)
{
	return sysfs_number("smpl_buffer_mem_cur");
}

/* Use the CPU until there is a number of samples, or too long. */
static bool burn_until(const volatile struct pfm_default_hdr *hdr, uint64_t n)
{
	const uint64_t begin = time_ns(CLOCK_MONOTONIC);

	while (hdr->hdr_count < n) {
		if (time_ns(CLOCK_MONOTONIC) - begin > 20000000000ULL)
			return false;
	}
	return true;
}

static int sample_here(int fd)
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

FIXTURE(buffer)
{
	int fd;
	char *map;
	size_t size;
	long before;
};

FIXTURE_SETUP(buffer)
{
	struct pfm_config cfg;

	self->before = buffer_bytes_now();
	ASSERT_LE(0, self->before);
	self->fd = default_open(0, 5 * 4096 - 100);
	ASSERT_LE(0, self->fd)
	{
		TH_LOG("no context: %s", strerror(-self->fd));
	}
	ASSERT_EQ(0, config_get(self->fd, &cfg));
	self->size = cfg.buffer_size;
	ASSERT_EQ(5 * 4096, self->size);
	self->map = buffer_map(self->fd);
	ASSERT_NE(NULL, self->map);
}

FIXTURE_TEARDOWN(buffer)
{
	if (self->map)
		munmap(self->map, self->size);
	if (self->fd >= 0)
		close(self->fd);
	EXPECT_EQ(0, chmod(DEVICE, 0660));
	EXPECT_EQ(self->before, buffer_bytes_now());
}

/*
 * Mapping.
 */

/*
 * Why a file without an inode of its own cannot be mapped executable: newer kernels refuse that
 * for all such files, before they ask the file.
 */
static int exec_error(void)
{
	const int fd = eventfd(0, EFD_CLOEXEC);
	const void *p = mmap(NULL, 4096, PROT_EXEC, MAP_PRIVATE, fd, 0);
	const int error = p == MAP_FAILED ? errno : 0;

	close(fd);
	return error == EPERM ? EPERM : EACCES;
}

TEST_F(buffer, mmap_arguments)
{
	const int plain = context_open(0);
	const int exec = exec_error();
	const struct {
		size_t size;
		int prot, flags;
		off_t offset;
		int error;
	} calls[] = {
		{ self->size, PROT_READ, MAP_SHARED, 0, 0 },
		{ self->size, PROT_READ, MAP_PRIVATE, 0, 0 },
		{ self->size - 1, PROT_READ, MAP_SHARED, 0, 0 },
		{ 4096, PROT_READ, MAP_SHARED, 0, 0 },
		{ self->size, PROT_NONE, MAP_SHARED, 0, 0 },
		{ self->size + 1, PROT_READ, MAP_SHARED, 0, EINVAL },
		{ 2 * self->size, PROT_READ, MAP_SHARED, 0, EINVAL },
		{ 4096, PROT_READ, MAP_SHARED, 4096, EINVAL },
		{ self->size, PROT_READ, MAP_SHARED, 4096, EINVAL },
		{ 4096, PROT_READ, MAP_SHARED, 5 * 4096, EINVAL },
		{ 4096, PROT_READ, MAP_SHARED, 1LL << 40, EINVAL },
		{ self->size, PROT_READ | PROT_WRITE, MAP_SHARED, 0, EACCES },
		{ self->size, PROT_READ | PROT_WRITE, MAP_PRIVATE, 0, EACCES },
		{ self->size, PROT_WRITE, MAP_SHARED, 0, EACCES },
		{ self->size, PROT_READ | PROT_EXEC, MAP_SHARED, 0, exec },
		{ self->size, PROT_READ | PROT_EXEC, MAP_PRIVATE, 0, exec },
	};
	size_t i;
	void *p;

	for (i = 0; i < ARRAY_LEN(calls); i++) {
		errno = 0;
		p = mmap(NULL, calls[i].size, calls[i].prot, calls[i].flags,
			 self->fd, calls[i].offset);
		EXPECT_EQ(calls[i].error, p == MAP_FAILED ? errno : 0)
		{
			TH_LOG("call %zu", i);
		}
		if (p != MAP_FAILED)
			munmap(p, calls[i].size);
	}
	/* A context without a buffer. */
	ASSERT_LE(0, plain);
	errno = 0;
	EXPECT_EQ(MAP_FAILED,
		  mmap(NULL, 4096, PROT_READ, MAP_SHARED, plain, 0));
	EXPECT_EQ(EINVAL, errno);
	close(plain);
}

static sigjmp_buf fault;

static void on_fault(int sig)
{
	siglongjmp(fault, sig);
}

/* The signal that a write gives, or 0. */
static int write_signal(volatile char *p)
{
	const struct sigaction action = { .sa_handler = on_fault };
	int sig;

	if (sigaction(SIGSEGV, &action, NULL) ||
	    sigaction(SIGBUS, &action, NULL))
		abort();
	sig = sigsetjmp(fault, 1);
	if (!sig)
		*p = 1;
	return sig;
}

/* The answer of mprotect(2) to a request for write access. */
static int write_error(char *map, size_t size)
{
	return mprotect(map, size, PROT_READ | PROT_WRITE) ? errno : 0;
}

/* All the ways in which a process could make a mapping of its own writable. */
static void check_readonly(struct __test_metadata *_metadata, char *map,
			   size_t size)
{
	const int prots[] = { PROT_WRITE, PROT_READ | PROT_WRITE, PROT_EXEC,
			      PROT_READ | PROT_EXEC,
			      PROT_READ | PROT_WRITE | PROT_EXEC };
	char was[64], now[64], junk[64];
	struct iovec local = { junk, sizeof(junk) };
	struct iovec remote = { map, sizeof(junk) };
	size_t i;
	int fd;

	memset(junk, 0x5a, sizeof(junk));
	memcpy(was, map, sizeof(was));
	for (i = 0; i < ARRAY_LEN(prots); i++) {
		errno = 0;
		EXPECT_EQ(-1, mprotect(map, size, prots[i]));
		EXPECT_EQ(EACCES, errno);
	}
	fd = open("/proc/self/mem", O_RDWR | O_CLOEXEC);
	ASSERT_LE(0, fd);
	EXPECT_EQ(-1, pwrite(fd, junk, sizeof(junk), (uintptr_t)map));
	close(fd);
	EXPECT_EQ(-1, process_vm_writev(getpid(), &local, 1, &remote, 1, 0));
	/* The kernel writing for us. */
	fd = open("/dev/zero", O_RDONLY | O_CLOEXEC);
	ASSERT_LE(0, fd);
	errno = 0;
	EXPECT_EQ(-1, read(fd, map, sizeof(junk)));
	EXPECT_EQ(EFAULT, errno);
	close(fd);
	EXPECT_EQ(SIGSEGV, write_signal(map));
	memcpy(now, map, sizeof(now));
	EXPECT_EQ(0, memcmp(was, now, sizeof(was)));
}

TEST_F(buffer, stays_readonly)
{
	check_readonly(_metadata, self->map, self->size);
}

TEST_F(buffer, stays_readonly_private)
{
	char *map = mmap(NULL, self->size, PROT_READ, MAP_PRIVATE, self->fd, 0);

	ASSERT_NE(MAP_FAILED, map);
	check_readonly(_metadata, map, self->size);
	munmap(map, self->size);
}

TEST_F(buffer, stays_readonly_none)
{
	char *map = mmap(NULL, self->size, PROT_NONE, MAP_SHARED, self->fd, 0);

	ASSERT_NE(MAP_FAILED, map);
	EXPECT_EQ(0, mprotect(map, self->size, PROT_READ));
	check_readonly(_metadata, map, self->size);
	munmap(map, self->size);
}

/* A debugger writes where the program itself may not. */
TEST_F(buffer, debugger)
{
	const pid_t parent = getpid();
	pid_t pid = fork();
	int status;

	if (!pid) {
		char *map;

		die_with_parent(parent);
		/* Its own: the parent's is not inherited. */
		map = mmap(self->map, self->size, PROT_READ,
			   MAP_SHARED | MAP_FIXED, self->fd, 0);
		if (map == MAP_FAILED || ptrace(PTRACE_TRACEME, 0, 0, 0))
			_exit(1);
		raise(SIGSTOP);
		_exit(map[5 * 4096 - 8]);
	}
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	ASSERT_EQ(true, WIFSTOPPED(status));
	errno = 0;
	EXPECT_EQ(-1, ptrace(PTRACE_POKEDATA, pid, self->map + 5 * 4096 - 8,
			     0x0101010101010101));
	EXPECT_NE(0, errno);
	/* Reading is fine. */
	errno = 0;
	EXPECT_EQ(0,
		  ptrace(PTRACE_PEEKDATA, pid, self->map + 5 * 4096 - 8, NULL));
	EXPECT_EQ(0, errno);
	ptrace(PTRACE_DETACH, pid, 0, 0);
	EXPECT_EQ(0, child_reap(pid));
	EXPECT_EQ(0, self->map[5 * 4096 - 8]);
}

TEST_F(buffer, mremap)
{
	char *map, *moved;

	/* Neither grown in place nor elsewhere. */
	EXPECT_EQ(MAP_FAILED, mremap(self->map, self->size, 2 * self->size, 0));
	EXPECT_EQ(MAP_FAILED, mremap(self->map, self->size, 2 * self->size,
				     MREMAP_MAYMOVE));
	EXPECT_EQ(MAP_FAILED, mremap(self->map, self->size, self->size + 4096,
				     MREMAP_MAYMOVE));
	/* A part cannot grow over the whole either. */
	map = mmap(NULL, 4096, PROT_READ, MAP_SHARED, self->fd, 0);
	ASSERT_NE(MAP_FAILED, map);
	EXPECT_EQ(MAP_FAILED, mremap(map, 4096, self->size, MREMAP_MAYMOVE));
	munmap(map, 4096);
	/* Moved it is what it was. */
	moved = mmap(NULL, self->size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS,
		     -1, 0);
	ASSERT_NE(MAP_FAILED, moved);
	map = mremap(self->map, self->size, self->size,
		     MREMAP_MAYMOVE | MREMAP_FIXED, moved);
	if (map == MAP_FAILED)
		return;
	self->map = map;
	EXPECT_EQ(sizeof(struct pfm_default_hdr),
		  ((struct pfm_default_hdr *)map)->hdr_cur_offs);
	check_readonly(_metadata, map, self->size);
	/* Shrunk as well. */
	map = mremap(map, self->size, 4096, 0);
	if (map != MAP_FAILED) {
		self->size = 4096;
		check_readonly(_metadata, map, 4096);
	}
}

/* Pieces, and holes between them. */
TEST_F(buffer, munmap_parts)
{
	const struct pfm_default_hdr *hdr = (void *)self->map;

	ASSERT_EQ(0, munmap(self->map + 4096, 4096));
	ASSERT_EQ(0, munmap(self->map + 3 * 4096, 4096));
	ASSERT_EQ(0, sample_here(self->fd));
	EXPECT_EQ(true, burn_until(hdr, 10));
	/* Or a sample may change what is compared. */
	ASSERT_EQ(0, context_stop(self->fd));
	check_readonly(_metadata, self->map + 2 * 4096, 4096);
	close(self->fd);
	self->fd = -1;
	EXPECT_EQ(self->before + (long)self->size, buffer_bytes_now());
	ASSERT_EQ(0, munmap(self->map, 4096));
	ASSERT_EQ(0, munmap(self->map + 2 * 4096, 4096));
	EXPECT_EQ(self->before + (long)self->size, buffer_bytes_now());
	ASSERT_EQ(0, munmap(self->map + 4 * 4096, 4096));
	self->map = NULL;
	EXPECT_EQ(self->before, buffer_bytes_now());
}

/*
 * Life: the memory is there as long as somebody has it mapped.
 */

TEST_F(buffer, outlives_close)
{
	const struct pfm_default_hdr *hdr = (void *)self->map;
	const int fd = context_open(0);
	uint64_t i;

	ASSERT_LE(0, fd);
	ASSERT_EQ(0, pmd_write(fd, CPU_TIME_NS, 0));
	ASSERT_EQ(0, sample_here(self->fd));
	ASSERT_EQ(true, burn_until(hdr, 20));
	EXPECT_EQ(1, sysfs_number("task_sessions_count"));
	close(self->fd);
	self->fd = -1;
	/* The session is over. */
	EXPECT_EQ(0, sysfs_number("task_sessions_count"));
	EXPECT_EQ(0, context_load(fd, 0));
	close(fd);
	for (i = 0; i < 20; i++) {
		EXPECT_EQ(getpid(), entry_at(hdr, i, 0)->pid);
		EXPECT_EQ(CPU_TIME_NS, entry_at(hdr, i, 0)->ovfl_pmd);
	}
	EXPECT_EQ(self->before + (long)self->size, buffer_bytes_now());
	EXPECT_EQ(EACCES, write_error(self->map, self->size));
	munmap(self->map, self->size);
	self->map = NULL;
	EXPECT_EQ(self->before, buffer_bytes_now());
}

/* Each of several mappings shows the same memory. */
TEST_F(buffer, many_mappings)
{
	const struct pfm_default_hdr *hdr = (void *)self->map;
	char *maps[50];
	size_t i;

	for (i = 0; i < ARRAY_LEN(maps); i++) {
		maps[i] = mmap(NULL, self->size, PROT_READ,
			       i % 2 ? MAP_SHARED : MAP_PRIVATE, self->fd, 0);
		ASSERT_NE(MAP_FAILED, maps[i]);
	}
	ASSERT_EQ(0, sample_here(self->fd));
	ASSERT_EQ(true, burn_until(hdr, 10));
	ASSERT_EQ(0, context_stop(self->fd));
	for (i = 0; i < ARRAY_LEN(maps); i++)
		EXPECT_EQ(0, memcmp(maps[i], self->map, self->size));
	/* Charged once. */
	EXPECT_EQ(self->before + (long)self->size, buffer_bytes_now());
	for (i = 0; i < ARRAY_LEN(maps); i++)
		munmap(maps[i], self->size);
}

static int child_touches(void *arg)
{
	FIXTURE_DATA(buffer) *self = arg;
	volatile char *p = self->map;
	const struct sigaction action = { .sa_handler = on_fault };
	int sig;

	sigaction(SIGSEGV, &action, NULL);
	sig = sigsetjmp(fault, 1);
	if (!sig)
		sig = *p;
	return sig == SIGSEGV ? 0 : 1;
}

static int child_keeps(void *arg)
{
	FIXTURE_DATA(buffer) *self = arg;

	if (mprotect(self->map, self->size, PROT_READ | PROT_WRITE) != -1)
		return 1;
	return ((struct pfm_default_hdr *)self->map)->hdr_cur_offs ==
			       sizeof(struct pfm_default_hdr)
		       ? 0
		       : 2;
}

/* A child does not have the mapping, unless it is told to. */
TEST_F(buffer, fork)
{
	EXPECT_EQ(0, in_child(child_touches, self));
	if (!madvise(self->map, self->size, MADV_DOFORK))
		EXPECT_EQ(0, in_child(child_keeps, self));
}

/* Other advice changes nothing but what the process itself sees. */
TEST_F(buffer, advice)
{
	const int advice[] = { MADV_DONTNEED,  MADV_FREE,     MADV_REMOVE,
			       MADV_COLD,      MADV_PAGEOUT,  MADV_HUGEPAGE,
			       MADV_MERGEABLE, MADV_WILLNEED, MADV_DODUMP };
	const struct pfm_default_hdr *hdr;
	char *other;
	size_t i;

	other = mmap(NULL, self->size, PROT_READ, MAP_SHARED, self->fd, 0);
	ASSERT_NE(MAP_FAILED, other);
	for (i = 0; i < ARRAY_LEN(advice); i++)
		madvise(other, self->size, advice[i]);
	hdr = (void *)self->map;
	EXPECT_EQ(sizeof(*hdr), hdr->hdr_cur_offs);
	ASSERT_EQ(0, sample_here(self->fd));
	EXPECT_EQ(true, burn_until(hdr, 10));
	munmap(other, self->size);
}

/* The lock of all memory is no way to keep it, nor is its end. */
TEST_F(buffer, mlock)
{
	mlockall(MCL_CURRENT);
	mlock(self->map, self->size);
	munlockall();
	close(self->fd);
	self->fd = -1;
	munmap(self->map, self->size);
	self->map = NULL;
	EXPECT_EQ(self->before, buffer_bytes_now());
}

/*
 * Contents: nothing of anybody else's.
 */

static size_t nonzero(const char *p, size_t size)
{
	size_t i, n = 0;

	for (i = 0; i < size; i++)
		n += p[i] != 0;
	return n;
}

TEST_F(buffer, zeroed)
{
	const size_t size = 64 * 4096;
	const struct pfm_default_hdr *hdr;
	int fd, round;

	for (round = 0; round < 20; round++) {
		fd = default_open(0, size);
		ASSERT_LE(0, fd);
		hdr = mmap(NULL, size, PROT_READ, MAP_SHARED, fd, 0);
		ASSERT_NE(MAP_FAILED, (void *)hdr);
		/* Of the header only what describes the buffer. */
		EXPECT_EQ(0, hdr->hdr_count);
		EXPECT_EQ(0, hdr->hdr_overflows);
		EXPECT_EQ(0, hdr->hdr_lost);
		EXPECT_EQ(0, nonzero((char *)hdr->hdr_reserved,
				     sizeof(hdr->hdr_reserved)));
		EXPECT_EQ(0, nonzero((char *)(hdr + 1), size - sizeof(*hdr)));
		/* Leave something behind for the next to see. */
		ASSERT_EQ(0, sample_here(fd));
		ASSERT_EQ(true, burn_until(hdr, 20));
		munmap((void *)hdr, size);
		close(fd);
	}
}

/* The bytes between the requested size and the end of the page stay zero. */
TEST_F(buffer, rest_of_the_page)
{
	const struct pfm_default_hdr *hdr = (void *)self->map;
	const uint64_t end = hdr->hdr_buf_size;

	EXPECT_EQ(5 * 4096 - 100, end);
	ASSERT_EQ(0, sample_here(self->fd));
	/* Until it is full and masked. */
	ASSERT_EQ(true, burn_until(hdr, (end - sizeof(*hdr)) / 40));
	EXPECT_EQ((end - sizeof(*hdr)) / 40, hdr->hdr_count);
	EXPECT_EQ(1, hdr->hdr_overflows);
	EXPECT_GE(end, hdr->hdr_cur_offs);
	EXPECT_EQ(0, nonzero(self->map + hdr->hdr_cur_offs,
			     self->size - hdr->hdr_cur_offs));
}

/*
 * Sizes.
 */

TEST_F(buffer, argument)
{
	const uint8_t uuid[PFM_UUID_LEN] = PFM_DEFAULT_UUID;
	struct pfm_default_arg arg = { .buf_size = 4096 };
	const size_t least = sizeof(struct pfm_default_hdr) +
			     sizeof(struct pfm_default_entry);
	int bit, fd;
	size_t i;

	for (i = 0; i < 64; i++) {
		if (i == 16 || i == sizeof(arg))
			continue;
		EXPECT_EQ(-EINVAL, format_open(0, uuid, &arg, i))
		{
			TH_LOG("size of the argument %zu", i);
		}
	}
	EXPECT_EQ(-EINVAL, format_open(0, uuid, &arg, 65));
	EXPECT_EQ(-EINVAL, format_open(0, uuid, &arg, 4096));
	EXPECT_EQ(-EINVAL, format_open(0, uuid, &arg, ~0U));
	EXPECT_EQ(-EFAULT, format_open(0, uuid, (void *)8, sizeof(arg)));
	EXPECT_EQ(-EFAULT, format_open(0, uuid, NULL, sizeof(arg)));
	for (bit = 0; bit < 32; bit++) {
		arg.buf_flags = 1U << bit;
		EXPECT_EQ(-EINVAL, format_open(0, uuid, &arg, sizeof(arg)));
	}
	arg.buf_flags = 0;
	arg.reserved = 1;
	EXPECT_EQ(-EINVAL, format_open(0, uuid, &arg, sizeof(arg)));
	arg.reserved = 0;
	for (i = 0; i < ARRAY_LEN(arg.reserved2); i++) {
		arg.reserved2[i] = 1ULL << 63;
		EXPECT_EQ(-EINVAL, format_open(0, uuid, &arg, sizeof(arg)));
		arg.reserved2[i] = 0;
	}
	EXPECT_EQ(-EINVAL, default_open(0, 0));
	EXPECT_EQ(-EINVAL, default_open(0, least - 1));
	fd = default_open(0, least);
	EXPECT_LE(0, fd);
	close(fd);
}

TEST_F(buffer, too_large)
{
	const uint64_t sizes[] = { (1ULL << 30) + 1,	1ULL << 31, 1ULL << 32,
				   (1ULL << 32) + 4096, 1ULL << 40, 1ULL << 62,
				   1ULL << 63,		-4096ULL,   ~0ULL };
	size_t i;

	for (i = 0; i < ARRAY_LEN(sizes); i++) {
		EXPECT_EQ(-ENOBUFS, default_open(0, sizes[i]))
		{
			TH_LOG("0x%llx", (unsigned long long)sizes[i]);
		}
		EXPECT_EQ(-ENOBUFS, default_open(PFM_CTX_FOLLOW_ALL, sizes[i]));
	}
}

/* More values than the buffer has room for: lost, and the consumer is told. */
TEST_F(buffer, too_small_for_an_entry)
{
	struct pfm_pmd_attr attr = {
		.num = CPU_TIME_NS,
		.flags = PFM_PMDF_NOTIFY,
		.long_reset = -PERIOD,
		.short_reset = -PERIOD,
	};
	const struct pfm_default_hdr *hdr;
	struct pfm_config cfg;
	union pfm_msg msg;
	int fd, round;

	fd = default_open(0, buffer_bytes(1, 0));
	ASSERT_LE(0, fd);
	hdr = mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 0);
	ASSERT_NE(MAP_FAILED, (void *)hdr);
	bit_set(attr.smpl_pmds, WALL_TIME_NS);
	ASSERT_EQ(0, pmd_write(fd, CPU_TIME_NS, -PERIOD));
	ASSERT_EQ(0, attr_write(fd, &attr));
	ASSERT_EQ(0, context_load(fd, 0));
	ASSERT_EQ(0, context_start(fd, 0));
	for (round = 1; round <= 3; round++) {
		/* The clock is that of CPU time, so use some. */
		do {
			ASSERT_EQ(0, config_get(fd, &cfg));
		} while (cfg.state != PFM_STATE_MASKED);
		ASSERT_EQ(sizeof(msg), message_read(fd, &msg));
		EXPECT_EQ(PFM_MSG_OVFL, msg.type);
		EXPECT_EQ(round, hdr->hdr_lost);
		EXPECT_EQ(0, hdr->hdr_count);
		ASSERT_EQ(0, context_restart(fd, 0));
	}
	munmap((void *)hdr, 4096);
	close(fd);
}

/* One lane for each processor, in a row. */
TEST_F(buffer, lanes)
{
	struct pfm_config cfg;
	char *map;
	uint32_t i;
	int fd;

	fd = default_open(PFM_CTX_FOLLOW_ALL, 5000);
	ASSERT_LE(0, fd);
	ASSERT_EQ(0, config_get(fd, &cfg));
	EXPECT_LE(cpus_online(), cfg.lanes);
	EXPECT_EQ(8192, cfg.lane_size);
	EXPECT_EQ(8192 * cfg.lanes, cfg.buffer_size);
	EXPECT_EQ(self->before + (long)(self->size + cfg.buffer_size),
		  buffer_bytes_now());
	map = buffer_map(fd);
	ASSERT_NE(NULL, map);
	for (i = 0; i < cfg.lanes; i++) {
		const struct pfm_default_hdr *hdr =
			(void *)(map + i * cfg.lane_size);

		EXPECT_EQ(5000, hdr->hdr_buf_size);
		EXPECT_EQ(sizeof(*hdr), hdr->hdr_cur_offs);
	}
	EXPECT_EQ(MAP_FAILED, mmap(NULL, cfg.buffer_size + 1, PROT_READ,
				   MAP_SHARED, fd, 0));
	check_readonly(_metadata, map, cfg.buffer_size);
	munmap(map, cfg.buffer_size);
	/* With a format the number of lanes is fixed. */
	cfg.flags = 0;
	EXPECT_EQ(-EOPNOTSUPP, config_set(fd, &cfg));
	close(fd);
}

/*
 * Memory that a user may lock.
 */

static int set_limit(rlim_t bytes)
{
	const struct rlimit limit = { bytes, bytes };

	return setrlimit(RLIMIT_MEMLOCK, &limit);
}

#define EXPECT_IN_CHILD(condition)              \
	do {                                    \
		if (!(condition))               \
			return __COUNTER__ + 1; \
	} while (0)

/* In a process of nobody's with 64 KiB to lock. */
static int limited(void *arg)
{
	const struct pfm_config *all = arg;
	int a, b;
	void *map;

	if (set_limit(65536))
		return 100;
	rights_drop();
	EXPECT_IN_CHILD(default_open(0, 65536 + 1) == -ENOBUFS);
	EXPECT_IN_CHILD(default_open(0, 1 << 20) == -ENOBUFS);
	a = default_open(0, 65536);
	EXPECT_IN_CHILD(a >= 0);
	/* It is the user's, not the context's. */
	EXPECT_IN_CHILD(default_open(0, 4096) == -ENOBUFS);
	close(a);
	a = default_open(0, 32768);
	b = default_open(0, 32768);
	EXPECT_IN_CHILD(a >= 0 && b >= 0);
	EXPECT_IN_CHILD(default_open(0, 4096) == -ENOBUFS);
	/* A mapping keeps what it needs. */
	map = mmap(NULL, 32768, PROT_READ, MAP_SHARED, a, 0);
	EXPECT_IN_CHILD(map != MAP_FAILED);
	close(a);
	EXPECT_IN_CHILD(default_open(0, 4096) == -ENOBUFS);
	munmap(map, 32768);
	a = default_open(0, 32768);
	EXPECT_IN_CHILD(a >= 0);
	close(a);
	close(b);
	/* Lanes count as well. */
	a = default_open(PFM_CTX_FOLLOW_ALL, 65536 / all->lanes);
	EXPECT_IN_CHILD(a >= 0);
	close(a);
	if (all->lanes > 1)
		EXPECT_IN_CHILD(default_open(PFM_CTX_FOLLOW_ALL, 65536) ==
				-ENOBUFS);
	return 0;
}

TEST_F(buffer, locked_memory)
{
	struct pfm_config cfg;
	int fd;

	ASSERT_EQ(0, chmod(DEVICE, 0666));
	fd = default_open(PFM_CTX_FOLLOW_ALL, 4096);
	ASSERT_LE(0, fd);
	ASSERT_EQ(0, config_get(fd, &cfg));
	close(fd);
	EXPECT_EQ(0, in_child(limited, &cfg));
}

static int another_user(void *arg)
{
	rights_drop();
	return default_open(0, 4096) == -ENOBUFS ? 0 : 1;
}

static int no_limit(void *arg)
{
	int fd;

	if (set_limit(0))
		return 100;
	/* Root has CAP_IPC_LOCK: the limit does not apply. */
	fd = default_open(0, 65536);
	if (fd < 0)
		return 1;
	close(fd);
	return in_child(another_user, NULL);
}

TEST_F(buffer, may_lock_all)
{
	ASSERT_EQ(0, chmod(DEVICE, 0666));
	EXPECT_EQ(0, in_child(no_limit, NULL));
}

/* A user's limit is for him alone: one at his limit disturbs no other. */
static int fills_up(void *arg)
{
	int *fds = arg;

	if (set_limit(65536))
		return 100;
	rights_drop();
	if (default_open(0, 65536) < 0)
		return 1;
	if (write(fds[1], "", 1) != 1)
		return 2;
	/* Killed, with all that it has. */
	for (;;)
		pause();
}

static int other_uid(void *arg)
{
	int fd;

	if (set_limit(65536))
		return 100;
	if (setgroups(0, NULL) || setresgid(1001, 1001, 1001) ||
	    setresuid(1001, 1001, 1001))
		return 101;
	fd = default_open(0, 65536);
	return fd >= 0 ? 0 : 1;
}

TEST_F(buffer, users_apart)
{
	int fds[2];
	char c;
	pid_t pid;

	ASSERT_EQ(0, chmod(DEVICE, 0666));
	ASSERT_EQ(0, pipe(fds));
	pid = fork();
	if (!pid) {
		die_with_parent(getppid());
		_exit(fills_up(fds));
	}
	close(fds[1]);
	ASSERT_EQ(1, read(fds[0], &c, 1));
	EXPECT_EQ(0, in_child(other_uid, NULL));
	child_kill(pid);
	close(fds[0]);
	/* And what the killed one had is free again. */
	EXPECT_EQ(0, in_child(other_uid, NULL));
	EXPECT_EQ(self->before + (long)self->size, buffer_bytes_now());
}

/* Creation fails half-way, for lack of a descriptor: all of it is undone. */
static int no_descriptors(void *arg)
{
	const struct rlimit few = { 20, 20 };
	int i, fds[32], n = 0, ret;

	if (setrlimit(RLIMIT_NOFILE, &few))
		return 100;
	for (i = 0; i < 32; i++) {
		ret = default_open(0, 65536);
		if (ret < 0)
			break;
		fds[n++] = ret;
	}
	for (i = 0; i < n; i++)
		close(fds[i]);
	return ret == -EMFILE ? 0 : 1;
}

TEST_F(buffer, no_descriptors)
{
	EXPECT_EQ(0, in_child(no_descriptors, NULL));
}

/* Contexts come and go, filled and mapped, from several processes. */
TEST_F(buffer, come_and_go)
{
	struct pfm_config cfg;
	pid_t pids[4];
	size_t i;
	int round;

	for (i = 0; i < ARRAY_LEN(pids); i++) {
		pids[i] = fork();
		if (pids[i])
			continue;
		for (round = 0; round < 50; round++) {
			const int fd = default_open(
				round % 2 ? PFM_CTX_FOLLOW_ALL : 0, 8192);
			const volatile struct pfm_default_hdr *hdr =
				buffer_map(fd);

			if (fd < 0 || !hdr || config_get(fd, &cfg) ||
			    sample_here(fd))
				_exit(1);
			/* Some are closed with samples, some without. */
			while (round % 4 == 0 && !hdr->hdr_count)
				;
			/* The last of the two ends it. */
			if (round % 3)
				close(fd);
			munmap((void *)hdr, cfg.buffer_size);
			if (round % 3 == 0)
				close(fd);
		}
		_exit(0);
	}
	for (i = 0; i < ARRAY_LEN(pids); i++)
		EXPECT_EQ(0, child_reap(pids[i]));
}

TEST_HARNESS_MAIN

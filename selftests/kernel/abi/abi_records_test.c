// SPDX-License-Identifier: GPL-2.0-only
/*
 * READ_RECORDS and READ_MAPS: bad buffers and small ones, and what waits meanwhile.
 */
#include "child.h"
#include "context.h"

#include "kselftest_harness.h"
#include "context_fixture.h"

FIXTURE(records)
{
	int fd;
	pid_t pid;
};

/* One record waits. */
FIXTURE_SETUP(records)
{
	self->fd = context_open(PFM_CTX_FOLLOW_FORK);
	ASSERT_LE(0, self->fd);
	ASSERT_EQ(0, pmd_write(self->fd, CPU_TIME_NS, 0));
	ASSERT_EQ(0, context_load(self->fd, 0));
	self->pid = fork();
	if (!self->pid)
		_exit(5);
	child_reap(self->pid);
}

FIXTURE_TEARDOWN(records)
{
	close(self->fd);
}

TEST_F(records, unknown_flags)
{
	uint64_t buf[128];
	struct pfm_read_records arg;
	int bit;

	/* Bit 0 is PFM_RECORDS_RUNNING. */
	for (bit = 1; bit < 32; bit++) {
		arg = (struct pfm_read_records){
			.buf = (uintptr_t)buf,
			.size = sizeof(buf),
			.flags = 1U << bit,
		};
		EXPECT_EQ(-EINVAL, call(self->fd, PFM_IOC_READ_RECORDS, &arg));
	}
}

TEST_F(records, not_aligned)
{
	uint64_t buf[128];
	struct pfm_read_records arg;
	int i;

	for (i = 1; i < 8; i++) {
		EXPECT_EQ(-EINVAL,
			  records_read(self->fd, (char *)buf + i, 512, &arg));
	}
}

TEST_F(records, no_space)
{
	uint64_t buf[128];
	const struct pfm_record *rec = (void *)buf;
	struct pfm_read_records arg;
	uint32_t size;

	EXPECT_EQ(-ENOSPC, records_read(self->fd, buf, 0, &arg));
	EXPECT_EQ(-ENOSPC, records_read(self->fd, buf, sizeof(*rec), &arg));
	/* It still waits. */
	ASSERT_EQ(0, records_read(self->fd, buf, sizeof(buf), &arg));
	EXPECT_EQ(1, arg.count);
	size = rec->size;
	EXPECT_EQ(size, arg.used);
	EXPECT_EQ(0, size % 8);
	EXPECT_EQ(self->pid, rec->pid);
	/* Nothing left. */
	ASSERT_EQ(0, records_read(self->fd, buf, 0, &arg));
	EXPECT_EQ(0, arg.count);
	EXPECT_EQ(0, arg.used);
	/* One byte less than needed is too little, the exact size is not. */
	self->pid = fork();
	if (!self->pid)
		_exit(5);
	child_reap(self->pid);
	EXPECT_EQ(-ENOSPC, records_read(self->fd, buf, size - 1, &arg));
	EXPECT_EQ(0, records_read(self->fd, buf, size, &arg));
	EXPECT_EQ(1, arg.count);
}

TEST_F(records, bad_buffer)
{
	uint64_t buf[128];
	struct pfm_read_records arg;

	EXPECT_EQ(-EFAULT, records_read(self->fd, (void *)8, 4096, &arg));
	EXPECT_EQ(-EFAULT, records_read(self->fd, (void *)-8L, 4096, &arg));
	/* It still waits. */
	ASSERT_EQ(0, records_read(self->fd, buf, sizeof(buf), &arg));
	EXPECT_EQ(1, arg.count);
}

/* Records stay where they are if their number cannot be written back. */
TEST_F(records, readonly_argument)
{
	uint64_t buf[128];
	struct pfm_read_records arg, *ro;

	ro = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
		  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(MAP_FAILED, (void *)ro);
	*ro = (struct pfm_read_records){
		.buf = (uintptr_t)buf,
		.size = sizeof(buf),
	};
	ASSERT_EQ(0, mprotect(ro, 4096, PROT_READ));
	EXPECT_EQ(-EFAULT, call(self->fd, PFM_IOC_READ_RECORDS, ro));
	ASSERT_EQ(0, records_read(self->fd, buf, sizeof(buf), &arg));
	EXPECT_EQ(1, arg.count);
	munmap(ro, 4096);
}

TEST_F(records, survive_unload)
{
	uint64_t buf[256];
	const struct pfm_record *rec = (void *)buf;
	struct pfm_read_records arg;

	EXPECT_EQ(0, context_unload(self->fd));
	ASSERT_EQ(0, records_read(self->fd, buf, sizeof(buf), &arg));
	/* The child's, then our own. */
	ASSERT_EQ(2, arg.count);
	EXPECT_EQ(PFM_RECORD_EXIT, rec->reason);
	EXPECT_EQ(5 << 8, rec->status);
	EXPECT_EQ(getpid(), rec->ppid);
	rec = (void *)((char *)buf + rec->size);
	EXPECT_EQ(PFM_RECORD_UNLOAD, rec->reason);
	EXPECT_EQ(getpid(), rec->pid);
	EXPECT_EQ(getppid(), rec->ppid);
}

TEST_F(context, no_maps)
{
	uint64_t buf[64];
	struct pfm_read_records arg = {
		.buf = (uintptr_t)buf,
		.size = sizeof(buf),
	};

	EXPECT_EQ(0, call(self->fd, PFM_IOC_READ_MAPS, &arg));
	EXPECT_EQ(0, arg.count);
	arg.flags = 1;
	EXPECT_EQ(-EINVAL, call(self->fd, PFM_IOC_READ_MAPS, &arg));
	arg.flags = 0;
	arg.buf += 4;
	EXPECT_EQ(-EINVAL, call(self->fd, PFM_IOC_READ_MAPS, &arg));
}

TEST_HARNESS_MAIN

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Arguments of ioctls: unknown numbers, descriptors of something else, and structures of
 * each size and at bad addresses.
 */
#include "context.h"

#include "kselftest_harness.h"
#include "context_fixture.h"

static const unsigned long context_cmds[] = {
	PFM_IOC_WRITE_PMCS,	PFM_IOC_WRITE_PMDS,	PFM_IOC_READ_PMDS,
	PFM_IOC_STOP,		PFM_IOC_START,		PFM_IOC_LOAD_CONTEXT,
	PFM_IOC_UNLOAD_CONTEXT, PFM_IOC_GETINFO_PMCS,	PFM_IOC_GETINFO_PMDS,
	PFM_IOC_GET_CONFIG,	PFM_IOC_SET_CONFIG,	PFM_IOC_READ_RECORDS,
	PFM_IOC_WRITE_PMDATTRS, PFM_IOC_READ_PMDATTRS,	PFM_IOC_RESTART,
	PFM_IOC_READ_MAPS,	PFM_IOC_CREATE_EVTSET,	PFM_IOC_DELETE_EVTSET,
	PFM_IOC_GETINFO_EVTSET, PFM_IOC_GETINFO_EVENTS, PFM_IOC_GETINFO_HELD,
	PFM_IOC_SET_CGROUP,	PFM_IOC_SET_RANGES,	PFM_IOC_GETINFO_RANGES,
};

TEST(context_commands_on_device)
{
	const int device = device_open();
	char arg[512] = {};
	size_t i;

	ASSERT_LE(0, device);
	for (i = 0; i < ARRAY_LEN(context_cmds); i++) {
		EXPECT_EQ(-ENOTTY, call(device, context_cmds[i], arg))
		{
			TH_LOG("command 0x%lx", context_cmds[i]);
		}
	}
	close(device);
}

TEST(unknown_commands_on_device)
{
	const int device = device_open();
	char arg[512] = {};

	ASSERT_LE(0, device);
	EXPECT_EQ(-ENOTTY, call(device, _IOW(PFM_IOC_MAGIC, 0xff, int), arg));
	EXPECT_EQ(-ENOTTY,
		  call(device, _IOW('x', 0x08, struct pfm_create), arg));
	EXPECT_EQ(-ENOTTY, call(device, TIOCGWINSZ, arg));
	close(device);
}

FIXTURE(arg)
{
	int device;
	int context;
	int fd;
	char *page;
};

FIXTURE_VARIANT(arg)
{
	unsigned long cmd;
	unsigned int first; /* size of the first version */
	int zero; /* what a structure of zeroes gives, 0: success */
};

#define ARG_FIRST(name, cmd_, first_, zero_)                 \
	FIXTURE_VARIANT_ADD(arg, name)                       \
	{                                                    \
		.cmd = cmd_, .first = first_, .zero = zero_, \
	}

#define ARG(name, cmd, zero) ARG_FIRST(name, cmd, _IOC_SIZE(cmd), zero)

/* clang-format off */
ARG_FIRST(create, PFM_IOC_CREATE_CONTEXT, PFM_CREATE_SIZE_VER0, 0);
ARG(write_pmcs, PFM_IOC_WRITE_PMCS, 0);
ARG(write_pmds, PFM_IOC_WRITE_PMDS, 0);
ARG(read_pmds, PFM_IOC_READ_PMDS, 0);
ARG(start, PFM_IOC_START, -ENOTCONN);
ARG(load, PFM_IOC_LOAD_CONTEXT, -ENODATA);
ARG(getinfo_pmcs, PFM_IOC_GETINFO_PMCS, 0);
ARG(getinfo_pmds, PFM_IOC_GETINFO_PMDS, 0);
ARG(getinfo_events, PFM_IOC_GETINFO_EVENTS, 0);
ARG(getinfo_held, PFM_IOC_GETINFO_HELD, 0);
ARG(set_cgroup, PFM_IOC_SET_CGROUP, -EINVAL);
ARG(set_ranges, PFM_IOC_SET_RANGES, 0);
ARG(getinfo_ranges, PFM_IOC_GETINFO_RANGES, 0);
ARG_FIRST(set_config, PFM_IOC_SET_CONFIG, PFM_CONFIG_SIZE_VER0, -ERANGE);
ARG(read_records, PFM_IOC_READ_RECORDS, 0);
ARG(write_pmdattrs, PFM_IOC_WRITE_PMDATTRS, 0);
ARG(read_pmdattrs, PFM_IOC_READ_PMDATTRS, 0);
ARG(restart, PFM_IOC_RESTART, -ENOTCONN);
ARG(read_maps, PFM_IOC_READ_MAPS, 0);
/* clang-format on */

FIXTURE_SETUP(arg)
{
	self->device = device_open();
	ASSERT_LE(0, self->device);
	self->context = context_create(self->device, 0);
	ASSERT_LE(0, self->context);
	self->fd = variant->cmd == PFM_IOC_CREATE_CONTEXT ? self->device
							  : self->context;
	self->page = mmap(NULL, 1 << _IOC_SIZEBITS, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(MAP_FAILED, (void *)self->page);
}

FIXTURE_TEARDOWN(arg)
{
	close(self->context);
	close(self->device);
}

/* Success may be a descriptor. */
static int outcome(int ret)
{
	return ret > 0 ? 0 : ret;
}

TEST_F(arg, right_size)
{
	EXPECT_EQ(variant->zero,
		  outcome(call(self->fd, variant->cmd, self->page)));
}

TEST_F(arg, too_short)
{
	unsigned int s;

	for (s = 0; s < variant->first; s++) {
		EXPECT_EQ(-EINVAL, call(self->fd, IOC_SIZED(variant->cmd, s),
					self->page))
		{
			TH_LOG("size %u", s);
		}
	}
}

/* Fields that an older caller does not know are taken as zero. */
TEST_F(arg, older_version)
{
	unsigned int s;

	memset(self->page + variant->first, 0xff, 4096 - variant->first);
	for (s = variant->first; s < _IOC_SIZE(variant->cmd); s += 8) {
		EXPECT_EQ(variant->zero,
			  outcome(call(self->fd, IOC_SIZED(variant->cmd, s),
				       self->page)));
		memset(self->page + s, 0, 8);
	}
	EXPECT_EQ(variant->zero,
		  outcome(call(self->fd, IOC_SIZED(variant->cmd, s),
			       self->page)));
}

TEST_F(arg, longer_and_zero)
{
	const unsigned int size = _IOC_SIZE(variant->cmd);
	const unsigned int sizes[] = { size + 1, size + 8, 4096,
				       (1 << _IOC_SIZEBITS) - 1 };
	size_t i;

	for (i = 0; i < ARRAY_LEN(sizes); i++) {
		EXPECT_EQ(variant->zero,
			  outcome(call(self->fd,
				       IOC_SIZED(variant->cmd, sizes[i]),
				       self->page)))
		{
			TH_LOG("size %u", sizes[i]);
		}
	}
}

TEST_F(arg, longer_and_not_zero)
{
	const unsigned int size = _IOC_SIZE(variant->cmd);

	self->page[size] = 1;
	EXPECT_EQ(-E2BIG, call(self->fd, IOC_SIZED(variant->cmd, size + 1),
			       self->page));
	self->page[size] = 0;
	self->page[4095] = 1;
	EXPECT_EQ(-E2BIG,
		  call(self->fd, IOC_SIZED(variant->cmd, 4096), self->page));
}

TEST_F(arg, bad_pointer)
{
	const unsigned int size = _IOC_SIZE(variant->cmd);
	char *last = self->page + 4096 - size + 1;

	if (variant->cmd != PFM_IOC_START && variant->cmd != PFM_IOC_RESTART)
		EXPECT_EQ(-EFAULT, call(self->fd, variant->cmd, NULL));
	EXPECT_EQ(-EFAULT, call(self->fd, variant->cmd, (void *)8));
	EXPECT_EQ(-EFAULT, call(self->fd, variant->cmd, (void *)-4096L));
	/* The last byte is where nothing is. */
	ASSERT_EQ(0, munmap(self->page + 4096, 4096));
	EXPECT_EQ(-EFAULT, call(self->fd, variant->cmd, last));
}

TEST_F(context, create_on_context)
{
	const struct pfm_create arg = {};

	EXPECT_EQ(-ENOTTY, call(self->fd, PFM_IOC_CREATE_CONTEXT, &arg));
}

TEST_F(context, unknown_commands)
{
	char arg[512] = {};
	unsigned int nr;
	size_t i;

	for (nr = 0; nr < 256; nr++) {
		for (i = 0; i < ARRAY_LEN(context_cmds); i++) {
			if (_IOC_NR(context_cmds[i]) == nr)
				break;
		}
		if (i < ARRAY_LEN(context_cmds))
			continue;
		EXPECT_EQ(-ENOTTY,
			  call(self->fd, _IOW(PFM_IOC_MAGIC, nr, int), arg))
		{
			TH_LOG("number 0x%x", nr);
		}
	}
	/* A number of ours, but another's type. */
	EXPECT_EQ(-ENOTTY, call(self->fd, _IO('x', 0x04), NULL));
}

TEST_F(context, other_descriptors)
{
	char arg[512] = {};
	int pipefd[2];
	int null;
	size_t i;

	null = open("/dev/null", O_RDWR);
	ASSERT_LE(0, null);
	ASSERT_EQ(0, pipe(pipefd));
	for (i = 0; i < ARRAY_LEN(context_cmds); i++) {
		EXPECT_EQ(-ENOTTY, call(null, context_cmds[i], arg));
		EXPECT_EQ(-ENOTTY, call(pipefd[0], context_cmds[i], arg));
	}
}

TEST_F(context, arg_not_writable)
{
	struct pfm_regs *arg = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
				    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct pfm_reg reg = { .num = 511 };

	ASSERT_NE(MAP_FAILED, (void *)arg);
	arg->regs = (uintptr_t)&reg;
	arg->count = 1;
	ASSERT_EQ(0, mprotect(arg, 4096, PROT_READ));
	/* The error is told by failed, which cannot be written. */
	EXPECT_EQ(-EFAULT, call(self->fd, PFM_IOC_WRITE_PMDS, arg));
	EXPECT_EQ(-EFAULT, call(self->fd, PFM_IOC_GET_CONFIG, arg));
}

TEST_HARNESS_MAIN

// SPDX-License-Identifier: GPL-2.0-only
/*
 * The interface of <linux/perfmon.h>: layouts, and each error that each call
 * can give.
 */
#include "child.h"
#include "context.h"
#include "exact_count.h"
#include "rights.h"

#include <limits.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <pthread.h>

#include "kselftest_harness.h"

#define IOC_SIZED(cmd, size) \
	_IOC(_IOC_DIR(cmd), _IOC_TYPE(cmd), _IOC_NR(cmd), size)

/*
 * Layouts.
 */

#define AT(type, field, offset, size)					\
	do {								\
		EXPECT_EQ(offset, offsetof(type, field));		\
		EXPECT_EQ(size, sizeof(((type *)NULL)->field));		\
	} while (0)

TEST(layout_create)
{
	EXPECT_EQ(40, sizeof(struct pfm_create));
	AT(struct pfm_create, flags, 0, 4);
	AT(struct pfm_create, reserved, 4, 4);
	EXPECT_EQ(8, PFM_CREATE_SIZE_VER0);
	AT(struct pfm_create, fmt_uuid, 8, 16);
	AT(struct pfm_create, fmt_arg, 24, 8);
	AT(struct pfm_create, fmt_arg_size, 32, 4);
	AT(struct pfm_create, reserved2, 36, 4);
}

TEST(layout_reg)
{
	EXPECT_EQ(16, sizeof(struct pfm_reg));
	AT(struct pfm_reg, num, 0, 2);
	AT(struct pfm_reg, set, 2, 2);
	AT(struct pfm_reg, flags, 4, 4);
	AT(struct pfm_reg, value, 8, 8);
}

TEST(layout_pmd_attr)
{
	EXPECT_EQ(192, sizeof(struct pfm_pmd_attr));
	AT(struct pfm_pmd_attr, num, 0, 2);
	AT(struct pfm_pmd_attr, set, 2, 2);
	AT(struct pfm_pmd_attr, flags, 4, 4);
	AT(struct pfm_pmd_attr, long_reset, 8, 8);
	AT(struct pfm_pmd_attr, short_reset, 16, 8);
	AT(struct pfm_pmd_attr, random_mask, 24, 8);
	AT(struct pfm_pmd_attr, random_seed, 32, 8);
	AT(struct pfm_pmd_attr, last_reset, 40, 8);
	AT(struct pfm_pmd_attr, eventid, 48, 8);
	AT(struct pfm_pmd_attr, ovfl_switch_cnt, 56, 8);
	AT(struct pfm_pmd_attr, smpl_pmds, 64, 64);
	AT(struct pfm_pmd_attr, reset_pmds, 128, 64);
}

TEST(layout_set_desc)
{
	EXPECT_EQ(64, sizeof(struct pfm_set_desc));
	AT(struct pfm_set_desc, set, 0, 2);
	AT(struct pfm_set_desc, next, 2, 2);
	AT(struct pfm_set_desc, flags, 4, 4);
	AT(struct pfm_set_desc, timeout, 8, 8);
	AT(struct pfm_set_desc, jitter, 16, 8);
	AT(struct pfm_set_desc, reserved, 24, 40);
}

TEST(layout_set_info)
{
	EXPECT_EQ(168, sizeof(struct pfm_set_info));
	AT(struct pfm_set_info, set, 0, 2);
	AT(struct pfm_set_info, next, 2, 2);
	AT(struct pfm_set_info, flags, 4, 4);
	AT(struct pfm_set_info, timeout, 8, 8);
	AT(struct pfm_set_info, jitter, 16, 8);
	AT(struct pfm_set_info, remaining, 24, 8);
	AT(struct pfm_set_info, runs, 32, 8);
	AT(struct pfm_set_info, active_ns, 40, 8);
	AT(struct pfm_set_info, enabled_ns, 48, 8);
	AT(struct pfm_set_info, ovfl_pmds, 56, 64);
	AT(struct pfm_set_info, active, 120, 4);
	AT(struct pfm_set_info, npmcs, 124, 2);
	AT(struct pfm_set_info, npmds, 126, 2);
	AT(struct pfm_set_info, reserved, 128, 40);
}

TEST(layout_regs)
{
	EXPECT_EQ(16, sizeof(struct pfm_regs));
	AT(struct pfm_regs, regs, 0, 8);
	AT(struct pfm_regs, count, 8, 4);
	AT(struct pfm_regs, failed, 12, 4);
}

TEST(layout_event_info)
{
	EXPECT_EQ(32, sizeof(struct pfm_event_info));
	AT(struct pfm_event_info, first, 0, 8);
	AT(struct pfm_event_info, known, 8, 8);
	AT(struct pfm_event_info, implemented, 16, 8);
	AT(struct pfm_event_info, reserved, 24, 8);
}

TEST(layout_reg_info)
{
	EXPECT_EQ(72, sizeof(struct pfm_reg_info));
	AT(struct pfm_reg_info, num, 0, 2);
	AT(struct pfm_reg_info, width, 2, 2);
	AT(struct pfm_reg_info, flags, 4, 4);
	AT(struct pfm_reg_info, ctl, 8, 2);
	AT(struct pfm_reg_info, reserved, 10, 6);
	AT(struct pfm_reg_info, addr, 16, 8);
	AT(struct pfm_reg_info, dfl, 24, 8);
	AT(struct pfm_reg_info, rsvd, 32, 8);
	AT(struct pfm_reg_info, name, 40, 32);
}

TEST(layout_load)
{
	EXPECT_EQ(8, sizeof(struct pfm_load));
	AT(struct pfm_load, tid, 0, 4);
	AT(struct pfm_load, set, 4, 2);
	AT(struct pfm_load, flags, 6, 2);
}

TEST(layout_start)
{
	EXPECT_EQ(8, sizeof(struct pfm_start));
	AT(struct pfm_start, set, 0, 2);
	AT(struct pfm_start, reserved, 2, 2);
	AT(struct pfm_start, flags, 4, 4);
}

TEST(layout_config)
{
	EXPECT_EQ(344, sizeof(struct pfm_config));
	AT(struct pfm_config, abi_version, 0, 4);
	AT(struct pfm_config, flags, 4, 4);
	AT(struct pfm_config, state, 8, 4);
	AT(struct pfm_config, running, 12, 4);
	AT(struct pfm_config, records_max, 16, 4);
	AT(struct pfm_config, records, 20, 4);
	AT(struct pfm_config, merged, 24, 8);
	AT(struct pfm_config, follow_failed, 32, 8);
	AT(struct pfm_config, unsplit, 40, 8);
	AT(struct pfm_config, tasks, 48, 4);
	AT(struct pfm_config, reserved, 52, 4);
	AT(struct pfm_config, impl_pmcs, 56, 64);
	AT(struct pfm_config, impl_pmds, 120, 64);
	AT(struct pfm_config, pmu, 184, 32);
	EXPECT_EQ(216, PFM_CONFIG_SIZE_VER0);
	AT(struct pfm_config, buffer_size, 216, 8);
	AT(struct pfm_config, lane_size, 224, 8);
	AT(struct pfm_config, lanes, 232, 4);
	AT(struct pfm_config, reserved2, 236, 4);
	AT(struct pfm_config, overflows, 240, 8);
	AT(struct pfm_config, skipped, 248, 8);
	AT(struct pfm_config, fmt_errors, 256, 8);
	AT(struct pfm_config, throttled, 264, 8);
	AT(struct pfm_config, throttled_ns, 272, 8);
	AT(struct pfm_config, maps, 280, 8);
	AT(struct pfm_config, maps_lost, 288, 8);
	AT(struct pfm_config, sets, 296, 4);
	AT(struct pfm_config, set, 300, 2);
	AT(struct pfm_config, reserved3, 302, 2);
	AT(struct pfm_config, cpu, 304, 4);
	AT(struct pfm_config, offlines, 308, 4);
	AT(struct pfm_config, offline_ns, 312, 8);
	AT(struct pfm_config, unfollowed_threads, 320, 8);
	AT(struct pfm_config, unfollowed_processes, 328, 8);
	AT(struct pfm_config, msgs_merged, 336, 8);
}

TEST(layout_record)
{
	EXPECT_EQ(72, sizeof(struct pfm_record));
	AT(struct pfm_record, size, 0, 4);
	AT(struct pfm_record, reason, 4, 2);
	AT(struct pfm_record, nregs, 6, 2);
	AT(struct pfm_record, pid, 8, 4);
	AT(struct pfm_record, tid, 12, 4);
	AT(struct pfm_record, ppid, 16, 4);
	AT(struct pfm_record, status, 20, 4);
	AT(struct pfm_record, start, 24, 8);
	AT(struct pfm_record, end, 32, 8);
	AT(struct pfm_record, tasks, 40, 8);
	AT(struct pfm_record, path_len, 48, 4);
	AT(struct pfm_record, reserved, 52, 4);
	AT(struct pfm_record, comm, 56, 16);
	EXPECT_EQ(72, offsetof(struct pfm_record, regs));
}

TEST(layout_read_records)
{
	EXPECT_EQ(24, sizeof(struct pfm_read_records));
	AT(struct pfm_read_records, buf, 0, 8);
	AT(struct pfm_read_records, size, 8, 4);
	AT(struct pfm_read_records, count, 12, 4);
	AT(struct pfm_read_records, used, 16, 4);
	AT(struct pfm_read_records, flags, 20, 4);
}

TEST(layout_map)
{
	EXPECT_EQ(56, sizeof(struct pfm_map));
	AT(struct pfm_map, size, 0, 4);
	AT(struct pfm_map, pid, 4, 4);
	AT(struct pfm_map, tstamp, 8, 8);
	AT(struct pfm_map, start, 16, 8);
	AT(struct pfm_map, end, 24, 8);
	AT(struct pfm_map, offset, 32, 8);
	AT(struct pfm_map, ino, 40, 8);
	AT(struct pfm_map, dev, 48, 4);
	AT(struct pfm_map, path_len, 52, 4);
	EXPECT_EQ(56, offsetof(struct pfm_map, path));
}

TEST(layout_restart)
{
	EXPECT_EQ(16, sizeof(struct pfm_restart));
	AT(struct pfm_restart, lane, 0, 4);
	AT(struct pfm_restart, flags, 4, 4);
	AT(struct pfm_restart, arg, 8, 8);
}

TEST(layout_msg)
{
	EXPECT_EQ(64, sizeof(union pfm_msg));
	AT(union pfm_msg, type, 0, 4);
	AT(union pfm_msg, end.type, 0, 4);
	AT(union pfm_msg, end.tid, 4, 4);
	AT(union pfm_msg, end.status, 8, 4);
	AT(union pfm_msg, end.reserved, 12, 4);
	AT(union pfm_msg, ovfl.type, 0, 4);
	AT(union pfm_msg, ovfl.tid, 4, 4);
	AT(union pfm_msg, ovfl.set, 8, 2);
	AT(union pfm_msg, ovfl.cpu, 10, 2);
	AT(union pfm_msg, ovfl.pid, 12, 4);
	AT(union pfm_msg, ovfl.ip, 16, 8);
	AT(union pfm_msg, ovfl.ovfl_pmds, 24, 40);
}

/*
 * /dev/perfmon.
 */

TEST(device_mode)
{
	struct stat st;

	ASSERT_EQ(0, stat(DEVICE, &st));
	EXPECT_TRUE(S_ISCHR(st.st_mode));
	EXPECT_EQ(0660, st.st_mode & 07777);
	EXPECT_EQ(0, st.st_uid);
}

TEST(device_is_not_for_everybody)
{
	rights_drop();
	EXPECT_EQ(-EACCES, device_open());
}

FIXTURE(device) {
	int fd;
};

FIXTURE_SETUP(device)
{
	self->fd = device_open();
	ASSERT_LE(0, self->fd) {
		TH_LOG("cannot open %s: %s", DEVICE, strerror(-self->fd));
	}
}

FIXTURE_TEARDOWN(device)
{
	close(self->fd);
}

#define CTX_FLAGS	(PFM_CTX_NOTIFY_BLOCK | PFM_CTX_MAPS |		\
			 PFM_CTX_NO_MSG | PFM_CTX_SYSTEM_WIDE |		\
			 PFM_CTX_AGGREGATE |				\
			 PFM_CTX_FOLLOW_ALL)

TEST_F(device, create_unknown_flag)
{
	int bit, fd;

	for (bit = 0; bit < 32; bit++) {
		fd = context_create(self->fd, 1U << bit);
		if ((1U << bit) & CTX_FLAGS) {
			/* Needs what newer kernels alone have; see below. */
			if (fd == -EOPNOTSUPP &&
			    (1U << bit) & (PFM_CTX_NOTIFY_BLOCK | PFM_CTX_MAPS))
				continue;
			EXPECT_LE(0, fd);
			close(fd);
		} else {
			EXPECT_EQ(-EINVAL, fd) {
				TH_LOG("flag 1 << %d", bit);
			}
		}
	}
}

TEST_F(device, create_reserved)
{
	const struct pfm_create arg = { .reserved = 1 };

	const struct pfm_create arg2 = { .reserved2 = 1 };

	EXPECT_EQ(-EINVAL, call(self->fd, PFM_IOC_CREATE_CONTEXT, &arg));
	EXPECT_EQ(-EINVAL, call(self->fd, PFM_IOC_CREATE_CONTEXT, &arg2));
}

TEST_F(device, create_unknown_format)
{
	struct pfm_create arg = {};

	memset(arg.fmt_uuid, 0xee, sizeof(arg.fmt_uuid));
	EXPECT_EQ(-ENOENT, call(self->fd, PFM_IOC_CREATE_CONTEXT, &arg));
}

TEST_F(device, create_blocking_and_following)
{
	int bit;

	for (bit = 0; bit < 32; bit++) {
		if (!((1U << bit) & PFM_CTX_FOLLOW_ALL))
			continue;
		EXPECT_EQ(-EINVAL, context_create(self->fd, 1U << bit |
						  PFM_CTX_NOTIFY_BLOCK));
	}
}

TEST_F(device, create_no_descriptor_left)
{
	struct rlimit limit;

	ASSERT_EQ(0, getrlimit(RLIMIT_NOFILE, &limit));
	limit.rlim_cur = self->fd + 1;
	ASSERT_EQ(0, setrlimit(RLIMIT_NOFILE, &limit));
	EXPECT_EQ(-EMFILE, context_create(self->fd, 0));
	/* The failed call kept nothing: the modules can be taken out later. */
	EXPECT_EQ(-EMFILE, context_create(self->fd, 0));
}

TEST_F(device, create_gives_descriptor)
{
	char link[32], name[64] = "";
	const int fd = context_create(self->fd, 0);

	ASSERT_LE(0, fd);
	EXPECT_EQ(FD_CLOEXEC, fcntl(fd, F_GETFD));
	EXPECT_EQ(O_RDWR, fcntl(fd, F_GETFL) & O_ACCMODE);
	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	EXPECT_LT(0, readlink(link, name, sizeof(name) - 1));
	EXPECT_STREQ("anon_inode:[perfmon]", name);
	close(fd);
}

static const unsigned long context_cmds[] = {
	PFM_IOC_WRITE_PMCS, PFM_IOC_WRITE_PMDS, PFM_IOC_READ_PMDS,
	PFM_IOC_STOP, PFM_IOC_START, PFM_IOC_LOAD_CONTEXT,
	PFM_IOC_UNLOAD_CONTEXT, PFM_IOC_GETINFO_PMCS, PFM_IOC_GETINFO_PMDS,
	PFM_IOC_GET_CONFIG, PFM_IOC_SET_CONFIG, PFM_IOC_READ_RECORDS,
	PFM_IOC_WRITE_PMDATTRS, PFM_IOC_READ_PMDATTRS, PFM_IOC_RESTART,
	PFM_IOC_READ_MAPS, PFM_IOC_CREATE_EVTSET, PFM_IOC_DELETE_EVTSET,
	PFM_IOC_GETINFO_EVTSET, PFM_IOC_GETINFO_EVENTS,
};

TEST_F(device, context_commands)
{
	char arg[512] = {};
	size_t i;

	for (i = 0; i < ARRAY_LEN(context_cmds); i++) {
		EXPECT_EQ(-ENOTTY, call(self->fd, context_cmds[i], arg)) {
			TH_LOG("command 0x%lx", context_cmds[i]);
		}
	}
}

TEST_F(device, unknown_commands)
{
	char arg[512] = {};

	EXPECT_EQ(-ENOTTY, call(self->fd, _IOW(PFM_IOC_MAGIC, 0xff, int), arg));
	EXPECT_EQ(-ENOTTY, call(self->fd, _IOW('x', 0x08, struct pfm_create),
				arg));
	EXPECT_EQ(-ENOTTY, call(self->fd, TIOCGWINSZ, arg));
}

/*
 * Every command that takes a structure, in every size.
 */

FIXTURE(arg) {
	int device;
	int context;
	int fd;
	char *page;
};

FIXTURE_VARIANT(arg) {
	unsigned long cmd;
	unsigned int first;	/* size of the first version */
	int zero;	/* what a structure of zeroes gives, 0: success */
};

#define ARG_FIRST(name, cmd_, first_, zero_)				\
	FIXTURE_VARIANT_ADD(arg, name) {				\
		.cmd = cmd_,						\
		.first = first_,					\
		.zero = zero_,						\
	}

#define ARG(name, cmd, zero)	ARG_FIRST(name, cmd, _IOC_SIZE(cmd), zero)

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
	self->fd = variant->cmd == PFM_IOC_CREATE_CONTEXT ? self->device :
							    self->context;
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
					self->page)) {
			TH_LOG("size %u", s);
		}
	}
}

/* What an older caller does not know is as if it were zero. */
TEST_F(arg, older_version)
{
	unsigned int s;

	memset(self->page + variant->first, 0xff, 4096 - variant->first);
	for (s = variant->first; s < _IOC_SIZE(variant->cmd); s += 8) {
		EXPECT_EQ(variant->zero, outcome(call(
			self->fd, IOC_SIZED(variant->cmd, s), self->page)));
		memset(self->page + s, 0, 8);
	}
	EXPECT_EQ(variant->zero, outcome(call(
		self->fd, IOC_SIZED(variant->cmd, s), self->page)));
}

TEST_F(arg, longer_and_zero)
{
	const unsigned int size = _IOC_SIZE(variant->cmd);
	const unsigned int sizes[] = { size + 1, size + 8, 4096,
				       (1 << _IOC_SIZEBITS) - 1 };
	size_t i;

	for (i = 0; i < ARRAY_LEN(sizes); i++) {
		EXPECT_EQ(variant->zero, outcome(call(
			self->fd, IOC_SIZED(variant->cmd, sizes[i]),
			self->page))) {
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
	EXPECT_EQ(-E2BIG, call(self->fd, IOC_SIZED(variant->cmd, 4096),
			       self->page));
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

/*
 * Calls on a context.
 */

FIXTURE(context) {
	int fd;
	bool has_pmcs;
};

FIXTURE_SETUP(context)
{
	struct pfm_config cfg;

	self->fd = context_open(0);
	ASSERT_LE(0, self->fd) {
		TH_LOG("no context: %s", strerror(-self->fd));
	}
	ASSERT_EQ(0, config_get(self->fd, &cfg));
	self->has_pmcs = cfg.impl_pmcs[0];
}

FIXTURE_TEARDOWN(context)
{
	close(self->fd);
}

#define NEED_PMCS()							\
	do {								\
		if (!self->has_pmcs)					\
			SKIP(return, "this machine's PMU has no PMC");	\
	} while (0)

TEST_F(context, start_null)
{
	ASSERT_EQ(0, pmd_write(self->fd, CPU_TIME_NS, 0));
	ASSERT_EQ(0, context_load(self->fd, 0));
	EXPECT_EQ(0, call(self->fd, PFM_IOC_START, NULL));
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
		EXPECT_EQ(-ENOTTY, call(self->fd, _IOW(PFM_IOC_MAGIC, nr, int),
					arg)) {
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

/* Vectors. */

static const unsigned long reg_cmds[] = {
	PFM_IOC_WRITE_PMCS, PFM_IOC_WRITE_PMDS, PFM_IOC_READ_PMDS,
};

static const unsigned long vector_cmds[] = {
	PFM_IOC_WRITE_PMCS, PFM_IOC_WRITE_PMDS, PFM_IOC_READ_PMDS,
	PFM_IOC_GETINFO_PMCS, PFM_IOC_GETINFO_PMDS,
};

TEST_F(context, no_such_register)
{
	const uint16_t nums[] = { 255, 257, 319, 511, 512, 0x7fff, 0xffff };
	union {
		struct pfm_reg reg;
		struct pfm_reg_info info;
	} arg;
	uint32_t failed;
	size_t i, j;

	for (i = 0; i < ARRAY_LEN(vector_cmds); i++) {
		for (j = 0; j < ARRAY_LEN(nums); j++) {
			memset(&arg, 0, sizeof(arg));
			arg.reg.num = nums[j];	/* info.num is there, too */
			failed = ~0;
			EXPECT_EQ(-ENXIO, vector(self->fd, vector_cmds[i], &arg,
						 1, &failed)) {
				TH_LOG("command 0x%lx register %u",
				       vector_cmds[i], nums[j]);
			}
			EXPECT_EQ(0, failed);
		}
	}
}

TEST_F(context, reg_unknown_flags)
{
	uint32_t failed;
	size_t i;
	int bit;

	for (i = 0; i < ARRAY_LEN(reg_cmds); i++) {
		const bool pmc = reg_cmds[i] == PFM_IOC_WRITE_PMCS;

		if (pmc && !self->has_pmcs)
			continue;
		for (bit = 0; bit < 32; bit++) {
			const struct pfm_reg reg = {
				.num = pmc ? 0 : CPU_TIME_NS,
				.flags = 1U << bit,
			};

			failed = ~0;
			EXPECT_EQ(-EINVAL, vector(self->fd, reg_cmds[i], &reg,
						  1, &failed));
			EXPECT_EQ(0, failed);
		}
	}
}

TEST_F(context, getinfo_reserved)
{
	struct pfm_reg_info info[2] = {
		{ .num = CPU_TIME_NS },
		{ .num = CPU_TIME_NS },
	};
	uint32_t failed = ~0;
	int i;

	for (i = 0; i < 3; i++) {
		info[1].reserved[i] = 1;
		EXPECT_EQ(-EINVAL, vector(self->fd, PFM_IOC_GETINFO_PMDS, info,
					  2, &failed));
		EXPECT_EQ(1, failed);
		info[1].reserved[i] = 0;
	}
}

TEST_F(context, no_such_set)
{
	struct pfm_reg reg = { .num = CPU_TIME_NS, .set = 1 };
	uint32_t failed = ~0;

	EXPECT_EQ(-ENOENT, vector(self->fd, PFM_IOC_WRITE_PMDS, &reg, 1,
				  &failed));
	EXPECT_EQ(0, failed);
	EXPECT_EQ(-ENOENT, vector(self->fd, PFM_IOC_READ_PMDS, &reg, 1, NULL));
	reg.set = 0xffff;
	EXPECT_EQ(-ENOENT, vector(self->fd, PFM_IOC_WRITE_PMDS, &reg, 1, NULL));
}

TEST_F(context, no_such_set_pmc)
{
	const struct pfm_reg reg = { .num = 0, .set = 1, .value = TYPE_P };

	NEED_PMCS();
	EXPECT_EQ(-ENOENT, vector(self->fd, PFM_IOC_WRITE_PMCS, &reg, 1, NULL));
}

TEST_F(context, no_such_set_load_start)
{
	const struct pfm_load load = { .set = 1 };
	const struct pfm_start start = { .set = 1 };

	ASSERT_EQ(0, pmd_write(self->fd, CPU_TIME_NS, 0));
	EXPECT_EQ(-ENOENT, call(self->fd, PFM_IOC_LOAD_CONTEXT, &load));
	ASSERT_EQ(0, context_load(self->fd, 0));
	EXPECT_EQ(-ENOENT, call(self->fd, PFM_IOC_START, &start));
}

TEST_F(context, vector_too_long)
{
	static struct pfm_reg regs[PFM_REGS_MAX + 1];
	static struct pfm_reg_info info[PFM_REGS_MAX + 1];
	const uint32_t count = PFM_REGS_MAX + 1;
	uint32_t failed;
	size_t i;

	for (i = 0; i < ARRAY_LEN(regs); i++) {
		regs[i].num = CPU_TIME_NS;
		info[i].num = CPU_TIME_NS;
	}
	for (i = 0; i < ARRAY_LEN(vector_cmds); i++) {
		failed = 0;
		EXPECT_EQ(-E2BIG, vector(self->fd, vector_cmds[i],
					 i < 3 ? (void *)regs : (void *)info,
					 count, &failed));
		EXPECT_EQ(count, failed);
		EXPECT_EQ(-E2BIG, vector(self->fd, vector_cmds[i], regs, ~0U,
					 NULL));
	}
	/* The longest that may be; elements may repeat, the last one counts. */
	regs[PFM_REGS_MAX - 1].value = 77;
	EXPECT_EQ(0, vector(self->fd, PFM_IOC_WRITE_PMDS, regs, PFM_REGS_MAX,
			    NULL));
	memset(&regs[0].value, 0xff, sizeof(regs[0].value));
	EXPECT_EQ(0, vector(self->fd, PFM_IOC_READ_PMDS, regs, PFM_REGS_MAX,
			    NULL));
	EXPECT_EQ(77, regs[0].value);
	EXPECT_EQ(77, regs[PFM_REGS_MAX - 1].value);
	EXPECT_EQ(0, vector(self->fd, PFM_IOC_GETINFO_PMDS, info, PFM_REGS_MAX,
			    NULL));
}

TEST_F(context, vector_empty)
{
	size_t i;

	for (i = 0; i < ARRAY_LEN(vector_cmds); i++)
		EXPECT_EQ(0, vector(self->fd, vector_cmds[i], NULL, 0, NULL));
}

TEST_F(context, vector_bad_pointer)
{
	const size_t room = 3 * 4096;
	char *page = mmap(NULL, room, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct pfm_reg *regs;
	uint32_t failed;
	size_t i;

	ASSERT_NE(MAP_FAILED, (void *)page);
	for (i = 0; i < ARRAY_LEN(vector_cmds); i++) {
		failed = ~0;
		EXPECT_EQ(-EFAULT, vector(self->fd, vector_cmds[i], NULL, 1,
					  &failed));
		EXPECT_EQ(1, failed);
		EXPECT_EQ(-EFAULT, vector(self->fd, vector_cmds[i],
					  (void *)-4096L, 1, NULL));
	}
	/* The second element is where nothing is. */
	ASSERT_EQ(0, munmap(page + 4096, 4096));
	regs = (struct pfm_reg *)(page + 4096) - 1;
	regs->num = CPU_TIME_NS;
	regs->value = 5;
	EXPECT_EQ(-EFAULT, vector(self->fd, PFM_IOC_WRITE_PMDS, regs, 2, NULL));
	/* Not even the first was taken. */
	EXPECT_EQ(-ENODATA, vector(self->fd, PFM_IOC_READ_PMDS, regs, 1, NULL));
}

TEST_F(context, vector_not_writable)
{
	char *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct pfm_reg *reg = (void *)page;
	struct pfm_reg_info *info = (void *)page;

	ASSERT_NE(MAP_FAILED, (void *)page);
	reg->num = CPU_TIME_NS;
	ASSERT_EQ(0, vector(self->fd, PFM_IOC_WRITE_PMDS, reg, 1, NULL));
	memset(page, 0, 4096);
	info->num = CPU_TIME_NS;
	ASSERT_EQ(0, mprotect(page, 4096, PROT_READ));
	EXPECT_EQ(-EFAULT, vector(self->fd, PFM_IOC_READ_PMDS, reg, 1, NULL));
	EXPECT_EQ(-EFAULT, vector(self->fd, PFM_IOC_GETINFO_PMDS, info, 1,
				  NULL));
	/* What only reads memory needs no more. */
	EXPECT_EQ(0, vector(self->fd, PFM_IOC_WRITE_PMDS, reg, 1, NULL));
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

TEST_F(context, write_pmds_all_or_nothing)
{
	struct pfm_reg regs[3] = {
		{ .num = CPU_TIME_NS, .value = 5 },
		{ .num = WALL_TIME_NS, .value = 6 },
		{ .num = 511 },
	};
	uint32_t failed = ~0;

	EXPECT_EQ(-ENXIO, vector(self->fd, PFM_IOC_WRITE_PMDS, regs, 3,
				 &failed));
	EXPECT_EQ(2, failed);
	EXPECT_EQ(-ENODATA, vector(self->fd, PFM_IOC_READ_PMDS, regs, 1, NULL));
	ASSERT_EQ(0, vector(self->fd, PFM_IOC_WRITE_PMDS, regs, 2, NULL));
	regs[0].value = 7;
	regs[1].num = FREE_MEMORY_BYTES;
	EXPECT_EQ(-EACCES, vector(self->fd, PFM_IOC_WRITE_PMDS, regs, 2,
				  &failed));
	EXPECT_EQ(1, failed);
	EXPECT_EQ(5, pmd_value(self->fd, CPU_TIME_NS));
	EXPECT_EQ(6, pmd_value(self->fd, WALL_TIME_NS));
}

TEST_F(context, write_pmds_all_or_nothing_loaded)
{
	struct pfm_reg regs[2] = {
		{ .num = CPU_TIME_NS, .value = 7 },
		{ .num = WALL_TIME_NS, .value = 8 },
	};
	uint32_t failed = ~0;

	ASSERT_EQ(0, pmd_write(self->fd, CPU_TIME_NS, 5));
	ASSERT_EQ(0, context_load(self->fd, 0));
	EXPECT_EQ(-EBUSY, vector(self->fd, PFM_IOC_WRITE_PMDS, regs, 2,
				 &failed));
	EXPECT_EQ(1, failed);
	EXPECT_EQ(5, pmd_value(self->fd, CPU_TIME_NS));
}

TEST_F(context, read_pmds_all_or_nothing)
{
	struct pfm_reg regs[2] = {
		{ .num = CPU_TIME_NS, .value = 99 },
		{ .num = WALL_TIME_NS, .value = 98 },
	};
	uint32_t failed = ~0;

	ASSERT_EQ(0, pmd_write(self->fd, CPU_TIME_NS, 5));
	EXPECT_EQ(-ENODATA, vector(self->fd, PFM_IOC_READ_PMDS, regs, 2,
				   &failed));
	EXPECT_EQ(1, failed);
	EXPECT_EQ(99, regs[0].value);
	EXPECT_EQ(98, regs[1].value);
}

TEST_F(context, getinfo_all_or_nothing)
{
	struct pfm_reg_info info[2] = {
		{ .num = CPU_TIME_NS, .addr = 99 },
		{ .num = 511 },
	};
	uint32_t failed = ~0;

	EXPECT_EQ(-ENXIO, vector(self->fd, PFM_IOC_GETINFO_PMDS, info, 2,
				 &failed));
	EXPECT_EQ(1, failed);
	EXPECT_EQ(99, info[0].addr);
	EXPECT_EQ('\0', info[0].name[0]);
}

TEST_F(context, write_pmcs_all_or_nothing)
{
	struct pfm_reg regs[2] = {
		{ .num = 0, .value = TYPE_P | EVENT_CPU_CYCLES },
		{ .num = 1, .value = 1ULL << 63 },
	};
	uint32_t failed = ~0;

	NEED_PMCS();
	/* The first stays as it was: it counts nothing. */
	EXPECT_EQ(-ERANGE, vector(self->fd, PFM_IOC_WRITE_PMCS, regs, 2,
				  &failed));
	EXPECT_EQ(1, failed);
	ASSERT_EQ(0, pmd_write(self->fd, 0, 0));
	ASSERT_EQ(0, context_load(self->fd, 0));
	EXPECT_EQ(0, self_loop(self->fd, 100000));
	EXPECT_EQ(0, pmd_value(self->fd, 0));
	/* It would have counted. */
	ASSERT_EQ(0, vector(self->fd, PFM_IOC_WRITE_PMCS, regs, 1, NULL));
	EXPECT_EQ(0, self_loop(self->fd, 100000));
	EXPECT_LT(0, pmd_value(self->fd, 0));
}

TEST_F(context, write_pmc_reserved_bits)
{
	struct pfm_reg_info info = { .num = 0 };
	uint32_t failed;
	int bit, reserved = 0;

	NEED_PMCS();
	ASSERT_EQ(0, vector(self->fd, PFM_IOC_GETINFO_PMCS, &info, 1, NULL));
	for (bit = 0; bit < 64; bit++) {
		const struct pfm_reg reg = {
			.num = 0,
			.value = info.dfl ^ (1ULL << bit),
		};

		if (!(info.rsvd >> bit & 1))
			continue;
		reserved++;
		failed = ~0;
		EXPECT_EQ(-ERANGE, vector(self->fd, PFM_IOC_WRITE_PMCS, &reg, 1,
					  &failed)) {
			TH_LOG("bit %d", bit);
		}
		EXPECT_EQ(0, failed);
	}
	EXPECT_LT(0, reserved);
	EXPECT_EQ(0, pmc_write(self->fd, 0, info.dfl));
}

TEST_F(context, write_pmd_read_only)
{
	uint32_t failed = ~0;
	const struct pfm_reg reg = { .num = FREE_MEMORY_BYTES };

	EXPECT_EQ(-EACCES, vector(self->fd, PFM_IOC_WRITE_PMDS, &reg, 1,
				  &failed));
	EXPECT_EQ(0, failed);
}

TEST_F(context, write_loaded_unused)
{
	ASSERT_EQ(0, pmd_write(self->fd, CPU_TIME_NS, 0));
	ASSERT_EQ(0, context_load(self->fd, 0));
	EXPECT_EQ(-EBUSY, pmd_write(self->fd, WALL_TIME_NS, 0));
	EXPECT_EQ(0, pmd_write(self->fd, CPU_TIME_NS, 0));
	ASSERT_EQ(0, context_unload(self->fd));
	EXPECT_EQ(0, pmd_write(self->fd, WALL_TIME_NS, 0));
}

TEST_F(context, write_loaded_unused_pmc)
{
	NEED_PMCS();
	ASSERT_EQ(0, pmc_write(self->fd, 0, TYPE_P | EVENT_CPU_CYCLES));
	ASSERT_EQ(0, pmd_write(self->fd, 0, 0));
	ASSERT_EQ(0, context_load(self->fd, 0));
	EXPECT_EQ(-EBUSY, pmc_write(self->fd, 1, TYPE_P | EVENT_CPU_CYCLES));
	EXPECT_EQ(0, pmc_write(self->fd, 0, TYPE_P | EVENT_INST_RETIRED));
	ASSERT_EQ(0, context_unload(self->fd));
	EXPECT_EQ(0, pmc_write(self->fd, 1, TYPE_P | EVENT_CPU_CYCLES));
}

TEST_F(context, write_loaded_following)
{
	const int fd = context_open(PFM_CTX_FOLLOW_FORK);

	ASSERT_LE(0, fd);
	ASSERT_EQ(0, pmd_write(fd, CPU_TIME_NS, 0));
	ASSERT_EQ(0, context_load(fd, 0));
	EXPECT_EQ(-EBUSY, pmd_write(fd, CPU_TIME_NS, 0));
	EXPECT_EQ(-EBUSY, pmd_write(fd, WALL_TIME_NS, 0));
	ASSERT_EQ(0, context_unload(fd));
	EXPECT_EQ(0, pmd_write(fd, CPU_TIME_NS, 0));
	close(fd);
}

TEST_F(context, values_are_64_bits)
{
	const uint64_t values[] = { 0, 1, 0xffffffff, 0x100000000,
				    0x123456789abcdef0, ~0ULL - 1 };
	uint64_t value;
	size_t i;

	for (i = 0; i < ARRAY_LEN(values); i++) {
		ASSERT_EQ(0, pmd_write(self->fd, CPU_TIME_NS, values[i]));
		ASSERT_EQ(0, pmd_read(self->fd, CPU_TIME_NS, &value));
		EXPECT_EQ(values[i], value);
	}
}

TEST_F(context, read_unused)
{
	uint64_t value;

	EXPECT_EQ(-ENODATA, pmd_read(self->fd, CPU_TIME_NS, &value));
	ASSERT_EQ(0, pmd_write(self->fd, WALL_TIME_NS, 0));
	EXPECT_EQ(-ENODATA, pmd_read(self->fd, CPU_TIME_NS, &value));
	ASSERT_EQ(0, context_load(self->fd, 0));
	EXPECT_EQ(-ENODATA, pmd_read(self->fd, CPU_TIME_NS, &value));
}

/* GETINFO and GET_CONFIG. */

TEST_F(context, implemented_registers)
{
	struct pfm_config cfg;
	int num;

	ASSERT_EQ(0, config_get(self->fd, &cfg));
	for (num = 0; num < PFM_REGS_MAX; num++) {
		struct pfm_reg_info pmc = { .num = num }, pmd = { .num = num };
		const bool has_pmc = cfg.impl_pmcs[num / 64] >> num % 64 & 1;
		const bool has_pmd = cfg.impl_pmds[num / 64] >> num % 64 & 1;

		EXPECT_EQ(has_pmc ? 0 : -ENXIO,
			  vector(self->fd, PFM_IOC_GETINFO_PMCS, &pmc, 1,
				 NULL)) {
			TH_LOG("PMC%d", num);
		}
		EXPECT_EQ(has_pmd ? 0 : -ENXIO,
			  vector(self->fd, PFM_IOC_GETINFO_PMDS, &pmd, 1,
				 NULL)) {
			TH_LOG("PMD%d", num);
		}
		if (has_pmc) {
			EXPECT_EQ(num, pmc.num);
			EXPECT_NE('\0', pmc.name[0]);
			EXPECT_NE(NULL, memchr(pmc.name, 0, sizeof(pmc.name)));
		}
		if (has_pmd) {
			EXPECT_EQ(num, pmd.num);
			EXPECT_NE('\0', pmd.name[0]);
			EXPECT_LT(0, pmd.width);
			EXPECT_GE(64, pmd.width);
			EXPECT_EQ(num >= PFM_REG_VIRT_BASE,
				  !!(pmd.flags & PFM_REGI_VIRTUAL));
		}
		/* The PMC that drives a PMD exists. */
		if (has_pmd && pmd.ctl != PFM_REG_NONE) {
			ASSERT_GT(PFM_REGS_MAX, pmd.ctl);
			EXPECT_TRUE(cfg.impl_pmcs[pmd.ctl / 64] >>
				    pmd.ctl % 64 & 1);
		}
	}
}

TEST_F(context, getinfo_virtual)
{
	struct pfm_reg_info info[2] = {
		{ .num = FREE_MEMORY_BYTES },
		{ .num = CPU_TIME_NS },
	};

	ASSERT_EQ(0, vector(self->fd, PFM_IOC_GETINFO_PMDS, info, 2, NULL));
	EXPECT_STREQ("FREE_MEMORY_BYTES", info[0].name);
	EXPECT_EQ(PFM_REGI_VIRTUAL | PFM_REGI_READONLY | PFM_REGI_GAUGE,
		  info[0].flags);
	EXPECT_EQ(PFM_REG_NONE, info[0].ctl);
	EXPECT_EQ(0, info[0].addr);
	EXPECT_STREQ("CPU_TIME_NS", info[1].name);
	EXPECT_EQ(64, info[1].width);
	EXPECT_EQ(PFM_REGI_VIRTUAL | PFM_REGI_COUNTER | PFM_REGI_OVERFLOW,
		  info[1].flags);
}

TEST_F(context, getinfo_armv8)
{
	struct pfm_reg_info pmc[2] = { { .num = 0 }, { .num = CYCLES } };
	struct pfm_reg_info pmd[2] = { { .num = 1 }, { .num = CYCLES } };
	struct pfm_config cfg;

#ifndef __aarch64__
	SKIP(return, "the registers of arm64 are only there");
#endif
	ASSERT_EQ(0, config_get(self->fd, &cfg));
	EXPECT_STREQ("armv8_pmuv3", cfg.pmu);
	ASSERT_EQ(0, vector(self->fd, PFM_IOC_GETINFO_PMCS, pmc, 2, NULL));
	ASSERT_EQ(0, vector(self->fd, PFM_IOC_GETINFO_PMDS, pmd, 2, NULL));
	/* op0 3, op1 3; CRn, CRm and op2 from the Arm ARM, C5.3 and D17.5 */
	EXPECT_STREQ("PMEVTYPER0_EL0", pmc[0].name);
	EXPECT_EQ(3 << 14 | 3 << 11 | 14 << 7 | 12 << 3 | 0, pmc[0].addr);
	EXPECT_STREQ("PMCCFILTR_EL0", pmc[1].name);
	EXPECT_EQ(3 << 14 | 3 << 11 | 14 << 7 | 15 << 3 | 7, pmc[1].addr);
	EXPECT_STREQ("PMEVCNTR1_EL0", pmd[0].name);
	EXPECT_EQ(3 << 14 | 3 << 11 | 14 << 7 | 8 << 3 | 1, pmd[0].addr);
	EXPECT_EQ(1, pmd[0].ctl);
	EXPECT_STREQ("PMCCNTR_EL0", pmd[1].name);
	EXPECT_EQ(3 << 14 | 3 << 11 | 9 << 7 | 13 << 3 | 0, pmd[1].addr);
	EXPECT_EQ(CYCLES, pmd[1].ctl);
	EXPECT_EQ(64, pmd[1].width);
	EXPECT_TRUE(pmd[1].flags & PFM_REGI_CYCLES);
	EXPECT_FALSE(pmd[0].flags & PFM_REGI_CYCLES);
}

/* What is wrong with an element, and that nothing is written then. */
TEST_F(context, getinfo_events_refused)
{
	struct pfm_event_info info[2] = { { .known = 99 } };
	uint32_t failed = ~0;

	info[1].first = 1;
	EXPECT_EQ(-EINVAL, vector(self->fd, PFM_IOC_GETINFO_EVENTS, info, 2,
				  &failed));
	EXPECT_EQ(1, failed);
	info[1].first = 0x4020;
	EXPECT_EQ(-EINVAL, vector(self->fd, PFM_IOC_GETINFO_EVENTS, info, 2,
				  &failed));
	info[1].first = 64;
	info[1].reserved = 1;
	failed = ~0;
	EXPECT_EQ(-EINVAL, vector(self->fd, PFM_IOC_GETINFO_EVENTS, info, 2,
				  &failed));
	EXPECT_EQ(1, failed);
	EXPECT_EQ(99, info[0].known);
	info[1].reserved = 0;
	EXPECT_EQ(-E2BIG, vector(self->fd, PFM_IOC_GETINFO_EVENTS, info,
				 PFM_REGS_MAX + 1, &failed));
	EXPECT_EQ(PFM_REGS_MAX + 1, failed);
	EXPECT_EQ(-EFAULT, vector(self->fd, PFM_IOC_GETINFO_EVENTS, NULL, 1,
				  &failed));
	EXPECT_EQ(0, vector(self->fd, PFM_IOC_GETINFO_EVENTS, info, 2, NULL));
}

/* Codes that nobody numbers are not known, with and without a PMU. */
TEST_F(context, getinfo_events_unknown)
{
	struct pfm_event_info info[3] = {
		{ .first = 64, .known = ~0ULL, .implemented = ~0ULL },
		{ .first = 1ULL << 63 },
		{ .first = -64ULL, .implemented = 1 },
	};
	int i;

	ASSERT_EQ(0, vector(self->fd, PFM_IOC_GETINFO_EVENTS, info, 3, NULL));
	EXPECT_EQ(64, info[0].first);
	for (i = 0; i < 3; i++) {
		EXPECT_EQ(0, info[i].known);
		EXPECT_EQ(0, info[i].implemented);
	}
}

/* PMUv3 prescribes SW_INCR and CPU_CYCLES; the sysfs file says the same. */
TEST_F(context, getinfo_events_armv8)
{
	struct pfm_event_info info[2] = { { .first = 0 }, { .first = 0x4000 } };
	unsigned long long first, known, implemented;
	FILE *file;

#ifndef __aarch64__
	SKIP(return, "the events of arm64 are only there");
#endif
	ASSERT_EQ(0, vector(self->fd, PFM_IOC_GETINFO_EVENTS, info, 2, NULL));
	EXPECT_EQ(~0ULL, info[0].known);
	EXPECT_TRUE(info[0].implemented & 1ULL << 0x00);
	EXPECT_TRUE(info[0].implemented & 1ULL << 0x11);
	EXPECT_TRUE(!info[1].known || info[1].known == ~0ULL);
	EXPECT_EQ(0, info[1].implemented & ~info[1].known);
	file = fopen("/sys/kernel/perfmon/pmu/armv8_pmuv3/events", "r");
	ASSERT_NE(NULL, file);
	EXPECT_EQ(3, fscanf(file, "%llx %llx %llx", &first, &known,
			    &implemented));
	EXPECT_EQ(0, first);
	EXPECT_EQ(info[0].known, known);
	EXPECT_EQ(info[0].implemented, implemented);
	if (info[1].known) {
		EXPECT_EQ(3, fscanf(file, "%llx %llx %llx", &first, &known,
				    &implemented));
		EXPECT_EQ(0x4000, first);
		EXPECT_EQ(info[1].implemented, implemented);
	}
	EXPECT_EQ(EOF, fscanf(file, "%llx", &first));
	fclose(file);
}

TEST_F(context, get_config)
{
	struct pfm_config cfg;

	ASSERT_EQ(0, config_get(self->fd, &cfg));
	EXPECT_EQ(PFM_ABI_VERSION, cfg.abi_version);
	EXPECT_EQ(0, cfg.flags);
	EXPECT_EQ(PFM_STATE_UNLOADED, cfg.state);
	EXPECT_EQ(0, cfg.running);
	EXPECT_EQ(PFM_RECORDS_DFL, cfg.records_max);
	EXPECT_EQ(0, cfg.tasks);
	EXPECT_TRUE(cfg.impl_pmds[CPU_TIME_NS / 64] & 1);
	ASSERT_EQ(0, pmd_write(self->fd, CPU_TIME_NS, 0));
	ASSERT_EQ(0, context_load(self->fd, 0));
	ASSERT_EQ(0, config_get(self->fd, &cfg));
	EXPECT_EQ(PFM_STATE_LOADED, cfg.state);
	EXPECT_EQ(0, cfg.running);
	EXPECT_EQ(1, cfg.tasks);
	ASSERT_EQ(0, context_start(self->fd, 0));
	ASSERT_EQ(0, config_get(self->fd, &cfg));
	EXPECT_EQ(1, cfg.running);
	ASSERT_EQ(0, context_stop(self->fd));
	ASSERT_EQ(0, config_get(self->fd, &cfg));
	EXPECT_EQ(0, cfg.running);
	ASSERT_EQ(0, context_unload(self->fd));
	ASSERT_EQ(0, config_get(self->fd, &cfg));
	EXPECT_EQ(PFM_STATE_UNLOADED, cfg.state);
	EXPECT_EQ(0, cfg.tasks);
}

TEST_F(context, get_config_sizes)
{
	union {
		struct pfm_config cfg;
		char bytes[512];
	} arg;
	const unsigned int size = sizeof(arg.cfg);

	memset(&arg, 0, sizeof(arg));
	EXPECT_EQ(-EINVAL, call(self->fd,
				IOC_SIZED(PFM_IOC_GET_CONFIG,
					  PFM_CONFIG_SIZE_VER0 - 1), &arg));
	EXPECT_EQ(0, arg.cfg.abi_version);
	/* An older caller gets what it knows, and nothing beyond. */
	memset(&arg, 0xff, sizeof(arg));
	EXPECT_EQ(0, call(self->fd, IOC_SIZED(PFM_IOC_GET_CONFIG,
					      PFM_CONFIG_SIZE_VER0), &arg));
	EXPECT_EQ(PFM_ABI_VERSION, arg.cfg.abi_version);
	EXPECT_EQ((char)0xff, arg.bytes[PFM_CONFIG_SIZE_VER0]);
	memset(&arg, 0, sizeof(arg));
	EXPECT_EQ(0, call(self->fd, IOC_SIZED(PFM_IOC_GET_CONFIG, size + 8),
			  &arg));
	EXPECT_EQ(PFM_ABI_VERSION, arg.cfg.abi_version);
	/* A newer caller finds zero in what this kernel does not know. */
	EXPECT_EQ(0, arg.bytes[size]);
	EXPECT_EQ(-EFAULT, call(self->fd, PFM_IOC_GET_CONFIG, NULL));
}

/* SET_CONFIG */

TEST_F(context, set_config_records_max)
{
	const uint32_t bad[] = { 0, PFM_RECORDS_MAX + 1, ~0U };
	const uint32_t good[] = { 1, PFM_RECORDS_MAX };
	struct pfm_config cfg;
	size_t i;

	ASSERT_EQ(0, config_get(self->fd, &cfg));
	for (i = 0; i < ARRAY_LEN(bad); i++) {
		cfg.records_max = bad[i];
		EXPECT_EQ(-ERANGE, config_set(self->fd, &cfg));
		ASSERT_EQ(0, config_get(self->fd, &cfg));
		EXPECT_EQ(PFM_RECORDS_DFL, cfg.records_max);
	}
	for (i = 0; i < ARRAY_LEN(good); i++) {
		cfg.records_max = good[i];
		EXPECT_EQ(0, config_set(self->fd, &cfg));
		ASSERT_EQ(0, config_get(self->fd, &cfg));
		EXPECT_EQ(good[i], cfg.records_max);
	}
}

TEST_F(context, set_config_unknown_flag)
{
	struct pfm_config cfg;
	int bit;

	for (bit = 0; bit < 32; bit++) {
		if ((1U << bit) & CTX_FLAGS)
			continue;
		ASSERT_EQ(0, config_get(self->fd, &cfg));
		cfg.flags = 1U << bit;
		EXPECT_EQ(-EINVAL, config_set(self->fd, &cfg));
	}
}

TEST_F(context, set_config_reserved)
{
	struct pfm_config cfg;

	ASSERT_EQ(0, config_get(self->fd, &cfg));
	cfg.reserved = 1;
	EXPECT_EQ(-EINVAL, config_set(self->fd, &cfg));
}

TEST_F(context, set_config_follow)
{
	struct pfm_config cfg;

	ASSERT_EQ(0, config_get(self->fd, &cfg));
	cfg.flags = PFM_CTX_FOLLOW_ALL;
	EXPECT_EQ(0, config_set(self->fd, &cfg));
	ASSERT_EQ(0, pmd_write(self->fd, CPU_TIME_NS, 0));
	ASSERT_EQ(0, context_load(self->fd, 0));
	ASSERT_EQ(0, config_get(self->fd, &cfg));
	EXPECT_EQ(PFM_CTX_FOLLOW_ALL, cfg.flags);
	cfg.flags = PFM_CTX_FOLLOW_FORK;
	cfg.records_max = 7;
	EXPECT_EQ(-EBUSY, config_set(self->fd, &cfg));
	/* The same flags are no change; neither did the limit change before. */
	ASSERT_EQ(0, config_get(self->fd, &cfg));
	EXPECT_EQ(PFM_CTX_FOLLOW_ALL, cfg.flags);
	EXPECT_EQ(PFM_RECORDS_DFL, cfg.records_max);
	cfg.records_max = 7;
	EXPECT_EQ(0, config_set(self->fd, &cfg));
	ASSERT_EQ(0, config_get(self->fd, &cfg));
	EXPECT_EQ(7, cfg.records_max);
}

TEST_F(context, set_config_ignores_the_rest)
{
	struct pfm_config cfg, after;

	ASSERT_EQ(0, config_get(self->fd, &cfg));
	memset(&cfg, 0xff, sizeof(cfg));
	cfg.flags = 0;
	cfg.records_max = PFM_RECORDS_DFL;
	cfg.reserved = 0;
	cfg.reserved2 = 0;
	EXPECT_EQ(0, config_set(self->fd, &cfg));
	ASSERT_EQ(0, config_get(self->fd, &after));
	EXPECT_EQ(PFM_ABI_VERSION, after.abi_version);
	EXPECT_EQ(PFM_STATE_UNLOADED, after.state);
	EXPECT_EQ(0, after.running);
	EXPECT_EQ(0, after.merged);
	EXPECT_EQ(0, after.tasks);
}

TEST_F(context, set_config_records_max_unprivileged)
{
	struct pfm_config cfg;

	rights_drop();
	ASSERT_EQ(0, config_get(self->fd, &cfg));
	EXPECT_EQ(0, config_set(self->fd, &cfg));
	cfg.records_max = PFM_RECORDS_DFL + 1;
	EXPECT_EQ(-EPERM, config_set(self->fd, &cfg));
	ASSERT_EQ(0, config_get(self->fd, &cfg));
	EXPECT_EQ(PFM_RECORDS_DFL, cfg.records_max);
	cfg.records_max = 5;
	EXPECT_EQ(0, config_set(self->fd, &cfg));
}

/* The creator had the right to more records; the caller changes something else. */
TEST_F(context, set_config_handed_back)
{
	struct pfm_config cfg;

	ASSERT_EQ(0, config_get(self->fd, &cfg));
	cfg.records_max = PFM_RECORDS_MAX;
	ASSERT_EQ(0, config_set(self->fd, &cfg));
	rights_drop();
	ASSERT_EQ(0, config_get(self->fd, &cfg));
	cfg.flags = PFM_CTX_FOLLOW_FORK;
	EXPECT_EQ(0, config_set(self->fd, &cfg));
	ASSERT_EQ(0, config_get(self->fd, &cfg));
	EXPECT_EQ(PFM_CTX_FOLLOW_FORK, cfg.flags);
	EXPECT_EQ(PFM_RECORDS_MAX, cfg.records_max);
	cfg.records_max = PFM_RECORDS_MAX - 1;
	EXPECT_EQ(-EPERM, config_set(self->fd, &cfg));
}

/* WRITE_PMDATTRS, READ_PMDATTRS, RESTART, mmap(2) */

static int attr_call(int fd, unsigned long cmd, struct pfm_pmd_attr *attr)
{
	return vector(fd, cmd, attr, 1, NULL);
}

TEST_F(context, attrs_no_such_register)
{
	struct pfm_pmd_attr attr = { .num = 511 };
	struct pfm_pmd_attr smpl = { .num = CPU_TIME_NS };
	struct pfm_pmd_attr reset = { .num = CPU_TIME_NS };

	EXPECT_EQ(-ENXIO, attr_call(self->fd, PFM_IOC_WRITE_PMDATTRS, &attr));
	EXPECT_EQ(-ENXIO, attr_call(self->fd, PFM_IOC_READ_PMDATTRS, &attr));
	smpl.smpl_pmds[511 / 64] = 1ULL << 511 % 64;
	EXPECT_EQ(-ENXIO, attr_call(self->fd, PFM_IOC_WRITE_PMDATTRS, &smpl));
	reset.reset_pmds[511 / 64] = 1ULL << 511 % 64;
	EXPECT_EQ(-ENXIO, attr_call(self->fd, PFM_IOC_WRITE_PMDATTRS, &reset));
}

TEST_F(context, attrs_no_such_set)
{
	struct pfm_pmd_attr attr = { .num = CPU_TIME_NS, .set = 1 };

	EXPECT_EQ(-ENOENT, attr_call(self->fd, PFM_IOC_WRITE_PMDATTRS, &attr));
	EXPECT_EQ(-ENOENT, attr_call(self->fd, PFM_IOC_READ_PMDATTRS, &attr));
}

TEST_F(context, attrs_unknown_flag)
{
	int bit;

	for (bit = 0; bit < 32; bit++) {
		struct pfm_pmd_attr attr = {
			.num = CPU_TIME_NS,
			.flags = 1U << bit,
		};

		if (attr.flags & (PFM_PMDF_NOTIFY | PFM_PMDF_RANDOM))
			continue;
		EXPECT_EQ(-EINVAL, attr_call(self->fd, PFM_IOC_WRITE_PMDATTRS,
					     &attr));
	}
}

TEST_F(context, attrs_read_only)
{
	struct pfm_pmd_attr attr = { .num = CPU_TIME_NS };

	attr.reset_pmds[FREE_MEMORY_BYTES / 64] =
		1ULL << FREE_MEMORY_BYTES % 64;
	EXPECT_EQ(-EACCES, attr_call(self->fd, PFM_IOC_WRITE_PMDATTRS, &attr));
}

TEST_F(context, attrs_level_in_sample)
{
	struct pfm_pmd_attr attr = { .num = CPU_TIME_NS };

	attr.smpl_pmds[FREE_MEMORY_BYTES / 64] =
		1ULL << FREE_MEMORY_BYTES % 64;
	EXPECT_EQ(-EOPNOTSUPP, attr_call(self->fd, PFM_IOC_WRITE_PMDATTRS,
					 &attr));
}

TEST_F(context, attrs_cannot_interrupt)
{
	struct pfm_pmd_attr attr = { .num = MINOR_FAULTS };
	struct pfm_pmd_attr reset = { .num = CPU_TIME_NS };

	EXPECT_EQ(-EOPNOTSUPP, attr_call(self->fd, PFM_IOC_WRITE_PMDATTRS,
					 &attr));
	reset.reset_pmds[MINOR_FAULTS / 64] = 1ULL << MINOR_FAULTS % 64;
	EXPECT_EQ(-EOPNOTSUPP, attr_call(self->fd, PFM_IOC_WRITE_PMDATTRS,
					 &reset));
}

TEST_F(context, attrs_loaded)
{
	struct pfm_pmd_attr attr = { .num = CPU_TIME_NS, .long_reset = -5ULL };

	ASSERT_EQ(0, pmd_write(self->fd, CPU_TIME_NS, 0));
	ASSERT_EQ(0, context_load(self->fd, 0));
	EXPECT_EQ(-EBUSY, attr_call(self->fd, PFM_IOC_WRITE_PMDATTRS, &attr));
	ASSERT_EQ(0, context_unload(self->fd));
	EXPECT_EQ(0, attr_call(self->fd, PFM_IOC_WRITE_PMDATTRS, &attr));
}

TEST_F(context, attrs_read_back)
{
	struct pfm_pmd_attr attr = {
		.num = CPU_TIME_NS,
		.flags = PFM_PMDF_NOTIFY,
		.long_reset = -1000000ULL,
		.short_reset = -2000000ULL,
		.eventid = 0x123456789abcdef0,
	};
	struct pfm_pmd_attr back = { .num = CPU_TIME_NS };

	EXPECT_EQ(-ENODATA, attr_call(self->fd, PFM_IOC_READ_PMDATTRS, &back));
	attr.smpl_pmds[WALL_TIME_NS / 64] = 1ULL << WALL_TIME_NS % 64;
	ASSERT_EQ(0, attr_call(self->fd, PFM_IOC_WRITE_PMDATTRS, &attr));
	ASSERT_EQ(0, attr_call(self->fd, PFM_IOC_READ_PMDATTRS, &back));
	EXPECT_EQ(attr.flags, back.flags);
	EXPECT_EQ(attr.long_reset, back.long_reset);
	EXPECT_EQ(attr.short_reset, back.short_reset);
	EXPECT_EQ(attr.eventid, back.eventid);
	EXPECT_EQ(attr.smpl_pmds[WALL_TIME_NS / 64],
		  back.smpl_pmds[WALL_TIME_NS / 64]);
	/* Both registers are part of the set now. */
	EXPECT_EQ(0, pmd_value(self->fd, CPU_TIME_NS));
	EXPECT_EQ(0, pmd_value(self->fd, WALL_TIME_NS));
}

TEST_F(context, restart_errors)
{
	struct pfm_restart arg = {};

	EXPECT_EQ(-ENOTCONN, call(self->fd, PFM_IOC_RESTART, NULL));
	ASSERT_EQ(0, pmd_write(self->fd, CPU_TIME_NS, 0));
	ASSERT_EQ(0, context_load(self->fd, 0));
	EXPECT_EQ(-EBUSY, call(self->fd, PFM_IOC_RESTART, NULL));
	arg.lane = PFM_LANE_ALL;
	EXPECT_EQ(-EBUSY, call(self->fd, PFM_IOC_RESTART, &arg));
	arg.lane = PFM_LANE_ALL - 1;
	EXPECT_EQ(-ERANGE, call(self->fd, PFM_IOC_RESTART, &arg));
	arg.lane = 0;
	arg.flags = 1;
	EXPECT_EQ(-EINVAL, call(self->fd, PFM_IOC_RESTART, &arg));
}

TEST_F(context, no_buffer_to_map)
{
	EXPECT_EQ(MAP_FAILED, mmap(NULL, 4096, PROT_READ, MAP_SHARED, self->fd,
				   0));
	EXPECT_EQ(EINVAL, errno);
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

/* LOAD_CONTEXT */

TEST_F(context, load_reserved)
{
	const struct pfm_load arg = { .flags = 1 << 15 };

	ASSERT_EQ(0, pmd_write(self->fd, CPU_TIME_NS, 0));
	EXPECT_EQ(-EINVAL, call(self->fd, PFM_IOC_LOAD_CONTEXT, &arg));
}

TEST_F(context, load_twice)
{
	ASSERT_EQ(0, pmd_write(self->fd, CPU_TIME_NS, 0));
	ASSERT_EQ(0, context_load(self->fd, 0));
	EXPECT_EQ(-EBUSY, context_load(self->fd, 0));
	EXPECT_EQ(-EBUSY, context_load(self->fd, 1));
	EXPECT_EQ(0, context_unload(self->fd));
	EXPECT_EQ(0, context_load(self->fd, 0));
}

TEST_F(context, load_without_registers)
{
	EXPECT_EQ(-ENODATA, context_load(self->fd, 0));
}

TEST_F(context, load_no_such_thread)
{
	ASSERT_EQ(0, pmd_write(self->fd, CPU_TIME_NS, 0));
	EXPECT_EQ(-ESRCH, context_load(self->fd, 0x3fffffff));
	EXPECT_EQ(-ESRCH, context_load(self->fd, INT_MAX));
	EXPECT_EQ(-ESRCH, context_load(self->fd, -1));
}

TEST_F(context, load_dead_thread)
{
	siginfo_t info;
	pid_t pid;

	ASSERT_EQ(0, pmd_write(self->fd, CPU_TIME_NS, 0));
	pid = fork();
	if (!pid)
		_exit(0);
	/* Dead, but not reaped. */
	ASSERT_EQ(0, waitid(P_PID, pid, &info, WEXITED | WNOWAIT));
	EXPECT_EQ(-ESRCH, context_load(self->fd, pid));
	child_reap(pid);
	EXPECT_EQ(-ESRCH, context_load(self->fd, pid));
	EXPECT_EQ(0, context_load(self->fd, 0));
}

TEST_F(context, load_kernel_thread)
{
	char comm[32] = "";
	int fd;

	fd = open("/proc/2/comm", O_RDONLY);
	if (fd < 0 || read(fd, comm, sizeof(comm) - 1) <= 0 ||
	    strcmp(comm, "kthreadd\n"))
		SKIP(return, "thread 2 of this pid namespace is no kernel thread");
	ASSERT_EQ(0, pmd_write(self->fd, CPU_TIME_NS, 0));
	EXPECT_EQ(-EOPNOTSUPP, context_load(self->fd, 2));
}

TEST_F(context, load_second_context)
{
	const int other = context_open(0);
	const pid_t pid = child_idle();

	ASSERT_LE(0, other);
	ASSERT_EQ(0, pmd_write(self->fd, CPU_TIME_NS, 0));
	ASSERT_EQ(0, pmd_write(other, CPU_TIME_NS, 0));
	ASSERT_EQ(0, context_load(self->fd, pid));
	EXPECT_EQ(-EEXIST, context_load(other, pid));
	/* The one that failed is as good as new. */
	EXPECT_EQ(0, context_load(other, 0));
	EXPECT_EQ(0, context_unload(other));
	EXPECT_EQ(0, context_unload(self->fd));
	EXPECT_EQ(0, context_load(other, pid));
	child_kill(pid);
	close(other);
}

TEST_F(context, load_followed_child)
{
	const int other = context_open(0);
	const int fd = context_open(PFM_CTX_FOLLOW_FORK);
	pid_t pid;

	ASSERT_LE(0, other);
	ASSERT_LE(0, fd);
	ASSERT_EQ(0, pmd_write(fd, CPU_TIME_NS, 0));
	ASSERT_EQ(0, pmd_write(other, CPU_TIME_NS, 0));
	ASSERT_EQ(0, context_load(fd, 0));
	pid = child_idle();
	EXPECT_EQ(-EEXIST, context_load(other, pid));
	child_kill(pid);
}

static void *thread_idle(void *arg)
{
	int *pipefd = arg;
	const pid_t tid = gettid();
	char c;

	if (write(pipefd[1], &tid, sizeof(tid)) != sizeof(tid))
		abort();
	/* Ends when the test closes its end. */
	if (read(pipefd[2], &c, 1) < 0)
		abort();
	return NULL;
}

TEST_F(context, load_own_threads)
{
	int pipes[4];
	pthread_t thread;
	pid_t tid;

	/* 0 and 1: the thread tells its id; 2 and 3: it is told to end. */
	ASSERT_EQ(0, pipe(pipes));
	ASSERT_EQ(0, pipe(pipes + 2));
	ASSERT_EQ(0, pmd_write(self->fd, CPU_TIME_NS, 0));
	ASSERT_EQ(0, context_load(self->fd, gettid()));
	ASSERT_EQ(0, context_unload(self->fd));
	ASSERT_EQ(0, pthread_create(&thread, NULL, thread_idle, pipes));
	ASSERT_EQ(sizeof(tid), read(pipes[0], &tid, sizeof(tid)));
	EXPECT_EQ(0, context_load(self->fd, tid));
	EXPECT_EQ(0, context_unload(self->fd));
	close(pipes[3]);
	pthread_join(thread, NULL);
}

/* Rights. */

/* Bits of the loads that did not give what they should. */
static int load_foreign(void *arg)
{
	const int device = device_open();
	int fd, bad = 0;

	rights_drop();
	fd = context_create(device, 0);
	if (fd < 0 || pmd_write(fd, CPU_TIME_NS, 0))
		return 8;
	if (context_load(fd, *(pid_t *)arg) != -EPERM)
		bad |= 1;
	if (context_load(fd, 1) != -EPERM)
		bad |= 2;
	if (context_load(fd, 0))
		bad |= 4;
	return bad;
}

/* In a child, as who dropped its rights cannot end the thread either. */
TEST_F(context, load_foreign_thread)
{
	pid_t pid = child_idle();

	EXPECT_EQ(0, in_child(load_foreign, &pid));
	child_kill(pid);
}

TEST_F(context, load_own_child_unprivileged)
{
	int device, fd;
	pid_t pid;

	device = device_open();
	ASSERT_LE(0, device);
	rights_drop();
	pid = child_idle();
	fd = context_create(device, 0);
	ASSERT_LE(0, fd);
	ASSERT_EQ(0, pmd_write(fd, CPU_TIME_NS, 0));
	EXPECT_EQ(0, context_load(fd, pid));
	child_kill(pid);
}

static int undumpable(void *arg)
{
	int *pipefd = arg;

	prctl(PR_SET_DUMPABLE, 0);
	if (write(pipefd[1], "", 1) != 1)
		_exit(1);
	for (;;)
		pause();
}

TEST_F(context, load_undumpable_child)
{
	int device, fd, pipefd[2];
	pid_t pid;
	char c;

	ASSERT_EQ(0, pipe(pipefd));
	device = device_open();
	ASSERT_LE(0, device);
	rights_drop();
	pid = fork();
	if (!pid)
		_exit(undumpable(pipefd));
	ASSERT_EQ(1, read(pipefd[0], &c, 1));
	fd = context_create(device, 0);
	ASSERT_LE(0, fd);
	ASSERT_EQ(0, pmd_write(fd, CPU_TIME_NS, 0));
	EXPECT_EQ(-EPERM, context_load(fd, pid));
	child_kill(pid);
}

/* The context of another may be used, but it gives no right over threads. */
static int load_parent(void *arg)
{
	rights_drop();
	return -context_load(*(int *)arg, getppid());
}

TEST_F(context, load_rights_are_the_callers)
{
	ASSERT_EQ(0, pmd_write(self->fd, CPU_TIME_NS, 0));
	EXPECT_EQ(EPERM, in_child(load_parent, &self->fd));
}

TEST_F(context, write_pmc_kernel_level)
{
	const uint64_t refused[] = {
		EVENT_CPU_CYCLES,				/* user and kernel */
		TYPE_U | EVENT_CPU_CYCLES,			/* kernel */
		TYPE_P | TYPE_U | TYPE_NSH | EVENT_CPU_CYCLES,	/* hypervisor */
		TYPE_P | TYPE_NSH | EVENT_CPU_CYCLES,
	};
	int device, fd;
	size_t i;

	NEED_PMCS();
	for (i = 0; i < ARRAY_LEN(refused); i++)
		EXPECT_EQ(0, pmc_write(self->fd, 0, refused[i]));
	device = device_open();
	ASSERT_LE(0, device);
	rights_drop();
	fd = context_create(device, 0);
	ASSERT_LE(0, fd);
	for (i = 0; i < ARRAY_LEN(refused); i++) {
		const struct pfm_reg regs[2] = {
			{ .num = 1, .value = TYPE_P },
			{ .num = 0, .value = refused[i] },
		};
		uint32_t failed = ~0;

		EXPECT_EQ(-EPERM, vector(fd, PFM_IOC_WRITE_PMCS, regs, 2,
					 &failed)) {
			TH_LOG("0x%llx", (unsigned long long)refused[i]);
		}
		EXPECT_EQ(1, failed);
	}
	EXPECT_EQ(0, pmc_write(fd, 0, TYPE_P | EVENT_CPU_CYCLES));
	EXPECT_EQ(0, pmc_write(fd, 0, TYPE_P | TYPE_U | EVENT_CPU_CYCLES));
}

/* START and STOP */

TEST_F(context, start_flags_reserved)
{
	struct pfm_start arg = {};
	int bit;

	ASSERT_EQ(0, pmd_write(self->fd, CPU_TIME_NS, 0));
	ASSERT_EQ(0, context_load(self->fd, 0));
	for (bit = 0; bit < 32; bit++) {
		if ((1U << bit) & PFM_START_ON_EXEC)
			continue;
		EXPECT_EQ(-EINVAL, context_start(self->fd, 1U << bit));
	}
	arg.reserved = 1;
	EXPECT_EQ(-EINVAL, call(self->fd, PFM_IOC_START, &arg));
}

TEST_F(context, start_stop_unloaded)
{
	EXPECT_EQ(-ENOTCONN, context_start(self->fd, 0));
	EXPECT_EQ(-ENOTCONN, context_start(self->fd, PFM_START_ON_EXEC));
	EXPECT_EQ(-ENOTCONN, context_stop(self->fd));
	ASSERT_EQ(0, pmd_write(self->fd, CPU_TIME_NS, 0));
	ASSERT_EQ(0, context_load(self->fd, 0));
	ASSERT_EQ(0, context_unload(self->fd));
	EXPECT_EQ(-ENOTCONN, context_start(self->fd, 0));
	EXPECT_EQ(-ENOTCONN, context_stop(self->fd));
}

TEST_F(context, start_stop_twice)
{
	ASSERT_EQ(0, pmd_write(self->fd, CPU_TIME_NS, 0));
	ASSERT_EQ(0, context_load(self->fd, 0));
	EXPECT_EQ(0, context_stop(self->fd));
	EXPECT_EQ(0, context_start(self->fd, 0));
	EXPECT_EQ(0, context_start(self->fd, 0));
	EXPECT_EQ(0, context_stop(self->fd));
	EXPECT_EQ(0, context_stop(self->fd));
}

TEST_F(context, unload_nothing)
{
	EXPECT_EQ(0, context_unload(self->fd));
	EXPECT_EQ(0, context_unload(self->fd));
}

/* Ends when it is let go, but for a child that ends when it is told to. */
static void leave_child(const int *go, const int *leave)
{
	char c;

	close(go[1]);
	close(leave[1]);
	if (read(go[0], &c, 1) == 1 && !fork())
		_exit(read(leave[0], &c, 1));
	_exit(0);
}

/* The thread that would have to exec is gone, one that it made is not. */
TEST_F(context, start_on_exec_without_the_thread)
{
	const int fd = context_open(PFM_CTX_FOLLOW_FORK);
	int go[2], leave[2], i;
	struct pfm_config cfg;
	pid_t pid;

	ASSERT_LE(0, fd);
	ASSERT_EQ(0, pmd_write(fd, CPU_TIME_NS, 0));
	ASSERT_EQ(0, pipe(go));
	ASSERT_EQ(0, pipe(leave));
	pid = fork();
	if (!pid)
		leave_child(go, leave);
	ASSERT_EQ(0, context_load(fd, pid));
	ASSERT_EQ(1, write(go[1], "", 1));
	child_reap(pid);
	EXPECT_EQ(-ESRCH, context_start(fd, PFM_START_ON_EXEC));
	EXPECT_EQ(0, context_start(fd, 0));
	close(leave[1]);
	for (i = 0; i < 2000; i++) {
		ASSERT_EQ(0, config_get(fd, &cfg));
		if (!cfg.tasks)
			break;
		usleep(10000);
	}
	EXPECT_EQ(-ENOTCONN, context_start(fd, PFM_START_ON_EXEC));
	close(fd);
}

/* After the monitored thread is gone. */
TEST_F(context, start_after_end)
{
	const pid_t pid = child_idle();
	union pfm_msg msg;

	ASSERT_EQ(0, pmd_write(self->fd, CPU_TIME_NS, 3));
	ASSERT_EQ(0, context_load(self->fd, pid));
	child_kill(pid);
	ASSERT_EQ(sizeof(msg), message_read(self->fd, &msg));
	EXPECT_EQ(-ENOTCONN, context_start(self->fd, 0));
	EXPECT_EQ(-ENOTCONN, context_stop(self->fd));
	EXPECT_EQ(0, context_unload(self->fd));
	/* It can be used again. */
	EXPECT_EQ(3, pmd_value(self->fd, CPU_TIME_NS));
	EXPECT_EQ(0, context_load(self->fd, 0));
	EXPECT_EQ(0, context_start(self->fd, 0));
}

/* read(2), poll(2) and signals */

TEST_F(context, read_short_buffer)
{
	char buf[64];
	ssize_t size;

	for (size = 0; size < 64; size++) {
		errno = 0;
		EXPECT_EQ(-1, read(self->fd, buf, size));
		EXPECT_EQ(EINVAL, errno);
	}
}

TEST_F(context, read_nothing)
{
	union pfm_msg msg;

	ASSERT_EQ(0, fcntl(self->fd, F_SETFL, O_NONBLOCK));
	EXPECT_EQ(-EAGAIN, message_read(self->fd, &msg));
}

static void nothing(int sig)
{
}

TEST_F(context, read_interrupted)
{
	const struct sigaction action = { .sa_handler = nothing };
	/* Again and again: the first may come before the call. */
	const struct itimerval timer = {
		.it_interval = { .tv_usec = 200000 },
		.it_value = { .tv_usec = 200000 },
	};
	union pfm_msg msg;

	ASSERT_EQ(0, sigaction(SIGALRM, &action, NULL));
	ASSERT_EQ(0, setitimer(ITIMER_REAL, &timer, NULL));
	EXPECT_EQ(-EINTR, message_read(self->fd, &msg));
}

TEST_F(context, end_message)
{
	struct pollfd pfd = { .fd = self->fd, .events = POLLIN | POLLPRI };
	union pfm_msg msg;
	pid_t pid;
	int i;

	pid = fork();
	if (!pid) {
		raise(SIGSTOP);
		_exit(7);
	}
	waitpid(pid, NULL, WUNTRACED);
	ASSERT_EQ(0, pmd_write(self->fd, CPU_TIME_NS, 0));
	ASSERT_EQ(0, context_load(self->fd, pid));
	EXPECT_EQ(0, poll(&pfd, 1, 0));
	kill(pid, SIGCONT);
	EXPECT_EQ(1, poll(&pfd, 1, 10000));
	EXPECT_EQ(POLLIN | POLLHUP, pfd.revents);
	child_reap(pid);
	memset(&msg, 0xff, sizeof(msg));
	ASSERT_EQ(64, message_read(self->fd, &msg));
	EXPECT_EQ(PFM_MSG_END, msg.type);
	EXPECT_EQ(pid, msg.end.tid);
	EXPECT_EQ(7 << 8, msg.end.status);
	EXPECT_EQ(0, msg.end.reserved);
	for (i = 2; i < 8; i++)
		EXPECT_EQ(0, msg.pad[i]);
	/* After END. */
	EXPECT_EQ(0, message_read(self->fd, &msg));
	EXPECT_EQ(0, message_read(self->fd, &msg));
	EXPECT_EQ(1, poll(&pfd, 1, 0));
	EXPECT_EQ(POLLHUP, pfd.revents);
}

TEST_F(context, end_message_signal)
{
	const pid_t pid = child_idle();
	union pfm_msg msg;

	ASSERT_EQ(0, pmd_write(self->fd, CPU_TIME_NS, 0));
	ASSERT_EQ(0, context_load(self->fd, pid));
	child_kill(pid);
	ASSERT_EQ(64, message_read(self->fd, &msg));
	EXPECT_EQ(SIGKILL, msg.end.status);
}

TEST_F(context, end_message_bad_buffer)
{
	const pid_t pid = child_idle();
	void *volatile bad = (void *)8;

	ASSERT_EQ(0, pmd_write(self->fd, CPU_TIME_NS, 0));
	ASSERT_EQ(0, context_load(self->fd, pid));
	child_kill(pid);
	EXPECT_EQ(-1, read(self->fd, bad, 64));
	EXPECT_EQ(EFAULT, errno);
}

TEST_F(context, end_wakes_reader)
{
	struct timespec before, after;
	union pfm_msg msg;
	pid_t pid;

	pid = fork();
	if (!pid) {
		raise(SIGSTOP);
		usleep(300000);
		_exit(0);
	}
	waitpid(pid, NULL, WUNTRACED);
	ASSERT_EQ(0, pmd_write(self->fd, CPU_TIME_NS, 0));
	ASSERT_EQ(0, context_load(self->fd, pid));
	clock_gettime(CLOCK_MONOTONIC, &before);
	kill(pid, SIGCONT);
	EXPECT_EQ(64, message_read(self->fd, &msg));
	clock_gettime(CLOCK_MONOTONIC, &after);
	/* It did wait. */
	EXPECT_LT(200, (after.tv_sec - before.tv_sec) * 1000 +
		       (after.tv_nsec - before.tv_nsec) / 1000000);
	child_reap(pid);
}

static volatile int signalled_fd;

static void on_signal(int sig, siginfo_t *info, void *context)
{
	signalled_fd = info->si_fd;
}

TEST_F(context, end_signals_owner)
{
	const struct sigaction action = {
		.sa_sigaction = on_signal,
		.sa_flags = SA_SIGINFO,
	};
	const pid_t pid = child_idle();
	sigset_t block, old;

	signalled_fd = -1;
	ASSERT_EQ(0, sigaction(SIGRTMIN, &action, NULL));
	sigemptyset(&block);
	sigaddset(&block, SIGRTMIN);
	ASSERT_EQ(0, sigprocmask(SIG_BLOCK, &block, &old));
	ASSERT_EQ(0, fcntl(self->fd, F_SETOWN, getpid()));
	ASSERT_EQ(0, fcntl(self->fd, F_SETSIG, SIGRTMIN));
	ASSERT_EQ(0, fcntl(self->fd, F_SETFL, O_ASYNC));
	ASSERT_EQ(0, pmd_write(self->fd, CPU_TIME_NS, 0));
	ASSERT_EQ(0, context_load(self->fd, pid));
	child_kill(pid);
	alarm(10);
	sigsuspend(&old);
	EXPECT_EQ(self->fd, signalled_fd);
}

/* READ_RECORDS */

FIXTURE(records) {
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

	for (bit = 0; bit < 32; bit++) {
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
		EXPECT_EQ(-EINVAL, records_read(self->fd, (char *)buf + i, 512,
						&arg));
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

/* Who cannot be told how many there are is given none. */
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

TEST_HARNESS_MAIN

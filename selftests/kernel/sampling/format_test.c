// SPDX-License-Identifier: GPL-2.0-only
/*
 * Formats: what is refused when a context is created, what a handler is told, and what
 * happens when it does something wrong.
 */
#include "context.h"
#include "cpu.h"
#include "notification.h"
#include "sampling.h"

#include <sys/syscall.h>

#include "kselftest_harness.h"
#include "test_format.h"

static const uint8_t bare_uuid[PFM_UUID_LEN] = FMT_TEST_BARE_UUID;

TEST_F(format, unknown)
{
	uint8_t uuid[PFM_UUID_LEN] = FMT_TEST_UUID;
	struct pfm_create arg = { .fmt_arg_size = 1 };
	int device;

	NEED_MODULE();
	uuid[3] ^= 1;
	EXPECT_EQ(-ENOENT, format_open(0, uuid, &self->arg, sizeof(self->arg)));
	EXPECT_EQ(-ENOENT, format_open(0, uuid, NULL, 0));
	/* An argument for no format. */
	device = device_open();
	ASSERT_LE(0, device);
	EXPECT_EQ(-EINVAL, call(device, PFM_IOC_CREATE_CONTEXT, &arg));
	arg.fmt_arg_size = 0;
	arg.fmt_arg = (uintptr_t)&self->arg;
	EXPECT_EQ(-EINVAL, call(device, PFM_IOC_CREATE_CONTEXT, &arg));
	arg.fmt_arg = 0;
	arg.reserved2 = 1;
	EXPECT_EQ(-EINVAL, call(device, PFM_IOC_CREATE_CONTEXT, &arg));
	close(device);
}

TEST_F(format, argument_size)
{
	NEED_MODULE();
	EXPECT_EQ(-EINVAL, format_open(0, test_uuid, &self->arg, 0));
	EXPECT_EQ(-EINVAL,
		  format_open(0, test_uuid, &self->arg, sizeof(self->arg) - 1));
	EXPECT_EQ(-EINVAL,
		  format_open(0, test_uuid, &self->arg, sizeof(self->arg) + 8));
	EXPECT_EQ(-EINVAL, format_open(0, bare_uuid, &self->arg, 8));
	EXPECT_EQ(-EFAULT,
		  format_open(0, test_uuid, (void *)8, sizeof(self->arg)));
}

TEST_F(format, validate_refuses)
{
	NEED_MODULE();
	self->arg.validate_ret = -EXFULL;
	EXPECT_EQ(-EXFULL, try_arg(&self->arg, 0));
	self->arg.validate_ret = -EPERM;
	EXPECT_EQ(-EPERM, try_arg(&self->arg, PFM_CTX_FOLLOW_ALL));
	EXPECT_EQ(0, lanes());
}

TEST_F(format, getsize)
{
	const uint64_t sizes[] = { (1ULL << 30) + 1, 1ULL << 40, 1ULL << 63,
				   -4096ULL, ~0ULL };
	size_t i;

	NEED_MODULE();
	self->arg.getsize_ret = -ENOTTY;
	EXPECT_EQ(-ENOTTY, try_arg(&self->arg, 0));
	self->arg.getsize_ret = 0;
	for (i = 0; i < ARRAY_LEN(sizes); i++) {
		self->arg.size = sizes[i];
		EXPECT_EQ(-ENOBUFS, try_arg(&self->arg, 0))
		{
			TH_LOG("0x%llx", (unsigned long long)sizes[i]);
		}
		EXPECT_EQ(-ENOBUFS, try_arg(&self->arg, PFM_CTX_FOLLOW_ALL));
	}
	EXPECT_EQ(0, lanes());
}

/* init fails for one lane: those before it are taken down again. */
TEST_F(format, init_fails)
{
	struct pfm_config cfg;
	uint32_t i;

	NEED_MODULE();
	ASSERT_EQ(0, open_arg(self, PFM_CTX_FOLLOW_ALL));
	ASSERT_EQ(0, config_get(self->fd, &cfg));
	EXPECT_EQ(cfg.lanes, lanes());
	format_close(self);
	EXPECT_EQ(0, lanes());
	self->arg.init_ret = -EHOSTDOWN;
	for (i = 0; i < cfg.lanes; i++) {
		self->arg.init_lane = i;
		EXPECT_EQ(-EHOSTDOWN, try_arg(&self->arg, PFM_CTX_FOLLOW_ALL));
		EXPECT_EQ(0, lanes());
	}
	self->arg.init_lane = cfg.lanes;
	EXPECT_EQ(0, open_arg(self, PFM_CTX_FOLLOW_ALL));
}

TEST_F(format, what_lanes_are_told)
{
	struct pfm_config cfg;
	const struct fmt_test_buf *buf;
	char *map;
	uint32_t i;

	NEED_MODULE();
	self->arg.size = 5000;
	self->fd = try_arg(&self->arg, PFM_CTX_FOLLOW_ALL | PFM_CTX_NO_MSG);
	ASSERT_LE(0, self->fd);
	ASSERT_EQ(0, config_get(self->fd, &cfg));
	map = buffer_map(self->fd);
	ASSERT_NE(NULL, map);
	EXPECT_EQ(8192, cfg.lane_size);
	for (i = 0; i < cfg.lanes; i++) {
		buf = (void *)(map + i * cfg.lane_size);
		EXPECT_EQ(i, buf->index);
		EXPECT_EQ(cfg.lanes, buf->nlanes);
		EXPECT_EQ(PFM_CTX_FOLLOW_ALL | PFM_CTX_NO_MSG, buf->flags);
		EXPECT_EQ(1, buf->kernel_ok);
		EXPECT_LE(5000, buf->size);
		EXPECT_GE(cfg.lane_size, buf->size);
	}
	munmap(map, cfg.buffer_size);
	self->arg.size = 4096;
	ASSERT_EQ(0, open_arg(self, 0));
	EXPECT_EQ(0, self->buf->index);
	EXPECT_EQ(1, self->buf->nlanes);
}

/* A format without anything but a handler, and one without a buffer. */
TEST_F(format, bare)
{
	struct pfm_config cfg;
	union pfm_msg msg;

	NEED_MODULE();
	self->fd = format_open(0, bare_uuid, NULL, 0);
	ASSERT_LE(0, self->fd);
	ASSERT_EQ(0, config_get(self->fd, &cfg));
	EXPECT_EQ(0, cfg.buffer_size);
	EXPECT_EQ(0, cfg.lane_size);
	EXPECT_EQ(NULL, buffer_map(self->fd));
	errno = 0;
	EXPECT_EQ(MAP_FAILED,
		  mmap(NULL, 4096, PROT_READ, MAP_SHARED, self->fd, 0));
	EXPECT_EQ(EINVAL, errno);
	ASSERT_EQ(0, clock_sampler(self->fd, PFM_PMDF_NOTIFY));
	ASSERT_EQ(0, context_load(self->fd, 0));
	ASSERT_EQ(0, context_start(self->fd, 0));
	ASSERT_EQ(true, burn_until_masked(self->fd));
	ASSERT_EQ(sizeof(msg), message_read(self->fd, &msg));
	/* Without a restart callback: reset, and on. */
	ASSERT_EQ(0, context_restart(self->fd, 0));
	/* Nothing to restart, unless a busy host has it overflow again already. */
	if (context_restart(self->fd, 0) != -EBUSY)
		ASSERT_EQ(sizeof(msg), message_read(self->fd, &msg));
	ASSERT_EQ(true, burn_until_masked(self->fd));
	ASSERT_EQ(0, context_unload(self->fd));
	self->arg.size = 0;
	ASSERT_EQ(0, sample_arg(self, 0, 0));
	burn(5000000);
	ASSERT_EQ(0, config_get(self->fd, &cfg));
	EXPECT_LT(0, cfg.overflows);
	EXPECT_EQ(0, cfg.buffer_size);
	EXPECT_EQ(1, lanes());
}

TEST_F(format, what_the_handler_is_told)
{
	uint64_t before;

	NEED_MODULE();
	before = time_ns(CLOCK_MONOTONIC);
	ASSERT_EQ(0, sample_arg(self, 0, 0));
	ASSERT_EQ(true, burn_until(self->buf, 20));
	ASSERT_EQ(0, context_stop(self->fd));
	EXPECT_EQ(getpid(), self->buf->pid);
	EXPECT_EQ(syscall(SYS_gettid), self->buf->tid);
	EXPECT_EQ(CPU_TIME_NS, self->buf->pmd);
	EXPECT_EQ(0, self->buf->set);
	EXPECT_GT(sysconf(_SC_NPROCESSORS_CONF), self->buf->cpu);
	EXPECT_EQ(-PERIOD, self->buf->last_reset);
	EXPECT_EQ(0xabcdef, self->buf->eventid);
	EXPECT_EQ(1, self->buf->nvals);
	EXPECT_EQ(1, self->buf->max_regs);
	/* Wall time, in a program that uses all of it. */
	EXPECT_LE(20 * PERIOD, self->buf->vals[0]);
	EXPECT_LE(before, self->buf->tstamp);
	EXPECT_GE(time_ns(CLOCK_MONOTONIC), self->buf->tstamp);
	EXPECT_LT(0, self->buf->same_task);
	EXPECT_GT(self->buf->calls, self->buf->regs_null);
}

TEST_F(format, handler_errors)
{
	struct pfm_config cfg;

	NEED_MODULE();
	self->arg.handler_ret = -EIO;
	ASSERT_EQ(0, sample_arg(self, 0, PFM_PMDF_NOTIFY));
	ASSERT_EQ(true, burn_until(self->buf, 20));
	ASSERT_EQ(0, context_stop(self->fd));
	ASSERT_EQ(0, config_get(self->fd, &cfg));
	/* Counted, and sampling goes on. */
	EXPECT_EQ(PFM_STATE_LOADED, cfg.state);
	EXPECT_EQ(self->buf->calls, cfg.overflows);
	EXPECT_EQ(self->buf->calls, cfg.fmt_errors);
	/* Some of them. */
	self->arg.handler_ret = FMT_TEST_RESET;
	self->arg.every = 3;
	self->arg.every_ret = -ENOSPC;
	ASSERT_EQ(0, sample_arg(self, 0, PFM_PMDF_NOTIFY));
	ASSERT_EQ(true, burn_until(self->buf, 20));
	ASSERT_EQ(0, context_stop(self->fd));
	ASSERT_EQ(0, config_get(self->fd, &cfg));
	EXPECT_EQ(self->buf->calls, cfg.overflows);
	EXPECT_EQ(self->buf->calls / 3, cfg.fmt_errors);
}

/* A notification needs a register that asked for it. */
TEST_F(format, notify_only)
{
	struct pfm_config cfg;
	union pfm_msg msg;

	NEED_MODULE();
	self->arg.handler_ret = FMT_TEST_NOTIFY | FMT_TEST_RESET;
	ASSERT_EQ(0, sample_arg(self, 0, 0));
	ASSERT_EQ(0, fcntl(self->fd, F_SETFL, O_NONBLOCK));
	ASSERT_EQ(true, burn_until(self->buf, 20));
	EXPECT_EQ(-EAGAIN, message_read(self->fd, &msg));
	ASSERT_EQ(0, sample_arg(self, 0, PFM_PMDF_NOTIFY));
	ASSERT_EQ(true, burn_until(self->buf, 3));
	ASSERT_EQ(0, context_stop(self->fd));
	ASSERT_EQ(0, config_get(self->fd, &cfg));
	EXPECT_EQ(sizeof(msg), message_read(self->fd, &msg));
}

/*
 * The queue of messages is bounded: when nobody reads them, the context is masked until
 * there is room.
 */
TEST_F(format, messages_full)
{
	struct pfm_config cfg;
	union pfm_msg msg;
	uint64_t n = 0;
	int round;

	NEED_MODULE();
	self->arg.handler_ret = FMT_TEST_NOTIFY | FMT_TEST_RESET;
	ASSERT_EQ(0, sample_arg(self, 0, PFM_PMDF_NOTIFY));
	ASSERT_EQ(0, fcntl(self->fd, F_SETFL, O_NONBLOCK));
	for (round = 0; round < 3; round++) {
		ASSERT_EQ(true, burn_until_masked(self->fd));
		n = 0;
		while (message_read(self->fd, &msg) == sizeof(msg)) {
			EXPECT_EQ(PFM_MSG_OVFL, msg.type);
			n++;
		}
		EXPECT_LT(0, n);
		EXPECT_EQ(PFM_STATE_MASKED, state_of(self->fd));
		ASSERT_EQ(0, context_restart(self->fd, 0));
	}
	ASSERT_EQ(0, context_stop(self->fd));
	ASSERT_EQ(0, config_get(self->fd, &cfg));
	EXPECT_EQ(self->buf->calls, cfg.overflows);
	EXPECT_LE(3 * n, cfg.overflows);
}

TEST_F(format, mask_only)
{
	union pfm_msg msg;
	uint64_t value;

	NEED_MODULE();
	self->arg.handler_ret = FMT_TEST_MASK;
	ASSERT_EQ(0, sample_arg(self, 0, PFM_PMDF_NOTIFY));
	ASSERT_EQ(0, fcntl(self->fd, F_SETFL, O_NONBLOCK));
	ASSERT_EQ(true, burn_until_masked(self->fd));
	EXPECT_EQ(-EAGAIN, message_read(self->fd, &msg));
	value = pmd_value(self->fd, CPU_TIME_NS);
	burn(1000000);
	EXPECT_EQ(value, pmd_value(self->fd, CPU_TIME_NS));
	EXPECT_EQ(1, self->buf->calls);
	ASSERT_EQ(0, context_restart(self->fd, 0));
	ASSERT_EQ(true, burn_until_masked(self->fd));
	EXPECT_EQ(2, self->buf->calls);
}

TEST_F(format, restart)
{
	struct pfm_restart arg = { .arg = 0x1234567890 };

	NEED_MODULE();
	self->arg.handler_ret = FMT_TEST_MASK;
	ASSERT_EQ(0, sample_arg(self, 0, 0));
	ASSERT_EQ(true, burn_until_masked(self->fd));
	ASSERT_EQ(0, call(self->fd, PFM_IOC_RESTART, &arg));
	EXPECT_EQ(1, self->buf->restarts);
	EXPECT_EQ(0x1234567890, self->buf->restart_arg);
	/*
	 * Unless a busy host has it overflow again already.  The interrupt that
	 * masks comes later than the wrap.
	 */
	EXPECT_EQ(true, pmd_value(self->fd, CPU_TIME_NS) >= (uint64_t)-PERIOD ||
				burn_until_masked(self->fd));
	/* Not masked: the format is asked all the same. */
	self->arg.restart_ret = -EBUSY;
	ASSERT_EQ(0, sample_arg(self, 0, 0));
	EXPECT_EQ(-EBUSY, context_restart(self->fd, 0));
	EXPECT_EQ(1, self->buf->restarts);
	/* The format wants to stay masked. */
	self->arg.restart_ret = 0;
	self->arg.restart_ctrl = FMT_TEST_RESET | FMT_TEST_MASK;
	ASSERT_EQ(0, sample_arg(self, 0, 0));
	ASSERT_EQ(true, burn_until_masked(self->fd));
	ASSERT_EQ(0, context_restart(self->fd, 0));
	EXPECT_EQ(PFM_STATE_MASKED, state_of(self->fd));
	EXPECT_EQ(1, self->buf->calls);
	EXPECT_EQ(1, self->buf->restarts);
}

/* RESTART reaches the lanes that are meant. */
TEST_F(format, restart_lanes)
{
	struct pfm_config cfg;
	char *map;
	uint32_t i;

	NEED_MODULE();
	self->fd = try_arg(&self->arg, PFM_CTX_FOLLOW_ALL);
	ASSERT_LE(0, self->fd);
	ASSERT_EQ(0, config_get(self->fd, &cfg));
	map = buffer_map(self->fd);
	ASSERT_NE(NULL, map);
	ASSERT_EQ(0, clock_sampler(self->fd, 0));
	ASSERT_EQ(0, context_load(self->fd, 0));
	EXPECT_EQ(0, context_restart(self->fd, PFM_LANE_ALL));
	for (i = 0; i < cfg.lanes; i++)
		EXPECT_EQ(0, context_restart(self->fd, i));
	EXPECT_EQ(0, call(self->fd, PFM_IOC_RESTART, NULL));
	EXPECT_EQ(-ERANGE, context_restart(self->fd, cfg.lanes));
	for (i = 0; i < cfg.lanes; i++) {
		const struct fmt_test_buf *buf =
			(void *)(map + i * cfg.lane_size);

		EXPECT_EQ(3, buf->restarts);
	}
	munmap(map, cfg.buffer_size);
}

TEST_HARNESS_MAIN

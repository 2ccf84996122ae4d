// SPDX-License-Identifier: GPL-2.0-only
/*
 * Formats as modules: the registry, what formats may do, and what happens when
 * they do it wrong.  modules/fmt_test.c has the formats; needs root.
 */
#include "child.h"
#include "context.h"
#include "cpu.h"
#include "exact_count.h"
#include "rights.h"
#include "sampling.h"
#include "sysfs.h"

#include <sys/stat.h>
#include <sys/syscall.h>

#include "kselftest_harness.h"
#include "modules/fmt_test.h"

#define MODULE	   "fmt_test"
#define PARAMETERS "/sys/module/" MODULE "/parameters"
#define PERIOD	   500000ULL
#define PATIENCE   20000 /* ms that nothing needs */
#define CYCLES_REG 1000 /* registry cycles under load */

static const uint8_t test_uuid[PFM_UUID_LEN] = FMT_TEST_UUID;
static const uint8_t extra_uuid[PFM_UUID_LEN] = FMT_TEST_EXTRA_UUID;
static const uint8_t bare_uuid[PFM_UUID_LEN] = FMT_TEST_BARE_UUID;

static bool is_loaded(void)
{
	return !access("/sys/module/" MODULE, F_OK);
}

static int module_load(void)
{
	return is_loaded() ? 0 : system("modprobe " MODULE);
}

/* As rmmod does it; -errno. */
static int module_unload(void)
{
	return syscall(SYS_delete_module, MODULE, O_NONBLOCK) ? -errno : 0;
}

/* What the registry says to a command. */
static int command(const char *what)
{
	const int fd = open(PARAMETERS "/command", O_WRONLY | O_CLOEXEC);
	int ret;

	if (fd < 0)
		return -errno;
	ret = write(fd, what, strlen(what)) < 0 ? -errno : 0;
	close(fd);
	return ret;
}

/* Lanes that a format was told to make, and not to take down. */
static int lanes(void)
{
	const int fd = open(PARAMETERS "/lanes", O_RDONLY | O_CLOEXEC);
	char text[16] = "";

	if (fd < 0 || read(fd, text, sizeof(text) - 1) < 0)
		return -1;
	close(fd);
	return atoi(text);
}

static void burn(unsigned int n)
{
	volatile unsigned int i;

	for (i = 0; i < n; i++)
		;
}

/* Use the CPU until there were n calls of the handler. */
static bool burn_until(const volatile struct fmt_test_buf *buf, uint64_t n)
{
	const uint64_t begin = time_ns(CLOCK_MONOTONIC);

	while (buf->calls < n) {
		burn(1000);
		if (time_ns(CLOCK_MONOTONIC) - begin > PATIENCE * 1000000ULL)
			return false;
	}
	return true;
}

static uint32_t state_of(int fd)
{
	struct pfm_config cfg;

	return config_get(fd, &cfg) ? 0 : cfg.state;
}

static bool burn_until_masked(int fd)
{
	const uint64_t begin = time_ns(CLOCK_MONOTONIC);

	while (state_of(fd) != PFM_STATE_MASKED) {
		burn(1000);
		if (time_ns(CLOCK_MONOTONIC) - begin > PATIENCE * 1000000ULL)
			return false;
	}
	return true;
}

static int clock_sampler(int fd, uint32_t flags)
{
	struct pfm_pmd_attr attr = {
		.num = CPU_TIME_NS,
		.flags = flags,
		.long_reset = -PERIOD,
		.short_reset = -PERIOD,
		.eventid = 0xabcdef,
	};
	int ret;

	bit_set(attr.smpl_pmds, WALL_TIME_NS);
	ret = pmd_write(fd, CPU_TIME_NS, -PERIOD);
	return ret ? ret : attr_write(fd, &attr);
}

FIXTURE(format)
{
	struct fmt_test_arg arg;
	const char *missing;
	int fd;
	struct fmt_test_buf *buf;
	size_t size;
};

/* A buffer of a page, a handler that lets sampling go on. */
FIXTURE_SETUP(format)
{
	self->fd = -1;
	self->buf = NULL;
	self->missing = NULL;
	if (system("modinfo " MODULE " >/dev/null 2>&1"))
		self->missing = "the test module is not installed";
	else
		ASSERT_EQ(0, module_load());
	self->arg = (struct fmt_test_arg){
		.size = 4096,
		.handler_ret = FMT_TEST_RESET,
		.restart_ctrl = FMT_TEST_RESET,
	};
}

static void format_close(FIXTURE_DATA(format) * self)
{
	if (self->buf)
		munmap(self->buf, self->size);
	if (self->fd >= 0)
		close(self->fd);
	self->fd = -1;
	self->buf = NULL;
}

FIXTURE_TEARDOWN(format)
{
	format_close(self);
	if (is_loaded())
		EXPECT_EQ(0, lanes());
	EXPECT_EQ(0, sysfs_number("smpl_buffer_mem_cur"));
}

#define NEED_MODULE()                                      \
	do {                                               \
		if (self->missing)                         \
			SKIP(return, "%s", self->missing); \
	} while (0)

#define NEED_CYCLES()                                         \
	do {                                                  \
		NEED_MODULE();                                \
		if (!HAVE_CYCLES)                             \
			SKIP(return, "no hardware PMU here"); \
	} while (0)

static int try_arg(const struct fmt_test_arg *arg, uint32_t flags)
{
	return format_open(flags, test_uuid, arg, sizeof(*arg));
}

/* A context of the test format, in place of the one before. */
static int open_arg(FIXTURE_DATA(format) * self, uint32_t flags)
{
	struct pfm_config cfg;

	format_close(self);
	self->fd = try_arg(&self->arg, flags);
	if (self->fd < 0)
		return self->fd;
	if (!self->arg.size)
		return 0;
	if (config_get(self->fd, &cfg))
		return -EIO;
	self->size = cfg.buffer_size;
	self->buf = buffer_map(self->fd);
	return self->buf ? 0 : -ENOMEM;
}

/* The same, sampling this thread. */
static int sample_arg(FIXTURE_DATA(format) * self, uint32_t flags,
		      uint32_t pmd_flags)
{
	int ret;

	ret = open_arg(self, flags);
	if (!ret)
		ret = clock_sampler(self->fd, pmd_flags);
	if (!ret)
		ret = context_load(self->fd, 0);
	return ret ? ret : context_start(self->fd, 0);
}

/*
 * The registry.
 */

TEST_F(format, register_errors)
{
	NEED_MODULE();
	EXPECT_EQ(0, command("try-nothing"));
	EXPECT_EQ(-EINVAL, command("try-name-null"));
	EXPECT_EQ(-EINVAL, command("try-name-empty"));
	EXPECT_EQ(-EINVAL, command("try-name-slash"));
	EXPECT_EQ(-EINVAL, command("try-uuid-zero"));
	EXPECT_EQ(-EINVAL, command("try-no-handler"));
	EXPECT_EQ(-EINVAL, command("try-arg-beyond"));
	EXPECT_EQ(0, command("try-arg-page"));
	EXPECT_EQ(-EEXIST, command("try-name-taken"));
	EXPECT_EQ(-EEXIST, command("try-name-default"));
	EXPECT_EQ(-EEXIST, command("try-uuid-taken"));
	EXPECT_EQ(-EEXIST, command("try-uuid-default"));
	/* Nothing of that is left. */
	EXPECT_EQ(0, command("try-nothing"));
	EXPECT_EQ(-1, access(SYSFS "/formats/test-other", F_OK));
}

TEST_F(format, register_unregister)
{
	int fd;

	NEED_MODULE();
	EXPECT_EQ(-ENOENT, command("unregister"));
	EXPECT_EQ(-ENOENT,
		  format_open(0, extra_uuid, &self->arg, sizeof(self->arg)));
	ASSERT_EQ(0, command("register"));
	EXPECT_EQ(-EEXIST, command("register"));
	EXPECT_EQ(-ENOENT, command("unregister-twin"));
	fd = format_open(0, extra_uuid, &self->arg, sizeof(self->arg));
	ASSERT_LE(0, fd);
	EXPECT_EQ(-EBUSY, command("unregister"));
	close(fd);
	EXPECT_EQ(0, command("unregister"));
	EXPECT_EQ(-ENOENT,
		  format_open(0, extra_uuid, &self->arg, sizeof(self->arg)));
}

static void read_text(const char *path, char *text, size_t size)
{
	const int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, text, size - 1);

	text[n < 0 ? 0 : n] = '\0';
	close(fd);
}

TEST_F(format, sysfs)
{
	char text[128];

	NEED_MODULE();
	read_text(SYSFS "/formats/default/uuid", text, sizeof(text));
	EXPECT_STREQ("4d72bec0-0664-4143-82b4-d3fd27243c97\n", text);
	read_text(SYSFS "/formats/default/version", text, sizeof(text));
	EXPECT_STREQ("1.0\n", text);
	read_text(SYSFS "/formats/test/uuid", text, sizeof(text));
	EXPECT_STREQ("7e57f0a7-0000-4000-8000-000000000001\n", text);
	read_text(SYSFS "/formats/test/version", text, sizeof(text));
	EXPECT_STREQ("2.7\n", text);
	EXPECT_EQ(-1, access(SYSFS "/formats/test-extra", F_OK));
	ASSERT_EQ(0, command("register"));
	EXPECT_EQ(0, access(SYSFS "/formats/test-extra", F_OK));
	ASSERT_EQ(0, command("unregister"));
	EXPECT_EQ(-1, access(SYSFS "/formats/test-extra", F_OK));
}

/*
 * Creation: what is refused, and that nothing is left behind.
 */

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

/*
 * The handler.
 */

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

/* Whom a notification is for: who asked for it. */
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
 * Who does not read his messages is not sent more of them for ever: counting
 * waits until there is room.
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

/*
 * What a handler may call.
 */

TEST_F(format, read_pmds)
{
	uint64_t begin;

	NEED_MODULE();
	self->arg.op = FMT_TEST_OP_READ_PMDS;
	self->arg.nregs = 1;
	self->arg.regs[0].num = CPU_TIME_NS;
	begin = time_ns(CLOCK_MONOTONIC);
	ASSERT_EQ(0, sample_arg(self, 0, 0));
	ASSERT_EQ(true, burn_until(self->buf, 3));
	ASSERT_EQ(0, context_stop(self->fd));
	EXPECT_EQ(0, self->buf->op_ret);
	/* It has wrapped, as late as the interrupt was. */
	EXPECT_GT(time_ns(CLOCK_MONOTONIC) - begin, self->buf->regs[0].value);
	/* One that the set does not use, one of another set. */
	self->arg.nregs = 2;
	self->arg.regs[1].num = 300;
	ASSERT_EQ(0, sample_arg(self, 0, 0));
	ASSERT_EQ(true, burn_until(self->buf, 1));
	EXPECT_EQ(-ENODATA, self->buf->op_ret);
	self->arg.regs[1].num = CPU_TIME_NS;
	self->arg.regs[1].set = 1;
	ASSERT_EQ(0, sample_arg(self, 0, 0));
	ASSERT_EQ(true, burn_until(self->buf, 1));
	EXPECT_EQ(-ENOENT, self->buf->op_ret);
}

/* A context whose cycles sample and whose counter 0 counts cycles as well. */
static int sample_cycles(FIXTURE_DATA(format) * self, uint32_t flags)
{
	const struct pfm_pmd_attr attr = {
		.num = CYCLES,
		.long_reset = -PERIOD,
		.short_reset = -PERIOD,
	};
	int ret;

	ret = open_arg(self, flags);
	if (!ret)
		ret = pmc_write(self->fd, 0, TYPE_P | EVENT_CPU_CYCLES);
	if (!ret)
		ret = pmd_write(self->fd, 0, 0);
	if (!ret)
		ret = pmc_write(self->fd, CYCLES, TYPE_P);
	if (!ret)
		ret = pmd_write(self->fd, CYCLES, -PERIOD);
	if (!ret)
		ret = attr_write(self->fd, &attr);
	return ret ? ret : context_load(self->fd, 0);
}

TEST_F(format, read_pmds_exact)
{
	NEED_CYCLES();
	if (exact_missing())
		SKIP(return, "%s", exact_missing());
	self->arg.op = FMT_TEST_OP_READ_PMDS;
	self->arg.nregs = 2;
	self->arg.regs[0].num = 0;
	self->arg.regs[1].num = CYCLES;
	ASSERT_EQ(0, sample_cycles(self, 0));
	ASSERT_EQ(0, self_loop(self->fd, 1000000));
	EXPECT_EQ(SELF_COST(1000000) / PERIOD, self->buf->calls);
	EXPECT_EQ(0, self->buf->op_ret);
	EXPECT_EQ(self->buf->calls * PERIOD, self->buf->regs[0].value);
	EXPECT_EQ(0, self->buf->regs[1].value);
}

TEST_F(format, write_pmds)
{
	NEED_CYCLES();
	self->arg.op = FMT_TEST_OP_WRITE_PMDS;
	self->arg.nregs = 1;
	self->arg.regs[0].num = 0;
	self->arg.regs[0].value = 1ULL << 50;
	ASSERT_EQ(0, sample_cycles(self, 0));
	ASSERT_EQ(0, self_loop(self->fd, 1000000));
	ASSERT_LT(0, self->buf->calls);
	EXPECT_EQ(0, self->buf->op_ret);
	/* Since the last overflow it counted less than a period. */
	EXPECT_LE(1ULL << 50, pmd_value(self->fd, 0));
	EXPECT_GT((1ULL << 50) + SELF_COST(1000000), pmd_value(self->fd, 0));
	if (!exact_missing())
		EXPECT_EQ((1ULL << 50) + SELF_COST(1000000) % PERIOD,
			  pmd_value(self->fd, 0));
	/* All or nothing. */
	self->arg.nregs = 2;
	self->arg.regs[1].num = 5;
	ASSERT_EQ(0, sample_cycles(self, 0));
	ASSERT_EQ(0, self_loop(self->fd, 1000000));
	EXPECT_EQ(-ENODATA, self->buf->op_ret);
	EXPECT_GT(1ULL << 50, pmd_value(self->fd, 0));
	self->arg.regs[1] = (struct pfm_reg){ .num = 0, .set = 3 };
	ASSERT_EQ(0, sample_cycles(self, 0));
	ASSERT_EQ(0, self_loop(self->fd, 1000000));
	EXPECT_EQ(-ENOENT, self->buf->op_ret);
	EXPECT_GT(1ULL << 50, pmd_value(self->fd, 0));
}

/* The register that overflowed: the reset comes after, and wins. */
TEST_F(format, write_pmds_of_the_sampler)
{
	NEED_CYCLES();
	if (exact_missing())
		SKIP(return, "%s", exact_missing());
	self->arg.op = FMT_TEST_OP_WRITE_PMDS;
	self->arg.nregs = 1;
	self->arg.regs[0].num = CYCLES;
	self->arg.regs[0].value = 12345;
	ASSERT_EQ(0, sample_cycles(self, 0));
	ASSERT_EQ(0, self_loop(self->fd, 1000000));
	EXPECT_EQ(SELF_COST(1000000) / PERIOD, self->buf->calls);
	EXPECT_EQ(-PERIOD, self->buf->last_reset);
	EXPECT_EQ(SELF_COST(1000000) % PERIOD - PERIOD,
		  pmd_value(self->fd, CYCLES));
}

/* What is counted changes at an overflow: here to nothing. */
TEST_F(format, write_pmcs)
{
	uint64_t value;

	NEED_CYCLES();
	self->arg.op = FMT_TEST_OP_WRITE_PMCS;
	self->arg.nregs = 1;
	self->arg.regs[0].num = 0;
	self->arg.regs[0].value = TYPE_P | TYPE_U | EVENT_CPU_CYCLES;
	ASSERT_EQ(0, sample_cycles(self, 0));
	ASSERT_EQ(0, self_loop(self->fd, 1000000));
	ASSERT_LT(0, self->buf->calls);
	EXPECT_EQ(0, self->buf->op_ret);
	value = pmd_value(self->fd, 0);
	if (!exact_missing())
		EXPECT_EQ(PERIOD, value);
	/* It stays so, across switches and starts. */
	usleep(1000);
	ASSERT_EQ(0, self_loop(self->fd, 1000000));
	EXPECT_EQ(value, pmd_value(self->fd, 0));
	EXPECT_LT(1, self->buf->calls);
}

TEST_F(format, write_pmcs_errors)
{
	const struct {
		uint32_t flags;
		struct pfm_reg reg;
		int error;
	} tries[] = {
		{ 0, { .num = 0, .set = 1, .value = TYPE_P }, -ENOENT },
		{ 0, { .num = 5, .value = TYPE_P }, -ENODATA },
		{ 0, { .num = 200, .value = TYPE_P }, -ENODATA },
		{ 0, { .num = 600, .value = TYPE_P }, -ENODATA },
		{ 0, { .num = 0, .value = TYPE_P | 1ULL << 40 }, -ERANGE },
		{ PFM_CTX_FOLLOW_ALL, { .num = 0, .value = TYPE_P }, -EBUSY },
	};
	size_t i;

	NEED_CYCLES();
	self->arg.op = FMT_TEST_OP_WRITE_PMCS;
	for (i = 0; i < ARRAY_LEN(tries); i++) {
		pin_to(0);
		self->arg.nregs = 2;
		self->arg.regs[0] = (struct pfm_reg){
			.num = 0,
			.value = TYPE_P | TYPE_U | EVENT_CPU_CYCLES,
		};
		self->arg.regs[1] = tries[i].reg;
		ASSERT_EQ(0, sample_cycles(self, tries[i].flags));
		ASSERT_EQ(0, self_loop(self->fd, 1000000));
		ASSERT_LT(0, self->buf->calls);
		EXPECT_EQ(tries[i].error, self->buf->op_ret)
		{
			TH_LOG("try %zu", i);
		}
		/* None of it was done. */
		EXPECT_LT(PERIOD, pmd_value(self->fd, 0));
	}
}

static int unprivileged(void *arg)
{
	FIXTURE_DATA(format) *self = arg;

	rights_drop();
	if (sample_cycles(self, 0) || self_loop(self->fd, 1000000))
		return 101;
	if (!self->buf->calls)
		return 102;
	if (self->buf->kernel_ok)
		return 103;
	return -self->buf->op_ret;
}

/* Have a user's format count the kernel, too: 0 or the error. */
static int write_kernel(FIXTURE_DATA(format) *self)
{
	if (chmod(DEVICE, 0666))
		return -1;
	self->arg.op = FMT_TEST_OP_WRITE_PMCS;
	self->arg.nregs = 1;
	self->arg.regs[0].num = 0;
	self->arg.regs[0].value = EVENT_CPU_CYCLES;
	return in_child(unprivileged, self);
}

/* A format gives nobody more rights than he has. */
TEST_F(format, write_pmcs_unprivileged)
{
	NEED_CYCLES();
	EXPECT_EQ(EPERM, write_kernel(self));
}

/* What the policy lets everybody count a format may change to as well. */
TEST_F(format, write_pmcs_policy)
{
	NEED_CYCLES();
	ASSERT_EQ(0, sysfs_write("policy/kernel_level", "1"));
	EXPECT_EQ(0, write_kernel(self));
	ASSERT_EQ(0, sysfs_write("policy/kernel_level", "0"));
	EXPECT_EQ(EPERM, write_kernel(self));
}

/*
 * Modules come and go.
 */

TEST_F(format, module_pinned)
{
	NEED_MODULE();
	ASSERT_EQ(0, sample_arg(self, 0, PFM_PMDF_NOTIFY));
	EXPECT_EQ(-EWOULDBLOCK, module_unload());
	/* The mapping alone keeps the context, and that the module. */
	close(self->fd);
	self->fd = -1;
	EXPECT_EQ(-EWOULDBLOCK, module_unload());
	munmap(self->buf, self->size);
	self->buf = NULL;
	EXPECT_EQ(0, module_unload());
	EXPECT_EQ(false, is_loaded());
	/* What failed holds nothing either. */
	ASSERT_EQ(0, module_load());
	self->arg.validate_ret = -EXFULL;
	EXPECT_EQ(-EXFULL, try_arg(&self->arg, 0));
	self->arg.validate_ret = 0;
	self->arg.init_ret = -EIO;
	EXPECT_EQ(-EIO, try_arg(&self->arg, 0));
	EXPECT_EQ(-EINVAL, format_open(0, test_uuid, NULL, 0));
	EXPECT_EQ(0, module_unload());
}

/* A module whose init may yet fail, and take its formats away, is not used. */
TEST_F(format, while_loading)
{
	const uint64_t begin = time_ns(CLOCK_MONOTONIC);
	pid_t pid;
	int fd;

	NEED_MODULE();
	ASSERT_EQ(0, module_unload());
	pid = fork();
	ASSERT_LE(0, pid);
	if (!pid) {
		execlp("modprobe", "modprobe", "-q", MODULE, "fail=1", NULL);
		_exit(127);
	}
	while (access(SYSFS "/formats/test-bare/uuid", F_OK) &&
	       time_ns(CLOCK_MONOTONIC) - begin < PATIENCE * 1000000ULL)
		usleep(1000);
	fd = format_open(0, bare_uuid, NULL, 0);
	EXPECT_EQ(-ENOENT, fd);
	ASSERT_EQ(0, command("fail"));
	EXPECT_NE(0, child_reap(pid));
	if (fd >= 0)
		close(fd);
	EXPECT_EQ(false, is_loaded());
}

/* Who asks for a format that is not there has its module loaded. */
TEST_F(format, autoload)
{
	NEED_MODULE();
	ASSERT_EQ(0, module_unload());
	ASSERT_EQ(false, is_loaded());
	/* This one has no alias. */
	EXPECT_EQ(-ENOENT, format_open(0, bare_uuid, NULL, 0));
	ASSERT_EQ(false, is_loaded());
	ASSERT_EQ(0, open_arg(self, 0));
	EXPECT_EQ(true, is_loaded());
}

/*
 * Children that make contexts, sample with some of them and close them, until
 * they are killed.  What is refused because the format is not there is fine.
 */
static pid_t user_of(const uint8_t *uuid, const struct fmt_test_arg *arg)
{
	const pid_t parent = getpid();
	const pid_t pid = fork();
	uint64_t n;
	int fd;

	if (pid)
		return pid;
	die_with_parent(parent);
	for (n = 0;; n++) {
		fd = format_open(n % 2 ? PFM_CTX_FOLLOW_ALL : 0, uuid, arg,
				 sizeof(*arg));
		if (fd < 0) {
			if (fd != -ENOENT)
				_exit(-fd);
			usleep(500);
			continue;
		}
		if (n % 3 == 0) {
			if (clock_sampler(fd, PFM_PMDF_NOTIFY) ||
			    context_load(fd, 0) || context_start(fd, 0))
				_exit(1);
			burn(10000);
		}
		close(fd);
		/* At times nobody has one, also where there is one CPU. */
		usleep(1000);
	}
}

static int kill_users(pid_t *pids, size_t n)
{
	int status, bad = 0;
	size_t i;

	for (i = 0; i < n; i++) {
		kill(pids[i], SIGKILL);
		status = child_reap(pids[i]);
		if (!WIFSIGNALED(status) || WTERMSIG(status) != SIGKILL)
			bad = status ?: 1;
	}
	return bad;
}

TEST_F_TIMEOUT(format, register_under_load, 300)
{
	uint64_t busy = 0;
	pid_t pids[4];
	int ret, round;
	size_t i;

	NEED_MODULE();
	for (i = 0; i < ARRAY_LEN(pids); i++)
		pids[i] = user_of(extra_uuid, &self->arg);
	for (round = 0; round < CYCLES_REG; round++) {
		ASSERT_EQ(0, command("register"));
		usleep(500);
		while ((ret = command("unregister")) == -EBUSY) {
			busy++;
			usleep(100);
		}
		ASSERT_EQ(0, ret);
	}
	EXPECT_EQ(0, kill_users(pids, ARRAY_LEN(pids)));
	TH_LOG("refused as busy: %llu", (unsigned long long)busy);
	EXPECT_LT(0, busy);
}

TEST_F_TIMEOUT(format, unload_under_load, 300)
{
	int round, ret, unloaded = 0;
	pid_t pids[3];
	size_t i;

	NEED_MODULE();
	for (i = 0; i < ARRAY_LEN(pids); i++)
		pids[i] = user_of(test_uuid, &self->arg);
	for (round = 0; round < 2000 && unloaded < 20; round++) {
		ret = module_unload();
		if (!ret)
			unloaded++;
		/* Not loaded, in use, or on its way. */
		else if (ret != -ENOENT && ret != -EWOULDBLOCK && ret != -EBUSY)
			ASSERT_EQ(0, ret);
		usleep(1000);
	}
	EXPECT_EQ(0, kill_users(pids, ARRAY_LEN(pids)));
	TH_LOG("unloaded %d times", unloaded);
	EXPECT_LT(0, unloaded);
	ASSERT_EQ(0, module_load());
}

/* A process that dies with a context of the format gives everything back. */
TEST_F(format, killed)
{
	pid_t pid;
	int round;

	NEED_MODULE();
	for (round = 0; round < 20; round++) {
		pid = user_of(test_uuid, &self->arg);
		usleep(5000 + 100 * round);
		child_kill(pid);
	}
	EXPECT_EQ(0, module_unload());
}

TEST_HARNESS_MAIN

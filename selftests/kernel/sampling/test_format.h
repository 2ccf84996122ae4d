/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The format of modules/fmt_test.c, and a context with it for each test; needs root.
 */
#ifndef _SELFTESTS_TEST_FORMAT_H
#define _SELFTESTS_TEST_FORMAT_H

#include <sys/syscall.h>

#include "context.h"
#include "cpu.h"
#include "notification.h"
#include "sampling.h"
#include "modules/fmt_test.h"
#include "sysfs.h"

#define MODULE	   "fmt_test"
#define PARAMETERS "/sys/module/" MODULE "/parameters"
#define PERIOD	   500000ULL

static const uint8_t test_uuid[PFM_UUID_LEN] = FMT_TEST_UUID;

static inline bool is_loaded(void)
{
	return !access("/sys/module/" MODULE, F_OK);
}

static inline int module_load(void)
{
	return is_loaded() ? 0 : system("modprobe " MODULE);
}

/* Unload the module as rmmod does.  Returns 0 or -errno. */
static inline int module_unload(void)
{
	return syscall(SYS_delete_module, MODULE, O_NONBLOCK) ? -errno : 0;
}

/* Send a command to the test module.  Returns the result of the format registry. */
static inline int command(const char *what)
{
	const int fd = open(PARAMETERS "/command", O_WRONLY | O_CLOEXEC);
	int ret;

	if (fd < 0)
		return -errno;
	ret = write(fd, what, strlen(what)) < 0 ? -errno : 0;
	close(fd);
	return ret;
}

/* Number of lanes for which init of the format was called, and exit not yet. */
static inline int lanes(void)
{
	const int fd = open(PARAMETERS "/lanes", O_RDONLY | O_CLOEXEC);
	char text[16] = "";

	if (fd < 0 || read(fd, text, sizeof(text) - 1) < 0)
		return -1;
	close(fd);
	return atoi(text);
}

/* Use the CPU until the handler has been called n times. */
static inline bool burn_until(const volatile struct fmt_test_buf *buf,
			      uint64_t n)
{
	const uint64_t begin = time_ns(CLOCK_MONOTONIC);

	while (buf->calls < n) {
		burn(1000);
		if (time_ns(CLOCK_MONOTONIC) - begin > PATIENCE * 1000000ULL)
			return false;
	}
	return true;
}

static inline int clock_sampler(int fd, uint32_t flags)
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

/* The defaults: a buffer of one page, and a handler that lets sampling go on. */
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

static inline void format_close(FIXTURE_DATA(format) * self)
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

static inline int try_arg(const struct fmt_test_arg *arg, uint32_t flags)
{
	return format_open(flags, test_uuid, arg, sizeof(*arg));
}

/* Replace the context by a new one with the test format. */
static inline int open_arg(FIXTURE_DATA(format) * self, uint32_t flags)
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
static inline int sample_arg(FIXTURE_DATA(format) * self, uint32_t flags,
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

#endif /* _SELFTESTS_TEST_FORMAT_H */

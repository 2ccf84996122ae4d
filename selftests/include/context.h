/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Contexts: each ioctl as a function that returns -errno in place of setting it.
 */
#ifndef _SELFTESTS_CONTEXT_H
#define _SELFTESTS_CONTEXT_H

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <linux/perfmon.h>

#include "registers.h"

#define DEVICE "/dev/perfmon"

#define ARRAY_LEN(a) (sizeof(a) / sizeof((a)[0]))

/* All flags of contexts. */
#define CTX_FLAGS                                               \
	(PFM_CTX_NOTIFY_BLOCK | PFM_CTX_MAPS | PFM_CTX_NO_MSG | \
	 PFM_CTX_SYSTEM_WIDE | PFM_CTX_AGGREGATE | PFM_CTX_FOLLOW_ALL)

/* The number that an ioctl has for a caller whose structure has another size. */
#define IOC_SIZED(cmd, size) \
	_IOC(_IOC_DIR(cmd), _IOC_TYPE(cmd), _IOC_NR(cmd), size)

/* Execute an ioctl.  Returns 0 or more, or -errno. */
static inline int call(int fd, unsigned long cmd, const void *arg)
{
	const int ret = ioctl(fd, cmd, arg);

	return ret < 0 ? -errno : ret;
}

static inline int device_open(void)
{
	const int fd = open(DEVICE, O_RDWR | O_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

static inline int context_create(int device, uint32_t flags)
{
	const struct pfm_create arg = { .flags = flags };

	return call(device, PFM_IOC_CREATE_CONTEXT, &arg);
}

/* Open the device and create a context.  Returns its descriptor or -errno. */
static inline int context_open(uint32_t flags)
{
	const int device = device_open();
	int fd;

	if (device < 0)
		return device;
	fd = context_create(device, flags);
	close(device);
	return fd;
}

static inline int vector(int fd, unsigned long cmd, const void *regs,
			 uint32_t count, uint32_t *failed)
{
	struct pfm_regs arg = {
		.regs = (uintptr_t)regs,
		.count = count,
	};
	const int ret = call(fd, cmd, &arg);

	if (failed)
		*failed = arg.failed;
	return ret;
}

static inline int pmc_write(int fd, uint16_t num, uint64_t value)
{
	const struct pfm_reg reg = { .num = num, .value = value };

	return vector(fd, PFM_IOC_WRITE_PMCS, &reg, 1, NULL);
}

static inline int pmd_write(int fd, uint16_t num, uint64_t value)
{
	const struct pfm_reg reg = { .num = num, .value = value };

	return vector(fd, PFM_IOC_WRITE_PMDS, &reg, 1, NULL);
}

static inline int pmd_read(int fd, uint16_t num, uint64_t *value)
{
	struct pfm_reg reg = { .num = num, .value = ~0ULL };
	const int ret = vector(fd, PFM_IOC_READ_PMDS, &reg, 1, NULL);

	*value = reg.value;
	return ret;
}

/* The value, or all ones, which no test expects. */
static inline uint64_t pmd_value(int fd, uint16_t num)
{
	uint64_t value;

	return pmd_read(fd, num, &value) ? ~0ULL : value;
}

/* Create or describe an event set; -ENOTTY when the modules have no event sets. */
static inline int set_describe(int fd, uint16_t set, uint32_t flags)
{
	const struct pfm_set_desc desc = { .set = set, .flags = flags };

	return vector(fd, PFM_IOC_CREATE_EVTSET, &desc, 1, NULL);
}

static inline int context_load(int fd, pid_t tid)
{
	const struct pfm_load arg = { .tid = tid };

	return call(fd, PFM_IOC_LOAD_CONTEXT, &arg);
}

/* Contexts that one thread can have */
#define CONTEXTS_OF_THREAD 4

/* Load as many contexts on a thread as it can have.  Returns 0 or -errno. */
static inline int contexts_fill(int fds[CONTEXTS_OF_THREAD], pid_t tid)
{
	int ret = 0;

	for (unsigned int i = 0; i < CONTEXTS_OF_THREAD; i++) {
		fds[i] = context_open(0);
		if (!ret)
			ret = pmd_write(fds[i], CPU_TIME_NS, 0);
		if (!ret)
			ret = context_load(fds[i], tid);
	}
	return ret;
}

/* Unload and close them. */
static inline void contexts_close(const int fds[CONTEXTS_OF_THREAD])
{
	for (unsigned int i = 0; i < CONTEXTS_OF_THREAD; i++)
		close(fds[i]);
}

static inline int context_unload(int fd)
{
	return call(fd, PFM_IOC_UNLOAD_CONTEXT, NULL);
}

static inline int context_start(int fd, uint32_t flags)
{
	const struct pfm_start arg = { .flags = flags };

	return call(fd, PFM_IOC_START, &arg);
}

static inline int context_stop(int fd)
{
	return call(fd, PFM_IOC_STOP, NULL);
}

static inline int config_get(int fd, struct pfm_config *cfg)
{
	memset(cfg, 0, sizeof(*cfg));
	return call(fd, PFM_IOC_GET_CONFIG, cfg);
}

/* True if the machine has a control register of that number. */
static inline bool has_register(uint16_t num)
{
	const int fd = context_open(0);
	struct pfm_config cfg;
	bool has;

	if (fd < 0)
		return false;
	has = !config_get(fd, &cfg) &&
	      cfg.impl_pmcs[num / 64] >> num % 64 & 1;
	close(fd);
	return has;
}

/* Returns PFM_STATE_*, or 0 when GET_CONFIG fails. */
static inline uint32_t state_of(int fd)
{
	struct pfm_config cfg;

	return config_get(fd, &cfg) ? 0 : cfg.state;
}

static inline int config_set(int fd, const struct pfm_config *cfg)
{
	return call(fd, PFM_IOC_SET_CONFIG, cfg);
}

static inline int records_read(int fd, void *buf, uint32_t size,
			       struct pfm_read_records *arg)
{
	*arg = (struct pfm_read_records){
		.buf = (uintptr_t)buf,
		.size = size,
	};
	return call(fd, PFM_IOC_READ_RECORDS, arg);
}

static inline int message_read(int fd, union pfm_msg *msg)
{
	const ssize_t ret = read(fd, msg, sizeof(*msg));

	return ret < 0 ? -errno : ret;
}

/* Write each line at once, so that the output shows where a test hangs. */
static void __attribute__((constructor)) common_output(void)
{
	setvbuf(stdout, NULL, _IOLBF, 0);
}

/* Whether the descriptor's fdinfo has a line. */
static inline bool fdinfo_has(int fd, const char *line)
{
	char path[64], text[4096];
	ssize_t len;
	int info;

	snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", fd);
	info = open(path, O_RDONLY);
	len = read(info, text, sizeof(text) - 1);
	close(info);
	if (len < 0)
		return false;
	text[len] = '\0';
	return strstr(text, line);
}

#endif /* _SELFTESTS_CONTEXT_H */

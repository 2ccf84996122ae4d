/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Registers of the processor that this thread is on, which the module msr_test reads and writes.
 */
#ifndef _SELFTESTS_MSR_H
#define _SELFTESTS_MSR_H

#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MSR_TEST "/sys/module/msr_test/parameters/"

/* False if the processor has no such register, or no such value of it. */
static inline bool msr_put(const char *path, const char *text)
{
	const int fd = open(path, O_WRONLY | O_CLOEXEC);
	bool done;

	if (fd < 0)
		abort();
	done = write(fd, text, strlen(text)) >= 0;
	close(fd);
	return done;
}

static inline bool msr_write(uint32_t msr, uint64_t value)
{
	char text[64];

	snprintf(text, sizeof(text), "%x %llx", msr, (unsigned long long)value);
	return msr_put(MSR_TEST "write", text);
}

/* All ones, which no test expects, if the processor has no such register. */
static inline uint64_t msr_read(uint32_t msr)
{
	char text[64];
	ssize_t n;
	int fd;

	snprintf(text, sizeof(text), "%x", msr);
	if (!msr_put(MSR_TEST "read", text))
		return ~0ULL;
	fd = open(MSR_TEST "read", O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		abort();
	n = read(fd, text, sizeof(text) - 1);
	if (n <= 0)
		abort();
	text[n] = '\0';
	close(fd);
	return strtoull(text, NULL, 16);
}

#endif /* _SELFTESTS_MSR_H */

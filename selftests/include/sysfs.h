/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The files below /sys/kernel/perfmon.
 */
#ifndef _SELFTESTS_SYSFS_H
#define _SELFTESTS_SYSFS_H

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SYSFS "/sys/kernel/perfmon"

/* The number in a file of sysfs, or -1. */
static inline long sysfs_number(const char *name)
{
	char path[256], text[64] = "";
	int fd;

	snprintf(path, sizeof(path), SYSFS "/%s", name);
	fd = open(path, O_RDONLY);
	if (fd < 0)
		return -1;
	if (read(fd, text, sizeof(text) - 1) < 0)
		text[0] = '\0';
	close(fd);
	return text[0] ? strtol(text, NULL, 0) : -1;
}

/* Read a file of sysfs; 0 or -errno. */
static inline int sysfs_text(const char *name, char *text, size_t size)
{
	char path[256];
	ssize_t len;
	int fd;

	snprintf(path, sizeof(path), SYSFS "/%s", name);
	fd = open(path, O_RDONLY);
	if (fd < 0)
		return -errno;
	len = read(fd, text, size - 1);
	if (len < 0) {
		close(fd);
		return -errno;
	}
	text[len] = '\0';
	close(fd);
	return 0;
}

/* Write a file of sysfs; 0 or -errno. */
static inline int sysfs_write(const char *name, const char *text)
{
	char path[256];
	ssize_t len;
	int fd;

	snprintf(path, sizeof(path), SYSFS "/%s", name);
	fd = open(path, O_WRONLY);
	if (fd < 0)
		return -errno;
	len = write(fd, text, strlen(text));
	if (len < 0)
		len = -errno;
	close(fd);
	return len < 0 ? len : 0;
}

#endif /* _SELFTESTS_SYSFS_H */

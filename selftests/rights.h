/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Who may do what: processes without rights, and the files of sysfs.
 */
#ifndef _SELFTESTS_RIGHTS_H
#define _SELFTESTS_RIGHTS_H

#include "common.h"

#include <grp.h>

#define NOBODY	1000

/* From here on the process is nobody's, but may be looked at by its owner. */
static inline void rights_drop(void)
{
	if (setgroups(0, NULL) || setresgid(NOBODY, NOBODY, NOBODY) ||
	    setresuid(NOBODY, NOBODY, NOBODY) || prctl(PR_SET_DUMPABLE, 1))
		abort();
}

/* Run in a child and give its exit status, which is what fn returns. */
static inline int in_child(int (*fn)(void *), void *arg)
{
	const pid_t pid = fork();
	int status;

	if (!pid)
		_exit(fn(arg));
	status = child_reap(pid);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* What a file of sysfs says; 0 or -errno. */
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

#endif /* _SELFTESTS_RIGHTS_H */

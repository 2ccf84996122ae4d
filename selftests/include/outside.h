/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * NMIs of somebody else, which the module outside_test sends.
 */
#ifndef _SELFTESTS_OUTSIDE_H
#define _SELFTESTS_OUTSIDE_H

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* In rounds of spin(), two instructions of a nanosecond each: 10 ms, and longer than 0.1 s */
#define LATE	 5000000
#define TOO_LATE 60000000

/* The chipset's reason: an error of a bus */
#define SERR "0x80"

/* The value of an absent port */
#define NO_PORT "0xff"

/* A parameter of the module */
static inline int outside_open(const char *name, int flags)
{
	char path[128];

	snprintf(path, sizeof(path), "/sys/module/outside_test/parameters/%s",
		 name);
	return open(path, flags);
}

/* A number that the module counts */
static inline long outside_count(const char *name)
{
	const int fd = outside_open(name, O_RDONLY);
	char text[32] = "";

	if (fd < 0 || read(fd, text, sizeof(text) - 1) < 0)
		abort();
	close(fd);
	return strtol(text, NULL, 0);
}

/* An NMI comes to this CPU, with a reason of the chipset or "0". */
static inline void outside_send(const char *reason)
{
	const int fd = outside_open("send", O_WRONLY);

	if (fd < 0 || write(fd, reason, strlen(reason)) < 0)
		abort();
	close(fd);
}

#endif /* _SELFTESTS_OUTSIDE_H */

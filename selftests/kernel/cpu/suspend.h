/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The whole machine suspended to memory (S3), and woken by an alarm of its clock.  For guests with
 * QEMU's machine q35.
 *
 * The guest's 9p file systems are gone afterwards: a program that opens, closes or looks for a file
 * of theirs then waits without end.  So the program executes a copy of itself in /tmp before its
 * first test, and opens beforehand what it needs later.
 */
#ifndef _SELFTESTS_SUSPEND_H
#define _SELFTESTS_SUSPEND_H

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/rtc.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/sendfile.h>
#include <time.h>
#include <unistd.h>

#include "exact_count.h"

/* Seconds after which the alarm wakes the machine, which has to sleep by then */
#define SUSPEND_SECONDS		 10
#define SUSPEND_SECONDS_CHECKERS 30

/* The bridge that has the registers of ACPI, and where their address is in its configuration */
#define SUSPEND_BRIDGE	"/sys/bus/pci/devices/0000:00:1f.0/config"
#define SUSPEND_PM_BASE 0x40

/* modules/syscore_test.c: it tells of suspends, and works with interrupts off in each. */
#define SUSPEND_MODULE "/sys/module/syscore_test/parameters/"

struct suspend {
	int state; /* a write of "mem" suspends */
	int nothing; /* the same write does nothing */
	int rtc;
	int bridge;
	char pm_base[8];
};

/* Execute a copy in memory: this one is a file of the host. */
static void __attribute__((constructor))
suspend_from_memory(int argc, char *argv[])
{
	static const char copy[] = "/tmp/suspended";
	char self[PATH_MAX] = "";
	int from, to;
	ssize_t len;

	if (readlink("/proc/self/exe", self, sizeof(self) - 1) < 0 ||
	    !strcmp(self, copy))
		return;
	if (!system("modinfo syscore_test >/dev/null 2>&1") &&
	    system("modprobe syscore_test >&2"))
		abort();
	from = open(self, O_RDONLY | O_CLOEXEC);
	to = open(copy, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0700);
	do {
		len = sendfile(to, from, NULL, 1 << 20);
	} while (len > 0);
	if (len < 0 || close(to) || chdir("/"))
		abort();
	execv(copy, argv);
	abort();
}

/* Returns false if this machine cannot be suspended to memory.  Nothing is closed: see above. */
static inline bool suspend_open(struct suspend *s)
{
	const int depth = open("/sys/power/mem_sleep", O_WRONLY | O_CLOEXEC);
	const bool deep = depth >= 0 && write(depth, "deep", 4) == 4;

	if (depth >= 0)
		close(depth);
	s->state = open("/sys/power/state", O_WRONLY | O_CLOEXEC);
	s->nothing = open("/dev/null", O_WRONLY | O_CLOEXEC);
	s->rtc = open("/dev/rtc0", O_RDONLY | O_CLOEXEC);
	s->bridge = open(SUSPEND_BRIDGE, O_RDWR | O_CLOEXEC);
	return deep && s->state >= 0 && s->nothing >= 0 && s->rtc >= 0 &&
	       pread(s->bridge, s->pm_base, sizeof(s->pm_base),
		     SUSPEND_PM_BASE) == sizeof(s->pm_base);
}

/* Have the clock wake the machine.  Returns false if it has no alarm. */
static inline bool suspend_alarm(const struct suspend *s)
{
	struct rtc_wkalrm alarm = { .enabled = 1 };
	struct tm then;
	time_t at;

	if (ioctl(s->rtc, RTC_RD_TIME, &alarm.time))
		return false;
	/* The two structures have these fields in common. */
	memcpy(&then, &alarm.time, sizeof(alarm.time));
	at = timegm(&then) + (kernel_has_checkers() ? SUSPEND_SECONDS_CHECKERS
						    : SUSPEND_SECONDS);
	if (!gmtime_r(&at, &then))
		return false;
	memcpy(&alarm.time, &then, sizeof(alarm.time));
	return !ioctl(s->rtc, RTC_WKALM_SET, &alarm);
}

/*
 * Suspend and wake, or do nothing by the same instructions in user mode.  The alarm has been set.
 *
 * QEMU's bridge forgets where the registers of ACPI are, and no firmware tells it again: the
 * kernel's clock, which is one of them, stands still until this has done that.
 */
static inline bool suspend_by(const struct suspend *s, int state)
{
	const bool slept = write(state, "mem", 3) == 3;

	return pwrite(s->bridge, s->pm_base, sizeof(s->pm_base),
		      SUSPEND_PM_BASE) == sizeof(s->pm_base) &&
	       slept;
}

static inline bool suspend(const struct suspend *s)
{
	return suspend_alarm(s) && suspend_by(s, s->state);
}

static inline bool suspend_has_module(void)
{
	return !access(SUSPEND_MODULE, F_OK);
}

static inline unsigned long suspend_parameter(const char *path)
{
	const int fd = open(path, O_RDONLY | O_CLOEXEC);
	char text[32] = "";

	if (fd < 0 || read(fd, text, sizeof(text) - 1) < 0)
		abort();
	close(fd);
	return strtoul(text, NULL, 0);
}

/* Number of suspends that got as far as the PMU modules */
static inline unsigned long suspend_number(void)
{
	return suspend_parameter(SUSPEND_MODULE "suspended");
}

/* Number of those whose irq_work ran, which was queued after the PMU modules had stopped */
static inline unsigned long suspend_irq_work_runs(void)
{
	return suspend_parameter(SUSPEND_MODULE "ran");
}

/* Rounds of two instructions that each suspend executes with interrupts off */
static inline void suspend_work(const char *loops)
{
	const int fd = open(SUSPEND_MODULE "loops", O_WRONLY | O_CLOEXEC);

	if (fd < 0 || write(fd, loops, strlen(loops)) < 0)
		abort();
	close(fd);
}

#endif /* _SELFTESTS_SUSPEND_H */

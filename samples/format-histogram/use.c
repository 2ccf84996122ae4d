// SPDX-License-Identifier: GPL-2.0-only
/*
 * Profiles two functions of its own, of which one runs three times as long, and
 * prints the histogram.
 *
 * usage: use PMD PERIOD [PMC VALUE]
 */
#include <err.h>
#include <fcntl.h>
#include <glob.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <linux/perfmon.h>
#include "histogram.h"

#define PAGE 4096

/* Compiled to be on pages of their own: a bucket of a page holds one of them. */
static void loop_short(void)
{
	for (long i = 0; i < 5000000; i++)
		asm volatile("");
}

static void loop_long(void)
{
	for (long i = 0; i < 15000000; i++)
		asm volatile("");
}

static void call(int fd, unsigned long cmd, const void *arg, const char *what)
{
	if (ioctl(fd, cmd, arg) < 0)
		err(1, "%s", what);
}

static void vector(int fd, unsigned long cmd, const void *elem,
		   const char *what)
{
	const struct pfm_regs regs = { .regs = (uintptr_t)elem, .count = 1 };

	call(fd, cmd, &regs, what);
}

static int create(unsigned long start)
{
	const struct histogram_arg hist = {
		.start = start & -PAGE,
		.buckets = 16,
		.shift = 12,
	};
	const struct pfm_create arg = {
		.fmt_uuid = HISTOGRAM_UUID,
		.fmt_arg = (uintptr_t)&hist,
		.fmt_arg_size = sizeof(hist),
	};
	const int device = open("/dev/perfmon", O_RDWR);
	int fd;

	if (device < 0)
		err(1, "/dev/perfmon");
	fd = ioctl(device, PFM_IOC_CREATE_CONTEXT, &arg);
	if (fd < 0)
		err(1, "CREATE_CONTEXT");
	close(device);
	return fd;
}

static void print_histogram(void)
{
	char pattern[64], line[128];
	glob_t found;
	FILE *file;

	snprintf(pattern, sizeof(pattern),
		 "/sys/kernel/debug/perfmon_histogram/%d-*", getpid());
	if (glob(pattern, 0, NULL, &found))
		errx(1, "no %s", pattern);
	file = fopen(found.gl_pathv[0], "r");
	if (!file)
		err(1, "%s", found.gl_pathv[0]);
	while (fgets(line, sizeof(line), file))
		fputs(line, stdout);
	fclose(file);
	globfree(&found);
}

int main(int argc, char **argv)
{
	const struct pfm_load self = { .tid = 0 };
	struct pfm_pmd_attr attr = { 0 };
	struct pfm_reg reg = { 0 };
	unsigned long start;
	int fd;

	if (argc != 3 && argc != 5)
		errx(2, "usage: use PMD PERIOD [PMC VALUE]");
	start = (unsigned long)loop_short < (unsigned long)loop_long
			? (unsigned long)loop_short
			: (unsigned long)loop_long;
	fd = create(start);
	if (argc == 5) {
		reg.num = atoi(argv[3]);
		reg.value = strtoull(argv[4], NULL, 0);
		vector(fd, PFM_IOC_WRITE_PMCS, &reg, "WRITE_PMCS");
	}
	attr.num = atoi(argv[1]);
	attr.long_reset = -strtoull(argv[2], NULL, 0);
	attr.short_reset = attr.long_reset;
	vector(fd, PFM_IOC_WRITE_PMDATTRS, &attr, "WRITE_PMDATTRS");
	reg.num = attr.num;
	reg.value = attr.long_reset;
	vector(fd, PFM_IOC_WRITE_PMDS, &reg, "WRITE_PMDS");
	call(fd, PFM_IOC_LOAD_CONTEXT, &self, "LOAD_CONTEXT");

	call(fd, PFM_IOC_START, NULL, "START");
	loop_short();
	loop_long();
	call(fd, PFM_IOC_STOP, NULL, "STOP");

	printf("loop_short 0x%lx\n", (unsigned long)loop_short & -PAGE);
	printf("loop_long 0x%lx\n", (unsigned long)loop_long & -PAGE);
	print_histogram();
	return 0;
}

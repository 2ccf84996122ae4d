// SPDX-License-Identifier: GPL-2.0-only
/*
 * read: a system call that reads 1, 2, 4 or 6 running counters of the caller.  For
 * comparison: the cheapest system call, and an ioctl that does nothing, which are the
 * lower bounds; and the cost of opening and closing a descriptor.
 */
#include "bench.h"

#include <sys/eventfd.h>
#include <sys/syscall.h>

#define ROUNDS 2000

static void empty(void *arg, unsigned int n)
{
	while (n--)
		;
}

static void getppids(void *arg, unsigned int n)
{
	while (n--)
		syscall(SYS_getppid);
}

static void ioctls(void *arg, unsigned int n)
{
	while (n--)
		ioctl(*(int *)arg, _IO(0, 0), 0);
}

/* A descriptor of an anonymous inode, as a context has one. */
static void descriptors(void *arg, unsigned int n)
{
	while (n--)
		close(eventfd(0, EFD_CLOEXEC));
}

static void reads(void *arg, unsigned int n)
{
	while (n--)
		group_read(arg);
}

int main(int argc, char *argv[])
{
	const unsigned int *size;
	struct group group;
	double loop;
	int fd;

	bench_begin(argc, argv);
	loop = bench_rounds(empty, NULL, ROUNDS);
	bench_print(bench_rounds(getppids, NULL, ROUNDS) - loop,
		    "floor/getppid");
	fd = open("/dev/null", O_RDONLY);
	bench_print(bench_rounds(ioctls, &fd, ROUNDS) - loop, "floor/ioctl");
	bench_print(bench_rounds(descriptors, NULL, ROUNDS) - loop,
		    "floor/descriptor");
	for (size = bench_sizes; *size; size++) {
		group_open(&group, 0, *size, 0);
		group_start(&group);
		bench_print(bench_rounds(reads, &group, ROUNDS) - loop,
			    "read/%u", *size);
		group_close(&group);
	}
	return 0;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * count PROGRAM [ARGUMENT]...: runs PROGRAM and prints its number of user-level
 * instructions, children that it does not wait for and all.
 */
#include "child.h"
#include "context.h"
#include "exact_count.h"

int main(int argc, char **argv)
{
	const int fd = context_open(PFM_CTX_FOLLOW_ALL);
	struct child child;
	union pfm_msg msg;
	int num = fd;

	if (argc < 2) {
		fprintf(stderr, "usage: count PROGRAM [ARGUMENT]...\n");
		return 2;
	}
	if (fd >= 0)
		num = instructions_setup(fd, 0);
	if (num < 0) {
		fprintf(stderr, "count: %s\n", strerror(-num));
		return 1;
	}
	child_exec(&child, (const char *const *)argv + 1);
	if (context_load(fd, child.pid) ||
	    context_start(fd, PFM_START_ON_EXEC)) {
		fprintf(stderr, "count: cannot monitor %d\n", child.pid);
		return 1;
	}
	child_go(&child);
	child_reap(child.pid);
	if (message_read(fd, &msg) != sizeof(msg))
		return 1;
	printf("%llu\n", (unsigned long long)pmd_value(fd, num));
	return 0;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * holder FILE: holds a context that is loaded on itself and counting, says so
 * by creating FILE, and waits to be killed.
 */
#include "context.h"

int main(int argc, char **argv)
{
	const int fd = context_open(PFM_CTX_FOLLOW_ALL);
	int ret = fd;

	if (argc != 2) {
		fprintf(stderr, "usage: holder FILE\n");
		return 2;
	}
	if (ret >= 0)
		ret = pmd_write(fd, CPU_TIME_NS, 0);
	if (!ret)
		ret = context_load(fd, 0);
	if (!ret)
		ret = context_start(fd, 0);
	if (ret) {
		fprintf(stderr, "holder: %s\n", strerror(-ret));
		return 1;
	}
	close(open(argv[1], O_CREAT | O_WRONLY, 0600));
	for (;;)
		pause();
}

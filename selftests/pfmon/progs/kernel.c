// SPDX-License-Identifier: GPL-2.0-only
/*
 * kernel FILE TEXT: writes TEXT to FILE in one call.
 * kernel FILE TEXT fork: the same again in a process of its own, and in a thread.
 *
 * With the parameter of burn_test.ko as FILE that burns kernel code.
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static char **args;

static int work(void)
{
	const int fd = open(args[1], O_WRONLY | O_CLOEXEC);
	const ssize_t len = strlen(args[2]);

	if (fd < 0 || write(fd, args[2], len) != len) {
		perror(args[1]);
		return 1;
	}
	close(fd);
	return 0;
}

static void *thread(void *failed)
{
	return work() ? failed : NULL;
}

int main(int argc, char **argv)
{
	void *bad = NULL;
	pthread_t id;
	int status;

	if (argc < 3) {
		fprintf(stderr, "usage: kernel FILE TEXT [fork]\n");
		return 2;
	}
	args = argv;
	if (argc > 3) {
		if (!fork()) {
			/* Executed anew, as a followed program would be. */
			execl(argv[0], argv[0], argv[1], argv[2], (char *)NULL);
			_exit(1);
		}
		if (pthread_create(&id, NULL, thread, &id) ||
		    pthread_join(id, &bad) || bad || wait(&status) < 0 ||
		    status)
			return 1;
	}
	return work();
}

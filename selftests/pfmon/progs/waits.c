// SPDX-License-Identifier: GPL-2.0-only
/*
 * waits: sleeps ten times for 20 ms in naps(), waits for a thread that sleeps for 100 ms in joins(), and
 * for a child that does in reaps(); then burns.
 */
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "burn.h"

static NOINLINE void nap(long ms)
{
	const struct timespec time = { .tv_nsec = ms * 1000000 };

	FRAME();
	nanosleep(&time, NULL);
}

static NOINLINE void naps(void)
{
	int i;

	FRAME();
	for (i = 0; i < 10; i++)
		nap(20);
}

static void *thread(void *arg)
{
	nap(100);
	return arg;
}

static NOINLINE int joins(void)
{
	pthread_t id;

	FRAME();
	return pthread_create(&id, NULL, thread, NULL) ||
	       pthread_join(id, NULL);
}

static NOINLINE int reaps(void)
{
	pid_t pid = fork();

	FRAME();
	if (!pid) {
		nap(100);
		_exit(0);
	}
	return waitpid(pid, NULL, 0) != pid;
}

int main(void)
{
	naps();
	if (joins() || reaps())
		return 1;
	burn(1000000);
	return 0;
}

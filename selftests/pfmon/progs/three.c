// SPDX-License-Identifier: GPL-2.0-only
/*
 * three N: burns 60, 30 and 10 percent of 10 N loops in three functions.
 * three N fork: the same again in a process of its own, and in a thread.
 *
 * Built with -DLIBRARY=name the second function comes from a shared library.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "burn.h"

/* The name that a C++ compiler gives to "burnt::most(unsigned long)". */
void most(unsigned long n) __asm__("_ZN5burnt4mostEm");
void some(unsigned long n);
void few(unsigned long n);

NOINLINE void most(unsigned long n)
{
	FRAME();
	burn(6 * n);
}

#ifndef LIBRARY
NOINLINE void some(unsigned long n)
{
	FRAME();
	burn(3 * n);
}
#endif

NOINLINE void few(unsigned long n)
{
	FRAME();
	burn(n);
}

/* Calls that a stack shows; what follows them keeps them no jumps. */
static NOINLINE int work(unsigned long n)
{
	most(n);
	some(n);
	few(n);
	return 0;
}

static void *thread(void *arg)
{
	work(*(unsigned long *)arg);
	return NULL;
}

int main(int argc, char **argv)
{
	unsigned long n = argc > 1 ? strtoul(argv[1], NULL, 0) : 1000000;
	pthread_t id;

	if (argc > 2 && !strcmp(argv[2], "fork")) {
		if (!fork()) {
			/* Executed anew: another address space. */
			execl(argv[0], argv[0], argv[1], (char *)NULL);
			_exit(1);
		}
		if (pthread_create(&id, NULL, thread, &n))
			return 1;
		pthread_join(id, NULL);
		wait(NULL);
	}
	return work(n);
}

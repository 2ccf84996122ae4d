// SPDX-License-Identifier: GPL-2.0-only
/*
 * phases N: burns N loops in one thread, then N loops in each of two threads at a time.
 */
#include <pthread.h>
#include <stdlib.h>

#include "burn.h"

static NOINLINE void alone(unsigned long n)
{
	FRAME();
	burn(n);
}

static NOINLINE void together(unsigned long n)
{
	FRAME();
	burn(n);
}

static void *thread(void *arg)
{
	together(*(unsigned long *)arg);
	return NULL;
}

int main(int argc, char **argv)
{
	unsigned long n = argc > 1 ? strtoul(argv[1], NULL, 0) : 1000000;
	pthread_t id;

	alone(n);
	if (pthread_create(&id, NULL, thread, &n))
		return 1;
	together(n);
	return pthread_join(id, NULL);
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Loads two libraries in turn, at the same address, and spends the same time in each:
 * replace LIBRARY-A LIBRARY-B ROUNDS.  With -DTURN=NAME: one of the libraries.
 */
#ifdef TURN
void TURN(unsigned long n)
{
	for (; n; n--)
		__asm__ volatile("");
}
#else
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
	static const char *const names[] = { "turn_a", "turn_b" };
	int i, rounds = argc == 4 ? atoi(argv[3]) : 0;
	void *at[2] = { NULL, NULL };

	for (i = 0; i < 2 * rounds; i++) {
		void *library = dlopen(argv[1 + i % 2], RTLD_NOW);
		void (*turn)(unsigned long);

		if (!library)
			return 1;
		turn = (void (*)(unsigned long))dlsym(library, names[i % 2]);
		if (!turn)
			return 1;
		turn(200000);
		at[i % 2] = (void *)turn;
		dlclose(library);
	}
	/* Otherwise nothing is tested. */
	return at[0] != at[1];
}
#endif

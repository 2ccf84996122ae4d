// SPDX-License-Identifier: GPL-2.0-only
/* The second function of three.c, for a shared library. */
#include "burn.h"

void some(unsigned long n);

NOINLINE void some(unsigned long n)
{
	FRAME();
	burn(3 * n);
}

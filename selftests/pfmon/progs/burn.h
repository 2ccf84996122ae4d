/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BURN_H
#define BURN_H

/* Goes @n times around two instructions, here and nowhere else. */
static inline __attribute__((always_inline)) void burn(unsigned long n)
{
#ifdef __aarch64__
	__asm__ volatile("1: subs %0, %0, #1\n\tb.ne 1b" : "+r"(n) : : "cc");
#else
	__asm__ volatile("1: dec %0\n\tjne 1b" : "+r"(n) : : "cc");
#endif
}

/*
 * Gives a frame to the function that it is in.  For x86 gcc gives none to a function that calls
 * no other, whatever the options say.
 */
#define FRAME() __asm__ volatile("" : : "r"(__builtin_frame_address(0)))

#define NOINLINE __attribute__((noinline, noclone, noipa))

#endif

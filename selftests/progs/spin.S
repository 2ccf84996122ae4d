/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * spin: loops until it is killed: N starts as 0, and 2^64 rounds take centuries.
 * Most of a round does nothing: where QEMU counts instructions that takes time from
 * the guest like any other, and next to none from the host.
 */
#include "exact.h"

1:	.rept	62
	nop
	.endr
	repeat	N, 1b

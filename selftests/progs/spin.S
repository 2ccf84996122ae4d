/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * spin: loops until it is killed: N starts as 0, and 2^64 rounds take centuries.
 */
#include "exact.h"

1:	repeat	N, 1b

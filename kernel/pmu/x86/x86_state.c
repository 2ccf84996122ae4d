// SPDX-License-Identifier: GPL-2.0-only
/*
 * x86 counters: what a vendor's module says of them, and the state of each CPU.
 */
#include "x86_state.h"

#include <linux/cache.h>

struct x86_desc x86 __read_mostly;

DEFINE_PER_CPU(struct x86_cpu, x86_cpus);

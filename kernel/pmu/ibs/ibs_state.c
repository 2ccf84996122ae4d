// SPDX-License-Identifier: GPL-2.0-only
/*
 * AMD's instruction-based sampling: what the processor has of it, and the state of each
 * CPU.
 */
#include "ibs_state.h"

#include <linux/cache.h>

struct ibs_desc ibs __ro_after_init;

DEFINE_PER_CPU(struct ibs_cpu, ibs_cpus);

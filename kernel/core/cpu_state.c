// SPDX-License-Identifier: GPL-2.0-only
/*
 * The state of each CPU's PMU.
 */
#include "core/cpu_state.h"

#include <linux/export.h>
#include <perfmon/critical.h>

DEFINE_PER_CPU(struct pfm_cpu, pfm_cpus);
atomic64_t pfm_switch_watch;

/* Outside of struct pfm_cpu, because modules of PMUs use it. */
DEFINE_PER_CPU(unsigned int, pfm_critical);
EXPORT_PER_CPU_SYMBOL_GPL(pfm_critical);

// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the PMU of each CPU counts for.
 */
#include "core/cpu_state.h"

DEFINE_PER_CPU(struct pfm_cpu, pfm_cpus);

// SPDX-License-Identifier: GPL-2.0-only
/*
 * The state of each CPU's PMU.
 */
#include "core/cpu_state.h"

DEFINE_PER_CPU(struct pfm_cpu, pfm_cpus);

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Why perfmon offers none of the processor's counters, and what gives them to it.
 */
#ifndef PFMON_CHECK_NO_PMU_H
#define PFMON_CHECK_NO_PMU_H

#include <stddef.h>

/**
 * struct no_pmu - explanation for a machine on which perfmon offers no counters
 * @why: the cause, or "no module for one is loaded" where it is not known, as the end of
 *	a sentence
 * @fix: the next step
 */
struct no_pmu {
	char why[256];
	char fix[512];
};

void no_pmu_explain(struct no_pmu *no_pmu);

#endif

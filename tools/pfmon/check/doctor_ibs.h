/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Check of AMD's instruction-based sampling (IBS).
 */
#ifndef PFMON_CHECK_DOCTOR_IBS_H
#define PFMON_CHECK_DOCTOR_IBS_H

#include "check/findings.h"

/* Adds no finding where the processor is not AMD's. */
void doctor_check_ibs(struct findings *findings);

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The checks of --doctor that are about rights and limits.
 */
#ifndef PFMON_CHECK_DOCTOR_RIGHTS_H
#define PFMON_CHECK_DOCTOR_RIGHTS_H

struct findings;

void doctor_check_rights(struct findings *findings);

#endif

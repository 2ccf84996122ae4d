/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Check of the device file.
 */
#ifndef PFMON_CHECK_DOCTOR_DEVICE_H
#define PFMON_CHECK_DOCTOR_DEVICE_H

#include "check/findings.h"

/* @container: name of the container that pfmon runs in; NULL none. */
void doctor_check_device(struct findings *findings, const char *container);

#endif

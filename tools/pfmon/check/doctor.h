/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * --doctor: whether pfmon can count here, what it may, and what to do about the
 * rest.
 */
#ifndef PFMON_CHECK_DOCTOR_H
#define PFMON_CHECK_DOCTOR_H

struct options;

/* 0, or -1 when pfmon could not count. */
int doctor(const struct options *options);

#endif

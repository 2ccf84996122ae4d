/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * --doctor: tells whether pfmon can count on this machine, what the user may do,
 * and how to repair the rest.
 */
#ifndef PFMON_CHECK_DOCTOR_H
#define PFMON_CHECK_DOCTOR_H

struct machine;
struct options;

/* Returns 0, or -1 if pfmon could not count. */
int doctor(const struct options *options, struct machine *machine);

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PFMON_EVENTS_INFO_H
#define PFMON_EVENTS_INFO_H

struct options;

/*
 * The options that tell and run nothing, on standard output.  0, or -1 after
 * saying what is wrong.
 */
int info_list(const struct options *options);
int info_event(const struct options *options);
int info_machine(const struct options *options);

#endif

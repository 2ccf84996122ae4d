/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PFMON_EVENTS_INFO_H
#define PFMON_EVENTS_INFO_H

struct machine;
struct options;

/*
 * The information options, which print on standard output and run no command.
 * Each returns 0, or -1 after a message.
 */
int info_list(const struct options *options, struct machine *machine);
int info_event(const struct options *options, struct machine *machine);
int info_machine(struct machine *machine);

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Why the kernel refused: the right that is missing, or who has what is wanted,
 * and what to do about it.
 */
#ifndef PFMON_CHECK_RIGHTS_H
#define PFMON_CHECK_RIGHTS_H

#include <sys/types.h>

/* Why a process or thread cannot be monitored. */
void rights_tell_task(pid_t task, int err);

/* Why a command that is about to be executed cannot be. */
void rights_tell_command(const char *command, int err);

/* Why a CPU cannot be monitored. */
void rights_tell_cpu(unsigned int cpu, int err);

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Calls on the context, with messages for what the kernel may refuse.
 */
#ifndef PFMON_SESSION_CONTEXT_IOCTL_H
#define PFMON_SESSION_CONTEXT_IOCTL_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include <linux/perfmon.h>

struct results;

/* Unless said otherwise: 0, or -1 after saying what failed. */

int context_load(int fd, pid_t tid, const char *command);
/* Counting begins when the loaded thread executes a program. */
int context_start(int fd);
int context_unload(int fd);

/* Has the kernel keep more records before it merges any, if it will. */
void context_keep_records(int fd);

/* Takes the records that wait; @buffer has CONTEXT_BUFFER_SIZE bytes. */
#define CONTEXT_BUFFER_SIZE (256U * 1024)
int context_read_records(int fd, void *buffer, struct results *results);

int context_read_config(int fd, struct pfm_config *config);

/*
 * Reads one message; true when it says that the last task ended.  Then @status
 * is the exit status of the task that was loaded.
 */
bool context_read_end(int fd, uint32_t *status);

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The ioctls of a context, with messages for the errors that the kernel may
 * return.
 */
#ifndef PFMON_SESSION_CONTEXT_IOCTL_H
#define PFMON_SESSION_CONTEXT_IOCTL_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include <linux/perfmon.h>

struct results;

/* Unless said otherwise, each returns 0, or -1 after a message. */

/* @take: as --take */
int context_load(int fd, pid_t tid, bool take, const char *command);
/* Starts counting at the moment when the loaded thread executes a program. */
int context_start(int fd);
int context_unload(int fd);

/*
 * Asks the kernel to keep more records before it merges any.  Failing is no
 * error.
 */
void context_keep_records(int fd);

/* Reads all pending records; @buffer has CONTEXT_BUFFER_SIZE bytes. */
#define CONTEXT_BUFFER_SIZE (256U * 1024)
int context_read_records(int fd, void *buffer, struct results *results);

int context_read_config(int fd, struct pfm_config *config);

/*
 * Reads one message.  Returns true if it says that the last task has ended;
 * @status is then the exit status of the task that was loaded.
 */
bool context_read_end(int fd, uint32_t *status);

/* The next one who takes the counters is named again. */
void context_forget_taker(void);

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The counts so far of the tasks that are monitored.
 */
#ifndef _PFM_RUNNING_H
#define _PFM_RUNNING_H

struct pfm_context;
struct pfm_read_records;

int pfm_running_read(struct pfm_context *ctx, struct pfm_read_records *arg);

#endif /* _PFM_RUNNING_H */

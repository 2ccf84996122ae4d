/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The kernel's scheduler tracepoints, while somebody needs them.
 */
#ifndef _PFM_TRACEPOINTS_H
#define _PFM_TRACEPOINTS_H

int pfm_tracepoints_init(void);
void pfm_tracepoints_exit(void);
int pfm_tracepoints_get(void);
void pfm_tracepoints_put(void);

#endif /* _PFM_TRACEPOINTS_H */

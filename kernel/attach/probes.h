/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The table of the probes on the scheduler's tracepoints.
 */
#ifndef _PFM_PROBES_H
#define _PFM_PROBES_H

int pfm_probes_init(void);

#endif /* _PFM_PROBES_H */

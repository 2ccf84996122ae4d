/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The tables of the probes on tracepoints of the kernel.
 */
#ifndef _PFM_PROBES_H
#define _PFM_PROBES_H

int pfm_probes_init(void);

#endif /* _PFM_PROBES_H */

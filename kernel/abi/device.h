/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * /dev/perfmon.
 */
#ifndef _PFM_DEVICE_H
#define _PFM_DEVICE_H

int pfm_device_init(void);
void pfm_device_exit(void);

#endif /* _PFM_DEVICE_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * READ_PMDS by a thread that reads its own counters.
 */
#ifndef _PFM_OWN_H
#define _PFM_OWN_H

#include <linux/types.h>

struct file;

long pfm_own_ioctl(struct file *file, unsigned int cmd, unsigned long arg);

#endif /* _PFM_OWN_H */

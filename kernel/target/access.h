/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Rights to monitor threads.
 */
#ifndef _PFM_ACCESS_H
#define _PFM_ACCESS_H

#include "target/sight.h"

struct task_struct;

int pfm_access_task(struct task_struct *task, enum pfm_sight_kind *right);

#endif /* _PFM_ACCESS_H */

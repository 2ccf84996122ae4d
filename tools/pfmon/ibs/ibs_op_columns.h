/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Columns of ops, without those of all samples.
 */
#ifndef PFMON_IBS_IBS_OP_COLUMNS_H
#define PFMON_IBS_IBS_OP_COLUMNS_H

#include "ibs/ibs_column.h"

/* Ends with a name that is NULL. */
extern const struct ibs_column ibs_op_columns[];

#endif

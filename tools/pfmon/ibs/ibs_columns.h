/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The columns of CSV, by kind of sample.
 */
#ifndef PFMON_IBS_IBS_COLUMNS_H
#define PFMON_IBS_IBS_COLUMNS_H

#include "ibs/ibs_column.h"

/* ibs_common_columns.c */

/* Each ends with a name that is NULL.  Those before the others, and those behind. */
extern const struct ibs_column ibs_first_columns[];
extern const struct ibs_column ibs_last_columns[];

/* ibs_op_columns.c */

/* Ends with a name that is NULL. */
extern const struct ibs_column ibs_op_columns[];

/* ibs_fetch_columns.c */

/* Ends with a name that is NULL. */
extern const struct ibs_column ibs_fetch_columns[];

#endif

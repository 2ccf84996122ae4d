/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Columns of ops and fetches alike.
 */
#ifndef PFMON_IBS_IBS_COMMON_COLUMNS_H
#define PFMON_IBS_IBS_COMMON_COLUMNS_H

#include "ibs/ibs_column.h"

/* Each ends with a name that is NULL.  Those before the others, and those behind. */
extern const struct ibs_column ibs_first_columns[];
extern const struct ibs_column ibs_last_columns[];

#endif

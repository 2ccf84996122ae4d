/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Columns of fetches, without those of all samples.
 */
#ifndef PFMON_IBS_IBS_FETCH_COLUMNS_H
#define PFMON_IBS_IBS_FETCH_COLUMNS_H

#include "ibs/ibs_column.h"

/* Ends with a name that is NULL. */
extern const struct ibs_column ibs_fetch_columns[];

#endif

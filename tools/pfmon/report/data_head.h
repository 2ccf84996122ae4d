/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The first lines of what is printed of pfmon.data.
 */
#ifndef PFMON_REPORT_DATA_HEAD_H
#define PFMON_REPORT_DATA_HEAD_H

#include <stdio.h>

struct data_info;

/* Prints with which command line, where and when the samples were taken. */
void data_head_print(FILE *out, const struct data_info *info);

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * 'pfmon ibs decode': makes CSV files of samples.
 */
#ifndef PFMON_IBS_IBS_DECODE_H
#define PFMON_IBS_IBS_DECODE_H

/* @argv begins with "decode".  Returns the exit status. */
int ibs_decode(int argc, char **argv);

#endif

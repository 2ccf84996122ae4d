/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * 'pfmon ibs', and the commands behind it.
 */
#ifndef PFMON_IBS_IBS_H
#define PFMON_IBS_IBS_H

/* ibs.c */

/* @argv begins with "ibs".  Returns the exit status. */
int ibs(int argc, char **argv);

/* ibs_decode.c */

/* @argv begins with "decode".  Returns the exit status. */
int ibs_decode(int argc, char **argv);

/* ibs_annotate.c */

/* @argv begins with "annotate".  Returns the exit status. */
int ibs_annotate(int argc, char **argv);

#endif

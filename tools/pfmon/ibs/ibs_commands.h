/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The commands of 'pfmon ibs'.
 */
#ifndef PFMON_IBS_IBS_COMMANDS_H
#define PFMON_IBS_IBS_COMMANDS_H

/* ibs_decode.c */

/* @argv begins with "decode".  Returns the exit status. */
int ibs_decode(int argc, char **argv);

/* ibs_annotate.c */

/* @argv begins with "annotate".  Returns the exit status. */
int ibs_annotate(int argc, char **argv);

#endif

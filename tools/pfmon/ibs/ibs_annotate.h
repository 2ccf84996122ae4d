/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * 'pfmon ibs annotate': samples by function, source line and instruction.
 */
#ifndef PFMON_IBS_IBS_ANNOTATE_H
#define PFMON_IBS_IBS_ANNOTATE_H

/* @argv begins with "annotate".  Returns the exit status. */
int ibs_annotate(int argc, char **argv);

#endif

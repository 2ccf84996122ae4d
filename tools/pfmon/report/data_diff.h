/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * 'pfmon diff': what has changed between two files.
 */
#ifndef PFMON_REPORT_DATA_DIFF_H
#define PFMON_REPORT_DATA_DIFF_H

/* @argv begins with "diff"; @help is what --help prints.  Returns the exit status. */
int data_diff(int argc, char **argv, const char *help);

#endif

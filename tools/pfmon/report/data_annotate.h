/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * 'pfmon annotate': where in a function the samples are.
 */
#ifndef PFMON_REPORT_DATA_ANNOTATE_H
#define PFMON_REPORT_DATA_ANNOTATE_H

/* @argv begins with "annotate"; @help is what --help prints.  Returns the exit status. */
int data_annotate(int argc, char **argv, const char *help);

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * 'pfmon report': makes a page for a browser from folded stacks, and views of IBS
 * samples.
 */
#ifndef PFMON_REPORT_REPORT_H
#define PFMON_REPORT_REPORT_H

/* @argv begins with "report".  Returns the exit status. */
int report(int argc, char **argv);

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * 'pfmon report': turns folded stacks into a page for a browser.
 */
#ifndef PFMON_REPORT_REPORT_H
#define PFMON_REPORT_REPORT_H

/* @argv begins with "report".  Returns the exit status. */
int report(int argc, char **argv);

#endif

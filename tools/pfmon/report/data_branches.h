/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * 'pfmon report --branches' and '--blocks': which branches were taken how often, and which code
 * was executed between them.
 */
#ifndef PFMON_REPORT_DATA_BRANCHES_H
#define PFMON_REPORT_DATA_BRANCHES_H

#include <stdbool.h>

struct data_request;

/*
 * Reports file @name; NULL: REPORT_INPUT_FILE.  @blocks: the code between the branches.  Returns 0,
 * or -1 after a message.
 */
int data_branches(const struct data_request *request, const char *name,
		  bool blocks);

#endif

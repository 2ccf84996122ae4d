// SPDX-License-Identifier: GPL-2.0-only
/*
 * pfmon report: pages and tables of what was recorded.
 */
#include <stddef.h>

#include "report/report.h"
#include "verbs/verb.h"

const struct verb verb_report = {
	.name = "report",
	.title = "a page or table of profiles, counts, IBS samples",
	.run = report,
};

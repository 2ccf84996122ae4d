/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The page that 'pfmon report' fills, made by tools/report/make-page.
 */
#ifndef PFMON_REPORT_PAGE_H
#define PFMON_REPORT_PAGE_H

/* Empty if there was no npm when pfmon was built. */
extern const char report_page[];

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Counts that are read from a file.
 */
#ifndef PFMON_REPORT_COUNTS_FILE_H
#define PFMON_REPORT_COUNTS_FILE_H

struct metric_count;
struct metric_model;

/*
 * Reads counts of a model's events: CSV with the columns "event" and "count", in this order
 * unless a title row says otherwise, or what 'pfmon --csv' writes, of which the totals are
 * taken.  A column "set" tells which event set counted the event; without it all are of one.  A
 * row may also give a constant of the model that machines tell.  @counts: zeroed,
 * one for each event of the model.  Returns 0, or -1 after a message.
 */
int counts_file_read(const char *name, struct metric_model *model,
		     struct metric_count *counts);

#endif

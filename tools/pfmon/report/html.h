/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The text and the colours that the parts of a page of metrics have in common.
 */
#ifndef PFMON_REPORT_HTML_H
#define PFMON_REPORT_HTML_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct written_metric;
struct written_row;

/* Prints a text as HTML. */
void html_print(FILE *out, const char *text);

/* Prints a value as people read it, with its bound, and "!" if it is outside 0..100. */
void html_print_value(FILE *out, const struct written_metric *metric);

/* A share of all slots, or of whatever level 1 divides. */
bool html_is_share(const struct written_metric *metric);
bool html_has_shares(const struct written_row *all);

/* Colour of a share, by its place among the shares. */
const char *html_colour(size_t share);

/* Prints which colour is which share. */
void html_print_keys(FILE *out, const struct written_row *all);

/**
 * struct html_range - the values that a drawing has room for
 */
struct html_range {
	double low;
	double high;
};

/*
 * Widens the range by the shares of a row, drawn on top of each other: those above 0 from 0
 * up, those below 0 from 0 down.
 */
void html_range_add(struct html_range *range, const struct written_row *all,
		    const struct written_row *row);

#endif

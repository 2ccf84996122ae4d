/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Views for people.
 */
#ifndef PFMON_VIEWS_VIEW_TEXT_H
#define PFMON_VIEWS_VIEW_TEXT_H

#include <stdio.h>

#include "views/view.h"

/**
 * view_print_text() - print a view as a table
 * @out: where to; keeps an error
 * @view: the view, sorted
 */
void view_print_text(FILE *out, const struct view *view);

#endif

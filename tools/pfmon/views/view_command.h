/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * 'pfmon report --view': what the command line asks for, and doing it.
 */
#ifndef PFMON_VIEWS_VIEW_COMMAND_H
#define PFMON_VIEWS_VIEW_COMMAND_H

#include <stdbool.h>
#include <stdio.h>

#include "views/view.h"

/**
 * struct view_request - what is asked for
 * @view: --view; NULL if not given: for view_write() those of instructions, data and lines
 * @sort: --sort; NULL if not given
 * @max_rows: --max-rows; NULL if not given
 * @sysmap: --sysmap-file; NULL if not given
 * @images: each --image
 * @num_images: elements of @images
 * @json: --json
 * @outfile: -o; NULL for standard output
 */
struct view_request {
	const char *view;
	const char *sort;
	const char *max_rows;
	const char *sysmap;
	const char **images;
	unsigned int num_images;
	bool json;
	const char *outfile;
};

/**
 * view_check() - look for a mistake in a request
 * @request: the request
 *
 * Return: what is wrong, a message; NULL if nothing is.
 */
const char *view_check(const struct view_request *request);

/**
 * view_report() - make a view
 * @request: what is asked for, without mistakes
 * @name: the file of IBS samples
 *
 * The output is opened when the whole file was read, so a bad file does not destroy an old one.
 *
 * Return: 0, or -1 after a message.
 */
int view_report(const struct view_request *request, const char *name);

/**
 * view_write() - write one view, or the first rows of several
 * @request: what is asked for, without mistakes; its @outfile is not opened
 * @name: the file of IBS samples
 * @out: where to; keeps an error
 *
 * As JSON it is a document with an array of views.
 *
 * Return: 0, or -1 after a message.
 */
int view_write(const struct view_request *request, const char *name, FILE *out);

#endif

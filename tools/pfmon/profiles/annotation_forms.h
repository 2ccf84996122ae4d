/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Prints annotated functions.
 */
#ifndef PFMON_PROFILES_ANNOTATION_FORMS_H
#define PFMON_PROFILES_ANNOTATION_FORMS_H

#include <stdio.h>

#include "profiles/annotation.h"

/**
 * enum annotation_form - what is printed
 */
enum annotation_form {
	ANNOTATION_TEXT,
	ANNOTATION_JSON,
	ANNOTATION_CSV,
};

/**
 * struct annotation_request - what is printed, and how
 * @form: text, JSON or CSV
 * @name: the file of samples
 * @function: name of the functions; NULL for the one with the most samples
 * @lines: source lines
 * @instructions: instructions
 */
struct annotation_request {
	enum annotation_form form;
	const char *name;
	const char *function;
	bool lines;
	bool instructions;
};

/*
 * Prints the functions of a name for each event that has samples of them.  Returns 0, or -1 after a
 * message.
 */
int annotation_print(FILE *out, struct annotation *annotation,
		     struct code *code,
		     const struct annotation_request *request);

#endif

// SPDX-License-Identifier: GPL-2.0-only
/*
 * metric_merge FILE...: the first metric file with all that it has of the others, as JSON whose
 * members are in alphabetical order.
 */
#include <stdio.h>
#include <stdlib.h>

#include <jansson.h>

#include "metrics/model_files.h"

int main(int argc, char **argv)
{
	struct model_files files = { .names = argv + 1 };
	json_error_t error;
	json_t *whole;
	int i;

	files.documents = calloc(argc, sizeof(*files.documents));
	for (i = 1; i < argc; i++) {
		files.documents[files.count] =
			json_load_file(argv[i], 0, &error);
		if (!files.documents[files.count++]) {
			fprintf(stderr, "%s: %s\n", argv[i], error.text);
			return 2;
		}
	}
	whole = model_base_merge(&files, 0);
	if (!whole)
		return 1;
	json_dumpf(whole, stdout,
		   JSON_SORT_KEYS | JSON_INDENT(1) | JSON_REAL_PRECISION(15));
	json_decref(whole);
	for (i = 0; i < argc - 1; i++)
		json_decref(files.documents[i]);
	free(files.documents);
	return 0;
}

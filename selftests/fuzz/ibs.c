// SPDX-License-Identifier: GPL-2.0-only
/*
 * Files of IBS samples: those of perfmon, and raw files of AMD's IBS Toolkit.
 */
#include "ibs/ibs_annotation.h"
#include "ibs/ibs_csv.h"
#include "ibs/ibs_file.h"
#include "ibs/ibs_rows.h"
#include "ibs/ibs_tally.h"
#include "reader.h"
#include "symbols/code.h"
#include "views/view_command.h"

/* Writes as 'pfmon ibs decode' does: the samples of the kind of the first one. */
static void decode(const char *name)
{
	struct ibs_sample sample;
	struct ibs_file file;
	struct ibs_csv csv;
	bool begun = false;
	enum ibs_kind kind = IBS_OP;

	memset(&file, 0, sizeof(file));
	if (!ibs_file_open(&file, name)) {
		while (ibs_file_next(&file, &sample) > 0) {
			if (!begun) {
				kind = sample.kind;
				if (ibs_csv_begin(&csv, nowhere, &file.format,
						  kind))
					break;
				begun = true;
			}
			if (sample.kind == kind)
				ibs_csv_sample(&csv, &sample);
		}
	}
	ibs_file_close(&file);
}

/* Prints as 'pfmon ibs annotate' does. */
static void annotate(const char *name, unsigned int choice)
{
	static struct ibs_places places;
	static struct ibs_tally tally;
	static struct ibs_rows rows;
	static struct code code;
	const struct ibs_annotation annotation = {
		.name = "input",
		.tally = &tally,
		.rows = &rows,
		.view = choice % 3,
	};

	memset(&places, 0, sizeof(places));
	memset(&tally, 0, sizeof(tally));
	memset(&rows, 0, sizeof(rows));
	memset(&code, 0, sizeof(code));
	code_init(&code, &places.images, &places.kernel);
	if (!ibs_places_read(&places, name) &&
	    !ibs_tally_read(&tally, name, &places, NUM_IBS_KINDS) &&
	    !ibs_rows_make(&rows, &tally, &code, annotation.view, NULL)) {
		if (choice & 0x40)
			ibs_annotation_print_json(nowhere, &annotation);
		else
			ibs_annotation_print_text(nowhere, &annotation);
	}
	ibs_rows_free(&rows);
	ibs_tally_free(&tally);
	code_free(&code);
	ibs_places_free(&places);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const unsigned int choice = input_choice(data, size);
	const struct view_request request = { .json = choice & 0x80 };
	const char *name = input_file(0, data, size);

	decode(name);
	annotate(name, choice);
	view_write(&request, name, nowhere);
	return 0;
}

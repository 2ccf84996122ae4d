// SPDX-License-Identifier: GPL-2.0-only
/*
 * Results of pfmon as JSON and CSV, of which 'pfmon diff' and 'pfmon report' make tables and pages.
 */
#include "reader.h"
#include "report/counts_diff.h"
#include "report/forms.h"
#include "report/pages.h"

static void diff(const char *name, unsigned int choice)
{
	struct report_input inputs[2] = { 0 };
	bool json[2];

	if (!report_input_open(&inputs[0], name) &&
	    !report_input_open(&inputs[1], name)) {
		json[0] = report_input_is_json(&inputs[0]);
		json[1] = report_input_is_json(&inputs[1]);
		counts_diff(inputs, json, choice % 3, "/dev/null");
	}
	report_input_close(&inputs[0]);
	report_input_close(&inputs[1]);
}

static void page(const char *name)
{
	struct report_input input;

	if (report_input_open(&input, name))
		return;
	if (report_input_is_json(&input))
		topdown_page(&input, NULL, "/dev/null");
	report_input_close(&input);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const unsigned int choice = input_choice(data, size);
	const char *name = input_file(0, data, size);

	diff(name, choice);
	page(name);
	compare_report(name, name, choice & 0x80, "/dev/null");
	return 0;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Folded stacks, of which 'pfmon report --html' makes a page.
 */
#include "reader.h"
#include "report/pages.h"
#include "report/report_input.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct report_input input;

	if (report_input_open(&input, input_file(0, data, size)))
		return 0;
	if (!report_input_is_json(&input))
		stacks_page(&input, NULL, "/dev/null");
	report_input_close(&input);
	return 0;
}

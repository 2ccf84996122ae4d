// SPDX-License-Identifier: GPL-2.0-only
/*
 * Counts as CSV, of pfmon and of perf stat, of which metrics are made.
 */
#include "reader.h"
#include "report/forms.h"

/* A small model, whose events the inputs of the corpus name. */
static const char model[] =
	"{ \"schema\": 1, \"model\": \"m\", \"title\": \"t\", \"source\": \"s\","
	" \"constants\": { \"WIDTH\": 4 },"
	" \"events\": { \"C\": { \"event\": \"cycles\" }, \"I\": { \"event\": \"instructions\" },"
	" \"B\": { \"event\": \"branches\" } },"
	" \"groups\": [], \"metrics\": ["
	" { \"name\": \"ipc\", \"title\": \"t\", \"unit\": \"ratio\", \"formula\": \"I / C\" },"
	" { \"name\": \"share\", \"title\": \"t\", \"unit\": \"percent of slots\","
	" \"formula\": \"100 * (B - I) / (C * WIDTH)\" } ] }";

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const unsigned int choice = input_choice(data, size);
	const struct counts_request request = {
		.from = input_file(0, data, size),
		.metric_file = input_file(1, model, sizeof(model) - 1),
		.json = choice & 0x40,
		.csv = (choice & 0xc0) == 0x80,
		.outfile = "/dev/null",
	};

	setenv("PFMON_METRICS", "/proc/self/task/none", 1);
	counts_report(&request);
	return 0;
}

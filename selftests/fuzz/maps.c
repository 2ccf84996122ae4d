// SPDX-License-Identifier: GPL-2.0-only
/*
 * Mappings of a process, as /proc/PID/maps has them.
 */
#include "reader.h"
#include "options/options.h"
#include "symbols/symbols.h"

static void visit(void *arg, uint32_t pid, const struct change *change)
{
	struct symbols *symbols = arg;
	struct symbol symbol;

	if (change->kind != CHANGE_MAP)
		return;
	symbol = *symbols_get(symbols, symbols_place(symbols, pid, 1,
						     change->start, false));
	symbols_print(nowhere, &symbol);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct options options = { 0 };
	struct symbols symbols = { 0 };
	FILE *in = fopen(input_file(0, data, size), "re");

	if (!in)
		abort();
	options.smpl.resolve = true;
	if (symbols_init(&symbols, &options))
		abort();
	symbols.data = input_choice(data, size) & 1;
	/* No other mappings are read: there is no such process. */
	symbols.reported = true;
	symbols_read_lines(&symbols, 1, 1, in);
	fclose(in);
	maps_each_change(&symbols.maps, visit, &symbols);
	symbols_free(&symbols);
	return 0;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Functions of the kernel.
 */
#include "reader.h"
#include "symbols/kallsyms.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct kallsyms table;
	size_t i;

	if (kallsyms_take(&table, input_text(data, size)))
		abort();
	for (i = 0; i < table.count; i++) {
		const struct kernel_symbol *symbol = &table.list[i];

		/* A function is found at its address; if several are there, one of them. */
		if (i && symbol->address < symbol[-1].address)
			abort();
		if (kallsyms_find(&table, symbol->address)->address !=
		    symbol->address)
			abort();
		kallsyms_size(&table, symbol->address);
		if (!*symbol->name)
			abort();
	}
	kallsyms_find(&table, 0);
	kallsyms_find(&table, UINT64_MAX);
	kallsyms_free(&table);
	return 0;
}

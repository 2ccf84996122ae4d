// SPDX-License-Identifier: GPL-2.0-only
/*
 * Formulas of metrics.  What is written of one is a formula with the same text.
 */
#include "metrics/formula.h"
#include "reader.h"

#define TEXT_MAX 65536

static int visit(struct formula *name, void *arg)
{
	*(size_t *)arg += strlen(name->name);
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static char first[TEXT_MAX], second[TEXT_MAX];
	char *text = input_text(data, size), why[256];
	struct formula *formula = formula_parse(text, why, sizeof(why));
	struct formula *again = NULL;
	size_t length = 0;

	if (formula) {
		formula_names(formula, visit, &length);
		formula_write(formula, first, sizeof(first));
		/* Parentheses make it deeper and longer, up to the bounds of both. */
		if (strlen(first) < sizeof(first) - 1 &&
		    formula->depth < FORMULA_DEPTH_MAX / 4) {
			again = formula_parse(first, why, sizeof(why));
			if (!again)
				abort();
			formula_write(again, second, sizeof(second));
			if (strcmp(first, second))
				abort();
		}
	}
	formula_free(again);
	formula_free(formula);
	free(text);
	return 0;
}

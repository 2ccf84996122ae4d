// SPDX-License-Identifier: GPL-2.0-only
/*
 * Nodes of formulas.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "metrics/formula.h"
#include "metrics/formula_scan.h"

static const char *const signs[] = {
	[FORMULA_ADD] = " + ",	       [FORMULA_SUBTRACT] = " - ",
	[FORMULA_MULTIPLY] = " * ",    [FORMULA_DIVIDE] = " / ",
	[FORMULA_SHIFT_LEFT] = " << ", [FORMULA_SHIFT_RIGHT] = " >> ",
	[FORMULA_LESS] = " < ",	       [FORMULA_LESS_EQUAL] = " <= ",
	[FORMULA_GREATER] = " > ",     [FORMULA_GREATER_EQUAL] = " >= ",
	[FORMULA_EQUAL] = " == ",      [FORMULA_NOT_EQUAL] = " != ",
	[FORMULA_AND] = " && ",	       [FORMULA_OR] = " || ",
	[FORMULA_CHOOSE] = " ? ",      [FORMULA_MIN] = "min",
	[FORMULA_MAX] = "max",	       [FORMULA_ABS] = "abs",
	[FORMULA_NEGATE] = "-",	       [FORMULA_NOT] = "!",
};

void formula_free(struct formula *formula)
{
	unsigned int i;

	if (!formula)
		return;
	for (i = 0; i < FORMULA_ARGS_MAX; i++)
		formula_free(formula->args[i]);
	free(formula->name);
	free(formula);
}

struct formula *formula_number(double number)
{
	struct formula *formula = calloc(1, sizeof(*formula));

	if (!formula)
		return NULL;
	formula->op = FORMULA_NUMBER;
	formula->depth = 1;
	formula->number = number;
	return formula;
}

struct formula *formula_name(char *name)
{
	struct formula *formula = name ? calloc(1, sizeof(*formula)) : NULL;

	if (!formula) {
		free(name);
		return NULL;
	}
	formula->op = FORMULA_NAME;
	formula->depth = 1;
	formula->name = name;
	return formula;
}

static unsigned int deeper(unsigned int depth, const struct formula *formula)
{
	return formula && formula->depth > depth ? formula->depth : depth;
}

struct formula *formula_node(enum formula_op op, struct formula *a,
			     struct formula *b, struct formula *c)
{
	struct formula *formula = calloc(1, sizeof(*formula));

	if (!formula) {
		formula_free(a);
		formula_free(b);
		formula_free(c);
		return NULL;
	}
	formula->op = op;
	formula->args[0] = a;
	formula->args[1] = b;
	formula->args[2] = c;
	formula->depth = 1 + deeper(deeper(deeper(0, a), b), c);
	return formula;
}

int formula_names(struct formula *formula,
		  int (*visit)(struct formula *name, void *arg), void *arg)
{
	unsigned int i;
	int ret = 0;

	if (formula->op == FORMULA_NAME)
		return visit(formula, arg);
	for (i = 0; !ret && i < FORMULA_ARGS_MAX && formula->args[i]; i++)
		ret = formula_names(formula->args[i], visit, arg);
	return ret;
}

static void write_node(const struct formula *node, FILE *out);

static void write_argument(const struct formula *node, FILE *out)
{
	bool plain = node->op == FORMULA_NUMBER || node->op == FORMULA_NAME ||
		     node->op >= FORMULA_MIN;

	fputs(plain ? "" : "(", out);
	write_node(node, out);
	fputs(plain ? "" : ")", out);
}

static void write_function(const struct formula *node, FILE *out)
{
	unsigned int i;

	fputs(signs[node->op], out);
	for (i = 0; i < FORMULA_ARGS_MAX && node->args[i]; i++) {
		fputs(i ? ", " : "(", out);
		write_node(node->args[i], out);
	}
	fputc(')', out);
}

static void write_node(const struct formula *node, FILE *out)
{
	if (node->op == FORMULA_NUMBER) {
		fprintf(out, "%.15g", node->number);
	} else if (node->op == FORMULA_NAME) {
		fputs(node->name, out);
	} else if (node->op >= FORMULA_MIN) {
		write_function(node, out);
	} else if (!node->args[1]) {
		fputs(signs[node->op], out);
		write_argument(node->args[0], out);
	} else {
		write_argument(node->args[0], out);
		fputs(signs[node->op], out);
		write_argument(node->args[1], out);
		if (!node->args[2])
			return;
		fputs(" : ", out);
		write_argument(node->args[2], out);
	}
}

void formula_write(const struct formula *formula, char *text, size_t size)
{
	FILE *out = fmemopen(text, size, "w");

	*text = '\0';
	if (!out)
		return;
	write_node(formula, out);
	fclose(out);
	text[size - 1] = '\0';
}

struct formula *formula_parse(const char *text, char *why, size_t size)
{
	struct formula_source source = { .why = why, .size = size };
	int err;

	*why = '\0';
	err = formula_scan_text(text, &source);
	if (err)
		snprintf(why, size, "%s",
			 err < 0 ? "out of memory" : FORMULA_TOO_DEEP);
	if (!*why)
		return source.formula;
	formula_free(source.formula);
	return NULL;
}

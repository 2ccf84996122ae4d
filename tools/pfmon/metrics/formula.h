/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Formulas of metrics, as trees.
 */
#ifndef PFMON_METRICS_FORMULA_H
#define PFMON_METRICS_FORMULA_H

#include <stddef.h>

/**
 * enum formula_op - what a node of a formula does with its arguments
 *
 * Comparisons and logical operators give 1 or 0, as in C.
 */
enum formula_op {
	FORMULA_NUMBER,
	FORMULA_NAME,
	FORMULA_NEGATE,
	FORMULA_NOT,
	FORMULA_ADD,
	FORMULA_SUBTRACT,
	FORMULA_MULTIPLY,
	FORMULA_DIVIDE,
	FORMULA_SHIFT_LEFT,
	FORMULA_SHIFT_RIGHT,
	FORMULA_LESS,
	FORMULA_LESS_EQUAL,
	FORMULA_GREATER,
	FORMULA_GREATER_EQUAL,
	FORMULA_EQUAL,
	FORMULA_NOT_EQUAL,
	FORMULA_AND,
	FORMULA_OR,
	FORMULA_CHOOSE,
	FORMULA_MIN,
	FORMULA_MAX,
	FORMULA_ABS,
};

/**
 * enum formula_name - what a name in a formula stands for
 */
enum formula_name {
	NAME_UNKNOWN,
	NAME_EVENT,
	NAME_CONSTANT,
	NAME_METRIC,
};

#define FORMULA_ARGS_MAX 3

/*
 * Deepest nesting of a formula, together with the formulas of the metrics that it uses.  What walks
 * through formulas calls itself for each level, so this bounds the stack.
 */
#define FORMULA_DEPTH_MAX 1000

/* Says so where a formula exceeds that. */
#define FORMULA_TOO_DEEP \
	"it nests more than 1000 operators deep; parentheses around the parts of a long sum help"

/**
 * struct formula - a node of a formula, and the nodes below it
 * @op: what it does
 * @number: of FORMULA_NUMBER
 * @name: of FORMULA_NAME
 * @kind: what @name stands for, once the model has been read
 * @index: its place in the model's list of that kind
 * @args: the arguments; NULL behind the last one
 * @depth: levels of nodes, from this one down to the lowest
 */
struct formula {
	enum formula_op op;
	double number;
	char *name;
	enum formula_name kind;
	unsigned int index;
	struct formula *args[FORMULA_ARGS_MAX];
	unsigned int depth;
};

/*
 * Parses a formula.  Returns NULL with the reason in @why; the caller frees the
 * formula.
 */
struct formula *formula_parse(const char *text, char *why, size_t size);

/* Calls @visit for each name.  Stops, and returns the result, when that is not 0. */
int formula_names(struct formula *formula,
		  int (*visit)(struct formula *name, void *arg), void *arg);

/* Writes a formula as text, with more parentheses than the original may have had. */
void formula_write(const struct formula *formula, char *text, size_t size);

/* @formula may be NULL. */
void formula_free(struct formula *formula);

/* The parser makes nodes by these; each takes over its arguments.  NULL if there is no memory. */
struct formula *formula_number(double number);
struct formula *formula_name(char *name);
struct formula *formula_node(enum formula_op op, struct formula *a,
			     struct formula *b, struct formula *c);

#endif

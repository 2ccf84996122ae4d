/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Trees of the functions in the stacks of samples: what each function calls, or by what it is called.
 */
#ifndef PFMON_PROFILES_CALL_GRAPH_H
#define PFMON_PROFILES_CALL_GRAPH_H

#include <stdbool.h>
#include <stdio.h>

struct sampling;

/**
 * enum call_order - what is below a function
 * @CALL_NONE: there are no trees
 * @CALL_CALLER: what it calls; its share is that of the samples in it and in what it calls
 * @CALL_CALLEE: what calls it; its share is that of the samples in it
 */
enum call_order {
	CALL_NONE,
	CALL_CALLER,
	CALL_CALLEE,
};

/**
 * struct call_request - which trees are printed
 * @order: what is below a function
 * @programs: each program has trees of its own
 * @limit: lines with a smaller share are left out, per cent
 * @name: the file of samples
 */
struct call_request {
	enum call_order order;
	bool programs;
	double limit;
	const char *name;
};

/* The order that a word names, CALL_NONE if it names none. */
enum call_order call_order_find(const char *word);

/* Prints the trees of each event that samples, as text or JSON.  Returns 0, or -1 after a message. */
int call_graph_print(FILE *out, struct sampling *sampling,
		     const struct call_request *request);
int call_graph_print_json(FILE *out, struct sampling *sampling,
			  const struct call_request *request);

#endif

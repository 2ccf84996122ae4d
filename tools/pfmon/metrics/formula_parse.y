/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Grammar of formulas: the operators of C that make sense for numbers, with their
 * precedence there, and three functions.
 */
%require "3.8"
%define api.pure full
%define api.prefix {formula_tokens_}
%define api.token.prefix {FORMULA_TOKEN_}
%define parse.error detailed
%param { void *scanner }
%parse-param { struct formula_source *source }

%code requires {
struct formula;
struct formula_source;
}

%code provides {
int formula_tokens_lex(FORMULA_TOKENS_STYPE *value, void *scanner);
}

%code {
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "metrics/formula.h"
#include "metrics/formula_scan.h"

static void formula_tokens_error(void *scanner, struct formula_source *source,
				 const char *message)
{
	(void)scanner;
	if (!*source->why)
		snprintf(source->why, source->size, "character %zu: %s",
			 source->at, message);
}

/* Makes a node of a function; its arguments are freed if there is no such function. */
static struct formula *call(struct formula_source *source, char *name,
			    struct formula *a, struct formula *b)
{
	struct formula *node = NULL;
	char why[160];

	if (!name) {
		formula_free(a);
		formula_free(b);
		return NULL;
	}
	if (!strcmp(name, "min") && b) {
		node = formula_node(FORMULA_MIN, a, b, NULL);
	} else if (!strcmp(name, "max") && b) {
		node = formula_node(FORMULA_MAX, a, b, NULL);
	} else if (!strcmp(name, "abs") && !b) {
		node = formula_node(FORMULA_ABS, a, NULL, NULL);
	} else {
		snprintf(why, sizeof(why),
			 "'%.40s' with %d argument%s is no function; min(a,b), max(a,b) and abs(a) are",
			 name, b ? 2 : 1, b ? "s" : "");
		formula_tokens_error(NULL, source, why);
		formula_free(a);
		formula_free(b);
	}
	free(name);
	return node;
}

/* Frees a formula that nests too deep. */
static struct formula *check_depth(struct formula_source *source,
				   struct formula *node)
{
	if (!node && !*source->why)
		snprintf(source->why, source->size, "out of memory");
	if (!node || node->depth <= FORMULA_DEPTH_MAX)
		return node;
	snprintf(source->why, source->size, "%s", FORMULA_TOO_DEEP);
	formula_free(node);
	return NULL;
}

/* Without a node the parser ends. */
#define MAKE(to, node)                              \
	do {                                        \
		(to) = check_depth(source, (node)); \
		if (!(to))                          \
			YYABORT;                    \
	} while (0)
}

%union {
	double number;
	char *name;
	struct formula *formula;
}

%token END 0 "end of the formula"
%token <number> NUMBER "number"
%token <name> NAME "name"
%token SHIFT_LEFT "<<" SHIFT_RIGHT ">>" LESS_EQUAL "<=" GREATER_EQUAL ">="
%token EQUAL "==" NOT_EQUAL "!=" AND "&&" OR "||"
%token STRAY "character that formulas do not have"
%type <formula> formula expression

%destructor { free($$); } <name>
%destructor { formula_free($$); } expression

%right '?' ':'
%left "||"
%left "&&"
%left "==" "!="
%left '<' "<=" '>' ">="
%left "<<" ">>"
%left '+' '-'
%left '*' '/'
%precedence UNARY

%%

formula:
	expression	{ source->formula = $$ = $1; }
	;

expression:
	NUMBER		{ MAKE($$, formula_number($1)); }
	| NAME		{ MAKE($$, formula_name($1)); }
	| NAME '(' expression ')'
			{ MAKE($$, call(source, $1, $3, NULL)); }
	| NAME '(' expression ',' expression ')'
			{ MAKE($$, call(source, $1, $3, $5)); }
	| '(' expression ')'
			{ $$ = $2; }
	| '-' expression %prec UNARY
			{ MAKE($$, formula_node(FORMULA_NEGATE, $2, NULL, NULL)); }
	| '!' expression %prec UNARY
			{ MAKE($$, formula_node(FORMULA_NOT, $2, NULL, NULL)); }
	| expression '+' expression
			{ MAKE($$, formula_node(FORMULA_ADD, $1, $3, NULL)); }
	| expression '-' expression
			{ MAKE($$, formula_node(FORMULA_SUBTRACT, $1, $3, NULL)); }
	| expression '*' expression
			{ MAKE($$, formula_node(FORMULA_MULTIPLY, $1, $3, NULL)); }
	| expression '/' expression
			{ MAKE($$, formula_node(FORMULA_DIVIDE, $1, $3, NULL)); }
	| expression "<<" expression
			{ MAKE($$, formula_node(FORMULA_SHIFT_LEFT, $1, $3, NULL)); }
	| expression ">>" expression
			{ MAKE($$, formula_node(FORMULA_SHIFT_RIGHT, $1, $3, NULL)); }
	| expression '<' expression
			{ MAKE($$, formula_node(FORMULA_LESS, $1, $3, NULL)); }
	| expression "<=" expression
			{ MAKE($$, formula_node(FORMULA_LESS_EQUAL, $1, $3, NULL)); }
	| expression '>' expression
			{ MAKE($$, formula_node(FORMULA_GREATER, $1, $3, NULL)); }
	| expression ">=" expression
			{ MAKE($$, formula_node(FORMULA_GREATER_EQUAL, $1, $3, NULL)); }
	| expression "==" expression
			{ MAKE($$, formula_node(FORMULA_EQUAL, $1, $3, NULL)); }
	| expression "!=" expression
			{ MAKE($$, formula_node(FORMULA_NOT_EQUAL, $1, $3, NULL)); }
	| expression "&&" expression
			{ MAKE($$, formula_node(FORMULA_AND, $1, $3, NULL)); }
	| expression "||" expression
			{ MAKE($$, formula_node(FORMULA_OR, $1, $3, NULL)); }
	| expression '?' expression ':' expression
			{ MAKE($$, formula_node(FORMULA_CHOOSE, $1, $3, $5)); }
	;


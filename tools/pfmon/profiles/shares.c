// SPDX-License-Identifier: GPL-2.0-only
/*
 * Rows of shares: each stack goes to the row of its program, task and innermost function.
 */
#include <stdlib.h>
#include <string.h>

#include "base/message.h"
#include "profiles/shares.h"
#include "sampling/sampling.h"
#include "symbols/instruction_reader.h"
#include "symbols/symbols.h"

/* Names that are longer move the columns behind them in their row. */
#define WIDTH_MAX 24

const char *const share_key_names[] = {
	[SHARE_PROGRAM] = "program",   [SHARE_PROCESS] = "process",
	[SHARE_THREAD] = "thread",     [SHARE_FILE] = "file",
	[SHARE_FUNCTION] = "function", [SHARE_OPCODE] = "opcode",
	[SHARE_CLASS] = "class",       [SHARE_MEMORY] = "memory",
};

/**
 * struct perf_key - a key of 'perf report --sort'
 * @name: its name there
 * @key: what it is here
 */
static const struct perf_key {
	const char *name;
	enum share_key key;
} perf_keys[] = {
	{ "comm", SHARE_PROGRAM },    { "dso", SHARE_FILE },
	{ "pid", SHARE_PROCESS },     { "sym", SHARE_FUNCTION },
	{ "symbol", SHARE_FUNCTION }, { "tid", SHARE_THREAD },
};

static bool is_word(const char *word, const char *text, size_t length)
{
	return strlen(word) == length && !strncmp(word, text, length);
}

/* The key that a word names; NUM_SHARE_KEYS if it names none. */
static unsigned int find_key(const char *text, size_t length)
{
	unsigned int i;

	for (i = 0; i < sizeof(perf_keys) / sizeof(perf_keys[0]); i++)
		if (is_word(perf_keys[i].name, text, length))
			return perf_keys[i].key;
	for (i = 0; i < NUM_SHARE_KEYS; i++)
		if (is_word(share_key_names[i], text, length))
			break;
	return i;
}

/* The keys in a sentence, with a word before the last one. */
static const char *list_keys(unsigned int known, const char *last, char *text,
			     size_t size)
{
	unsigned int i;
	size_t at = 0;

	*text = '\0';
	for (i = 0; i < NUM_SHARE_KEYS && at < size; i++)
		if (known >> i & 1)
			at += snprintf(text + at, size - at, "%s%s",
				       !at		 ? ""
				       : known >> i == 1 ? last
							 : ", ",
				       share_key_names[i]);
	return text;
}

unsigned int shares_read_keys(const char *list, unsigned int known)
{
	unsigned int keys = 0, i;
	char text[128];
	size_t length;

	for (; *list; list += length + !!list[length]) {
		length = strcspn(list, ",");
		i = find_key(list, length);
		if (i == NUM_SHARE_KEYS || !(known >> i & 1)) {
			say_error("--by: '%.*s' is not one of %s%s",
				  (int)length, list,
				  list_keys(known, ", ", text, sizeof(text)),
				  i == NUM_SHARE_KEYS
					  ? ""
					  : "; 'pfmon report' has it");
			return 0;
		}
		keys |= 1U << i;
	}
	if (!keys)
		say_error("--by: name %s",
			  list_keys(known, " or ", text, sizeof(text)));
	return keys;
}

int shares_read_limit(const char *text, double *limit)
{
	char *end;

	*limit = text ? strtod(text, &end) : 0;
	if (!text || (end != text && !*end && *limit >= 0 && *limit <= 100))
		return 0;
	say_error("--percent-limit: '%s' is not a share from 0 to 100", text);
	return -1;
}

/**
 * struct maker - makes rows
 * @shares: the rows
 * @sampling: the samples
 * @keys: what a row is about, bits of enum share_key
 * @reader: reads instructions; NULL if they are not asked for
 * @kind: the instruction of the current stack
 * @programs: program of each group of samples; NULL if it was not asked for.  The name of a task that
 *	runs comes from /proc, which takes longer than all else
 */
struct maker {
	struct shares *shares;
	struct sampling *sampling;
	unsigned int keys;
	struct instruction_reader *reader;
	struct instruction_kind kind;
	char **programs;
};

static char *copy_program(struct maker *maker, uint32_t number)
{
	const struct sampling *sampling = maker->sampling;
	char **program = &maker->programs[number];
	struct group_name name;

	if (!*program) {
		sampling_name(sampling, &sampling->profile.groups[number],
			      &name);
		*program = strdup(name.program);
	}
	return *program ? strdup(*program) : NULL;
}

/* Control characters would end the row, or be commands to a terminal. */
static char *copy_file(const char *module)
{
	char *file = strdup(module ? module : "[unknown]"), *at;

	for (at = file; at && *at; at++)
		if ((unsigned char)*at < 0x20 || *at == 0x7f)
			*at = '?';
	return file;
}

/* It is looked up only for the keys that need it, as that may read a file. */
static const struct symbol *symbol_of(struct sampling *sampling,
				      const struct stack *stack)
{
	return symbols_get(&sampling->symbols, stack->frames[0]);
}

/* The text of a key; NULL without memory. */
static char *make_text(struct maker *maker, const struct stack *stack,
		       enum share_key key)
{
	struct sampling *sampling = maker->sampling;
	const struct group *group = &sampling->profile.groups[stack->group];
	char frame[FRAME_ROOM], number[64];

	switch (key) {
	case SHARE_PROGRAM:
		return copy_program(maker, stack->group);
	case SHARE_PROCESS:
		snprintf(number, sizeof(number), "%u", group->pid);
		return strdup(number);
	case SHARE_THREAD:
		snprintf(number, sizeof(number), "%u/%u", group->pid,
			 group->tid);
		return strdup(number);
	case SHARE_FILE:
		return copy_file(symbol_of(sampling, stack)->module);
	case SHARE_OPCODE:
		return strdup(maker->kind.opcode);
	case SHARE_CLASS:
		return strdup(instruction_class_names[maker->kind.class]);
	case SHARE_MEMORY:
		return strdup(instruction_access_name(&maker->kind));
	default:
		return strdup(symbols_frame(symbol_of(sampling, stack), frame));
	}
}

int shares_compare(const void *a, const void *b)
{
	const struct share *x = a, *y = b;
	unsigned int i;
	int order = 0;

	for (i = 0; !order && i < NUM_SHARE_KEYS; i++)
		if (x->texts[i])
			order = strcmp(x->texts[i], y->texts[i]);
	return order;
}

static int by_share(const void *a, const void *b)
{
	const struct share *x = a, *y = b;

	if (x->tally.weight != y->tally.weight)
		return x->tally.weight > y->tally.weight ? -1 : 1;
	if (x->tally.count != y->tally.count)
		return x->tally.count > y->tally.count ? -1 : 1;
	return shares_compare(a, b);
}

static void free_texts(struct share *share)
{
	unsigned int i;

	for (i = 0; i < NUM_SHARE_KEYS; i++)
		free(share->texts[i]);
}

static void read_instruction(struct maker *maker, const struct stack *stack)
{
	const struct symbol *symbol = symbol_of(maker->sampling, stack);

	maker->kind = instruction_reader_read(maker->reader, symbol->image,
					      symbol->address);
}

static int add(struct maker *maker, const struct stack *stack,
	       const struct tally *tally)
{
	struct shares *shares = maker->shares;
	struct share *share = &shares->list[shares->count++];
	unsigned int i;

	share->tally = *tally;
	shares->total.count += tally->count;
	shares->total.weight += tally->weight;
	if (maker->keys & SHARE_INSTRUCTION_KEYS)
		read_instruction(maker, stack);
	for (i = 0; i < NUM_SHARE_KEYS; i++) {
		if (!(maker->keys >> i & 1))
			continue;
		share->texts[i] = make_text(maker, stack, i);
		if (!share->texts[i])
			return -1;
	}
	return 0;
}

/* Adds up rows about the same, and orders them. */
static void merge(struct shares *shares)
{
	size_t i, kept = 0;

	qsort(shares->list, shares->count, sizeof(*shares->list),
	      shares_compare);
	for (i = 0; i < shares->count; i++) {
		struct share *share = &shares->list[i];

		if (kept && !shares_compare(&shares->list[kept - 1], share)) {
			shares->list[kept - 1].tally.count +=
				share->tally.count;
			shares->list[kept - 1].tally.weight +=
				share->tally.weight;
			free_texts(share);
			continue;
		}
		shares->list[kept++] = *share;
	}
	shares->count = kept;
	qsort(shares->list, kept, sizeof(*shares->list), by_share);
}

static void measure(struct shares *shares)
{
	size_t i, k, width;

	for (k = 0; k < NUM_SHARE_KEYS; k++) {
		shares->widths[k] = strlen(share_key_names[k]);
		for (i = 0; i < shares->count; i++) {
			width = shares->list[i].texts[k]
					? strlen(shares->list[i].texts[k])
					: 0;
			if ((int)width > shares->widths[k])
				shares->widths[k] =
					width < WIDTH_MAX ? width : WIDTH_MAX;
		}
	}
}

double shares_percent(const struct shares *shares, const struct tally *tally)
{
	if (!shares->total.count)
		return 0;
	return shares->total.weight
		       ? 100.0 * tally->weight / shares->total.weight
		       : 100.0 * tally->count / shares->total.count;
}

/* The last column has no blanks behind it. */
void shares_print_texts(FILE *out, const int *widths, const char *const *texts,
			unsigned int keys)
{
	unsigned int i;

	for (i = 0; i < NUM_SHARE_KEYS; i++) {
		if (!(keys >> i & 1))
			continue;
		if (keys >> i == 1)
			fprintf(out, "  %s", texts[i]);
		else
			fprintf(out, "  %-*s", widths[i], texts[i]);
	}
	fputc('\n', out);
}

void shares_free(struct shares *shares)
{
	size_t i;

	for (i = 0; i < shares->count; i++)
		free_texts(&shares->list[i]);
	free(shares->list);
	*shares = (struct shares){ 0 };
}

static void free_programs(struct maker *maker)
{
	uint32_t i;

	for (i = 0; maker->programs && i < maker->sampling->profile.num_groups;
	     i++)
		free(maker->programs[i]);
	free(maker->programs);
}

int shares_make(struct shares *shares, struct sampling *sampling, size_t event,
		unsigned int keys, struct instruction_reader *reader)
{
	const struct profile *profile = &sampling->profile;
	struct maker maker = {
		.shares = shares,
		.sampling = sampling,
		.keys = keys,
		.reader = reader,
		.programs = calloc(profile->num_groups + 1UL,
				   sizeof(*maker.programs)),
	};
	size_t i;
	int err;

	*shares = (struct shares){ 0 };
	shares->list = calloc(profile->count + 1, sizeof(*shares->list));
	err = shares->list && maker.programs ? 0 : -1;
	for (i = 0; !err && i < profile->count; i++)
		if (profile->stacks[i]->tally[event].count)
			err = add(&maker, profile->stacks[i],
				  &profile->stacks[i]->tally[event]);
	free_programs(&maker);
	if (err) {
		say_error("out of memory for the table");
		shares_free(shares);
		return -1;
	}
	merge(shares);
	measure(shares);
	return 0;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Makes trees of stacks.  A stack is a path of functions: to see callers it begins with the innermost
 * one; to see what is called there is a path for each function of the stack, which begins with it.  Sorted
 * paths are trees: those that begin alike are next to each other.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/json_writer.h"
#include "base/message.h"
#include "base/string_table.h"
#include "events/event_list.h"
#include "profiles/call_graph.h"
#include "profiles/losses.h"
#include "sampling/sampling.h"
#include "symbols/symbols.h"

/**
 * struct path - functions, each of which is below the one before
 * @tally: samples of the stack
 * @program: number of the program's name
 * @count: elements of @functions
 * @functions: numbers of their names
 */
struct path {
	struct tally tally;
	uint32_t program;
	uint32_t count;
	const uint32_t *functions;
};

/**
 * struct graph - the paths of an event
 * @request: what was asked for
 * @names: names of programs and functions
 * @functions: memory of all paths
 * @paths: sorted by what is at the top, and then level by level
 * @count: elements of @paths
 * @total: all samples
 * @widest: length of the longest name of a program
 */
struct graph {
	const struct call_request *request;
	struct string_table names;
	uint32_t *functions;
	struct path *paths;
	size_t count;
	struct tally total;
	int widest;
};

/**
 * struct node - paths that are the same down to a function
 * @first: the first path
 * @count: their number
 * @level: of the function, 0 at the top
 * @tally: samples of all of them
 * @self: samples of those that end here
 */
struct node {
	const struct path *first;
	size_t count;
	uint32_t level;
	struct tally tally;
	struct tally self;
};

/* Prints a function and nothing of what is below it.  @arg: of the form. */
typedef void (*print_node)(void *arg, const struct graph *graph,
			   const struct node *node);

enum call_order call_order_find(const char *word)
{
	if (!strcmp(word, "caller") || !strcmp(word, "callers"))
		return CALL_CALLER;
	if (!strcmp(word, "callee") || !strcmp(word, "callees"))
		return CALL_CALLEE;
	return CALL_NONE;
}

static void add_tally(struct tally *to, const struct tally *tally)
{
	to->count += tally->count;
	to->weight += tally->weight;
}

static double percent(const struct graph *graph, const struct tally *tally)
{
	const struct tally *total = &graph->total;

	if (!total->count)
		return 0;
	return total->weight ? 100.0 * tally->weight / total->weight
			     : 100.0 * tally->count / total->count;
}

/* True if the function is in the stack further outside. */
static bool is_inner(const uint32_t *functions, uint32_t at)
{
	uint32_t i;

	for (i = 0; i < at; i++)
		if (functions[i] == functions[at])
			return true;
	return false;
}

static void add_path(struct graph *graph, const struct path *path)
{
	graph->paths[graph->count++] = *path;
}

/* A function that calls itself has a path from its outermost call only, so no sample counts twice. */
static void add_paths(struct graph *graph, const uint32_t *functions,
		      uint32_t count, uint32_t program,
		      const struct tally *tally)
{
	struct path path = { *tally, program, count, functions };

	add_tally(&graph->total, tally);
	if (graph->request->order == CALL_CALLEE) {
		add_path(graph, &path);
		return;
	}
	for (; path.count; path.functions++, path.count--)
		if (!is_inner(functions, count - path.count))
			add_path(graph, &path);
}

static uint32_t number_program(struct graph *graph, struct sampling *sampling,
			       const struct group *group)
{
	struct group_name name;
	int length;

	if (!graph->request->programs)
		return 0;
	sampling_name(sampling, group, &name);
	length = strlen(name.program);
	if (length > graph->widest)
		graph->widest = length;
	return string_table_number(&graph->names, name.program);
}

static int add_stack(struct graph *graph, struct sampling *sampling,
		     const struct stack *stack, size_t event,
		     uint32_t *functions)
{
	const struct group *group = &sampling->profile.groups[stack->group];
	uint32_t program = number_program(graph, sampling, group);
	const bool callee = graph->request->order == CALL_CALLEE;
	char frame[FRAME_ROOM];
	uint32_t i;

	for (i = 0; i < stack->nframes; i++) {
		const uint32_t place =
			stack->frames[callee ? i : stack->nframes - 1 - i];

		functions[i] = string_table_number(
			&graph->names,
			symbols_frame(symbols_get(&sampling->symbols, place),
				      frame));
		if (functions[i] == UINT32_MAX)
			return -1;
	}
	if (program == UINT32_MAX)
		return -1;
	add_paths(graph, functions, stack->nframes, program,
		  &stack->tally[event]);
	return 0;
}

/* Paths that begin alike are next to each other. */
static int compare_paths(const void *a, const void *b)
{
	const struct path *x = a, *y = b;
	uint32_t i;

	if (x->program != y->program)
		return x->program < y->program ? -1 : 1;
	for (i = 0; i < x->count && i < y->count; i++)
		if (x->functions[i] != y->functions[i])
			return x->functions[i] < y->functions[i] ? -1 : 1;
	return x->count < y->count ? -1 : x->count > y->count;
}

static bool is_counted(const struct sampling *sampling,
		       const struct stack *stack, size_t event)
{
	return stack->nframes && stack->tally[event].count &&
	       sampling_selects(sampling,
				&sampling->profile.groups[stack->group]);
}

static int fill(struct graph *graph, struct sampling *sampling, size_t event)
{
	const struct profile *profile = &sampling->profile;
	size_t i, at = 0, frames = 0;

	for (i = 0; i < profile->count; i++)
		if (is_counted(sampling, profile->stacks[i], event))
			frames += profile->stacks[i]->nframes;
	graph->functions = calloc(frames + 1, sizeof(*graph->functions));
	graph->paths = calloc(frames + 1, sizeof(*graph->paths));
	if (!graph->functions || !graph->paths)
		return -1;
	for (i = 0; i < profile->count; i++) {
		const struct stack *stack = profile->stacks[i];

		if (!is_counted(sampling, stack, event))
			continue;
		if (add_stack(graph, sampling, stack, event,
			      &graph->functions[at]))
			return -1;
		at += stack->nframes;
	}
	qsort(graph->paths, graph->count, sizeof(*graph->paths), compare_paths);
	return 0;
}

static void graph_free(struct graph *graph)
{
	string_table_free(&graph->names);
	free(graph->functions);
	free(graph->paths);
}

/* Returns 0, or -1 after a message. */
static int graph_make(struct graph *graph, struct sampling *sampling,
		      size_t event, const struct call_request *request)
{
	*graph = (struct graph){
		.request = request,
		.widest = strlen("program"),
	};
	if (!fill(graph, sampling, event))
		return 0;
	say_error("out of memory for the functions");
	graph_free(graph);
	return -1;
}

static bool continues(const struct node *node, const struct path *path)
{
	return node->count && node->first->program == path->program &&
	       node->first->functions[node->level] ==
		       path->functions[node->level];
}

/* The largest first; those of the same size in the order in which they were found. */
static int compare_nodes(const void *a, const void *b)
{
	const struct node *x = a, *y = b;

	if (x->tally.weight != y->tally.weight)
		return x->tally.weight > y->tally.weight ? -1 : 1;
	if (x->tally.count != y->tally.count)
		return x->tally.count > y->tally.count ? -1 : 1;
	return x->first < y->first ? -1 : x->first > y->first;
}

/* The nodes of a level in paths that are the same above it.  NULL after a message. */
static struct node *split(const struct path *paths, size_t num_paths,
			  uint32_t level, size_t *count)
{
	struct node *list = calloc(num_paths + 1, sizeof(*list));
	struct node *node = list;
	size_t i;

	if (!list) {
		say_error("out of memory for the functions");
		return NULL;
	}
	for (i = 0; i < num_paths; i++) {
		if (paths[i].count <= level)
			continue;
		if (node->count && !continues(node, &paths[i]))
			node++;
		if (!node->count)
			*node = (struct node){ .first = &paths[i],
					       .level = level };
		node->count++;
		add_tally(&node->tally, &paths[i].tally);
		if (paths[i].count == level + 1)
			add_tally(&node->self, &paths[i].tally);
	}
	*count = node - list + !!node->count;
	qsort(list, *count, sizeof(*list), compare_nodes);
	return list;
}

/* Prints a level and what is below it, of a few hundred at most: stacks have so many frames. */
static int walk(const struct graph *graph, const struct path *paths,
		size_t num_paths, uint32_t level, print_node print, void *arg)
{
	size_t count, i;
	struct node *list = split(paths, num_paths, level, &count);
	int err = list ? 0 : -1;

	for (i = 0; !err && i < count; i++) {
		if (percent(graph, &list[i].tally) < graph->request->limit)
			break;
		print(arg, graph, &list[i]);
		err = walk(graph, list[i].first, list[i].count, level + 1,
			   print, arg);
	}
	free(list);
	return err;
}

static const char *name_of(const struct graph *graph, const struct node *node)
{
	return graph->names.list[node->first->functions[node->level]];
}

static void print_line(void *arg, const struct graph *graph,
		       const struct node *node)
{
	FILE *out = arg;

	fprintf(out, " %6.2f%%", percent(graph, &node->tally));
	if (graph->request->order == CALL_CALLER)
		fprintf(out, " %6.2f%%", percent(graph, &node->self));
	fprintf(out, " %10" PRIu64, node->tally.count);
	if (graph->request->programs)
		fprintf(out, "  %-*s", graph->widest,
			node->level ? ""
				    : graph->names.list[node->first->program]);
	fprintf(out, "  %*s%s%s\n", (int)(2 * node->level), "",
		node->level && graph->request->order == CALL_CALLEE ? "< " : "",
		name_of(graph, node));
}

static const char *label_of(const struct sampling *sampling, size_t event)
{
	return sampling->events->list[sampling->periods.list[event].event].label;
}

static void print_titles(FILE *out, const struct graph *graph)
{
	const bool caller = graph->request->order == CALL_CALLER;

	fputs(caller ? "# total: samples in a function and in what it calls; self: in itself; below it: what it calls\n"
		     : "# share: samples in a function; below it: what has called it\n",
	      out);
	if (graph->request->limit > 0)
		fprintf(out, "# lines with less than %g%% are left out\n",
			graph->request->limit);
	fputs(caller ? "#  total    self    samples" : "#  share    samples",
	      out);
	if (graph->request->programs)
		fprintf(out, "  %-*s", graph->widest, "program");
	fputs("  function\n", out);
}

static int print_event(FILE *out, struct sampling *sampling, size_t event,
		       const struct call_request *request)
{
	struct graph graph;
	int err;

	if (graph_make(&graph, sampling, event, request))
		return -1;
	fprintf(out, "#\n# %s: %" PRIu64 " samples%s\n",
		label_of(sampling, event), graph.total.count,
		sampling->latency ? ", by wall-clock time" : "");
	print_titles(out, &graph);
	err = walk(&graph, graph.paths, graph.count, 0, print_line, out);
	graph_free(&graph);
	return err;
}

int call_graph_print(FILE *out, struct sampling *sampling,
		     const struct call_request *request)
{
	size_t event;
	int err = 0;

	print_loss_comments(out, sampling, true);
	for (event = 0; !err && event < sampling->periods.count; event++)
		err = print_event(out, sampling, event, request);
	return err;
}

/* A level of JSON for each frame would be too deep for many readers, so a row has its level. */
static void write_row(void *arg, const struct graph *graph,
		      const struct node *node)
{
	struct json *json = arg;

	jsonw_line_object(json, NULL);
	jsonw_uint(json, "level", node->level);
	if (graph->request->programs)
		jsonw_string(json, "program",
			     graph->names.list[node->first->program]);
	jsonw_string(json, "function", name_of(graph, node));
	jsonw_uint(json, "samples", node->tally.count);
	jsonw_uint(json, "events", node->tally.weight);
	jsonw_double(json, "share", percent(graph, &node->tally));
	jsonw_uint(json, "end_samples", node->self.count);
	jsonw_double(json, "end_share", percent(graph, &node->self));
	jsonw_close(json);
}

static int write_event(struct json *json, struct sampling *sampling,
		       size_t event, const struct call_request *request)
{
	struct graph graph;
	int err;

	if (graph_make(&graph, sampling, event, request))
		return -1;
	jsonw_object(json, NULL);
	jsonw_string(json, "event", label_of(sampling, event));
	jsonw_uint(json, "samples", graph.total.count);
	jsonw_uint(json, "events", graph.total.weight);
	jsonw_array(json, "rows");
	err = walk(&graph, graph.paths, graph.count, 0, write_row, json);
	jsonw_close(json);
	jsonw_close(json);
	graph_free(&graph);
	return err;
}

int call_graph_print_json(FILE *out, struct sampling *sampling,
			  const struct call_request *request)
{
	struct json json;
	size_t event;
	int err = 0;

	jsonw_begin(&json, out);
	jsonw_string(&json, "file", request->name);
	jsonw_uint(&json, "lost", sampling_missing(sampling));
	jsonw_string(&json, "order",
		     request->order == CALL_CALLER ? "caller" : "callee");
	jsonw_double(&json, "limit", request->limit);
	jsonw_array(&json, "events");
	for (event = 0; !err && event < sampling->periods.count; event++)
		err = write_event(&json, sampling, event, request);
	jsonw_close(&json);
	jsonw_finish(&json);
	return err;
}

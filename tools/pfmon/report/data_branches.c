// SPDX-License-Identifier: GPL-2.0-only
/*
 * Adds up the branches of the samples in a file.
 *
 * A row is a branch, from one place to another; or a block: the code from where one branch of a sample
 * went to where the next one was, which was executed once without a taken branch in it.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/hash.h"
#include "base/json_writer.h"
#include "base/message.h"
#include "base/pager.h"
#include "data/replay.h"
#include "profiles/losses.h"
#include "profiles/shares.h"
#include "report/data_branches.h"
#include "report/data_head.h"
#include "report/data_report.h"
#include "report/report_input.h"

/* The code between two branches is no longer; more means that a branch in between is missing. */
#define BLOCK_MAX (1U << 16)

/**
 * struct row - a branch, or a block
 * @from: place of the branch, or of the first instruction of the block
 * @to: place where it went, or of the branch that ended the block
 * @count: times that it was taken, or executed
 * @mispredicted: times that it, or the branch that ended it, was mispredicted
 * @predicted: times that it was not
 * @cycles: sum of the cycles since the branch before, as far as they are known, and
 * @timed: how many times they are of
 */
struct row {
	uint32_t from;
	uint32_t to;
	uint64_t count;
	uint64_t mispredicted;
	uint64_t predicted;
	uint64_t cycles;
	uint64_t timed;
};

/**
 * struct branches - the rows
 * @request: what is asked for
 * @blocks: rows are blocks
 * @name: name of the file
 * @limit: smallest share of a row, per cent
 * @replay: the file
 * @rows: the rows
 * @count: elements of @rows
 * @room: elements that fit in @rows
 * @table: finds them
 * @total: sum of their counts
 * @all: branches of all samples
 */
struct branches {
	const struct data_request *request;
	bool blocks;
	const char *name;
	double limit;
	struct replay *replay;
	struct row *rows;
	size_t count;
	size_t room;
	struct hash table;
	uint64_t total;
	uint64_t all;
};

static struct row *find_row(struct branches *branches, uint32_t from,
			    uint32_t to)
{
	const uint64_t hash = hash_mix(hash_mix(0, from), to);
	struct row *row;
	uint32_t number;

	for (number = hash_find(&branches->table, hash); number;
	     number = hash_next(&branches->table, number)) {
		row = &branches->rows[number - 1];
		if (row->from == from && row->to == to)
			return row;
	}
	if (array_reserve(&branches->rows, sizeof(*branches->rows),
			  &branches->room, branches->count + 1) ||
	    hash_add(&branches->table, hash))
		return NULL;
	row = &branches->rows[branches->count++];
	*row = (struct row){ .from = from, .to = to };
	return row;
}

static int add(struct branches *branches, struct symbols *symbols,
	       const struct sample *sample, uint64_t from, uint64_t to,
	       uint64_t info)
{
	const uint32_t first = symbols_place(symbols, sample->pid,
					     sample->tstamp, from, false);
	const uint32_t last = symbols_place(symbols, sample->pid,
					    sample->tstamp, to, false);
	struct row *row = find_row(branches, first, last);

	if (!row) {
		say_error("out of memory for the branches");
		return -1;
	}
	row->count++;
	row->mispredicted += !!(info & PFM_BRANCH_INFO_MISPREDICTED);
	row->predicted += !!(info & PFM_BRANCH_INFO_PREDICTED);
	if (info & PFM_BRANCH_INFO_TIMED) {
		row->cycles += info & PFM_BRANCH_INFO_CYCLES;
		row->timed++;
	}
	branches->total++;
	return 0;
}

/* Addresses of 0 were hidden from who has recorded, or are not known. */
static bool is_block(uint64_t begin, uint64_t end)
{
	return begin && end >= begin && end - begin < BLOCK_MAX;
}

static int take(void *arg, struct sampling *sampling,
		const struct sample *sample)
{
	struct branches *branches = arg;
	unsigned int i;
	int err = 0;

	branches->all += sample->nbranches;
	for (i = 0; i < sample->nbranches && !err; i++) {
		const struct pfm_branch *branch = &sample->branches[i];
		/* The one before it follows in the record. */
		const struct pfm_branch *before = branch + 1;

		if (!branches->blocks)
			err = add(branches, &sampling->symbols, sample,
				  branch->from, branch->to, branch->info);
		else if (i + 1 < sample->nbranches &&
			 is_block(before->to, branch->from))
			err = add(branches, &sampling->symbols, sample,
				  before->to, branch->from, branch->info);
	}
	return err;
}

static int by_count(const void *a, const void *b)
{
	const struct row *x = a, *y = b;

	if (x->count != y->count)
		return x->count > y->count ? -1 : 1;
	if (x->from != y->from)
		return x->from < y->from ? -1 : 1;
	return x->to < y->to ? -1 : x->to > y->to;
}

static double percent(uint64_t part, uint64_t whole)
{
	return whole ? 100.0 * part / whole : 0;
}

static void print_place(FILE *out, const struct branches *branches,
			uint32_t place)
{
	symbols_print(out,
		      symbols_get(&branches->replay->sampling.symbols, place));
}

static void print_row(FILE *out, const struct branches *branches,
		      const struct row *row)
{
	const uint64_t known = row->mispredicted + row->predicted;

	fprintf(out, " %6.2f%% %10" PRIu64 " ",
		percent(row->count, branches->total), row->count);
	if (known)
		fprintf(out, " %11.2f%%", percent(row->mispredicted, known));
	else
		fprintf(out, " %12s", "-");
	if (row->timed)
		fprintf(out, " %8.1f  ", (double)row->cycles / row->timed);
	else
		fprintf(out, " %8s  ", "-");
	print_place(out, branches, row->from);
	fputs(branches->blocks ? " .. " : " -> ", out);
	print_place(out, branches, row->to);
	fputc('\n', out);
}

static int print_table(FILE *out, const struct branches *branches)
{
	const struct sampling *sampling = &branches->replay->sampling;
	uint64_t rest = 0;
	size_t i;

	data_head_print(out, branches->replay->info);
	print_loss_comments(out, sampling, true);
	fprintf(out,
		"#\n# %" PRIu64 " branches in %" PRIu64 " samples%s\n"
		"#  share %10s mispredicted   cycles  %s\n",
		branches->all, sampling->losses.taken,
		branches->blocks ? "; code between two of them" : "",
		branches->blocks ? "executed" : "taken",
		branches->blocks ? "first .. last instruction" : "from -> to");
	for (i = 0; i < branches->count; i++) {
		const struct row *row = &branches->rows[i];

		if (percent(row->count, branches->total) < branches->limit)
			break;
		print_row(out, branches, row);
	}
	if (i == branches->count)
		return 0;
	fprintf(out, "# %zu rows with less than %g%% each are left out: ",
		branches->count - i, branches->limit);
	for (; i < branches->count; i++)
		rest += branches->rows[i].count;
	fprintf(out, "%.2f%%\n", percent(rest, branches->total));
	return 0;
}

static void json_place(struct json *json, const char *key,
		       const struct branches *branches, uint32_t place)
{
	const struct symbol *symbol =
		symbols_get(&branches->replay->sampling.symbols, place);

	jsonw_object(json, key);
	if (symbol->name)
		jsonw_string(json, "function", symbol->name);
	if (symbol->name)
		jsonw_uint(json, "offset", symbol->offset);
	if (symbol->module)
		jsonw_string(json, "file", symbol->module);
	jsonw_uint(json, "address", symbol->address);
	jsonw_close(json);
}

static int print_json(FILE *out, const struct branches *branches)
{
	const struct sampling *sampling = &branches->replay->sampling;
	struct json json;
	size_t i;

	jsonw_begin(&json, out);
	jsonw_uint(&json, "samples", sampling->losses.taken);
	jsonw_uint(&json, "lost", sampling->losses.lost);
	jsonw_uint(&json, "branches", branches->all);
	jsonw_array(&json, branches->blocks ? "blocks" : "rows");
	for (i = 0; i < branches->count; i++) {
		const struct row *row = &branches->rows[i];

		if (percent(row->count, branches->total) < branches->limit)
			break;
		jsonw_line_object(&json, NULL);
		jsonw_uint(&json, "count", row->count);
		if (row->mispredicted + row->predicted) {
			jsonw_uint(&json, "mispredicted", row->mispredicted);
			jsonw_uint(&json, "predicted", row->predicted);
		}
		if (row->timed) {
			jsonw_uint(&json, "cycles", row->cycles);
			jsonw_uint(&json, "timed", row->timed);
		}
		json_place(&json, branches->blocks ? "first" : "from", branches,
			   row->from);
		json_place(&json, branches->blocks ? "last" : "to", branches,
			   row->to);
		jsonw_close(&json);
	}
	jsonw_close(&json);
	jsonw_finish(&json);
	return 0;
}

static int print(FILE *out, const void *what)
{
	const struct branches *branches = what;

	return branches->request->json ? print_json(out, branches)
				       : print_table(out, branches);
}

static int show(struct branches *branches)
{
	if (!branches->all) {
		say_error(
			"'%s' has no branches; 'pfmon record -b' has samples carry them",
			branches->name);
		return -1;
	}
	print_losses(&branches->replay->sampling);
	if (branches->count)
		qsort(branches->rows, branches->count, sizeof(*branches->rows),
		      by_count);
	return pager_print(branches->request->outfile, print, branches);
}

int data_branches(const struct data_request *request, const char *name,
		  bool blocks)
{
	struct branches branches = { .request = request, .blocks = blocks };
	const struct replay_request how = {
		.output = SMPL_OUTPUT_TEXT,
		.force = request->force,
		.mangled = request->mangled,
		.sysmap = request->sysmap,
		.each = take,
		.arg = &branches,
	};
	struct report_input input;
	int err = -1;

	if (shares_read_limit(request->limit, &branches.limit) ||
	    report_input_open(&input, name ? name : REPORT_INPUT_FILE))
		return -1;
	branches.name = input.name;
	branches.replay = replay_read(input.name, input.in, &how);
	if (branches.replay)
		err = show(&branches);
	replay_free(branches.replay);
	free(branches.rows);
	hash_free(&branches.table);
	return err;
}

// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/*
 * Regions: the table, as text and JSON.  Its columns are those of "pfmon --irange", and the counts
 * without the cost of the regions.
 */
#include <perfmon/region.h>

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "regions/region_cost.h"
#include "regions/region_names.h"
#include "regions/region_setup.h"
#include "regions/region_thread.h"

#define GAP 2

/* Longer names are cut off in a text. */
#define CELL 128

enum {
	COLUMN_RANGE,
	COLUMN_EVENT,
	COLUMN_CALLS,
	COLUMN_OUTER,
	COLUMN_RETURNED,
	COLUMN_LEFT,
	COLUMN_CUT,
	COLUMN_MISSED,
	COLUMN_UNMATCHED,
	COLUMN_SUM,
	COLUMN_MEAN,
	COLUMN_MIN,
	COLUMN_MAX,
	COLUMN_REST,
	COLUMN_EMPTY,
	COLUMN_NET_SUM,
	COLUMN_NET_MEAN,
	COLUMN_NET_MIN,
	COLUMN_NET_MAX,
	NUM_COLUMNS,
};

static const char *const titles[NUM_COLUMNS] = {
	[COLUMN_RANGE] = "range",
	[COLUMN_EVENT] = "event",
	[COLUMN_CALLS] = "calls",
	[COLUMN_OUTER] = "outermost",
	[COLUMN_RETURNED] = "returned",
	[COLUMN_LEFT] = "left",
	[COLUMN_CUT] = "cut",
	[COLUMN_MISSED] = "missed",
	[COLUMN_UNMATCHED] = "unmatched",
	[COLUMN_SUM] = "count",
	[COLUMN_MEAN] = "a call",
	[COLUMN_MIN] = "min",
	[COLUMN_MAX] = "max",
	[COLUMN_REST] = "not returned",
	[COLUMN_EMPTY] = "empty call",
	[COLUMN_NET_SUM] = "net count",
	[COLUMN_NET_MEAN] = "net a call",
	[COLUMN_NET_MIN] = "net min",
	[COLUMN_NET_MAX] = "net max",
};

/**
 * struct row - a row of the table
 * @name: the region
 * @label: the event
 * @row: counts of the region
 * @sum: those of the event
 * @empty: count of an empty region; UINT64_MAX: not known
 */
struct row {
	const char *name;
	const char *label;
	const struct pfmi_region_row *row;
	const struct pfmi_region_sum *sum;
	uint64_t empty;
};

/* Calls that have not returned when the table is made, or whose thread has ended. */
static uint64_t cut(const struct pfmi_region_row *row)
{
	return row->outer - row->returned - row->left;
}

static void number_text(char *text, uint64_t number)
{
	snprintf(text, CELL, "%" PRIu64, number);
}

/* A number that is the usual one is left out. */
static void number_unless(char *text, uint64_t number, uint64_t usual)
{
	if (number != usual)
		number_text(text, number);
}

static void call_text(const struct row *row, unsigned int column, char *text)
{
	const struct pfmi_region_sum *sum = row->sum;

	switch (column) {
	case COLUMN_MEAN:
		snprintf(text, CELL, "%.1f",
			 (double)sum->sum / row->row->returned);
		break;
	case COLUMN_MIN:
		number_text(text, sum->min);
		break;
	case COLUMN_MAX:
		number_text(text, sum->max);
		break;
	case COLUMN_NET_SUM:
		snprintf(text, CELL, "%" PRId64, sum->net_sum);
		break;
	case COLUMN_NET_MEAN:
		snprintf(text, CELL, "%.1f",
			 (double)sum->net_sum / row->row->returned);
		break;
	case COLUMN_NET_MIN:
		snprintf(text, CELL, "%" PRId64, sum->net_min);
		break;
	case COLUMN_NET_MAX:
		snprintf(text, CELL, "%" PRId64, sum->net_max);
		break;
	}
}

static void cell_text(const struct row *row, unsigned int column, char *text)
{
	const struct pfmi_region_row *counts = row->row;

	*text = 0;
	switch (column) {
	case COLUMN_RANGE:
		snprintf(text, CELL, "%s", row->name);
		break;
	case COLUMN_EVENT:
		snprintf(text, CELL, "%s", row->label);
		break;
	case COLUMN_CALLS:
		number_text(text, counts->calls);
		break;
	case COLUMN_OUTER:
		number_unless(text, counts->outer, counts->calls);
		break;
	case COLUMN_RETURNED:
		number_unless(text, counts->returned, counts->outer);
		break;
	case COLUMN_LEFT:
		number_unless(text, counts->left, 0);
		break;
	case COLUMN_CUT:
		number_unless(text, cut(counts), 0);
		break;
	case COLUMN_MISSED:
		number_unless(text, counts->missed, 0);
		break;
	case COLUMN_UNMATCHED:
		number_unless(text, counts->unmatched, 0);
		break;
	case COLUMN_SUM:
		number_text(text, row->sum->sum);
		break;
	case COLUMN_REST:
		number_unless(text, row->sum->rest, 0);
		break;
	case COLUMN_EMPTY:
		number_unless(text, row->empty, UINT64_MAX);
		break;
	default:
		if (counts->returned)
			call_text(row, column, text);
	}
}

static bool is_left(unsigned int column)
{
	return column == COLUMN_RANGE || column == COLUMN_EVENT;
}

/* As wide as its contents; 0: nothing in it.  Least and most without cost are for JSON. */
static int column_width(const struct row *rows, size_t count,
			unsigned int column)
{
	char text[CELL];
	int width = 0;
	size_t i;

	if (column == COLUMN_NET_MIN || column == COLUMN_NET_MAX)
		return 0;
	for (i = 0; i < count; i++) {
		cell_text(&rows[i], column, text);
		if ((int)strlen(text) > width)
			width = strlen(text);
	}
	if (width && (int)strlen(titles[column]) > width)
		width = strlen(titles[column]);
	return width;
}

/* Spaces are printed before what follows them, so that no line ends with one. */
static void print_cell(FILE *out, const char *text, unsigned int column,
		       int width, int *spaces)
{
	const int rest = width - (int)strlen(text);

	if (!is_left(column))
		*spaces += rest;
	if (*text) {
		fprintf(out, "%*s", *spaces, "");
		for (; *text; text++)
			putc((unsigned char)*text < ' ' || *text == 0x7f
				     ? '?'
				     : *text,
			     out);
		*spaces = 0;
	}
	*spaces += GAP + (is_left(column) ? rest : 0);
}

static void print_line(FILE *out, const struct row *row, const int *widths)
{
	int spaces = row ? GAP : 1;
	char text[CELL];
	unsigned int k;

	if (!row)
		putc('#', out);
	for (k = 0; k < NUM_COLUMNS; k++) {
		if (!widths[k])
			continue;
		if (row)
			cell_text(row, k, text);
		print_cell(out, row ? text : titles[k], k, widths[k], &spaces);
	}
	putc('\n', out);
}

static void print_text(FILE *out, const struct row *rows, size_t count)
{
	int widths[NUM_COLUMNS];
	unsigned int k;
	size_t i;

	if (!count)
		return;
	for (k = 0; k < NUM_COLUMNS; k++)
		widths[k] = column_width(rows, count, k);
	fputs("# counted in these regions only, with all that they call; one that is in another counts in both\n",
	      out);
	if (widths[COLUMN_EMPTY])
		fputs("# \"empty call\" is what an empty region counts; \"net\" is without it, and without that of regions within\n",
		      out);
	if (widths[COLUMN_REST] || widths[COLUMN_CUT] || widths[COLUMN_LEFT])
		fputs("# \"not returned\" is of calls that were left (an outer region ended) or cut (their thread ended); \"a call\" is without these\n",
		      out);
	print_line(out, NULL, widths);
	for (i = 0; i < count; i++)
		print_line(out, &rows[i], widths);
}

static void write_string(FILE *out, const char *text)
{
	putc('"', out);
	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			fprintf(out, "\\%c", *text);
		else if ((unsigned char)*text < ' ')
			fprintf(out, "\\u%04x", *text);
		else
			putc(*text, out);
	}
	putc('"', out);
}

static void write_number(FILE *out, const char *name, uint64_t number)
{
	fprintf(out, ", \"%s\": %" PRIu64, name, number);
}

static void write_row(FILE *out, const struct row *row, const char *file)
{
	static const struct {
		const char *name;
		unsigned int column;
	} members[] = {
		{ "mean", COLUMN_MEAN },	 { "min", COLUMN_MIN },
		{ "max", COLUMN_MAX },		 { "net_sum", COLUMN_NET_SUM },
		{ "net_mean", COLUMN_NET_MEAN }, { "net_min", COLUMN_NET_MIN },
		{ "net_max", COLUMN_NET_MAX },
	};
	char text[CELL];
	size_t i;

	fputs("    { \"range\": ", out);
	write_string(out, row->name);
	fputs(", \"file\": ", out);
	write_string(out, file);
	fputs(", \"event\": ", out);
	write_string(out, row->label);
	write_number(out, "calls", row->row->calls);
	write_number(out, "outer", row->row->outer);
	write_number(out, "returned", row->row->returned);
	write_number(out, "left", row->row->left);
	write_number(out, "cut", cut(row->row));
	write_number(out, "missed", row->row->missed);
	write_number(out, "unmatched", row->row->unmatched);
	write_number(out, "sum", row->sum->sum);
	for (i = 0; i < sizeof(members) / sizeof(members[0]); i++) {
		cell_text(row, members[i].column, text);
		fprintf(out, ", \"%s\": %s", members[i].name,
			*text ? text : "null");
	}
	write_number(out, "rest", row->sum->rest);
	if (row->empty == UINT64_MAX)
		fputs(", \"empty\": null", out);
	else
		write_number(out, "empty", row->empty);
	fputs(" }", out);
}

static void print_json(FILE *out, const struct row *rows, size_t count)
{
	char file[PATH_MAX] = "";
	size_t i;

	if (readlink("/proc/self/exe", file, sizeof(file) - 1) < 0)
		file[0] = 0;
	fputs("{\n  \"program\": ", out);
	write_string(out, file);
	fprintf(out, ",\n  \"pid\": %d,\n  \"ranges\": [", (int)getpid());
	for (i = 0; i < count; i++) {
		fputs(i ? ",\n" : "\n", out);
		write_row(out, &rows[i], file);
	}
	fputs(count ? "\n  ]\n}\n" : "]\n}\n", out);
}

/* A region that was only ended has no row. */
static bool has_row(uint32_t number, const struct pfmi_region_row *row)
{
	return pfmi_region_name(number)[0] != PFM_REGION_HIDDEN[0] &&
	       (row->calls || row->missed || row->unmatched);
}

/* Returns the number of regions.  The caller has the lock. */
static size_t sum_up(struct pfmi_region_row *sums, const char **names)
{
	size_t count = 0;
	uint32_t number;

	for (number = 1; pfmi_region_name(number); number++) {
		pfmi_region_row_clear(&sums[count]);
		pfmi_region_sum_up(number, &sums[count]);
		names[count] = pfmi_region_name(number);
		if (has_row(number, &sums[count]))
			count++;
	}
	return count;
}

static size_t fill(struct row *rows, const struct pfmi_region_row *sums,
		   const char **names, size_t count)
{
	const struct pfmi_region_setup *setup = &pfmi_region_setup;
	size_t i, k;

	for (i = 0; i < count; i++) {
		for (k = 0; k < setup->events; k++) {
			const unsigned int reg = setup->index[k];

			rows[i * setup->events + k] = (struct row){
				.name = names[i],
				.label = setup->labels[k],
				.row = &sums[i],
				.sum = &sums[i].sums[reg],
				.empty = sums[i].cost ? pfmi_region_cost(
								sums[i].cost)
								->empty[reg]
						      : UINT64_MAX,
			};
		}
	}
	return count * setup->events;
}

/* The text of the table, for free(); NULL: out of memory. */
static char *make(bool json, size_t *length, size_t *count)
{
	struct pfmi_region_row *sums = malloc(PFMI_REGION_MAX * sizeof(*sums));
	const char **names = malloc(PFMI_REGION_MAX * sizeof(*names));
	struct row *rows = NULL;
	char *text = NULL;
	FILE *out = NULL;

	if (sums && names) {
		pthread_mutex_lock(&pfmi_region_lock);
		*count = sum_up(sums, names);
		pthread_mutex_unlock(&pfmi_region_lock);
		rows = malloc((*count * pfmi_region_setup.events + 1) *
			      sizeof(*rows));
		out = open_memstream(&text, length);
	}
	if (rows && out) {
		*count = fill(rows, sums, names, *count);
		if (json)
			print_json(out, rows, *count);
		else
			print_text(out, rows, *count);
	}
	if (out && fclose(out)) {
		free(text);
		text = NULL;
	}
	if (!rows) {
		free(text);
		text = NULL;
	}
	free(rows);
	free(names);
	free(sums);
	return text;
}

static int write_all(int fd, const char *text, size_t length)
{
	ssize_t done;

	while (length) {
		done = write(fd, text, length);
		if (done < 0 && errno == EINTR)
			continue;
		if (done < 0)
			return -errno;
		text += done;
		length -= done;
	}
	return 0;
}

int pfm_region_print(int fd, uint32_t flags)
{
	int saved = errno;
	size_t length, count;
	char *text;
	int ret;

	if (flags & ~(uint32_t)PFM_REGION_JSON)
		return -EINVAL;
	if (!pfmi_region_decide())
		return -ENODATA;
	text = make(flags & PFM_REGION_JSON, &length, &count);
	if (!text)
		return -ENOMEM;
	ret = write_all(fd, text, length);
	free(text);
	errno = saved;
	return ret;
}

/* A child of fork has a file of its own. */
static int open_output(void)
{
	const char *name = pfmi_region_setup.output;
	char of_child[PATH_MAX + 16];

	if (!*name)
		return STDERR_FILENO;
	if (pfmi_region_is_child()) {
		snprintf(of_child, sizeof(of_child), "%s.%d", name,
			 (int)getpid());
		name = of_child;
	}
	return open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
}

/* Behind the program's own functions for exit(), which may have regions. */
__attribute__((destructor)) static void print_at_exit(void)
{
	const uint32_t flags = pfmi_region_setup.flags;
	size_t length, count;
	char *text;
	int fd, ret;

	if (!__atomic_load_n(&pfmi_region_on, __ATOMIC_ACQUIRE) ||
	    flags & PFM_REGION_NO_TABLE)
		return;
	pfmi_region_cut();
	text = make(flags & PFM_REGION_JSON, &length, &count);
	if (!text || (!count && pfmi_region_is_child())) {
		free(text);
		return;
	}
	fd = open_output();
	ret = fd < 0 ? -errno : write_all(fd, text, length);
	if (ret < 0)
		dprintf(STDERR_FILENO, "perfmon: no table of regions: %s: %s\n",
			pfmi_region_setup.output, strerror(-ret));
	if (fd >= 0 && fd != STDERR_FILENO)
		close(fd);
	free(text);
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Counts, titles and times as text output writes them.
 */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "options/options.h"
#include "output/count.h"
#include "output/row.h"
#include "output/value.h"
#include "session/session.h"
#include "session/system_wide.h"

static void group_digits(char *text, uint64_t value, char separator)
{
	char digits[PRINT_COUNT_ROOM];
	int length = snprintf(digits, sizeof(digits), "%" PRIu64, value);
	int i;

	for (i = 0; i < length; i++) {
		if (i && (length - i) % 3 == 0)
			*text++ = separator;
		*text++ = digits[i];
	}
	*text = '\0';
}

static const char *print_count_text(const struct options *options,
				    uint64_t value, char *text)
{
	switch (options->counter) {
	case COUNTER_US:
		group_digits(text, value, ',');
		break;
	case COUNTER_EU:
		group_digits(text, value, '.');
		break;
	case COUNTER_HEX:
		snprintf(text, PRINT_COUNT_ROOM, "0x%016" PRIx64, value);
		break;
	default:
		snprintf(text, PRINT_COUNT_ROOM, "%" PRIu64, value);
	}
	return text;
}

/* Estimates and lower bounds get a mark before the number. */
const char *print_value_text(const struct options *options,
			     const struct count *count, char *text)
{
	if (count->missing)
		return strcpy(text, "<not counted>");
	text[0] = '~';
	print_count_text(options, count->value,
			 text + (count->scaled || count->low));
	return text;
}

enum colour value_colour(const struct count *count)
{
	if (count->missing)
		return COLOUR_MISSING;
	return count->scaled || count->low ? COLOUR_ESTIMATE : COLOUR_NONE;
}

void print_trust(FILE *out, const struct count *count)
{
	if (count->low) {
		fputs(" (at least", out);
		/*
		 * Round down: a share that is rounded up might say that all of the time was
		 * counted.
		 */
		if (count->enabled)
			fprintf(out, ", active %.1f%%",
				floor(10 * count_share(count)) / 10);
		fputc(')', out);
	}
	if (!count->scaled)
		return;
	fputs(" (", out);
	if (count->bounded && count->value)
		/* Round up: a bound that is rounded down is no bound. */
		fprintf(out, "±%.2f%%, ",
			ceil(1e4 * count->error / count->value) / 100);
	else if (count->bounded)
		fprintf(out, "±%" PRIu64 ", ", count->error);
	else if (count->vague)
		fputs("±?, ", out);
	fprintf(out, "active %.1f%%)", count_share(count));
}

const char *print_title_text(const struct row *row, char *text)
{
	const struct cpu_place *place = row->place;

	if (row->cpu && row->cgroup)
		snprintf(text, PRINT_TITLE_ROOM, "CPU%u %s", row->cpu->number,
			 row->cgroup->name);
	else if (row->cgroup)
		return row->cgroup->name;
	else if (row->cpu)
		snprintf(text, PRINT_TITLE_ROOM, "CPU%u", row->cpu->number);
	else if (row->topology == TOPOLOGY_CORE)
		snprintf(text, PRINT_TITLE_ROOM, "CORE%d.%d", place->socket,
			 place->core);
	else if (row->topology == TOPOLOGY_SOCKET)
		snprintf(text, PRINT_TITLE_ROOM, "SOCKET%d", place->socket);
	else if (row->topology == TOPOLOGY_NODE)
		snprintf(text, PRINT_TITLE_ROOM, "NODE%d", place->node);
	else
		strcpy(text, "TOTAL");
	return text;
}

void print_path(FILE *out, const char *path)
{
	const unsigned char *s;

	for (s = (const unsigned char *)path; *s; s++) {
		if (*s < 0x20 || *s == 0x7f || *s == '\\')
			fprintf(out, "\\%03o", *s);
		else
			fputc(*s, out);
	}
}

void print_program(FILE *out, const struct result *result)
{
	print_path(out, result->path);
	if (result->processes)
		fprintf(out, " (%" PRIu64 " process%s)", result->processes,
			result->processes == 1 ? "" : "es");
	else if (result->pid)
		fprintf(out, " (%u,%u,%u)", result->pid, result->tid,
			result->ppid);
	else
		fprintf(out, " (%" PRIu64 " task%s)", result->tasks,
			result->tasks == 1 ? "" : "s");
}

static void print_clock(FILE *out, const char *name, uint64_t ms)
{
	fprintf(out,
		"%s %" PRIu64 "h%02" PRIu64 "m%02" PRIu64 ".%03" PRIu64 "s",
		name, ms / 3600000, ms / 60000 % 60, ms / 1000 % 60, ms % 1000);
}

static uint64_t timeval_ms(const struct timeval *tv)
{
	return tv->tv_sec * 1000ULL + tv->tv_usec / 1000;
}

void print_times(FILE *out, const struct session *session)
{
	const struct child *child = &session->child;

	if (!child->ended) {
		print_clock(out, "real",
			    (session->end - session->start) / 1000000);
		fputs(" (the command still runs)\n", out);
		return;
	}
	print_clock(out, "real", (session->gone - session->start) / 1000000);
	fputc(' ', out);
	print_clock(out, "user", timeval_ms(&child->usage.ru_utime));
	fputc(' ', out);
	print_clock(out, "sys", timeval_ms(&child->usage.ru_stime));
	fputc('\n', out);
}

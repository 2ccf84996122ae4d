// SPDX-License-Identifier: GPL-2.0-only
/*
 * Results as comma-separated values (RFC 4180): one row a result and event.
 */
#include <inttypes.h>
#include <string.h>
#include <sys/wait.h>

#include "events.h"
#include "options.h"
#include "print.h"
#include "session.h"

static const char titles_row[] =
	"type,event,value,scaled,pid,tid,ppid,path,comm,reason,tasks,"
	"start_ns,end_ns,exit_code,signal\r\n";

static void write_field(FILE *out, const char *text)
{
	if (!strpbrk(text, ",\"\r\n")) {
		fputs(text, out);
		return;
	}
	fputc('"', out);
	for (; *text; text++) {
		if (*text == '"')
			fputc('"', out);
		fputc(*text, out);
	}
	fputc('"', out);
}

static void begin_row(FILE *out, const char *type, const struct event *event,
		      uint64_t value)
{
	fprintf(out, "%s,", type);
	write_field(out, event->name);
	fprintf(out, ",%" PRIu64 ",0,", value);
}

/* Columns that only a task has stay empty. */
static void end_sum_row(FILE *out)
{
	fputs(",,,,,,,,,,\r\n", out);
}

static void end_task_row(FILE *out, const struct result *result)
{
	fprintf(out, "%u,%u,%u,", result->pid, result->tid, result->ppid);
	write_field(out, result->path);
	fputc(',', out);
	write_field(out, result->comm);
	fprintf(out, ",%s,%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",",
		results_reason(result->reason), result->tasks, result->start,
		result->end);
	if (result->reason != PFM_RECORD_EXIT)
		fputc(',', out);
	else if (WIFSIGNALED(result->status))
		fprintf(out, ",%d", WTERMSIG(result->status));
	else
		fprintf(out, "%d,", WEXITSTATUS(result->status));
	fputs("\r\n", out);
}

static void print_task(FILE *out, const struct session *session,
		       const struct result *result)
{
	const struct events *events = session->events;
	size_t k;

	for (k = 0; k < events->count; k++) {
		if (events->list[k].gauge)
			continue;
		begin_row(out, "task", &events->list[k], result->counts[k]);
		end_task_row(out, result);
	}
}

void print_csv(FILE *out, const struct session *session, bool titles)
{
	const struct results *results = &session->results;
	const struct events *events = session->events;
	size_t i, k;

	if (titles)
		fputs(titles_row, out);
	for (i = 0; !session->options->aggregate && i < results->count; i++)
		print_task(out, session, results->list[i]);
	for (k = 0; k < events->count; k++) {
		if (events->list[k].gauge)
			begin_row(out, "machine", &events->list[k],
				  results->kernel[k]);
		else
			begin_row(out, "total", &events->list[k],
				  results->totals[k]);
		end_sum_row(out);
	}
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Intervals.
 *
 * Counters go on while they are read, and each line is the difference to what
 * was read for the line before it, so that the lines add up to the totals.  An
 * interval whose end pfmon slept through is printed together with the next one,
 * and counted.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "cpu.h"
#include "events.h"
#include "interval.h"
#include "json.h"
#include "message.h"
#include "options.h"
#include "output.h"
#include "print.h"
#include "session.h"
#include "system.h"
#include "writer.h"

/**
 * struct interval - what is printed
 * @number: its number, from 1
 * @start: when it began
 * @end: when the counters were read
 * @missed: intervals before it that are part of it
 * @partial: the session ended before it did
 */
struct interval {
	uint64_t number;
	uint64_t start;
	uint64_t end;
	uint64_t missed;
	bool partial;
};

static uint64_t delta(const struct cpu *cpu, size_t event)
{
	return cpu->counts[event] - cpu->before[event];
}

static uint64_t sum(const struct session *session, size_t event)
{
	const struct system *system = session->system;
	uint64_t total = 0;
	size_t i;

	/* A level is that of the machine. */
	if (session->events->list[event].gauge)
		return system->count ? system->list[0].counts[event] : 0;
	for (i = 0; i < system->count; i++)
		total += delta(&system->list[i], event);
	return total;
}

static void print_line(FILE *out, const struct session *session,
		       const struct cpu *cpu)
{
	char text[PRINT_COUNT_ROOM];
	size_t k;

	if (cpu)
		fprintf(out, "CPU%-4u", cpu->number);
	for (k = 0; k < session->events->count; k++) {
		uint64_t count = cpu && !session->events->list[k].gauge
					 ? delta(cpu, k)
					 : sum(session, k);

		fprintf(out, " %20s",
			print_count_text(session->options, count, text));
	}
	fputc('\n', out);
}

static void print_text_interval(FILE *out, const struct session *session,
				const struct interval *interval)
{
	const struct system *system = session->system;
	size_t i;

	fprintf(out, "# %" PRIu64 " %.9f%s\n", interval->number,
		(interval->end - session->start) / 1e9,
		interval->partial ? " (not whole)" : "");
	if (session->options->aggregate) {
		print_line(out, session, NULL);
		return;
	}
	for (i = 0; i < system->count; i++)
		print_line(out, session, &system->list[i]);
}

static void write_counts(struct json *json, const char *key,
			 const struct session *session, const struct cpu *cpu)
{
	const struct events *events = session->events;
	size_t k;

	json_array(json, key);
	for (k = 0; k < events->count; k++) {
		if (cpu && events->list[k].gauge)
			continue;
		json_object(json, NULL);
		json_string(json, "event", events->list[k].name);
		json_uint(json, "value", cpu ? delta(cpu, k) : sum(session, k));
		json_close(json);
	}
	json_close(json);
}

static void print_json_interval(FILE *out, const struct session *session,
				const struct interval *interval)
{
	const struct system *system = session->system;
	struct json json;
	size_t i;

	json_begin_line(&json, out);
	json_string(&json, "type", "interval");
	json_uint(&json, "number", interval->number);
	json_uint(&json, "start_ns", interval->start);
	json_uint(&json, "end_ns", interval->end);
	json_uint(&json, "missed", interval->missed);
	json_bool(&json, "partial", interval->partial);
	json_array(&json, "cpus");
	for (i = 0; !session->options->aggregate && i < system->count; i++) {
		json_object(&json, NULL);
		json_uint(&json, "cpu", system->list[i].number);
		write_counts(&json, "counts", session, &system->list[i]);
		json_close(&json);
	}
	json_close(&json);
	write_counts(&json, "totals", session, NULL);
	json_finish(&json);
}

static void print_csv_interval(FILE *out, const struct session *session,
			       const struct interval *interval)
{
	const struct system *system = session->system;
	size_t i, k;

	for (k = 0; k < session->events->count; k++) {
		const struct event *event = &session->events->list[k];

		for (i = 0; !event->gauge && !session->options->aggregate &&
			    i < system->count;
		     i++) {
			print_cpu_row(out, "interval", event,
				      delta(&system->list[i], k),
				      &system->list[i]);
			fprintf(out, "%" PRIu64 ",%" PRIu64 ",%" PRIu64 "\r\n",
				interval->number, interval->start,
				interval->end);
		}
		print_cpu_row(out, "interval", event, sum(session, k), NULL);
		fprintf(out, "%" PRIu64 ",%" PRIu64 ",%" PRIu64 "\r\n",
			interval->number, interval->start, interval->end);
	}
}

static int flush(struct session *session)
{
	struct output *output = session->system->output;
	int err;

	if (!fflush(output->file))
		return 0;
	err = errno;
	/* It has ended, for a reason of its own. */
	if (err == EPIPE && output->writer)
		err = writer_end(output);
	say_error("the results could not be written to %s: %s", output->name,
		  strerror(err));
	return -1;
}

int interval_begin(struct session *session)
{
	const struct options *options = session->options;
	FILE *out = session->system->output->file;
	size_t k;

	if (!options->scope.interval_ns)
		return 0;
	writer_begin(session->system->output);
	/* Nor is a page of pfmon's to be waited for; without right, it may be. */
	if (mlockall(MCL_CURRENT | MCL_FUTURE))
		say_debug("memory is not locked: %s", strerror(errno));
	if (options->format == OUTPUT_CSV && session->system->output->fresh)
		print_cpu_titles(out);
	if (options->format != OUTPUT_TEXT)
		return flush(session);
	fprintf(out, "# interval of %.10g ms: number and seconds, then %s",
		options->scope.interval_ns / 1e6,
		options->aggregate ? "all CPUs:" : "each CPU:");
	for (k = 0; k < session->events->count; k++)
		fprintf(out, " %s", session->events->list[k].name);
	fputc('\n', out);
	return flush(session);
}

static int print(struct session *session, const struct interval *interval)
{
	struct system *system = session->system;
	FILE *out = system->output->file;
	size_t i;

	switch (session->options->format) {
	case OUTPUT_JSON:
		print_json_interval(out, session, interval);
		break;
	case OUTPUT_CSV:
		print_csv_interval(out, session, interval);
		break;
	default:
		print_text_interval(out, session, interval);
	}
	for (i = 0; i < system->count; i++)
		memcpy(system->list[i].before, system->list[i].counts,
		       session->events->count * sizeof(uint64_t));
	return flush(session);
}

int interval_print(struct session *session, uint64_t time, bool last)
{
	uint64_t length = session->options->scope.interval_ns, passed;
	struct system *system = session->system;
	struct interval interval;

	if (!system->next_interval || (time < system->next_interval && !last))
		return 0;
	passed = (time - session->start) / length;
	interval.start = system->interval_start;
	interval.end = time;
	interval.partial = last && passed == system->interval;
	interval.number = interval.partial ? passed + 1 : passed;
	interval.missed = interval.number - system->interval - 1;
	if (!last) {
		if (cpu_read_all(session))
			return -1;
		interval.end = session_now();
	}
	system->interval = interval.number;
	system->missed += interval.missed;
	system->interval_start = interval.end;
	system->next_interval = session->start + (passed + 1) * length;
	return print(session, &interval);
}

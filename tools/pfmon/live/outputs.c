// SPDX-License-Identifier: GPL-2.0-only
/*
 * Output of counts while a session goes on: intervals and, of CPUs, the exporter.
 */
#include <stddef.h>

#include "base/clock.h"
#include "live/exports.h"
#include "live/interval.h"
#include "live/outputs.h"
#include "options/options.h"
#include "session/session.h"
#include "session/system_wide.h"

/* Interval of writing --textfile, unless --print-interval gives it. */
#define TEXTFILE_INTERVAL (10 * NS_PER_S)

static struct live_output *output_of(struct live *live)
{
	return (struct live_output *)((char *)live -
				      offsetof(struct live_output, live));
}

static int open_live(struct live *live, struct session *session)
{
	const struct scope_options *scope = &session->options->scope;
	struct live_output *output = output_of(live);

	output->session = session;
	if (!session->system)
		return 0;
	if (scope->listen) {
		output->exporter = exporter_create(session);
		if (!output->exporter)
			return -1;
	}
	if (scope->textfile) {
		output->textfile = textfile_create(session, scope->textfile);
		if (!output->textfile)
			return -1;
	}
	return 0;
}

static void begin(struct live *live)
{
	struct live_output *output = output_of(live);

	interval_begin(output->session, output->file);
}

static int title(struct live *live)
{
	struct live_output *output = output_of(live);

	return interval_title(output->session, output->file);
}

static uint64_t interval_due(const void *arg)
{
	const struct live_output *output = arg;

	return output->session->end_seen ? 0 : output->session->intervals.next;
}

static int print_interval(void *arg, uint64_t time)
{
	struct live_output *output = arg;

	if (output->session->end_seen)
		return 0;
	return interval_print(output->session, output->file, time, false);
}

static size_t count_clients(const void *arg)
{
	(void)arg;
	return EXPORTER_FDS;
}

static void poll_clients(const void *arg, struct pollfd *fds)
{
	const struct live_output *output = arg;

	exporter_poll(output->exporter, fds);
}

static int serve_clients(void *arg, const struct pollfd *fds)
{
	struct live_output *output = arg;

	return exporter_serve(output->exporter, fds);
}

/* When to write --textfile.  The first time is when counting has begun. */
static uint64_t textfile_due(const struct live_output *output)
{
	const struct session *session = output->session;

	if (!output->textfile || !session->system->started)
		return 0;
	return output->textfile_at ? output->textfile_at : session->start;
}

static uint64_t clients_due(const void *arg)
{
	const struct live_output *output = arg;

	return exporter_time(output->exporter);
}

static uint64_t export_due(const void *arg)
{
	return textfile_due(arg);
}

static int write_textfile(void *arg, uint64_t time)
{
	struct live_output *output = arg;
	uint64_t interval = output->session->options->scope.interval_ns;
	uint64_t due = textfile_due(output);

	if (!due || time < due)
		return 0;
	output->textfile_at = time + (interval ? interval : TEXTFILE_INTERVAL);
	return textfile_write(output->textfile);
}

static void add_sources(struct live *live)
{
	struct live_output *output = output_of(live);

	output->intervals = (struct source){
		.due = interval_due,
		.work = print_interval,
		.arg = output,
	};
	output->clients = (struct source){
		.count = count_clients,
		.poll = poll_clients,
		.serve = serve_clients,
		.due = clients_due,
		.arg = output,
	};
	output->exports = (struct source){
		.due = export_due,
		.work = write_textfile,
		.arg = output,
	};
	loop_add(output->session, &output->intervals);
	if (output->exporter)
		loop_add(output->session, &output->clients);
	if (output->textfile)
		loop_add(output->session, &output->exports);
}

static int end(struct live *live)
{
	struct live_output *output = output_of(live);

	if (interval_print(output->session, output->file, output->session->end,
			   true))
		return -1;
	return output->textfile ? textfile_write(output->textfile) : 0;
}

static const struct live_ops ops = {
	.open = open_live,
	.begin = begin,
	.title = title,
	.add_sources = add_sources,
	.end = end,
};

void live_init(struct live_output *output, struct outfile *file)
{
	*output = (struct live_output){ .live.ops = &ops, .file = file };
}

void live_free(struct live_output *output)
{
	exporter_free(output->exporter);
	textfile_free(output->textfile);
}

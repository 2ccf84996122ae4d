// SPDX-License-Identifier: GPL-2.0-only
/*
 * pfmon: counts what a command does.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <perfmon/perfmon.h>

#include "events.h"
#include "info.h"
#include "message.h"
#include "modules.h"
#include "options.h"
#include "output.h"
#include "print.h"
#include "session.h"
#include "usage.h"

/* The events of the command line on the registers of context @fd. */
static int read_events(struct events *events, const struct options *options,
		       int fd)
{
	struct pfm_regmap *map;
	int err;

	err = pfm_regmap_from_ctx(fd, &map);
	if (err) {
		say_error("cannot read the registers' descriptions: %s",
			  strerror(-err));
		return -1;
	}
	err = events_read(events, options, map);
	pfm_regmap_free(map);
	return err;
}

static int print(struct output *output, const struct session *session)
{
	print_warnings(session);
	switch (session->options->format) {
	case OUTPUT_JSON:
		print_json(output->file, session);
		break;
	case OUTPUT_CSV:
		print_csv(output->file, session, output->fresh);
		break;
	default:
		print_text(output->file, session);
	}
	return output_close(output);
}

static int measure(const struct options *options, const struct events *events,
		   int fd, struct output *output)
{
	struct session session;
	int status, printed;

	status = session_run(&session, options, events, fd);
	if (!status) {
		printed = print(output, &session);
		status = session_wait(&session);
		if (printed)
			status = EXIT_OWN_FAILURE;
	} else {
		fclose(output->file);
	}
	session_free(&session);
	return status;
}

static int count(const struct options *options)
{
	struct events events = { 0 };
	int status = EXIT_OWN_FAILURE;
	struct output output;
	int fd;

	fd = modules_create_context(options->follow);
	if (fd < 0)
		return status;
	if (!read_events(&events, options, fd) &&
	    !output_open(&output, options))
		status = measure(options, &events, fd, &output);
	else
		close(fd);
	events_free(&events);
	return status;
}

static int check(const struct options *options)
{
	struct events events = { 0 };
	int fd, err;

	fd = modules_create_context(0);
	if (fd < 0)
		return -1;
	/* Also what only the kernel refuses: levels without the right. */
	err = read_events(&events, options, fd);
	if (!err)
		err = events_program(&events, fd);
	events_free(&events);
	close(fd);
	return err;
}

static int tell(const struct options *options)
{
	int err = 0;

	switch (options->action) {
	case ACTION_HELP:
		usage_print();
		break;
	case ACTION_VERSION:
		usage_print_version();
		break;
	case ACTION_INFO:
		err = info_machine(options);
		break;
	case ACTION_LIST:
	case ACTION_LIST_LONG:
		err = info_list(options);
		break;
	case ACTION_EVENT_INFO:
		err = info_event(options);
		break;
	default:
		err = check(options);
	}
	if (output_finish_stdout())
		err = -1;
	return err ? EXIT_OWN_FAILURE : 0;
}

int main(int argc, char **argv)
{
	struct options options;
	int status;

	output_hold_standard();
	status = options_parse(&options, argc, argv);
	if (!status && options.action == ACTION_COUNT)
		status = count(&options);
	else if (!status)
		status = tell(&options);
	options_free(&options);
	return status;
}

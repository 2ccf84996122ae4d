// SPDX-License-Identifier: GPL-2.0-only
/*
 * A file for speedscope.app: for each event that samples a profile of type
 * "sampled".  Stacks begin with the program.
 */
#include <stdlib.h>

#include "base/json_writer.h"
#include "base/message.h"
#include "base/string_table.h"
#include "base/version.h"
#include "events/event_list.h"
#include "profiles/profile_forms.h"
#include "profiles/losses.h"
#include "sampling/sampling.h"

#define SCHEMA	"https://www.speedscope.app/file-format-schema.json"

/**
 * struct frames - numbering of the frames
 * @names: "name", a line break, "file": identifies a frame
 * @programs: frame number of each group's program
 * @places: frame number of each place
 */
struct frames {
	struct string_table names;
	uint32_t *programs;
	uint32_t *places;
};

static uint32_t number_of(struct frames *frames, const char *name,
			  const char *file)
{
	char text[2 * FRAME_ROOM];

	snprintf(text, sizeof(text), "%s\n%s", name, file ? file : "");
	return string_table_number(&frames->names, text);
}

static int number_frames(struct frames *frames, struct sampling *sampling)
{
	const struct profile *profile = &sampling->profile;
	uint32_t i, places = sampling->symbols.count;
	struct group_name name;
	char frame[FRAME_ROOM];

	frames->programs =
		calloc(profile->num_groups + 1, sizeof(*frames->programs));
	frames->places = calloc(places + 1, sizeof(*frames->places));
	if (!frames->programs || !frames->places)
		return -1;
	for (i = 0; i < profile->num_groups; i++) {
		sampling_name(sampling, &profile->groups[i], &name);
		frames->programs[i] =
			number_of(frames, name.program, name.path);
		if (frames->programs[i] == UINT32_MAX)
			return -1;
	}
	for (i = 0; i < places; i++) {
		const struct symbol *symbol =
			symbols_get(&sampling->symbols, i);

		frames->places[i] = number_of(
			frames, symbols_frame(symbol, frame), symbol->module);
		if (frames->places[i] == UINT32_MAX)
			return -1;
	}
	return 0;
}

static void write_frames(struct json *json, struct frames *frames)
{
	uint32_t i;

	jsonw_object(json, "shared");
	jsonw_array(json, "frames");
	for (i = 0; i < frames->names.count; i++) {
		char *name = frames->names.list[i], *file = name;

		while (*file != '\n')
			file++;
		*file++ = '\0';
		jsonw_line_object(json, NULL);
		jsonw_string(json, "name", name);
		if (*file)
			jsonw_string(json, "file", file);
		jsonw_close(json);
	}
	jsonw_close(json);
	jsonw_close(json);
}

static bool is_wanted(const struct sampling *sampling,
		      const struct stack *stack, size_t event)
{
	return stack->tally[event].count &&
	       sampling_selects(sampling,
				&sampling->profile.groups[stack->group]);
}

static void write_stacks(struct json *json, const struct sampling *sampling,
			 const struct frames *frames, size_t event)
{
	const struct profile *profile = &sampling->profile;
	size_t i;
	uint32_t k;

	jsonw_array(json, "samples");
	for (i = 0; i < profile->count; i++) {
		const struct stack *stack = profile->stacks[i];

		if (!is_wanted(sampling, stack, event))
			continue;
		jsonw_line_array(json, NULL);
		jsonw_uint(json, NULL, frames->programs[stack->group]);
		for (k = stack->nframes; k--;)
			jsonw_uint(json, NULL,
				   frames->places[stack->frames[k]]);
		jsonw_close(json);
	}
	jsonw_close(json);
}

/*
 * Writes the profile's name: the event, and what is missing, which the page thus
 * shows.
 */
static void write_name(struct json *json, const struct sampling *sampling,
		       size_t event)
{
	const char *name =
		sampling->events->list[sampling->periods.list[event].event].name;
	char text[256 + PRINT_LOSS_ROOM], lost[PRINT_LOSS_ROOM];

	snprintf(text, sizeof(text), "%s", name);
	if (sampling_missing(sampling) || sampling_paused(sampling))
		snprintf(text, sizeof(text), "%.255s (%s)", name,
			 print_lost(sampling, lost));
	jsonw_string(json, "name", text);
}

/*
 * Writes the losses for programs; speedscope ignores members that it does not
 * know.
 */
static void write_losses(struct json *json, const struct sampling *sampling)
{
	char text[PRINT_LOSS_ROOM];

	jsonw_line_array(json, "comments");
	jsonw_string(json, NULL, print_lost(sampling, text));
	if (print_paused(sampling, text))
		jsonw_string(json, NULL, text);
	jsonw_close(json);
}

static void write_profile(struct json *json, const struct sampling *sampling,
			  const struct frames *frames, size_t event)
{
	const struct profile *profile = &sampling->profile;
	uint64_t sum = 0;
	size_t i;

	for (i = 0; i < profile->count; i++)
		if (is_wanted(sampling, profile->stacks[i], event))
			sum += profile->stacks[i]->tally[event].count;
	jsonw_object(json, NULL);
	jsonw_string(json, "type", "sampled");
	write_name(json, sampling, event);
	jsonw_string(json, "unit", "none");
	jsonw_uint(json, "startValue", 0);
	jsonw_uint(json, "endValue", sum);
	write_stacks(json, sampling, frames, event);
	jsonw_line_array(json, "weights");
	for (i = 0; i < profile->count; i++)
		if (is_wanted(sampling, profile->stacks[i], event))
			jsonw_uint(json, NULL,
				   profile->stacks[i]->tally[event].count);
	jsonw_close(json);
	jsonw_close(json);
}

int print_speedscope(FILE *out, struct sampling *sampling)
{
	struct frames frames = { 0 };
	struct json json = { 0 };
	size_t event;
	int err;

	err = number_frames(&frames, sampling);
	if (err) {
		say_error("out of memory for the frames");
		goto free;
	}
	jsonw_begin(&json, out);
	jsonw_string(&json, "$schema", SCHEMA);
	jsonw_string(&json, "name", sampling->program);
	jsonw_string(&json, "exporter", "pfmon " PFMON_VERSION);
	jsonw_uint(&json, "activeProfileIndex", 0);
	write_losses(&json, sampling);
	write_frames(&json, &frames);
	jsonw_array(&json, "profiles");
	for (event = 0; event < sampling->periods.count; event++)
		write_profile(&json, sampling, &frames, event);
	jsonw_close(&json);
	jsonw_finish(&json);
free:
	string_table_free(&frames.names);
	free(frames.programs);
	free(frames.places);
	return err;
}

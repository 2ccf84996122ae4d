// SPDX-License-Identifier: GPL-2.0-only
/*
 * Folded stacks: a line for each distinct stack, which has the frames joined by
 * ';' with the outermost first, a blank, and the number of samples.  The first
 * frame is the program; if several events sample, the event precedes it.
 * Functions of the kernel end in "_[k]", inlined ones in "_[i]".  Comments tell how
 * many samples were lost and which command was sampled; they do not end in a number,
 * so that no other program takes them for a stack.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/message.h"
#include "base/quoting.h"
#include "events/event_list.h"
#include "options/options.h"
#include "profiles/profile_forms.h"
#include "profiles/losses.h"
#include "sampling/sampling.h"

/**
 * struct line - one line of output
 */
struct line {
	char *text;
	uint64_t count;
};

/* Replaces characters that would split a frame. */
static void put_frame(FILE *out, const char *text)
{
	for (; *text; text++)
		fputc(*text == ';' ? ':' : *text, out);
}

static char *make_text(struct sampling *sampling, const struct stack *stack,
		       size_t event)
{
	const struct group *group = &sampling->profile.groups[stack->group];
	struct group_name name;
	char frame[FRAME_ROOM];
	char *text = NULL;
	size_t size;
	FILE *out;
	uint32_t i;

	out = open_memstream(&text, &size);
	if (!out)
		return NULL;
	if (sampling->periods.count > 1) {
		put_frame(out, sampling->events->list
			  [sampling->periods.list[event].event].name);
		fputc(';', out);
	}
	sampling_name(sampling, group, &name);
	put_frame(out, name.program);
	for (i = stack->nframes; i--;) {
		const struct symbol *symbol =
			symbols_get(&sampling->symbols, stack->frames[i]);

		fputc(';', out);
		put_frame(out, symbols_frame_name(symbol, frame));
		if (symbol->kernel)
			fputs("_[k]", out);
		if (symbol->inlined)
			fputs("_[i]", out);
	}
	if (fclose(out)) {
		free(text);
		return NULL;
	}
	return text;
}

/*
 * Prints the command, which 'pfmon report' uses as title.  If the line ended in a
 * number, programs that do not know comments would take it for a stack.
 */
static void print_command(FILE *out, char *const *word)
{
	fputs("# command:", out);
	for (; *word; word++) {
		fputc(' ', out);
		if (!word[1] && **word && !(*word)[strspn(*word, "0123456789.")])
			fprintf(out, "'%s'", *word);
		else
			shell_word_print(out, *word);
	}
	fputc('\n', out);
}

static int by_text(const void *a, const void *b)
{
	return strcmp(((const struct line *)a)->text,
		      ((const struct line *)b)->text);
}

static void print_lines(FILE *out, struct line *lines, size_t count)
{
	uint64_t sum = 0;
	size_t i;

	qsort(lines, count, sizeof(*lines), by_text);
	for (i = 0; i < count; i++) {
		sum += lines[i].count;
		if (i + 1 < count &&
		    !strcmp(lines[i].text, lines[i + 1].text))
			continue;
		fprintf(out, "%s %" PRIu64 "\n", lines[i].text, sum);
		sum = 0;
	}
}

int print_folded(FILE *out, struct sampling *sampling)
{
	const struct profile *profile = &sampling->profile;
	size_t i, event, count = 0;
	struct line *lines;
	int err = 0;

	lines = calloc(profile->count * profile->events + 1, sizeof(*lines));
	for (i = 0; lines && !err && i < profile->count; i++) {
		const struct stack *stack = profile->stacks[i];

		if (!sampling_selects(sampling, &profile->groups[stack->group]))
			continue;
		for (event = 0; !err && event < profile->events; event++) {
			if (!stack->tally[event].count)
				continue;
			lines[count].text = make_text(sampling, stack, event);
			lines[count].count = stack->tally[event].count;
			if (lines[count].text)
				count++;
			else
				err = -1;
		}
	}
	if (!lines || err) {
		say_error("out of memory for the folded stacks");
		err = -1;
	} else {
		print_loss_comments(out, sampling, true);
		if (sampling->options->command)
			print_command(out, sampling->options->command);
		print_lines(out, lines, count);
	}
	while (count)
		free(lines[--count].text);
	free(lines);
	return err;
}

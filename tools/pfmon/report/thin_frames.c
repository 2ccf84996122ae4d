// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds thin frames in sorted stacks: those that begin with the same frames stand together, so the
 * samples of a frame are those of a range, and no tree is needed.
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "report/thin_frames.h"

/**
 * struct frame - a frame that the current stack is in
 * @length: of the text up to its end
 * @end: the first stack behind those that have it
 * @thin: samples of thin frames that it calls
 */
struct frame {
	size_t length;
	size_t end;
	uint64_t thin;
};

/**
 * struct merging - state of the merge
 * @list: the stacks, sorted
 * @before: for each stack, the samples of those before it; one more element has the sum
 * @frames: frames of the current stack, the outermost first; frames[0] calls them
 * @depth: elements of @frames
 * @room: elements that @frames has room for
 */
struct merging {
	const struct thin_stack *list;
	size_t count;
	uint64_t *before;
	struct frame *frames;
	size_t depth;
	size_t room;
	void (*emit)(void *arg, const char *text, size_t length,
		     const char *last, uint64_t samples);
	void *arg;
	struct thin_merged *merged;
};

/* The end of a frame comes before all that may follow in a longer name. */
static int rank(char c)
{
	return !c ? 0 : c == ';' ? 1 : 2 + (unsigned char)c;
}

static int by_frames(const void *a, const void *b)
{
	const char *x = ((const struct thin_stack *)a)->text;
	const char *y = ((const struct thin_stack *)b)->text;

	while (*x && *x == *y) {
		x++;
		y++;
	}
	return rank(*x) - rank(*y);
}

/* True if the stack begins with the frames in the first @length characters of @text. */
static bool begins_with(const struct thin_stack *stack, const char *text,
			size_t length)
{
	return !strncmp(stack->text, text, length) &&
	       (!stack->text[length] || stack->text[length] == ';');
}

/* The first stack from @first on that does not begin with the same frames as that one. */
static size_t find_end(const struct merging *merging, size_t first,
		       size_t length)
{
	const char *text = merging->list[first].text;
	size_t low = first, step = 1, high, middle;

	/* Most frames have few stacks. */
	while (low + step < merging->count &&
	       begins_with(&merging->list[low + step], text, length)) {
		low += step;
		step *= 2;
	}
	high = low + step < merging->count ? low + step : merging->count;
	while (low + 1 < high) {
		middle = low + (high - low) / 2;
		if (begins_with(&merging->list[middle], text, length))
			low = middle;
		else
			high = middle;
	}
	return high;
}

static int push(struct merging *merging, size_t length, size_t end)
{
	if (array_reserve(&merging->frames, sizeof(*merging->frames),
			  &merging->room, merging->depth + 1))
		return -1;
	merging->frames[merging->depth++] =
		(struct frame){ .length = length, .end = end };
	return 0;
}

/* Leaves the frames that end at stack number @at; all of them have had stack @at - 1. */
static void pop(struct merging *merging, size_t at)
{
	while (merging->depth &&
	       merging->frames[merging->depth - 1].end == at) {
		const struct frame *frame = &merging->frames[--merging->depth];

		if (frame->thin)
			merging->emit(merging->arg, merging->list[at - 1].text,
				      frame->length, THIN_NAME, frame->thin);
	}
}

static bool is_thin(const struct merging *merging, uint64_t samples)
{
	uint64_t all = merging->before[merging->count];

	return samples < (all + THIN_PART - 1) / THIN_PART;
}

/* Goes on from stack number @at.  Returns the number of the next one; 0 without memory. */
static size_t step(struct merging *merging, size_t at)
{
	const char *text = merging->list[at].text;
	size_t from = merging->frames[merging->depth - 1].length, end;
	uint64_t samples;

	while (text[from]) {
		/* Behind the semicolon, unless this is the outermost frame. */
		from += from > 0;
		from += strcspn(text + from, ";");
		end = find_end(merging, at, from);
		samples = merging->before[end] - merging->before[at];
		if (is_thin(merging, samples)) {
			merging->frames[merging->depth - 1].thin += samples;
			merging->merged->stacks += end - at;
			merging->merged->samples += samples;
			return end;
		}
		if (push(merging, from, end))
			return 0;
	}
	/* The same stack may be there several times. */
	for (end = at + 1; end < merging->count; end++)
		if (strcmp(merging->list[end].text, text))
			break;
	merging->emit(merging->arg, text, from, NULL,
		      merging->before[end] - merging->before[at]);
	return end;
}

static int merge(struct merging *merging)
{
	size_t at, next;

	for (at = 0; at < merging->count; at++)
		merging->before[at + 1] =
			merging->before[at] + merging->list[at].samples;
	if (push(merging, 0, merging->count))
		return -1;
	for (at = 0; at < merging->count; at = next) {
		next = step(merging, at);
		if (!next)
			return -1;
		pop(merging, next);
	}
	return 0;
}

int thin_frames_merge(struct thin_stack *list, size_t count,
		      void (*emit)(void *arg, const char *text, size_t length,
				   const char *last, uint64_t samples),
		      void *arg, struct thin_merged *merged)
{
	struct merging merging = {
		.list = list,
		.count = count,
		.before = calloc(count + 1, sizeof(*merging.before)),
		.emit = emit,
		.arg = arg,
		.merged = merged,
	};
	int err = -1;

	*merged = (struct thin_merged){ 0 };
	if (merging.before) {
		qsort(list, count, sizeof(*list), by_frames);
		err = merge(&merging);
	}
	free(merging.before);
	free(merging.frames);
	return err;
}

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Merges the frames of a flame graph that nobody can see.
 */
#ifndef PFMON_REPORT_THIN_FRAMES_H
#define PFMON_REPORT_THIN_FRAMES_H

#include <stddef.h>
#include <stdint.h>

/* A frame with less than this part of all samples is thin: 0.01 of 2,000 pixels. */
#define THIN_PART 200000

/* The name of the frame that stands for the thin frames which have the same callers. */
#define THIN_NAME "[others]"

/**
 * struct thin_stack - a stack of the input
 * @text: its frames, from the outermost one on, with ';' between them
 * @samples: its samples
 */
struct thin_stack {
	char *text;
	uint64_t samples;
};

/**
 * struct thin_merged - what was merged
 * @stacks: stacks with a thin frame
 * @samples: their samples
 */
struct thin_merged {
	uint64_t stacks;
	uint64_t samples;
};

/*
 * Sorts @list, and calls @emit for each stack without thin frames, and for the sum of the thin frames
 * below a frame.  The sum of all samples that are passed is that of @list.  Returns 0, or -1 without
 * memory.
 */
int thin_frames_merge(struct thin_stack *list, size_t count,
		      void (*emit)(void *arg, const char *text, size_t length,
				   const char *last, uint64_t samples),
		      void *arg, struct thin_merged *merged);

#endif

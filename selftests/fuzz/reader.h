/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Shared by the fuzzers of readers.  Each fuzzer has a function that gives one input to one reader;
 * libFuzzer calls it, or mutate.c does.
 */
#ifndef FUZZ_READER_H
#define FUZZ_READER_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Readers print here what they have read: a reader that is wrong often shows it there. */
static FILE *nowhere;

/*
 * Nearly every input causes messages, so these go nowhere as well.  The sanitizers and libFuzzer
 * write to the descriptor, or have the stream already, so that what they say is seen.
 */
int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	nowhere = fopen("/dev/null", "we");
	if (!nowhere)
		abort();
	stdout = nowhere;
	stderr = nowhere;
	return 0;
}

/* The name of a file with these bytes; it is the same file in each call with the same @slot. */
static inline const char *input_file(unsigned int slot, const void *data,
				     size_t size)
{
	static char names[2][32];
	static int fds[2];

	if (!fds[slot]) {
		fds[slot] = memfd_create("input", MFD_CLOEXEC);
		snprintf(names[slot], sizeof(names[slot]), "/proc/self/fd/%d",
			 fds[slot]);
	}
	if (ftruncate(fds[slot], 0) ||
	    pwrite(fds[slot], data, size, 0) != (ssize_t)size)
		abort();
	return names[slot];
}

/* The bytes as a string, for free().  The string ends at the first zero byte of the input. */
static inline char *input_text(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1);

	if (!text)
		abort();
	if (size)
		memcpy(text, data, size);
	text[size] = '\0';
	return text;
}

/* An input decides by its last byte in which of several ways it is read. */
static inline unsigned int input_choice(const uint8_t *data, size_t size)
{
	return size ? data[size - 1] : 0;
}

#endif

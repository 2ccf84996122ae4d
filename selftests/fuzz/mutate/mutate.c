// SPDX-License-Identifier: GPL-2.0-only
/*
 * mutate [-s SEED] [-n RUNS] [-o FILE] INPUT...: gives a reader each input, which is a file or the
 * files of a folder, and then RUNS mutations of them, drawn by SEED.  It needs no libFuzzer, and so
 * no clang.
 *
 * FILE has the current input, so that it is there when the reader crashes or hangs.
 */
#include <dirent.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define INPUT_MAX  65536
#define INPUTS_MAX 256

/* Seconds after which an input counts as a hang. */
#define INPUT_TIME 60

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/**
 * struct input - an input
 */
struct input {
	size_t size;
	uint8_t *bytes;
};

static struct input inputs[INPUTS_MAX];
static unsigned int num_inputs;
static uint64_t state;
static int current = -1;

static uint64_t any(uint64_t below)
{
	state = state * 6364136223846793005ULL + 1442695040888963407ULL;
	return (state >> 33) % below;
}

static void fail(const char *what)
{
	perror(what);
	exit(2);
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

static void add_file(const char *name)
{
	FILE *in = fopen(name, "re");
	struct input *input = &inputs[num_inputs];

	if (!in)
		fail(name);
	if (num_inputs++ == INPUTS_MAX) {
		fprintf(stderr, "more than %u inputs\n", INPUTS_MAX);
		exit(2);
	}
	input->bytes = malloc(INPUT_MAX);
	if (!input->bytes)
		fail("memory");
	input->size = fread(input->bytes, 1, INPUT_MAX, in);
	fclose(in);
}

static void add(const char *name)
{
	struct dirent **list;
	struct stat st;
	char path[4096];
	int count, i;

	if (stat(name, &st))
		fail(name);
	if (!S_ISDIR(st.st_mode)) {
		add_file(name);
		return;
	}
	/* The order of files decides what a seed draws. */
	count = scandir(name, &list, NULL, by_name);
	for (i = 0; i < count; i++) {
		snprintf(path, sizeof(path), "%s/%s", name, list[i]->d_name);
		if (*list[i]->d_name != '.')
			add_file(path);
		free(list[i]);
	}
	free(list);
}

static void give(const uint8_t *bytes, size_t size)
{
	/* A copy of its own size, so that a byte read behind it is noticed. */
	uint8_t *copy = malloc(size);

	memcpy(copy, bytes, size);
	if (current >= 0 &&
	    (ftruncate(current, 0) || pwrite(current, copy, size, 0) < 0))
		fail("the file with the current input");
	alarm(INPUT_TIME);
	LLVMFuzzerTestOneInput(copy, size);
	alarm(0);
	free(copy);
}

static size_t insert(uint8_t *bytes, size_t size)
{
	size_t at = any(size + 1), count = 1 + any(any(8) ? 8 : 512);

	if (size + count > INPUT_MAX)
		return size;
	memmove(bytes + at + count, bytes + at, size - at);
	memset(bytes + at, any(256), count);
	return size + count;
}

static size_t cut(uint8_t *bytes, size_t size)
{
	size_t at = any(size), count = 1 + any(any(8) ? 8 : size);

	if (count > size - at)
		count = size - at;
	memmove(bytes + at, bytes + at + count, size - at - count);
	return size - count;
}

/* Numbers at the bounds of their types. */
static void number(uint8_t *bytes, size_t size)
{
	static const uint64_t list[] = { 0,
					 1,
					 0x7f,
					 0x80,
					 0xff,
					 0x7fff,
					 0xffff,
					 0x7fffffff,
					 0xffffffff,
					 0x80000000,
					 0x7fffffffffffffff,
					 0xffffffffffffffff };
	size_t at = any(size), width = 1ULL << any(4);

	if (width > size - at)
		width = size - at;
	memcpy(bytes + at, &list[any(sizeof(list) / sizeof(list[0]))], width);
}

/* Copies a piece of another input, or of the same one, over this one. */
static void copy_piece(uint8_t *bytes, size_t size)
{
	const struct input *other = &inputs[any(num_inputs)];
	size_t from, at = any(size), count;

	if (!other->size)
		return;
	from = any(other->size);
	count = 1 + any(64);
	if (count > size - at)
		count = size - at;
	if (count > other->size - from)
		count = other->size - from;
	memcpy(bytes + at, other->bytes + from, count);
}

static size_t mutate(uint8_t *bytes, size_t size)
{
	if (!size)
		return insert(bytes, size);
	switch (any(7)) {
	case 0:
		return insert(bytes, size);
	case 1:
		return cut(bytes, size);
	case 2:
		number(bytes, size);
		break;
	case 3:
		copy_piece(bytes, size);
		break;
	case 4:
		bytes[any(size)] ^= 1U << any(8);
		break;
	case 5:
		bytes[any(size)] += 1 - 2 * any(2);
		break;
	default:
		bytes[any(size)] = any(256);
	}
	return size;
}

int main(int argc, char **argv)
{
	static uint8_t bytes[INPUT_MAX];
	unsigned long runs = 0, run;
	const struct input *input;
	unsigned int i, count;
	size_t size;
	int option;

	while ((option = getopt(argc, argv, "s:n:o:")) >= 0) {
		if (option == 's')
			state = strtoull(optarg, NULL, 0);
		else if (option == 'n')
			runs = strtoul(optarg, NULL, 0);
		else if (option == 'o')
			current = open(optarg,
				       O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC,
				       0666);
		else
			return 2;
	}
	for (; optind < argc; optind++)
		add(argv[optind]);
	if (!num_inputs) {
		fprintf(stderr,
			"usage: %s [-s SEED] [-n RUNS] [-o FILE] INPUT...\n",
			argv[0]);
		return 2;
	}
	printf("%u inputs, %lu mutations\n", num_inputs, runs);
	fflush(stdout);
	LLVMFuzzerInitialize(&argc, &argv);
	for (i = 0; i < num_inputs; i++)
		give(inputs[i].bytes, inputs[i].size);
	for (run = 0; run < runs; run++) {
		input = &inputs[any(num_inputs)];
		size = input->size;
		memcpy(bytes, input->bytes, size);
		for (count = 1 + any(4); count; count--)
			size = mutate(bytes, size);
		give(bytes, size);
	}
	for (i = 0; i < num_inputs; i++)
		free(inputs[i].bytes);
	return 0;
}

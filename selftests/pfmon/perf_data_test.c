// SPDX-License-Identifier: GPL-2.0-only
/*
 * perf_data_test FILE...: each file of perf is read as it is, cut at each of its bytes, and with bytes that
 * were changed at random, always the same.  What is refused names the byte.  Built with checks of all
 * accesses to memory.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../lib/tests/tap.h"
#include "../../tools/pfmon/data/perf_reader.h"

#define MUTATIONS 3000
#define FILE_MAX  (1U << 20)

static uint8_t whole[FILE_MAX], bytes[FILE_MAX];
static size_t whole_size;

static uint64_t any(void)
{
	static uint64_t seed = 34;

	seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
	return seed >> 33;
}

/**
 * struct outcome - what became of a file
 * @ret: of the last call
 * @samples: samples that were read
 * @maps: mappings that were read
 * @sum: of what the samples say
 * @told: the message has a byte, or says why not
 */
struct outcome {
	int ret;
	unsigned long samples;
	unsigned long maps;
	uint64_t sum;
	bool told;
};

/* True if messages since @from name a byte, or something that has none. */
static bool names_byte(long from)
{
	static char text[65536];
	size_t size;

	fflush(stderr);
	size = pread(fileno(stderr), text, sizeof(text) - 1, from);
	text[size < sizeof(text) ? size : 0] = '\0';
	return strstr(text, "at byte ") ||
	       strstr(text, "no event that samples") ||
	       strstr(text, "other byte order");
}

static struct outcome read_bytes(size_t size, bool force)
{
	static struct data_record record;
	static struct perf_reader reader;
	struct outcome outcome = { 0 };
	FILE *in = tmpfile();
	long from;
	int i;

	fwrite(bytes, 1, size, in);
	rewind(in);
	if (ftruncate(fileno(stderr), 0))
		exit(1);
	rewind(stderr);
	from = 0;
	outcome.ret = perf_reader_open(&reader, "file", in, force);
	while (!outcome.ret &&
	       (outcome.ret = perf_reader_next(&reader, &record)) > 0) {
		outcome.ret = 0;
		outcome.maps += record.kind == DATA_MAP;
		if (record.kind != DATA_SAMPLE)
			continue;
		outcome.samples++;
		outcome.sum += record.sample.ip + record.sample.tid;
		for (i = 0; record.sample.frames &&
			    i < record.sample.nkernel + record.sample.nuser;
		     i++)
			outcome.sum += record.sample.frames[i];
	}
	outcome.told = outcome.ret >= 0 || names_byte(from);
	perf_reader_close(&reader);
	return outcome;
}

static void test_cut(const char *name, const struct outcome *all)
{
	unsigned long more = 0, silent = 0, refused = 0, part = 0;
	struct outcome outcome;
	size_t size;

	memcpy(bytes, whole, whole_size);
	for (size = 0; size < whole_size; size++) {
		outcome = read_bytes(size, false);
		more += outcome.samples > all->samples;
		silent += !outcome.told;
		refused += outcome.ret < 0;
		part += outcome.ret >= 0 && outcome.samples < all->samples;
	}
	ok(!more && !silent && refused && part,
	   "%s: cut at each of %zu bytes: %lu are refused, of %lu a part is read; %lu have too many samples, %lu do not say where",
	   name, whole_size, refused, part, more, silent);
}

/* Changes up to eight bytes, bits or words, most of them where sizes are. */
static void mutate(void)
{
	static const uint64_t words[] = { 0,	      1,
					  UINT64_MAX, UINT64_MAX - 7,
					  1ULL << 63, 1ULL << 32,
					  0xffff,     8 };
	unsigned int n = 1 + any() % 8;
	uint64_t word;
	size_t at;

	memcpy(bytes, whole, whole_size);
	while (n--) {
		at = any() % (any() % 4 ? whole_size : whole_size / 8);
		switch (any() % 3) {
		case 0:
			bytes[at] = any();
			break;
		case 1:
			bytes[at] ^= 1 << any() % 8;
			break;
		default:
			at &= ~(size_t)7;
			word = words[any() % 8];
			if (at + 8 <= whole_size)
				memcpy(bytes + at, &word, 8);
		}
	}
}

static void test_mutated(const char *name)
{
	unsigned long refused = 0, silent = 0, forced = 0;
	struct outcome outcome;
	unsigned int i;

	for (i = 0; i < MUTATIONS; i++) {
		mutate();
		outcome = read_bytes(whole_size, i % 2);
		refused += outcome.ret < 0;
		forced += i % 2 && outcome.ret >= 0;
		silent += !outcome.told;
	}
	ok(refused && forced && !silent,
	   "%s: changed %u times: %lu are refused, %lu do not say where", name,
	   MUTATIONS, refused, silent);
}

static bool load(const char *name)
{
	FILE *in = fopen(name, "re");

	whole_size = in ? fread(whole, 1, sizeof(whole), in) : 0;
	if (in)
		fclose(in);
	return whole_size && whole_size < sizeof(whole);
}

int main(int argc, char **argv)
{
	struct outcome all;
	const char *name;
	int i;

	/* Messages of what is refused */
	if (!freopen("messages", "w+", stderr))
		return 1;
	for (i = 1; i < argc; i++) {
		name = strrchr(argv[i], '/') ? strrchr(argv[i], '/') + 1
					     : argv[i];
		if (!load(argv[i])) {
			ok(false, "%s: cannot be read", name);
			continue;
		}
		memcpy(bytes, whole, whole_size);
		all = read_bytes(whole_size, false);
		ok(!all.ret && all.samples && all.maps,
		   "%s: %lu samples, %lu mappings", name, all.samples,
		   all.maps);
		test_cut(name, &all);
		test_mutated(name);
	}
	return tap_end();
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * pfmon.data: what is written is read back; what is cut, damaged or of others is never read as
 * something else.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>
#include <zlib.h>

#include "../../lib/tests/tap.h"
#include "../../tools/pfmon/data/data_reader.h"
#include "../../tools/pfmon/data/data_writer.h"

#define SAMPLES	   3000
#define BLOCKS_MAX 64
#define NAME	   "data"

static const char info_text[] =
	"{ \"host\": \"h\", \"scope\": \"command\", \"argv\": [\"pfmon\", \"record\"], \"command\": [\"true\"], "
	"\"events\": [{ \"name\": \"cycles\", \"label\": \"cycles:u\", \"pmd\": 31, \"period\": 1000 }, "
	"{ \"name\": \"b\", \"label\": \"b:u\", \"pmd\": 2, \"period\": 7 }], \"values\": [3, 5] }";

/**
 * struct wanted - a sample as it was written
 */
struct wanted {
	struct sample sample;
	uint64_t words[8];
	struct pfm_branch branches[3];
};

static struct wanted wanted[SAMPLES];
static uint8_t *file;
static size_t size;
/* Where each block ends in the file, and how many samples there are up to there. */
static size_t ends[BLOCKS_MAX];
static unsigned int before[BLOCKS_MAX];
static unsigned int num_blocks;

static uint64_t any(void)
{
	static uint64_t seed = 1;

	seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
	return seed >> 17 ^ seed << 29;
}

static void make_sample(struct wanted *to, bool stack)
{
	struct sample *sample = &to->sample;
	unsigned int i;

	for (i = 0; i < 8; i++)
		to->words[i] = any();
	sample->tstamp = any();
	sample->ip = any();
	sample->weight = any();
	sample->count = 1 + any() % 3;
	sample->pid = any();
	sample->tid = any();
	sample->index = any() % 2;
	sample->cpu = any();
	sample->set = any();
	sample->pmd = any();
	sample->flags = any();
	sample->running = any();
	sample->nvals = 2;
	sample->nkernel = stack ? any() % 3 : 0;
	sample->nuser = stack ? 1 + any() % 3 : 0;
	sample->vals = to->words;
	sample->frames = stack ? to->words + 2 : NULL;
	sample->nbranches = any() % 4;
	sample->branches = to->branches;
	for (i = 0; i < 3; i++)
		to->branches[i] = (struct pfm_branch){ any(), any(), any() };
}

static bool same(const struct sample *a, const struct sample *b)
{
	return a->tstamp == b->tstamp && a->ip == b->ip &&
	       a->weight == b->weight && a->count == b->count &&
	       a->pid == b->pid && a->tid == b->tid && a->index == b->index &&
	       a->cpu == b->cpu && a->set == b->set && a->pmd == b->pmd &&
	       a->flags == b->flags && a->running == b->running &&
	       a->nvals == b->nvals &&
	       a->nkernel == b->nkernel && a->nuser == b->nuser &&
	       a->nbranches == b->nbranches &&
	       !memcmp(a->branches, b->branches,
		       a->nbranches * sizeof(*a->branches)) &&
	       !memcmp(a->vals, b->vals, a->nvals * sizeof(uint64_t)) &&
	       (!a->frames ||
		!memcmp(a->frames, b->frames,
			(a->nkernel + a->nuser) * sizeof(uint64_t)));
}

static void end_block(struct data_writer *writer)
{
	ends[num_blocks] = writer->size;
	before[num_blocks++] = writer->written;
}

static void put(struct data_writer *writer, const struct data_record *record)
{
	data_writer_add(writer,
			data_record_write(record, data_writer_next(writer)),
			false);
}

/* One record of each kind that is no sample, and one that no version knows. */
static void put_others(struct data_writer *writer)
{
	static struct data_record record;
	uint8_t *unknown;

	record.kind = DATA_MAP;
	record.pid = 7;
	record.change = (struct change){ .time = 10,
					 .kind = CHANGE_MAP,
					 .start = 0x1000,
					 .end = 0x2000,
					 .offset = 0x3000,
					 .access = 5 };
	record.inode = 99;
	record.id_size = 20;
	memset(record.id, 0xab, 20);
	strcpy(record.path, "/bin/\xff x");
	put(writer, &record);
	record.kind = DATA_FORK;
	record.parent = 6;
	put(writer, &record);
	record.kind = DATA_EXEC;
	put(writer, &record);
	record.kind = DATA_TASK;
	record.tid = 8;
	record.phase = (struct phase){
		.pid = 7, .ppid = 6, .end = 11, .reason = 2, .comm = "name"
	};
	put(writer, &record);
	unknown = data_writer_next(writer);
	data_put32(unknown, 12);
	data_put16(unknown + 4, 99);
	data_put16(unknown + 6, 0);
	data_put32(unknown + 8, 0xffffffff);
	data_writer_add(writer, 12, false);
}

/* Writes @count samples in blocks of @block, and reads the file into @file. */
static void write_file(unsigned int count, unsigned int block, bool totals)
{
	struct data_totals end = { .written = count,
				   .losses = { .taken = count, .lost = 5 } };
	struct data_writer writer;
	unsigned int i;
	char *text;
	size_t length;
	int fd = open(NAME, O_RDWR | O_CREAT | O_TRUNC, 0600);

	num_blocks = 0;
	data_writer_init(&writer);
	data_writer_begin(&writer, fd);
	end_block(&writer);
	data_writer_text(&writer, DATA_INFO, info_text, sizeof(info_text) - 1);
	end_block(&writer);
	put_others(&writer);
	for (i = 0; i < count; i++) {
		make_sample(&wanted[i], i % 2);
		data_writer_add(
			&writer,
			data_record_write_sample(&wanted[i].sample,
						 data_writer_next(&writer)),
			true);
		if (i % block != block - 1)
			continue;
		data_writer_flush(&writer);
		end_block(&writer);
	}
	data_writer_flush(&writer);
	if (totals) {
		text = data_totals_write(&end, &length);
		data_writer_text(&writer, 77, text, length);
		end_block(&writer);
		data_writer_text(&writer, DATA_END, text, length);
		free(text);
	}
	end_block(&writer);
	size = writer.size;
	file = realloc(file, size);
	if (pread(fd, file, size, 0) != (ssize_t)size)
		size = 0;
	data_writer_free(&writer);
	close(fd);
}

/**
 * struct outcome - of reading a file
 * @opened: its head and description were read
 * @ret: what data_reader_next() returned last
 * @samples: equal samples that were read, in the order of writing
 * @different: one was not equal
 * @others: other records
 * @ended: the end was read
 * @lost: from the totals
 */
struct outcome {
	bool opened;
	int ret;
	unsigned int samples;
	bool different;
	unsigned int others;
	bool ended;
	uint64_t lost;
};

static struct outcome read_bytes(const uint8_t *bytes, size_t length,
				 bool force)
{
	static struct data_record record;
	struct outcome outcome = { 0 };
	struct data_reader reader;
	FILE *in = fmemopen((void *)bytes, length ? length : 1, "r");

	if (!length)
		getc(in);
	outcome.opened = !data_reader_open(&reader, "x", in, force);
	while (outcome.opened &&
	       (outcome.ret = data_reader_next(&reader, &record)) > 0) {
		if (record.kind != DATA_SAMPLE) {
			outcome.others++;
			continue;
		}
		outcome.different |=
			outcome.samples >= SAMPLES ||
			!same(&record.sample, &wanted[outcome.samples].sample);
		outcome.samples++;
	}
	outcome.ended = reader.ended;
	outcome.lost = reader.totals.losses.lost;
	data_reader_close(&reader);
	return outcome;
}

static void test_whole(void)
{
	struct outcome outcome;

	write_file(SAMPLES, 256, true);
	outcome = read_bytes(file, size, false);
	ok(outcome.opened && !outcome.ret && outcome.samples == SAMPLES &&
		   !outcome.different,
	   "%u samples are read as they were written", outcome.samples);
	ok(outcome.others == 4, "and %u other records", outcome.others);
	ok(outcome.ended && outcome.lost == 5, "and the totals");
	ok(!strcmp((char *)file, DATA_MAGIC "\x01"),
	   "it begins with the name of the format and its version");
}

static void test_others(void)
{
	static struct data_record record;
	struct data_reader reader;
	bool map = false, fork = false, exec = false, task = false;

	if (data_reader_open(&reader, NAME, fopen(NAME, "re"), false))
		return;
	while (data_reader_next(&reader, &record) > 0) {
		if (record.kind == DATA_MAP)
			map = record.pid == 7 && record.change.time == 10 &&
			      record.change.start == 0x1000 &&
			      record.change.end == 0x2000 &&
			      record.change.offset == 0x3000 &&
			      record.change.access == 5 && record.inode == 99 &&
			      record.id_size == 20 && record.id[19] == 0xab &&
			      !strcmp(record.path, "/bin/\xff x");
		else if (record.kind == DATA_FORK)
			fork = record.pid == 7 && record.parent == 6 &&
			       record.change.time == 10;
		else if (record.kind == DATA_EXEC)
			exec = record.pid == 7 && record.change.time == 10 &&
			       record.change.kind == CHANGE_EXEC;
		else if (record.kind == DATA_TASK)
			task = record.tid == 8 && record.phase.pid == 7 &&
			       record.phase.ppid == 6 &&
			       record.phase.end == 11 &&
			       record.phase.reason == 2 &&
			       !strcmp(record.phase.comm, "name") &&
			       !strcmp(record.phase.path, "/bin/\xff x");
	}
	ok(map, "a mapping is read as it was written");
	ok(fork && exec, "a fork and an exec, too");
	ok(task, "a task, too");
	ok(reader.info.periods.count == 2 &&
		   reader.info.periods.num_carried == 2 &&
		   reader.info.periods.list[1].between == 7 &&
		   !strcmp(reader.info.events.list[0].label, "cycles:u") &&
		   !strcmp(reader.info.command[0], "true") &&
		   !reader.info.command[1],
	   "the description, too");
	data_reader_close(&reader);
}

/* Cut at each byte: all whole blocks are read, and nothing else. */
static void test_cut(void)
{
	unsigned int block = 0, wrong = 0, boundaries = 0;
	struct outcome outcome;
	size_t length;

	write_file(40, 8, true);
	for (length = 0; length < size; length++) {
		while (length >= ends[block])
			block++;
		outcome = read_bytes(file, length, false);
		if (length < ends[1])
			wrong += outcome.opened;
		else
			wrong += !outcome.opened || outcome.ret ||
				 outcome.different || outcome.ended ||
				 outcome.samples != before[block - 1];
		boundaries += length == ends[block - (block > 0)];
	}
	ok(!wrong && boundaries == num_blocks - 1,
	   "cut at each of %zu bytes, %u of them ends of blocks: the blocks before are read (%u wrong)",
	   size, boundaries, wrong);
}

/* Each byte is damaged in two ways: the samples before are read with force, and nothing else is. */
static void test_flipped(void)
{
	static const uint8_t flips[] = { 0x01, 0xff };
	unsigned int block = 0, wrong = 0, forced = 0, i;
	struct outcome outcome;
	size_t at;

	for (at = 0; at < size; at++) {
		while (at >= ends[block])
			block++;
		for (i = 0; i < 2; i++) {
			file[at] ^= flips[i];
			outcome = read_bytes(file, size, false);
			wrong += outcome.opened &&
				 (outcome.ret >= 0 || outcome.different);
			outcome = read_bytes(file, size, true);
			if (at >= ends[1])
				forced += !outcome.opened || outcome.ret ||
					  outcome.different || outcome.ended ||
					  outcome.samples != before[block - 1];
			file[at] ^= flips[i];
		}
	}
	ok(!wrong, "each of %zu bytes damaged: all are found (%u wrong)", size,
	   wrong);
	ok(!forced, "with force the blocks before are read (%u wrong)", forced);
}

static void test_version(void)
{
	data_put16(file + 8, DATA_VERSION + 1);
	ok(!read_bytes(file, size, true).opened,
	   "a newer version with a wrong checksum is damaged");
	data_put32(file + 12, crc32(0, file, 12));
	ok(!read_bytes(file, size, true).opened, "a newer version is refused");
	data_put16(file + 8, DATA_VERSION);
	data_put32(file + 12, crc32(0, file, 12));
	ok(read_bytes(file, size, false).ended, "this version is not");
}

/* Two blocks that are swapped are whole, each by itself. */
static void test_order(void)
{
	size_t first = ends[2] - ends[1], second = ends[3] - ends[2];
	uint8_t *copy = malloc(size);
	struct outcome outcome;

	memcpy(copy, file, size);
	memcpy(copy + ends[1], file + ends[2], second);
	memcpy(copy + ends[1] + second, file + ends[1], first);
	outcome = read_bytes(copy, size, false);
	ok(outcome.opened && outcome.ret < 0 && !outcome.samples,
	   "blocks in another order are damage");
	memcpy(copy, file, size);
	memmove(copy + ends[2], copy + ends[3], size - ends[3]);
	outcome = read_bytes(copy, size - second, false);
	ok(outcome.ret < 0 && outcome.samples == 8,
	   "a block that is missing, too");
	free(copy);
}

static void limit_file(rlim_t bytes)
{
	const struct rlimit limit = { bytes, RLIM_INFINITY };

	setrlimit(RLIMIT_FSIZE, &limit);
}

/*
 * There is no room for the second of three blocks, but for a part of it: the file stays whole, and says
 * what is missing.
 */
static void test_full(void)
{
	struct data_totals totals = { 0 };
	struct data_writer writer;
	struct outcome outcome;
	struct wanted other;
	unsigned int i, block;
	size_t length;
	char *text;
	int fd = open(NAME, O_RDWR | O_CREAT | O_TRUNC, 0600);

	data_writer_init(&writer);
	data_writer_begin(&writer, fd);
	data_writer_text(&writer, DATA_INFO, info_text, sizeof(info_text) - 1);
	for (block = 0; block < 3; block++) {
		for (i = 0; i < 8; i++) {
			struct wanted *to =
				block == 1 ? &other
					   : &wanted[block ? 8 + i : i];

			make_sample(to, false);
			data_writer_add(&writer,
					data_record_write_sample(
						&to->sample,
						data_writer_next(&writer)),
					true);
		}
		limit_file(block == 1 ? writer.size + 100 : RLIM_INFINITY);
		data_writer_flush(&writer);
	}
	limit_file(RLIM_INFINITY);
	totals.written = writer.written;
	totals.dropped = writer.dropped;
	text = data_totals_write(&totals, &length);
	data_writer_text(&writer, DATA_END, text, length);
	ok(writer.error == EFBIG && writer.written == 16 && writer.dropped == 8,
	   "no room for a block: %lu samples are written, %lu counted as missing",
	   (unsigned long)writer.written, (unsigned long)writer.dropped);
	size = writer.size;
	file = realloc(file, size);
	ok(lseek(fd, 0, SEEK_END) == (off_t)size &&
		   pread(fd, file, size, 0) == (ssize_t)size,
	   "the part of it is gone");
	outcome = read_bytes(file, size, false);
	ok(outcome.ended && outcome.samples == 16 && !outcome.different,
	   "the file is whole");
	free(text);
	data_writer_free(&writer);
	close(fd);
}

int main(void)
{
	/* Messages of what is refused, many thousands */
	if (!freopen("/dev/null", "w", stderr))
		return 1;
	signal(SIGXFSZ, SIG_IGN);
	test_whole();
	test_others();
	test_cut();
	test_flipped();
	test_version();
	test_order();
	test_full();
	free(file);
	unlink(NAME);
	return tap_end();
}

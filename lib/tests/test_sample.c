// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/*
 * Reading lanes of the sampling formats, with valid contents and with random bytes.
 */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include <perfmon/perfmon.h>

#include "tap.h"

#define ROOM	8192

static char *page_end;
static _Alignas(8) char lane[ROOM];

/* Two registers sample, with two values and with none. */
static const struct pfm_pmd_attr attrs[] = {
	{ .num = 31, .smpl_pmds = { 0x3 } },
	{ .num = 4 },
};

#define NATTRS	2

/* Memory in front of an inaccessible page: reading one byte too many crashes. */
static void *at_end(const void *data, size_t size)
{
	memcpy(page_end - size, data, size);
	return page_end - size;
}

static size_t put_entry(char *to, uint16_t pmd, uint64_t ip)
{
	struct pfm_default_entry entry = {
		.tid = 7, .pid = 6, .ovfl_pmd = pmd, .ip = ip,
		.last_reset_val = -1000ULL,
	};
	uint64_t values[2] = { ip + 1, ip + 2 };

	memcpy(to, &entry, sizeof(entry));
	if (pmd != 31)
		return sizeof(entry);
	memcpy(to + sizeof(entry), values, sizeof(values));
	return sizeof(entry) + sizeof(values);
}

/* Make a lane of the default format with that many samples.  Returns its size. */
static size_t make_default(unsigned int count)
{
	struct pfm_default_hdr *hdr = (void *)lane;
	unsigned int i;

	memset(lane, 0, sizeof(lane));
	hdr->hdr_version = PFM_DEFAULT_VERSION;
	hdr->hdr_cur_offs = sizeof(*hdr);
	hdr->hdr_min_buf_space = 56;
	for (i = 0; i < count; i++) {
		hdr->hdr_cur_offs += put_entry(lane + hdr->hdr_cur_offs,
					       i % 2 ? 4 : 31, 100 * i);
		hdr->hdr_count++;
	}
	hdr->hdr_buf_size = hdr->hdr_cur_offs;
	return hdr->hdr_buf_size;
}

static void test_default(void)
{
	struct pfm_default_hdr *hdr = (void *)lane;
	size_t size = make_default(5);
	struct pfm_sample_consumer consumer;
	struct pfm_sample sample;
	unsigned int i;
	bool good = true;

	is_num(pfm_sample_default_begin(&consumer, lane, size), 0, "a lane");
	for (i = 0; i < 5; i++)
		if (pfm_sample_default_next(&consumer, attrs, NATTRS,
					    &sample) != 1 ||
		    sample.entry->ip != 100 * i ||
		    sample.nvals != (i % 2 ? 0 : 2) ||
		    (!(i % 2) && sample.vals[1] != 100 * i + 2))
			good = false;
	ok(good, "its samples and their values");
	is_num(pfm_sample_default_next(&consumer, attrs, NATTRS, &sample), 0,
	       "its end");
	is_num(pfm_sample_default_full(&consumer), 1, "it is full");
	hdr->hdr_buf_size = sizeof(lane);
	hdr->hdr_cur_offs += put_entry(lane + hdr->hdr_cur_offs, 4, 500);
	hdr->hdr_count++;
	consumer.size = sizeof(lane);
	is_num(pfm_sample_default_full(&consumer), 0, "there is room again");
	is_num(pfm_sample_default_next(&consumer, attrs, NATTRS, &sample), 1,
	       "a sample that was added since");
	hdr->hdr_count = 0;
	hdr->hdr_cur_offs = sizeof(*hdr);
	is_num(pfm_sample_default_next(&consumer, attrs, NATTRS, &sample),
	       -EBADMSG, "emptied behind the consumer's back");
	pfm_sample_default_restarted(&consumer);
	is_num(pfm_sample_default_next(&consumer, attrs, NATTRS, &sample), 0,
	       "empty after a restart");
	is_num(pfm_sample_default_full(&consumer), 0, "and not full");
	make_default(2);
	is_num(pfm_sample_default_begin(&consumer, lane, sizeof(lane)), 0,
	       "a lane anew");
	is_num(pfm_sample_default_next(&consumer, attrs + 1, 1, &sample),
	       -EBADMSG, "a sample of a register that does not sample");
	hdr->hdr_version = 0x20000;
	is_num(pfm_sample_default_begin(&consumer, lane, sizeof(lane)), -EPROTO,
	       "another version");
}

/* Branches follow the values. */
static void test_branches(void)
{
	struct pfm_default_hdr *hdr = (void *)lane;
	struct pfm_default_entry *entry = (void *)(hdr + 1);
	const size_t size = make_default(1);
	struct pfm_branch branches[3] = {
		{ 1, 2, 3 }, { 4, 5, 6 }, { 7, 8, 9 },
	};
	struct pfm_sample_consumer consumer;
	struct pfm_sample sample;

	memcpy(lane + size, branches, sizeof(branches));
	entry->nr_branches = 3;
	hdr->hdr_cur_offs = size + sizeof(branches);
	hdr->hdr_cur_offs += put_entry(lane + hdr->hdr_cur_offs, 4, 100);
	hdr->hdr_count++;
	hdr->hdr_buf_size = hdr->hdr_cur_offs;
	is_num(pfm_sample_default_begin(&consumer, lane, hdr->hdr_buf_size), 0,
	       "a lane with branches");
	is_num(pfm_sample_default_next(&consumer, attrs, NATTRS, &sample), 1,
	       "its sample");
	is_num(sample.vals[1], 2, "its values");
	ok(!memcmp(pfm_sample_branches(&sample), branches, sizeof(branches)),
	   "its branches");
	is_num(pfm_sample_default_next(&consumer, attrs, NATTRS, &sample), 1,
	       "the sample behind it");
	is_num(sample.entry->ip, 100, "is the next one");
	is_num(sample.entry->nr_branches, 0, "and has no branches");
	entry->nr_branches = UINT16_MAX;
	pfm_sample_default_restarted(&consumer);
	is_num(pfm_sample_default_next(&consumer, attrs, NATTRS, &sample),
	       -EBADMSG, "more branches than there is room for");
}

/* Count the samples; -1 when the lane is refused. */
static int count_default(const void *from, size_t size)
{
	struct pfm_sample_consumer consumer;
	struct pfm_sample sample;
	int ret, count = 0;

	if (pfm_sample_default_begin(&consumer, from, size))
		return -1;
	while ((ret = pfm_sample_default_next(&consumer, attrs, NATTRS,
					      &sample)) == 1)
		count++;
	return ret ? -1 : count;
}

static void test_default_cut(void)
{
	struct pfm_default_hdr *hdr = (void *)lane;
	size_t size = make_default(5), cut;
	bool good = true;

	for (cut = 0; cut < size; cut += 8)
		if (count_default(at_end(lane, cut), cut) >= 0)
			good = false;
	ok(good, "a lane cut anywhere is refused, and not read past its end");
	for (cut = sizeof(*hdr); cut < size; cut += 8) {
		hdr->hdr_buf_size = cut;
		hdr->hdr_cur_offs = cut;
		if (count_default(at_end(lane, cut), cut) == 5)
			good = false;
	}
	ok(good, "entries cut anywhere are refused");
}

#define PARTS		3
#define PART_SIZE	512

/* Make a lane in parts; parts up to @filled are full of callstack entries. */
static size_t make_parts(uint64_t filled, uint64_t released, bool aggregated)
{
	struct pfm_nway_hdr *hdr = (void *)lane;
	uint64_t seq;

	memset(lane, 0, sizeof(lane));
	hdr->version = PFM_NWAY_VERSION;
	hdr->flags = aggregated ? PFM_CALLSTACK_AGGREGATE : 0;
	hdr->parts = PARTS;
	hdr->part_offs = sizeof(struct pfm_callstack_hdr);
	hdr->part_size = PART_SIZE;
	hdr->part_room = PART_SIZE;
	hdr->filled = filled;
	hdr->released = released;
	for (seq = released + 1; seq <= filled + 1; seq++) {
		char *at = lane + hdr->part_offs + (seq - 1) % PARTS * PART_SIZE;
		struct pfm_nway_part *part = (void *)at;

		part->seq = seq;
		part->count = 2;
		part->cur_offs = sizeof(*part);
	}
	return hdr->part_offs + PARTS * PART_SIZE;
}

static struct pfm_nway_part *part_at(uint64_t seq)
{
	return (void *)(lane + sizeof(struct pfm_callstack_hdr) +
			(seq - 1) % PARTS * PART_SIZE);
}

static void add_stack(uint64_t seq, uint64_t ip, unsigned int values)
{
	struct pfm_nway_part *part = part_at(seq);
	struct pfm_callstack_entry entry = {
		.tid = 7, .pid = 6, .ovfl_pmd = 31, .ip = ip,
		.last_reset_val = -10ULL, .nr_vals = values, .nr_kernel = 1,
		.nr_user = 2,
	};
	uint64_t words[8] = { 1, 2, 3, 4, 5, 6, 7, 8 };

	memcpy((char *)part + part->cur_offs, &entry, sizeof(entry));
	part->cur_offs += sizeof(entry);
	memcpy((char *)part + part->cur_offs, words, (values + 3) * 8);
	part->cur_offs += (values + 3) * 8;
}

static void add_record(uint64_t seq, uint64_t count)
{
	struct pfm_nway_part *part = part_at(seq);
	struct pfm_callstack_record record = {
		.count = count, .weight = 10 * count, .pid = 6, .pmd = 31,
		.nr_user = 2,
	};
	uint64_t words[2] = { 1, 2 };

	memcpy((char *)part + part->cur_offs, &record, sizeof(record));
	memcpy((char *)part + part->cur_offs + sizeof(record), words, 16);
	part->cur_offs += sizeof(record) + 16;
}

static void test_stacks(void)
{
	size_t size = make_parts(2, 0, false);
	struct pfm_sample_parts parts;
	struct pfm_sample_stack stack;
	uint64_t seq;
	int count = 0;

	for (seq = 1; seq <= 3; seq++) {
		add_stack(seq, 10 * seq, 0);
		add_stack(seq, 10 * seq + 1, 2);
	}
	is_num(pfm_sample_callstack_begin(&parts, lane, size), 0,
	       "a lane in parts");
	is_num(pfm_sample_parts_filled(&parts), 2, "its full parts");
	while (pfm_sample_callstack_next(&parts, 2, &stack) == 1)
		count++;
	is_num(count, 4, "stacks of the full parts");
	ok(stack.ip == 21 && stack.nvals == 2 && stack.vals[1] == 2 &&
	   stack.nkernel == 1 && stack.nuser == 2 && stack.frames[0] == 3 &&
	   stack.weight == 10 && stack.count == 1, "what is in a stack");
	is_num(pfm_sample_parts_done(&parts), 2, "both are done with");
	((struct pfm_nway_hdr *)lane)->released = 2;
	is_num(pfm_sample_parts_done(&parts), 0, "and released");
	while (pfm_sample_callstack_next(&parts, UINT64_MAX, &stack) == 1)
		count++;
	is_num(count, 6, "stacks of the part that is being filled");
	is_num(pfm_sample_callstack_next(&parts, UINT64_MAX, &stack), 0,
	       "no more");
	part_at(3)->seq = 9;
	((struct pfm_nway_hdr *)lane)->filled = 3;
	is_num(pfm_sample_callstack_next(&parts, UINT64_MAX, &stack), -EBADMSG,
	       "a full part with another number");

	size = make_parts(1, 0, true);
	add_record(1, 5);
	add_record(1, 6);
	add_record(2, 7);
	add_record(2, 8);
	is_num(pfm_sample_callstack_begin(&parts, lane, size), 0, "aggregated");
	for (count = 0; pfm_sample_callstack_next(&parts, 1, &stack) == 1;)
		count += stack.count;
	is_num(count, 11, "counts of the full part");
	ok(stack.weight == 60 && stack.nuser == 2 && stack.tid == 6,
	   "what is in a record");
	while (pfm_sample_callstack_next(&parts, UINT64_MAX, &stack) == 1)
		count += stack.count;
	is_num(count, 26, "and of the last one");
}

static void test_nway(void)
{
	struct pfm_nway_hdr *hdr = (void *)lane;
	size_t size = make_parts(1, 0, false);
	struct pfm_sample_parts parts;
	struct pfm_sample sample;
	uint64_t seq, sum = 0;

	for (seq = 1; seq <= 2; seq++) {
		struct pfm_nway_part *part = part_at(seq);

		part->cur_offs += put_entry((char *)part + part->cur_offs, 31,
					    seq);
		part->cur_offs += put_entry((char *)part + part->cur_offs, 4,
					    10 * seq);
	}
	is_num(pfm_sample_nway_begin(&parts, lane, size), 0, "nway");
	while (pfm_sample_nway_next(&parts, UINT64_MAX, attrs, NATTRS,
				    &sample) == 1)
		sum += sample.entry->ip;
	is_num(sum, 33, "its samples");
	/* All parts are full: at the place of the next part is an old one. */
	hdr->filled = 3;
	hdr->released = 0;
	part_at(3)->seq = 3;
	part_at(3)->cur_offs = sizeof(struct pfm_nway_part);
	is_num(pfm_sample_nway_next(&parts, UINT64_MAX, attrs, NATTRS, &sample),
	       0, "all parts are full");
}

/* Whatever the lane contains, nothing outside is read, and reading ends. */
static void test_noise(void)
{
	struct pfm_sample_parts parts;
	struct pfm_sample_stack stack;
	struct pfm_sample sample;
	unsigned int round, i, k, guard;
	bool good = true;
	char *data;

	srand(1);
	for (round = 0; round < 20000; round++) {
		size_t size;

		if (round % 2)
			size = make_default(rand() % 6);
		else
			size = make_parts(rand() % 5, rand() % 3, rand() % 2);
		for (i = 0, k = rand() % 20; i < k; i++)
			((uint32_t *)lane)[rand() % (size / 4)] =
				rand() % 3 ? rand() % 600 : rand();
		if (rand() % 4 == 0)
			size -= size > 64 ? rand() % 8 * 8 : 0;
		data = at_end(lane, size);
		count_default(data, size);
		for (guard = 0; guard < 2000; guard++) {
			if (!guard &&
			    pfm_sample_callstack_begin(&parts, data, size))
				break;
			if (pfm_sample_callstack_next(&parts, UINT64_MAX,
						      &stack) != 1)
				break;
			if ((const char *)stack.frames < data ||
			    (const char *)(stack.frames + stack.nkernel +
					   stack.nuser) > data + size)
				good = false;
		}
		for (guard = 0; guard < 2000; guard++) {
			if (!guard && pfm_sample_nway_begin(&parts, data, size))
				break;
			if (pfm_sample_nway_next(&parts, UINT64_MAX, attrs,
						 NATTRS, &sample) != 1)
				break;
		}
	}
	ok(good, "nonsense never leads out of the lane");
}

static void test_maps(void)
{
	static _Alignas(8) char buf[256];
	struct pfm_map *map = (void *)buf;
	size_t offset = 0, used, size;
	bool good = true;

	map->path_len = 9;
	memcpy(map->path, "/bin/true", 9);
	map->size = (sizeof(*map) + 10 + 7) / 8 * 8;
	used = map->size;
	ok(pfm_sample_map_next(buf, used, &offset) == map && offset == used,
	   "a mapping");
	ok(!pfm_sample_map_next(buf, used, &offset) && offset == used,
	   "clean end");
	for (size = 0; size < used; size += 8) {
		offset = 0;
		if (pfm_sample_map_next(at_end(buf, size), size, &offset))
			good = false;
	}
	ok(good, "a mapping cut anywhere is refused");
	map->path_len = used;
	offset = 0;
	ok(!pfm_sample_map_next(buf, used, &offset), "path beyond the mapping");
}

static void test_errors(void)
{
	struct pfm_sample_buffer buffer;

	ok(pfm_ctx_restart(-1, 0, 0) == -EBADF, "restart: no descriptor");
	ok(pfm_ctx_available(-1) == -EBADF, "available: no descriptor");
	ok(pfm_sample_buffer_map(-1, &buffer) == -EBADF && !buffer.base,
	   "buffer: no descriptor");
	ok(!pfm_sample_buffer_lane(&buffer, 0), "no lane");
	pfm_sample_buffer_unmap(&buffer);
}

int main(void)
{
	long page = sysconf(_SC_PAGESIZE);
	char *memory;

	memory = mmap(NULL, 4 * page, PROT_READ | PROT_WRITE,
		      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (memory == MAP_FAILED || mprotect(memory + 3 * page, page, PROT_NONE)) {
		puts("Bail out! no memory");
		return 1;
	}
	page_end = memory + 3 * page;
	test_default();
	test_branches();
	test_default_cut();
	test_stacks();
	test_nway();
	test_noise();
	test_maps();
	test_errors();
	return tap_end();
}

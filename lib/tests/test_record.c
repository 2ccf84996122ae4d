// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/*
 * pfm_record_next() with valid records and with random bytes.
 */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include <perfmon/perfmon.h>

#include "tap.h"

#define ROOM 4096

static char *page_end;

/* Memory in front of an inaccessible page: reading one byte too many crashes. */
static void *at_end(const void *data, size_t size)
{
	memcpy(page_end - size, data, size);
	return page_end - size;
}

static size_t add_record(char *buf, size_t pos, unsigned int nregs,
			 const char *path)
{
	struct pfm_record *record = (struct pfm_record *)(buf + pos);
	size_t size = sizeof(*record) + nregs * sizeof(struct pfm_reg);
	unsigned int i;

	memset(record, 0, ROOM - pos);
	for (i = 0; i < nregs; i++) {
		record->regs[i].num = i;
		record->regs[i].value = 100 + i;
	}
	record->nregs = nregs;
	record->path_len = strlen(path);
	memcpy((char *)record + size, path, strlen(path));
	record->size = (size + strlen(path) + 7) / 8 * 8;
	return pos + record->size;
}

static void test_good(void)
{
	static _Alignas(8) char buf[ROOM];
	const struct pfm_record *record;
	size_t used, offset = 0, length;
	const char *path;
	uint64_t value;

	used = add_record(buf, 0, 2, "/bin/true");
	used = add_record(buf, used, 0, "");
	used = add_record(buf, used, 1, "12345678");
	record = pfm_record_next(buf, used, &offset);
	if (!ok(record && record->nregs == 2, "first record"))
		return;
	path = pfm_record_path(record, &length);
	ok(length == 9 && !memcmp(path, "/bin/true", 9), "its path");
	is_num(pfm_record_value(record, 1, 0, &value), 0, "value of a register");
	is_num(value, 101, "the right value");
	is_num(pfm_record_value(record, 2, 0, &value), -ENOENT, "no such register");
	is_num(pfm_record_value(record, 1, 1, &value), -ENOENT, "no such set");
	record = pfm_record_next(buf, used, &offset);
	ok(record && !record->nregs, "second record, without registers");
	pfm_record_path(record, &length);
	is_num(length, 0, "empty path");
	record = pfm_record_next(buf, used, &offset);
	path = pfm_record_path(record, &length);
	ok(length == 8 && !memcmp(path, "12345678", 8),
	   "path that fills the record");
	ok(!pfm_record_next(buf, used, &offset) && offset == used, "clean end");
	offset = 0;
	ok(!pfm_record_next(buf, 0, &offset) && !offset, "empty buffer");
	offset = 4;
	ok(!pfm_record_next(buf, used, &offset), "offset not aligned");
	offset = used + 8;
	ok(!pfm_record_next(buf, used, &offset), "offset beyond the end");
}

static void test_truncated(void)
{
	static _Alignas(8) char buf[ROOM];
	size_t used = add_record(buf, 0, 2, "/bin/true");
	size_t size, offset;
	bool good = true;

	for (size = 1; size < used; size++) {
		/* No byte more than needed, for the address sanitizer. */
		char *copy = malloc(size);

		memcpy(copy, buf, size);
		offset = 0;
		if (pfm_record_next(copy, size, &offset) || offset)
			good = false;
		free(copy);
		if (size % 8)
			continue;
		if (pfm_record_next(at_end(buf, size), size, &offset) || offset)
			good = false;
	}
	ok(good, "a record cut anywhere is refused, and not read past its end");
}

static void refuse(struct pfm_record change, const char *what)
{
	static _Alignas(8) char buf[ROOM];
	size_t used = add_record(buf, 0, 2, "/bin/true");
	struct pfm_record *record = (struct pfm_record *)buf;
	size_t offset = 0;

	if (change.size)
		record->size = change.size;
	if (change.nregs)
		record->nregs = change.nregs;
	if (change.path_len)
		record->path_len = change.path_len;
	ok(!pfm_record_next(at_end(buf, used), used, &offset) && !offset, "%s",
	   what);
}

static void test_malformed(void)
{
	const unsigned int size = sizeof(struct pfm_record) + 2 * 16 + 16;

	refuse((struct pfm_record) { .size = 1 }, "size below the smallest");
	refuse((struct pfm_record) { .size = size - 4 }, "size not aligned");
	refuse((struct pfm_record) { .size = size + 8 }, "size beyond the buffer");
	refuse((struct pfm_record) { .size = 0xfffffff8 }, "largest size");
	refuse((struct pfm_record) { .nregs = 4 }, "registers beyond the record");
	refuse((struct pfm_record) { .nregs = 0xffff }, "largest number of registers");
	refuse((struct pfm_record) { .path_len = 17 }, "path beyond the record");
	refuse((struct pfm_record) { .path_len = 0xffffffff }, "longest path");
}

/* A record that is returned must lie in the buffer, whatever the buffer contains. */
static void test_noise(void)
{
	static _Alignas(8) char buf[512];
	unsigned int round, i;
	bool good = true;
	uint64_t value;
	char *data;

	srand(1);
	for (round = 0; round < 200000; round++) {
		size_t used = 8 * (rand() % 65), offset = 0;
		const struct pfm_record *record;

		for (i = 0; i < used; i++)
			buf[i] = rand();
		/* Mostly plausible sizes: others are refused at once. */
		for (i = 0; i + sizeof(*record) <= used; i += 96) {
			struct pfm_record *r = (struct pfm_record *)(buf + i);

			r->size = rand() % 4 ? 96 : 8 * (rand() % 66);
			r->nregs = rand() % 4;
			r->path_len = rand() % 40;
		}
		data = at_end(buf, used);
		while ((record = pfm_record_next(data, used, &offset))) {
			size_t length;
			const char *path = pfm_record_path(record, &length);

			pfm_record_value(record, 0, 0, &value);
			if (path < data || path + length > data + used)
				good = false;
		}
		if (offset > used)
			good = false;
	}
	ok(good, "nonsense never leads out of the buffer");
}

int main(void)
{
	long page = sysconf(_SC_PAGESIZE);
	char *memory;

	memory = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE,
		      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (memory == MAP_FAILED || mprotect(memory + page, page, PROT_NONE)) {
		puts("Bail out! no memory");
		return 1;
	}
	page_end = memory + page;
	test_good();
	test_truncated();
	test_malformed();
	test_noise();
	return tap_end();
}

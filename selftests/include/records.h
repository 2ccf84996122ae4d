/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Records of tasks that a context followed, as READ_RECORDS returns them.
 */
#ifndef _SELFTESTS_RECORDS_H
#define _SELFTESTS_RECORDS_H

#include "context.h"

/* All records that were read. */
struct records {
	char *buf;
	size_t used;
	unsigned int n;
};

/* Take all pending records, in reads of at most size bytes.  Returns 0 or -errno. */
static inline int records_collect(int fd, struct records *recs, uint32_t size)
{
	struct pfm_read_records arg;
	int ret;

	do {
		recs->buf = realloc(recs->buf, recs->used + size);
		if (!recs->buf)
			abort();
		ret = records_read(fd, recs->buf + recs->used, size, &arg);
		if (ret)
			return ret;
		recs->used += arg.used;
		recs->n += arg.count;
	} while (arg.count);
	return 0;
}

static inline struct pfm_record *record_next(const struct records *recs,
					     struct pfm_record *rec)
{
	char *next = rec ? (char *)rec + rec->size : recs->buf;

	return next < recs->buf + recs->used ? (void *)next : NULL;
}

#define for_each_record(rec, recs) \
	for (rec = record_next(recs, NULL); rec; rec = record_next(recs, rec))

/* The path of a record; the interface guarantees a zero byte at its end. */
static inline const char *record_path(const struct pfm_record *rec)
{
	return (const char *)&rec->regs[rec->nregs];
}

/* The value of a register; all ones, which no test expects, if the record lacks it. */
static inline uint64_t record_value(const struct pfm_record *rec, uint16_t num)
{
	uint16_t i;

	for (i = 0; i < rec->nregs; i++) {
		if (rec->regs[i].num == num)
			return rec->regs[i].value;
	}
	return ~0ULL;
}

static inline uint64_t records_sum(const struct records *recs, uint16_t num)
{
	struct pfm_record *rec;
	uint64_t sum = 0;

	for_each_record(rec, recs) sum += record_value(rec, num);
	return sum;
}

static inline uint64_t records_tasks(const struct records *recs)
{
	struct pfm_record *rec;
	uint64_t sum = 0;

	for_each_record(rec, recs) sum += rec->tasks;
	return sum;
}

#endif /* _SELFTESTS_RECORDS_H */

// SPDX-License-Identifier: GPL-2.0-only
/*
 * The handler of the format "heatmap", compiled for the host, with random samples: the counts and
 * what is lost make all samples, and an entry has all samples of its address.  heatmap_test.sh
 * compiles it.
 *
 * The random numbers are the same in each run.
 */
#include "format_host.h"
#include "heatmap.c"

#define SAMPLES	  200000
#define PROCESSES 4
#define EVENTS	  2
/* Bytes, behind the first page, that have samples */
#define SPACE (1 << 22)
#define BASE  0x7f0000001000ULL

static u64 state;

static u32 draw(u32 below)
{
	state = state * 6364136223846793005ULL + 1442695040888963407ULL;
	return (state >> 33) % below;
}

/* Samples of each address, as it should be */
static u32 expected[PROCESSES][EVENTS][SPACE / 64 + 1];

static u32 *expected_of(const struct heatmap_entry *entry, u32 granularity)
{
	const u64 at =
		entry->address ? (entry->address - BASE) / granularity + 1 : 0;

	return &expected[entry->pid - 100][entry->pmd - 31][at];
}

static bool fails(const char *what, const struct heatmap_hdr *hdr)
{
	printf("%s: slots %u, granularity %u, value %u: seen %llu, lost %llu, entries %u\n",
	       what, hdr->slots, hdr->granularity, hdr->value,
	       (unsigned long long)hdr->seen, (unsigned long long)hdr->lost,
	       hdr->entries);
	return false;
}

/* One of the samples has no address. */
static void add_samples(struct pfm_lane *lane, const struct heatmap_arg *arg)
{
	u64 vals[3] = { 1, 2, 3 };
	struct pfm_ovfl ovfl = { .lane = lane, .vals = vals };
	u32 i;

	ovfl.nvals = arg->value ? 3 : draw(2);
	for (i = 0; i < SAMPLES; i++) {
		const u64 address = i ? BASE + draw(SPACE) : 0;
		struct heatmap_entry entry = {
			.address = address & -(u64)arg->granularity,
			.pid = 100 + draw(PROCESSES),
			.pmd = 31 + draw(EVENTS),
		};

		ovfl.pid = entry.pid;
		ovfl.pmd = entry.pmd;
		ovfl.ip = ovfl.nvals ? 4 : address;
		vals[arg->value ? arg->value - 1 : 0] = address;
		++*expected_of(&entry, arg->granularity);
		heatmap.handler(&ovfl);
	}
}

/* Checks the entries, and returns their sum; U64_MAX if one is wrong. */
static u64 sum_of(const struct heatmap_hdr *hdr)
{
	const struct heatmap_entry *entry = (const void *)(hdr + 1);
	u64 sum = 0;
	u32 i;

	for (i = 0; i < hdr->entries; i++, entry++) {
		u32 *count = expected_of(entry, hdr->granularity);

		if (*count != entry->count)
			return (u64)-1;
		/* The same address again would be wrong. */
		*count = (u32)-1;
		sum += entry->count;
	}
	return sum;
}

/* Returns false if something is wrong.  @all: there is room for all addresses. */
static bool try(u32 slots, u32 granularity, u32 value, bool all)
{
	const struct heatmap_arg arg = { .slots = slots,
					 .granularity = granularity,
					 .value = value };
	struct pfm_lane lane = { 0 };
	struct heatmap_hdr *hdr;
	size_t size = 0;
	u64 *guard, sum;
	bool right;

	memset(expected, 0, sizeof(expected));
	if (heatmap.validate(0, &arg) || heatmap.getsize(0, &arg, &size))
		return false;
	/* The handler must not write beyond its lane. */
	lane.buf = calloc(1, size + sizeof(*guard));
	if (!lane.buf || heatmap.init(&lane, &arg))
		return false;
	hdr = lane.buf;
	guard = (u64 *)((char *)lane.buf + size);
	add_samples(&lane, &arg);
	sum = sum_of(hdr);
	right = hdr->seen == SAMPLES && sum + hdr->lost == hdr->seen &&
		hdr->entries <= slots && !*guard &&
		(all ? !hdr->lost : hdr->lost && hdr->entries == slots);
	if (!right)
		fails("wrong", hdr);
	free(lane.buf);
	return right;
}

static bool refuses(u32 slots, u32 granularity, u32 reserved)
{
	const struct heatmap_arg arg = { .slots = slots,
					 .granularity = granularity,
					 .reserved = reserved };

	return heatmap.validate(0, &arg) == -EINVAL;
}

/* A sample that lacks the register counts as one without an address. */
static bool has_none(void)
{
	const struct heatmap_arg arg = { .slots = 10,
					 .granularity = 64,
					 .value = 2 };
	struct {
		struct heatmap_hdr hdr;
		struct heatmap_entry entries[10];
		u32 buckets[32];
	} buf = { 0 };
	struct pfm_lane lane = { .buf = &buf };
	const u64 val = 0x1234;
	const struct pfm_ovfl ovfl = {
		.lane = &lane, .vals = &val, .nvals = 1, .ip = 0x4321
	};

	heatmap.init(&lane, &arg);
	heatmap.handler(&ovfl);
	return buf.hdr.entries == 1 && buf.entries[0].count == 1 &&
	       !buf.entries[0].address;
}

/*
 * Processes and events that share an address have entries of their own.  There are
 * 16, so that none is lost, in 32 buckets.  These process ids are those of neighbouring buckets.
 */
static bool shares_address(void)
{
	const struct heatmap_arg arg = { .slots = 16, .granularity = 64 };
	struct {
		struct heatmap_hdr hdr;
		struct heatmap_entry entries[16];
		u32 buckets[32];
	} buf = { 0 };
	struct pfm_lane lane = { .buf = &buf };
	struct pfm_ovfl ovfl = { .lane = &lane, .ip = BASE };
	u32 i;

	heatmap.init(&lane, &arg);
	for (i = 0; i < 1600; i++) {
		ovfl.pid = 1 + 34 * (i % 4);
		ovfl.pmd = 31 + i / 4 % 2;
		ovfl.set = i / 8 % 2;
		heatmap.handler(&ovfl);
	}
	for (i = 0; i < 16; i++)
		if (buf.entries[i].count != 100)
			return false;
	return buf.hdr.entries == 16 && !buf.hdr.lost;
}

int main(void)
{
	bool right = true;

	/* 4 processes with 2 events on 1025 pages, or 65537 lines */
	right &= try(10000, 4096, 0, true);
	right &= try(10000, 4096, 0, true);
	right &= try(10000, 4096, 3, true);
	right &= try(1048576, 64, 2, true);
	right &= try(1000, 4096, 1, false);
	right &= try(1, 4096, 0, false);
	right &= try(65536, 64, 1, false);
	right &= refuses(0, 4096, 0) && refuses(1048577, 4096, 0) &&
		 refuses(1, 63, 0) && refuses(1, 32, 0) &&
		 refuses(1, 4097, 0) && refuses(1, 1U << 31, 0) &&
		 refuses(1, 4096, 1) && !refuses(1, 64, 0);
	right &= has_none() && shares_address();
	puts(right ? "all right" : "wrong");
	return !right;
}

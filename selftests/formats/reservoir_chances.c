// SPDX-License-Identifier: GPL-2.0-only
/*
 * The handler of the format "reservoir", compiled for the host: each of SEEN samples is kept with
 * the same probability.  reservoir_test.sh compiles it.
 *
 * The seeds are those from 1 on, so each run is the same.
 */
#include "format_host.h"
#include "reservoir.c"

#define ROUNDS 100000
#define SLOTS  3
#define SEEN   6

/* Half of ROUNDS are expected; this is five standard deviations. */
#define MOST_OFF 800

static struct {
	struct reservoir_hdr hdr;
	struct reservoir_entry entries[SLOTS];
} lane_buf;

static long kept[SEEN + 1];

/* Counts which of the samples one lane keeps.  Returns false if the lane is wrong. */
static bool fill(u64 seed)
{
	const struct reservoir_arg arg = { .slots = SLOTS, .seed = seed };
	struct pfm_lane lane = { .buf = &lane_buf };
	struct pfm_ovfl ovfl = { .lane = &lane };
	unsigned int i;

	memset(&lane_buf, 0, sizeof(lane_buf));
	if (reservoir.init(&lane, &arg))
		return false;
	for (i = 1; i <= SEEN; i++) {
		ovfl.ip = 100 + i;
		reservoir.handler(&ovfl);
	}
	reservoir.exit(&lane);
	for (i = 0; i < SLOTS; i++) {
		const struct reservoir_entry *entry = &lane_buf.entries[i];

		if (entry->number < 1 || entry->number > SEEN ||
		    entry->ip != 100 + entry->number)
			return false;
		kept[entry->number]++;
	}
	return lane_buf.hdr.seen == SEEN && lane_buf.hdr.entries == SLOTS;
}

int main(void)
{
	const long due = ROUNDS / SEEN * SLOTS;
	bool right = true;
	unsigned int i;
	u64 seed;

	for (seed = 1; seed <= ROUNDS; seed++) {
		if (!fill(seed)) {
			printf("wrong lane with seed %llu\n",
			       (unsigned long long)seed);
			return 1;
		}
	}
	for (i = 1; i <= SEEN; i++) {
		printf("sample %u was kept %ld times of %d\n", i, kept[i],
		       ROUNDS);
		right = right && labs(kept[i] - due) <= MOST_OFF;
	}
	return !right;
}

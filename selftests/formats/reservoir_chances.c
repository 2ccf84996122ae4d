// SPDX-License-Identifier: GPL-2.0-only
/*
 * The handler of the format "reservoir", compiled for the host: each of SEEN samples is kept with
 * the same probability.  reservoir_test.sh compiles it, with copies of the format's sources that
 * include nothing of the kernel.
 *
 * The seeds are those from 1 on, so each run is the same.
 */
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <linux/types.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;

#define sizeof_field(type, member) sizeof(((type *)0)->member)
#define is_signed_type(type)	   ((type)-1 < (type)1)
#define ARRAY_SIZE(array)	   (sizeof(array) / sizeof((array)[0]))
#define kzalloc(size, flags)	   calloc(1, size)
#define kfree			   free
#define get_random_u64()	   4
#define mul_u64_u64_shr(a, b, shift) \
	((u64)((unsigned __int128)(a) * (b) >> (shift)))
#define PFM_UUID_LEN	  16
#define PFM_CTRL_RESET	  2
#define PFM_FORMAT_SIMPLE 0
#define PFM_FORMAT_NMI	  0
#define THIS_MODULE	  NULL
#define __init
#define __exit
#define module_init(function)  void *const module_begin = function
#define module_exit(function)  void *const module_end = function
#define MODULE_DESCRIPTION(of) extern int unused
#define MODULE_LICENSE(of)     extern int unused
#define MODULE_ALIAS(of)       extern int unused

#include "format_desc.h"

struct pfm_lane {
	void *buf;
	void *priv;
	u32 index;
	bool anywhere;
};

struct pfm_ovfl {
	u32 tid;
	u16 pmd;
	u64 last_reset;
	u64 ip;
	u64 tstamp;
	u16 cpu;
	u16 set;
	u32 pid;
	struct pfm_lane *lane;
};

struct pfm_format {
	const char *name;
	u8 uuid[PFM_UUID_LEN];
	u32 version;
	u32 flags;
	size_t arg_size;
	int (*validate)(u32 flags, const void *arg);
	int (*getsize)(u32 flags, const void *arg, size_t *size);
	int (*init)(struct pfm_lane *lane, const void *arg);
	int (*handler)(const struct pfm_ovfl *ovfl);
	void (*exit)(struct pfm_lane *lane);
	const struct pfm_format_desc *desc;
	void *owner;
};

static int pfm_register_format(struct pfm_format *format)
{
	return !format;
}

static void pfm_unregister_format(struct pfm_format *format)
{
	(void)format;
}

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

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sizes of sampling buffers: 2000 samples with two carried registers, in each format.
 */
#include "../../lib/tests/tap.h"
#include "options/options.h"
#include "sampling/lanes.h"
#include "sampling/periods.h"

#define VALUES (2 * 8)
#define FRAMES (24 * 8)
#define DEEP   (2 * 127 * 8 + VALUES)

static struct options options;
static struct periods periods;
static struct lanes lanes;

static void choose(enum smpl_module module, uint64_t parts)
{
	options.smpl.module = module;
	options.smpl.parts = parts;
	lanes_choose(&lanes, &options, &periods);
}

static uint64_t pages(uint64_t size)
{
	return (size + 4095) / 4096 * 4096;
}

static void test_callstack(void)
{
	choose(MODULE_CALLSTACK, 2);
	is_num(lanes.arg.callstack.part_size,
	       pages(1000 * (sizeof(struct pfm_callstack_entry) + VALUES +
			     FRAMES) +
		     DEEP + sizeof(struct pfm_nway_part) +
		     sizeof(struct pfm_callstack_entry)),
	       "call stacks: half of the samples, and the largest one");
	is_num(lanes.arg.callstack.parts, 2, "parts");
	is_num(lanes.arg.callstack.depth, 127, "depth");
	ok(!(lanes.arg.callstack.flags & PFM_CALLSTACK_AGGREGATE),
	   "each on its own");
	options.smpl.aggregate_stacks = true;
	choose(MODULE_CALLSTACK, 2);
	is_num(lanes.arg.callstack.part_size,
	       pages(1000 * (sizeof(struct pfm_callstack_record) + FRAMES) * 8 /
			     7 +
		     DEEP + PFM_CALLSTACK_AGGR_MIN),
	       "equal stacks in a record, and room for the index");
	ok(lanes.arg.callstack.flags & PFM_CALLSTACK_AGGREGATE, "aggregated");
	ok(!(lanes.arg.callstack.flags & PFM_CALLSTACK_DROP),
	   "one task is stopped while its buffer is full");
	options.follow = PFM_CTX_FOLLOW_FORK;
	choose(MODULE_CALLSTACK, 2);
	ok(lanes.arg.callstack.flags & PFM_CALLSTACK_DROP, "several are not");
	options.follow = 0;
}

static void test_others(void)
{
	choose(MODULE_IBS, 4);
	is_num(lanes.arg.ibs.part_size,
	       sizeof(struct pfm_nway_part) + 500 * sizeof(struct pfm_ibs_op),
	       "samples of IBS");
	choose(MODULE_DETAILED, 1);
	is_num(lanes.arg.plain.buf_size,
	       sizeof(struct pfm_default_hdr) +
		       2000 * periods_entry_size(&periods),
	       "one part");
	choose(MODULE_DETAILED, 2);
	is_num(lanes.arg.nway.part_size,
	       sizeof(struct pfm_nway_part) +
		       1000 * periods_entry_size(&periods),
	       "two parts");
	options.smpl.entries = 1;
	choose(MODULE_DETAILED, 2);
	is_num(lanes.arg.nway.part_size,
	       sizeof(struct pfm_nway_part) + periods_entry_size(&periods),
	       "one sample at least");
}

int main(void)
{
	options.smpl.entries = 2000;
	options.smpl.depth = 127;
	periods.num_carried = 2;
	test_callstack();
	test_others();
	return tap_end();
}

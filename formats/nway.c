// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sampling format "nway": lanes in parts.  The consumer reads the parts that are full
 * while the kernel fills the next one.
 *
 * Purpose: sampling without gaps.  The default format masks a thread's counters from
 * the time when the lane is full until the consumer has emptied it; this format does
 * so only when all parts are full, or never.
 *
 * Context: the handler runs in the overflow interrupt, or at a context switch under the
 * runqueue lock; it takes no lock, calls nothing and executes a
 * bounded number of stores.
 *
 * Limits: parts are handed over when they are full; the consumer finds the samples
 * that are left at the end in the part that is being filled.  A consumer that is
 * slower than the samples come loses some of them; these are counted.
 *
 * Memory: lanes * (128 + parts * part_size) bytes, rounded up to pages for each lane,
 * allocated and charged when the context is created.
 */
#include <linux/module.h>
#include <linux/perfmon_default.h>
#include <linux/perfmon_nway.h>
#include <perfmon/release.h>

#include "parts.h"

/* The header and entries of a part are those of the default format. */
static_assert(sizeof(struct pfm_nway_part) == sizeof(struct pfm_default_hdr));
static_assert(offsetof(struct pfm_nway_part, count) ==
	      offsetof(struct pfm_default_hdr, hdr_count));
static_assert(offsetof(struct pfm_nway_part, cur_offs) ==
	      offsetof(struct pfm_default_hdr, hdr_cur_offs));
static_assert(offsetof(struct pfm_nway_part, size) ==
	      offsetof(struct pfm_default_hdr, hdr_buf_size));
static_assert(offsetof(struct pfm_nway_part, min_space) ==
	      offsetof(struct pfm_default_hdr, hdr_min_buf_space));
static_assert(offsetof(struct pfm_nway_part, version) ==
	      offsetof(struct pfm_default_hdr, hdr_version));
static_assert(offsetof(struct pfm_nway_part, lost) ==
	      offsetof(struct pfm_default_hdr, hdr_lost));
static_assert(sizeof(struct pfm_nway_arg) == 64);
static_assert(sizeof(struct pfm_default_entry) == 40);

/* Bytes of an entry that carries values and branches. */
static u64 entry_size(u32 nvals, u32 nbranches)
{
	return sizeof(struct pfm_default_entry) + nvals * sizeof(u64) +
	       nbranches * sizeof(struct pfm_branch);
}

static int nway_validate(u32 flags, const void *arg)
{
	const struct pfm_nway_arg *nway = arg;

	if ((nway->flags & ~PFM_NWAY_DROP) ||
	    memchr_inv(nway->reserved, 0, sizeof(nway->reserved)))
		return -EINVAL;
	if (nway->parts < PFM_NWAY_PARTS_MIN ||
	    nway->parts > PFM_NWAY_PARTS_MAX)
		return -EINVAL;
	if (nway->part_size % sizeof(u64) ||
	    nway->part_size < sizeof(struct pfm_nway_part) + entry_size(0, 0))
		return -EINVAL;
	return 0;
}

static int nway_getsize(u32 flags, const void *arg, size_t *size)
{
	const struct pfm_nway_arg *nway = arg;

	if (nway->part_size > SIZE_MAX / 2 / nway->parts)
		return -ENOBUFS;
	*size = sizeof(struct pfm_nway_hdr) + nway->parts * nway->part_size;
	return 0;
}

static int nway_init(struct pfm_lane *lane, const void *arg)
{
	const struct pfm_nway_arg *nway = arg;
	struct pfm_nway_hdr *hdr = lane->buf;

	hdr->version = PFM_NWAY_VERSION;
	hdr->flags = nway->flags;
	hdr->parts = nway->parts;
	hdr->part_offs = sizeof(*hdr);
	hdr->part_size = nway->part_size;
	hdr->part_room = nway->part_size;
	parts_init(hdr);
	lane->anywhere = true;
	return 0;
}

/* Add the branches to an entry, behind its values. */
static noinline void add_branches(struct pfm_default_entry *entry,
				  const struct pfm_ovfl *ovfl)
{
	entry->nr_branches = ovfl->nbranches;
	memcpy((u64 *)(entry + 1) + ovfl->nvals, ovfl->branches,
	       ovfl->nbranches * sizeof(*ovfl->branches));
}

static int nway_handler(const struct pfm_ovfl *ovfl)
{
	struct pfm_nway_hdr *hdr = ovfl->lane->buf;
	u64 max_size =
		entry_size(ovfl->lane->max_regs, ovfl->lane->max_branches);
	struct pfm_default_entry *entry;
	struct pfm_nway_part *part;

	part = parts_reserve(hdr, max_size);
	if (!part)
		return parts_lost_ctrl(ovfl->lane);
	entry = (void *)part + part->cur_offs;
	pfm_ovfl_fill(entry, ovfl);
	if (ovfl->nvals)
		memcpy(entry + 1, ovfl->vals, ovfl->nvals * sizeof(u64));
	if (unlikely(ovfl->nbranches))
		add_branches(entry, ovfl);
	parts_commit(hdr, part, entry_size(ovfl->nvals, ovfl->nbranches));
	if (parts_space(part) >= max_size)
		return PFM_CTRL_RESET;
	return parts_full_ctrl(ovfl->lane);
}

static int nway_restart(struct pfm_lane *lane, u64 arg, u32 *ctrl)
{
	struct pfm_nway_hdr *hdr = lane->buf;
	u64 last;
	int ret;

	*ctrl = PFM_CTRL_RESET;
	if (!arg && parts_too_small(hdr))
		return 0;
	ret = parts_released(hdr, arg, &last);
	if (ret)
		return ret;
	parts_release(hdr, last);
	*ctrl |= parts_more_ctrl(hdr);
	return 0;
}

static u64 nway_available(const struct pfm_lane *lane)
{
	return parts_available(lane->buf);
}

static const struct pfm_arg_field args[] = {
	{ PFM_ARG(struct pfm_nway_arg, part_size),
	  .dfl = sizeof(struct pfm_nway_part) +
		 1024 * sizeof(struct pfm_default_entry),
	  .min = sizeof(struct pfm_nway_part) +
		 sizeof(struct pfm_default_entry),
	  .max = U64_MAX, .unit = "bytes",
	  .help = "of a part, header included, a multiple of 8" },
	{ PFM_ARG(struct pfm_nway_arg, parts), .dfl = PFM_NWAY_PARTS_MIN,
	  .min = PFM_NWAY_PARTS_MIN, .max = PFM_NWAY_PARTS_MAX },
	{ PFM_ARG_FLAG("drop", PFM_NWAY_DROP, struct pfm_nway_arg, flags),
	  .help = "lose samples when all parts are full" },
};

static const struct pfm_field hdr_fields[] = {
	PFM_FIELD(NUMBER, struct pfm_nway_hdr, filled),
	PFM_FIELD(NUMBER, struct pfm_nway_hdr, released),
	PFM_FIELD(NUMBER, struct pfm_nway_hdr, samples),
	PFM_FIELD(LOST, struct pfm_nway_hdr, lost),
	PFM_FIELD(NUMBER, struct pfm_nway_hdr, overflows),
};

static const struct pfm_field entry_fields[] = {
	PFM_FIELD(TID, struct pfm_default_entry, tid),
	PFM_FIELD(PMD, struct pfm_default_entry, ovfl_pmd),
	PFM_FIELD(NUMBER, struct pfm_default_entry, nr_branches),
	PFM_FIELD(RESET, struct pfm_default_entry, last_reset_val),
	PFM_FIELD(CODE, struct pfm_default_entry, ip),
	PFM_FIELD(TIME, struct pfm_default_entry, tstamp),
	PFM_FIELD(CPU, struct pfm_default_entry, cpu),
	PFM_FIELD(SET, struct pfm_default_entry, set),
	PFM_FIELD(PID, struct pfm_default_entry, pid),
};

static const struct pfm_field entry_tails[] = {
	PFM_TAIL("values", VALUE, PFM_COUNT_SMPL_PMDS),
	PFM_TAIL_BRANCHES("nr_branches"),
};

static const struct pfm_entry_desc entries[] = {
	{
		.name = "sample",
		.fields = entry_fields,
		.nfields = ARRAY_SIZE(entry_fields),
		.tails = entry_tails,
		.ntails = ARRAY_SIZE(entry_tails),
		.size = sizeof(struct pfm_default_entry),
		.use = PFM_USE_STREAM,
	},
};

static const struct pfm_format_desc desc = {
	.help = "a buffer in parts: one is read while the next is filled",
	.layout = PFM_LAYOUT_PARTS,
	.args = args,
	.nargs = ARRAY_SIZE(args),
	.hdr = hdr_fields,
	.nhdr = ARRAY_SIZE(hdr_fields),
	.hdr_size = sizeof(struct pfm_nway_hdr),
	.entries = entries,
	.nentries = ARRAY_SIZE(entries),
};

static struct pfm_format nway = {
	.name = "nway",
	.uuid = PFM_NWAY_UUID,
	.version = PFM_NWAY_VERSION,
	.flags = PFM_FORMAT_SIMPLE | PFM_FORMAT_LOG | PFM_FORMAT_NMI,
	.arg_size = sizeof(struct pfm_nway_arg),
	.validate = nway_validate,
	.getsize = nway_getsize,
	.init = nway_init,
	.handler = nway_handler,
	.restart = nway_restart,
	.available = nway_available,
	.desc = &desc,
	.owner = THIS_MODULE,
};

static int __init nway_module_init(void)
{
	return pfm_register_format(&nway);
}

static void __exit nway_module_exit(void)
{
	pfm_unregister_format(&nway);
}

module_init(nway_module_init);
module_exit(nway_module_exit);

MODULE_DESCRIPTION("perfmon sampling format: buffer in parts");
MODULE_LICENSE("GPL");
MODULE_VERSION(PFM_RELEASE);
MODULE_ALIAS("perfmon-format-2da143c6-95fb-415f-9daa-0f94d9b54d24");

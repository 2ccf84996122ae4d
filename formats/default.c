// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sampling format "default": a linear buffer, which is filled and then handed over.
 * It is in the core module, so that sampling needs no other module.
 */
#include <linux/build_bug.h>
#include <linux/kernel.h>
#include <linux/limits.h>
#include <linux/minmax.h>
#include <linux/perfmon_default.h>
#include <linux/string.h>

#include "core/format.h"

/* pfm_ovfl_fill() copies the beginning of struct pfm_ovfl to an entry. */
#define SAME(of_ovfl, of_entry)                             \
	static_assert(offsetof(struct pfm_ovfl, of_ovfl) == \
		      offsetof(struct pfm_default_entry, of_entry))
SAME(tid, tid);
SAME(pmd, ovfl_pmd);
SAME(reserved, nr_branches);
SAME(last_reset, last_reset_val);
SAME(ip, ip);
SAME(tstamp, tstamp);
SAME(cpu, cpu);
SAME(set, set);
SAME(pid, pid);
static_assert(offsetofend(struct pfm_ovfl, pid) ==
	      sizeof(struct pfm_default_entry));

/* Bytes of an entry that carries n values, and no branches. */
static u64 entry_size(u32 n)
{
	return sizeof(struct pfm_default_entry) + n * sizeof(u64);
}

/* Bytes of the largest entry. */
static u64 most(const struct pfm_lane *lane)
{
	return entry_size(0) + lane->max_tails;
}

static int default_validate(u32 flags, const void *arg)
{
	const struct pfm_default_arg *def = arg;

	if (def->buf_flags || def->reserved ||
	    memchr_inv(def->reserved2, 0, sizeof(def->reserved2)))
		return -EINVAL;
	if (def->buf_size < sizeof(struct pfm_default_hdr) + entry_size(0))
		return -EINVAL;
	return 0;
}

static int default_getsize(u32 flags, const void *arg, size_t *size)
{
	const struct pfm_default_arg *def = arg;

	if (def->buf_size > SIZE_MAX / 2)
		return -ENOBUFS;
	*size = def->buf_size;
	return 0;
}

static int default_init(struct pfm_lane *lane, const void *arg)
{
	struct pfm_default_hdr *hdr = lane->buf;

	BUILD_BUG_ON(sizeof(*hdr) != 128);
	BUILD_BUG_ON(sizeof(struct pfm_default_entry) != 40);
	hdr->hdr_cur_offs = sizeof(*hdr);
	hdr->hdr_buf_size = ((const struct pfm_default_arg *)arg)->buf_size;
	hdr->hdr_version = PFM_DEFAULT_VERSION;
	lane->anywhere = true;
	return 0;
}

/* Whether another entry might not fit. */
static bool is_full(const struct pfm_lane *lane,
		    const struct pfm_default_hdr *hdr)
{
	return hdr->hdr_buf_size - hdr->hdr_cur_offs < most(lane);
}

/* Hand over an entry, which was written.  Returns the result for the handler. */
static __always_inline int commit(struct pfm_default_hdr *hdr, u64 space,
				  u64 need, u64 size)
{
	hdr->hdr_cur_offs += size;
	/* A consumer that observes the new count observes the entry. */
	smp_store_release(&hdr->hdr_count, hdr->hdr_count + 1);
	if (likely(space - size >= need))
		return PFM_CTRL_RESET;
	hdr->hdr_overflows++;
	return PFM_CTRL_NOTIFY | PFM_CTRL_MASK;
}

/* A function of its own, so that an entry without values is written without a call. */
static noinline int commit_values(const struct pfm_ovfl *ovfl, void *entry,
				  u64 space, u64 need)
{
	memcpy(entry + entry_size(0), ovfl->vals, ovfl->nvals * sizeof(u64));
	return commit(ovfl->lane->buf, space, need, entry_size(ovfl->nvals));
}

/* The same with branches behind the values. */
static noinline int commit_branches(const struct pfm_ovfl *ovfl, void *entry,
				    u64 space, u64 need)
{
	const u64 size = ovfl->nbranches * sizeof(*ovfl->branches);
	const u64 at = entry_size(ovfl->nvals);

	memcpy(entry + entry_size(0), ovfl->vals, ovfl->nvals * sizeof(u64));
	((struct pfm_default_entry *)entry)->nr_branches = ovfl->nbranches;
	memcpy(entry + at, ovfl->branches, size);
	return commit(ovfl->lane->buf, space, need, at + size);
}

static int default_handler(const struct pfm_ovfl *ovfl)
{
	const struct pfm_lane *lane = ovfl->lane;
	struct pfm_default_hdr *hdr = lane->buf;
	u64 offs = hdr->hdr_cur_offs;
	u64 space = hdr->hdr_buf_size - offs;
	u64 need = most(lane);
	void *entry = (void *)hdr + offs;

	hdr->hdr_min_buf_space = need;
	if (unlikely(space < need)) {
		hdr->hdr_lost++;
		return hdr->hdr_count ? PFM_CTRL_RESET
				      : PFM_CTRL_NOTIFY | PFM_CTRL_MASK;
	}
	pfm_ovfl_fill(entry, ovfl);
	if (unlikely(ovfl->nbranches))
		return commit_branches(ovfl, entry, space, need);
	if (ovfl->nvals)
		return commit_values(ovfl, entry, space, need);
	return commit(hdr, space, need, entry_size(0));
}

static int default_restart(struct pfm_lane *lane, u64 arg, u32 *ctrl)
{
	struct pfm_default_hdr *hdr = lane->buf;

	if (!is_full(lane, hdr))
		return -EBUSY;
	hdr->hdr_count = 0;
	hdr->hdr_cur_offs = sizeof(*hdr);
	*ctrl = PFM_CTRL_RESET;
	return 0;
}

static u64 default_available(const struct pfm_lane *lane)
{
	const struct pfm_default_hdr *hdr = lane->buf;

	return READ_ONCE(hdr->hdr_count);
}

static const struct pfm_arg_field args[] = {
	{ PFM_ARG(struct pfm_default_arg, buf_size),
	  .dfl = sizeof(struct pfm_default_hdr) +
		 2048 * sizeof(struct pfm_default_entry),
	  .min = sizeof(struct pfm_default_hdr) +
		 sizeof(struct pfm_default_entry),
	  .max = U64_MAX, .unit = "bytes",
	  .help = "of a lane, header included" },
};

static const struct pfm_field hdr_fields[] = {
	PFM_FIELD(NUMBER, struct pfm_default_hdr, hdr_count),
	PFM_FIELD(NUMBER, struct pfm_default_hdr, hdr_overflows),
	PFM_FIELD(LOST, struct pfm_default_hdr, hdr_lost),
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
	.help = "a linear buffer, which is filled and then handed over",
	.layout = PFM_LAYOUT_LINEAR,
	.args = args,
	.nargs = ARRAY_SIZE(args),
	.hdr = hdr_fields,
	.nhdr = ARRAY_SIZE(hdr_fields),
	.hdr_size = sizeof(struct pfm_default_hdr),
	.entries = entries,
	.nentries = ARRAY_SIZE(entries),
};

struct pfm_format pfm_format_default = {
	.name = "default",
	.uuid = PFM_DEFAULT_UUID,
	.version = PFM_DEFAULT_VERSION,
	.flags = PFM_FORMAT_SIMPLE | PFM_FORMAT_LOG | PFM_FORMAT_NMI,
	.arg_size = sizeof(struct pfm_default_arg),
	.validate = default_validate,
	.getsize = default_getsize,
	.init = default_init,
	.handler = default_handler,
	.restart = default_restart,
	.available = default_available,
	.desc = &desc,
	.owner = THIS_MODULE,
};

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sampling format "ibs": samples of AMD's instruction-based sampling, packed.
 *
 * Purpose: an entry of another format has a number of 64 bits for each register of a
 * sample, and what all samples have in common besides.  An entry of this one takes half as
 * much memory, and has the ids of the thread as well.
 *
 * Context: the handler runs in the NMI or its irq_work, or at a context switch under the
 * runqueue lock; it takes no lock, calls nothing and executes a bounded number of stores.
 *
 * Limits: those of the format nway.  Overflows of other registers than those of IBS, and
 * samples that do not have all registers, are refused.
 *
 * Memory: as the format nway.
 */
#include <linux/module.h>
#include <linux/perfmon_ibs.h>
#include <perfmon/release.h>

#include "parts.h"

static_assert(sizeof(struct pfm_ibs_arg) == 64);
static_assert(sizeof(struct pfm_ibs_entry) == 32);
static_assert(sizeof(struct pfm_ibs_fetch) == 64);
static_assert(sizeof(struct pfm_ibs_op) == 96);
/* parts.h knows the flag by this name. */
static_assert(PFM_IBS_DROP == PFM_NWAY_DROP);
static_assert(PFM_IBS_PMD_FETCH_TSC - PFM_IBS_PMD_FETCH_CTL + 1 ==
	      PFM_IBS_FETCH_VALS);
static_assert(PFM_IBS_PMD_OP_TSC - PFM_IBS_PMD_OP_CTL + 1 == PFM_IBS_OP_VALS);
static_assert(PFM_IBS_FETCH_SMPL == GENMASK_ULL(PFM_IBS_PMD_FETCH_TSC % 64,
						PFM_IBS_PMD_FETCH_CTL % 64));
static_assert(PFM_IBS_OP_SMPL ==
	      GENMASK_ULL(PFM_IBS_PMD_OP_TSC % 64, PFM_IBS_PMD_OP_CTL % 64));
static_assert(PFM_IBS_PMD_FETCH_CTL / 64 == PFM_IBS_SMPL_WORD);

/* Bytes of an entry of the larger kind: a part with less room is full. */
#define ENTRY_MAX sizeof(struct pfm_ibs_op)

/* The value of a register of the sample: ovfl->vals has all of them, in ascending order. */
#define FETCH(ovfl, reg) \
	((ovfl)->vals[PFM_IBS_PMD_FETCH_##reg - PFM_IBS_PMD_FETCH_CTL])
#define OP(ovfl, reg) ((ovfl)->vals[PFM_IBS_PMD_OP_##reg - PFM_IBS_PMD_OP_CTL])

static int ibs_validate(u32 flags, const void *arg)
{
	const struct pfm_ibs_arg *ibs = arg;

	if ((ibs->flags & ~PFM_IBS_DROP) ||
	    memchr_inv(ibs->reserved, 0, sizeof(ibs->reserved)))
		return -EINVAL;
	if (ibs->parts < PFM_NWAY_PARTS_MIN || ibs->parts > PFM_IBS_PARTS_MAX)
		return -EINVAL;
	if (ibs->part_size % sizeof(u64) ||
	    ibs->part_size < sizeof(struct pfm_nway_part) + ENTRY_MAX)
		return -EINVAL;
	return 0;
}

static int ibs_getsize(u32 flags, const void *arg, size_t *size)
{
	const struct pfm_ibs_arg *ibs = arg;

	if (ibs->part_size > SIZE_MAX / 2 / ibs->parts)
		return -ENOBUFS;
	*size = sizeof(struct pfm_nway_hdr) + ibs->parts * ibs->part_size;
	return 0;
}

static int ibs_init(struct pfm_lane *lane, const void *arg)
{
	const struct pfm_ibs_arg *ibs = arg;
	struct pfm_nway_hdr *hdr = lane->buf;

	hdr->version = PFM_IBS_VERSION;
	hdr->flags = ibs->flags;
	hdr->parts = ibs->parts;
	hdr->part_offs = sizeof(*hdr);
	hdr->part_size = ibs->part_size;
	hdr->part_room = ibs->part_size;
	parts_init(hdr);
	lane->anywhere = true;
	return 0;
}

/*
 * True if the sampled code is the kernel's.  An address that the creator may not see is 0:
 * it is the kernel's if that is all that is hidden.
 */
static bool is_kernel(const struct pfm_ovfl *ovfl)
{
	if (ovfl->ip)
		return ovfl->ip >> 63;
	return ovfl->user_ok && !ovfl->lane->kernel_ok;
}

static void fill_head(struct pfm_ibs_entry *head, const struct pfm_ovfl *ovfl,
		      u8 kind, u64 tsc)
{
	*head = (struct pfm_ibs_entry){
		.kind = kind,
		.flags = is_kernel(ovfl) ? PFM_IBS_ENTRY_KERNEL : 0,
		.cpu = ovfl->cpu,
		.set = ovfl->set,
		.pid = ovfl->pid,
		.tid = ovfl->tid,
		.tstamp = ovfl->tstamp,
		.tsc = tsc,
	};
}

static void fill_fetch(struct pfm_ibs_fetch *entry, const struct pfm_ovfl *ovfl)
{
	fill_head(&entry->head, ovfl, PFM_IBS_KIND_FETCH, FETCH(ovfl, TSC));
	entry->period = FETCH(ovfl, PERIOD);
	entry->extd = FETCH(ovfl, EXTD);
	entry->ctl = FETCH(ovfl, CTL);
	entry->linad = FETCH(ovfl, LINAD);
	entry->physad = FETCH(ovfl, PHYSAD);
}

static void fill_op(struct pfm_ibs_op *entry, const struct pfm_ovfl *ovfl)
{
	fill_head(&entry->head, ovfl, PFM_IBS_KIND_OP, OP(ovfl, TSC));
	entry->period = OP(ovfl, PERIOD);
	entry->data2 = OP(ovfl, DATA2);
	entry->data4 = OP(ovfl, DATA4);
	entry->ctl = OP(ovfl, CTL);
	entry->rip = OP(ovfl, RIP);
	entry->data = OP(ovfl, DATA);
	entry->data3 = OP(ovfl, DATA3);
	entry->dc_linad = OP(ovfl, DC_LINAD);
	entry->dc_physad = OP(ovfl, DC_PHYSAD);
	entry->br_target = OP(ovfl, BR_TARGET);
}

/* Bytes of the entry of an overflow; 0 if it is none of IBS with all its registers. */
static u64 entry_size(const struct pfm_ovfl *ovfl)
{
	if (ovfl->pmd == PFM_IBS_PMD_FETCH && ovfl->nvals == PFM_IBS_FETCH_VALS)
		return sizeof(struct pfm_ibs_fetch);
	if (ovfl->pmd == PFM_IBS_PMD_OP && ovfl->nvals == PFM_IBS_OP_VALS)
		return sizeof(struct pfm_ibs_op);
	return 0;
}

static int ibs_handler(const struct pfm_ovfl *ovfl)
{
	struct pfm_nway_hdr *hdr = ovfl->lane->buf;
	const u64 size = entry_size(ovfl);
	struct pfm_nway_part *part;
	void *entry;

	if (!size)
		return -EINVAL;
	part = parts_reserve(hdr, ENTRY_MAX);
	if (!part)
		return parts_lost_ctrl(ovfl->lane);
	entry = (void *)part + part->cur_offs;
	if (ovfl->pmd == PFM_IBS_PMD_FETCH)
		fill_fetch(entry, ovfl);
	else
		fill_op(entry, ovfl);
	parts_commit(hdr, part, size);
	if (parts_space(part) >= ENTRY_MAX)
		return PFM_CTRL_RESET;
	return parts_full_ctrl(ovfl->lane);
}

static int ibs_restart(struct pfm_lane *lane, u64 arg, u32 *ctrl)
{
	struct pfm_nway_hdr *hdr = lane->buf;
	u64 last;
	int ret;

	*ctrl = PFM_CTRL_RESET;
	ret = parts_released(hdr, arg, &last);
	if (ret)
		return ret;
	parts_release(hdr, last);
	*ctrl |= parts_more_ctrl(hdr);
	return 0;
}

static u64 ibs_available(const struct pfm_lane *lane)
{
	return parts_available(lane->buf);
}

static const struct pfm_arg_field args[] = {
	{ PFM_ARG(struct pfm_ibs_arg, part_size),
	  .dfl = sizeof(struct pfm_nway_part) + 1024 * ENTRY_MAX,
	  .min = sizeof(struct pfm_nway_part) + ENTRY_MAX, .max = U64_MAX,
	  .unit = "bytes",
	  .help = "of a part, header included, a multiple of 8" },
	{ PFM_ARG(struct pfm_ibs_arg, parts), .dfl = PFM_NWAY_PARTS_MIN,
	  .min = PFM_NWAY_PARTS_MIN, .max = PFM_IBS_PARTS_MAX },
	{ PFM_ARG_FLAG("drop", PFM_IBS_DROP, struct pfm_ibs_arg, flags),
	  .help = "lose samples when all parts are full" },
};

static const struct pfm_field hdr_fields[] = {
	PFM_FIELD(NUMBER, struct pfm_nway_hdr, filled),
	PFM_FIELD(NUMBER, struct pfm_nway_hdr, released),
	PFM_FIELD(NUMBER, struct pfm_nway_hdr, samples),
	PFM_FIELD(LOST, struct pfm_nway_hdr, lost),
	PFM_FIELD(NUMBER, struct pfm_nway_hdr, overflows),
};

/* Entries of both kinds begin with struct pfm_ibs_entry. */
static const struct pfm_field fetch_fields[] = {
	PFM_FIELD(NUMBER, struct pfm_ibs_entry, kind),
	PFM_FIELD(BITS, struct pfm_ibs_entry, flags),
	PFM_FIELD(CPU, struct pfm_ibs_entry, cpu),
	PFM_FIELD(SET, struct pfm_ibs_entry, set),
	PFM_FIELD(PID, struct pfm_ibs_entry, pid),
	PFM_FIELD(TID, struct pfm_ibs_entry, tid),
	PFM_FIELD(TIME, struct pfm_ibs_entry, tstamp),
	PFM_FIELD(NUMBER, struct pfm_ibs_entry, tsc),
	PFM_FIELD(PERIOD, struct pfm_ibs_fetch, period),
	PFM_FIELD(BITS, struct pfm_ibs_fetch, extd),
	PFM_FIELD(BITS, struct pfm_ibs_fetch, ctl),
	PFM_FIELD(CODE, struct pfm_ibs_fetch, linad),
	PFM_FIELD(BITS, struct pfm_ibs_fetch, physad),
};

static const struct pfm_field op_fields[] = {
	PFM_FIELD(NUMBER, struct pfm_ibs_entry, kind),
	PFM_FIELD(BITS, struct pfm_ibs_entry, flags),
	PFM_FIELD(CPU, struct pfm_ibs_entry, cpu),
	PFM_FIELD(SET, struct pfm_ibs_entry, set),
	PFM_FIELD(PID, struct pfm_ibs_entry, pid),
	PFM_FIELD(TID, struct pfm_ibs_entry, tid),
	PFM_FIELD(TIME, struct pfm_ibs_entry, tstamp),
	PFM_FIELD(NUMBER, struct pfm_ibs_entry, tsc),
	PFM_FIELD(PERIOD, struct pfm_ibs_op, period),
	PFM_FIELD(BITS, struct pfm_ibs_op, data2),
	PFM_FIELD(BITS, struct pfm_ibs_op, data4),
	PFM_FIELD(BITS, struct pfm_ibs_op, ctl),
	PFM_FIELD(CODE, struct pfm_ibs_op, rip),
	PFM_FIELD(BITS, struct pfm_ibs_op, data),
	PFM_FIELD(BITS, struct pfm_ibs_op, data3),
	PFM_FIELD(DATA, struct pfm_ibs_op, dc_linad),
	PFM_FIELD(BITS, struct pfm_ibs_op, dc_physad),
	PFM_FIELD(CODE, struct pfm_ibs_op, br_target),
};

static const struct pfm_entry_desc entries[] = {
	{
		.name = "fetch",
		.when = "kind",
		.is = PFM_IBS_KIND_FETCH,
		.fields = fetch_fields,
		.nfields = ARRAY_SIZE(fetch_fields),
		.size = sizeof(struct pfm_ibs_fetch),
		.use = PFM_USE_STREAM,
	},
	{
		.name = "op",
		.when = "kind",
		.is = PFM_IBS_KIND_OP,
		.fields = op_fields,
		.nfields = ARRAY_SIZE(op_fields),
		.size = sizeof(struct pfm_ibs_op),
		.use = PFM_USE_STREAM,
	},
};

static const struct pfm_format_desc desc = {
	.help = "samples of instruction-based sampling, packed",
	.pmu = "ibs",
	.layout = PFM_LAYOUT_PARTS,
	.args = args,
	.nargs = ARRAY_SIZE(args),
	.hdr = hdr_fields,
	.nhdr = ARRAY_SIZE(hdr_fields),
	.hdr_size = sizeof(struct pfm_nway_hdr),
	.entries = entries,
	.nentries = ARRAY_SIZE(entries),
};

static struct pfm_format ibs = {
	.name = "ibs",
	.uuid = PFM_IBS_UUID,
	.version = PFM_IBS_VERSION,
	.flags = PFM_FORMAT_SIMPLE | PFM_FORMAT_NMI,
	.arg_size = sizeof(struct pfm_ibs_arg),
	.validate = ibs_validate,
	.getsize = ibs_getsize,
	.init = ibs_init,
	.handler = ibs_handler,
	.restart = ibs_restart,
	.available = ibs_available,
	.desc = &desc,
	.owner = THIS_MODULE,
};

static int __init ibs_module_init(void)
{
	return pfm_register_format(&ibs);
}

static void __exit ibs_module_exit(void)
{
	pfm_unregister_format(&ibs);
}

module_init(ibs_module_init);
module_exit(ibs_module_exit);

MODULE_DESCRIPTION("perfmon sampling format: instruction-based sampling");
MODULE_LICENSE("GPL");
MODULE_VERSION(PFM_RELEASE);
MODULE_ALIAS("perfmon-format-39d51ec7-25b8-4690-8298-d255c1e2593e");

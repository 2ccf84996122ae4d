// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sampling format "default": a linear buffer, filled and then handed over.
 * Part of the core, so that sampling needs no other module.
 */
#include <linux/minmax.h>
#include <linux/perfmon_default.h>
#include <linux/string.h>

#include "../kernel/format.h"

/* Bytes of an entry that carries n values. */
static u64 entry_size(u32 n)
{
	return sizeof(struct pfm_default_entry) + n * sizeof(u64);
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
	return 0;
}

/* Whether another entry might not fit. */
static bool is_full(const struct pfm_lane *lane,
		    const struct pfm_default_hdr *hdr)
{
	return hdr->hdr_buf_size - hdr->hdr_cur_offs <
	       entry_size(lane->max_regs);
}

static int default_handler(const struct pfm_ovfl *ovfl)
{
	struct pfm_default_hdr *hdr = ovfl->lane->buf;
	u64 space = hdr->hdr_buf_size - hdr->hdr_cur_offs;
	u64 need = entry_size(ovfl->lane->max_regs);
	u64 size = entry_size(ovfl->nvals);
	struct pfm_default_entry *entry;

	hdr->hdr_min_buf_space = need;
	if (space < need) {
		hdr->hdr_lost++;
		return hdr->hdr_count ? PFM_CTRL_RESET
				      : PFM_CTRL_NOTIFY | PFM_CTRL_MASK;
	}
	entry = ovfl->lane->buf + hdr->hdr_cur_offs;
	entry->tid = ovfl->tid;
	entry->ovfl_pmd = ovfl->pmd;
	entry->reserved = 0;
	entry->last_reset_val = ovfl->last_reset;
	entry->ip = ovfl->ip;
	entry->tstamp = ovfl->tstamp;
	entry->cpu = ovfl->cpu;
	entry->set = ovfl->set;
	entry->pid = ovfl->pid;
	if (ovfl->nvals)
		memcpy(entry + 1, ovfl->vals, ovfl->nvals * sizeof(u64));
	hdr->hdr_cur_offs += size;
	/* A reader that polls the header sees whole entries only. */
	smp_store_release(&hdr->hdr_count, hdr->hdr_count + 1);
	if (space - size >= need)
		return PFM_CTRL_RESET;
	hdr->hdr_overflows++;
	return PFM_CTRL_NOTIFY | PFM_CTRL_MASK;
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

struct pfm_format pfm_format_default = {
	.name = "default",
	.uuid = PFM_DEFAULT_UUID,
	.version = PFM_DEFAULT_VERSION,
	.flags = PFM_FORMAT_SIMPLE | PFM_FORMAT_LOG,
	.arg_size = sizeof(struct pfm_default_arg),
	.validate = default_validate,
	.getsize = default_getsize,
	.init = default_init,
	.handler = default_handler,
	.restart = default_restart,
	.owner = THIS_MODULE,
};

// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
#include "ibs_entry.h"

static void convert_op(const struct pfm_ibs_op *op, ibs_op_t *sample)
{
	*sample = (ibs_op_t){
		.op_ctl.val = op->ctl,
		.op_rip = op->rip,
		.op_data.val = op->data,
		.op_data2.val = op->data2,
		.op_data3.val = op->data3,
		.op_data4.val = op->data4,
		.dc_lin_ad = op->dc_linad,
		.dc_phys_ad.val = op->dc_physad,
		.br_target = op->br_target,
		.tsc = op->head.tsc,
		.tid = op->head.tid,
		.pid = op->head.pid,
		.cpu = op->head.cpu,
		.kern_mode = !!(op->head.flags & PFM_IBS_ENTRY_KERNEL),
	};
}

static void convert_fetch(const struct pfm_ibs_fetch *fetch,
			  ibs_fetch_t *sample)
{
	*sample = (ibs_fetch_t){
		.fetch_ctl.val = fetch->ctl,
		.fetch_ctl_extd.val = fetch->extd,
		.fetch_lin_ad = fetch->linad,
		.fetch_phys_ad.val = fetch->physad,
		.tsc = fetch->head.tsc,
		.tid = fetch->head.tid,
		.pid = fetch->head.pid,
		.cpu = fetch->head.cpu,
		.kern_mode = !!(fetch->head.flags & PFM_IBS_ENTRY_KERNEL),
	};
}

ibs_sample_type_t pfmi_ibs_convert(const struct pfm_ibs_entry *entry,
				   ibs_sample_t *sample)
{
	if (entry->kind == PFM_IBS_KIND_OP) {
		convert_op((const void *)entry, &sample->ibs_sample.op);
		return IBS_OP_SAMPLE;
	}
	convert_fetch((const void *)entry, &sample->ibs_sample.fetch);
	return IBS_FETCH_SAMPLE;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * v2.0: the default format, whose buffer is mapped when the context is created.
 */
#include "style.h"

#include <perfmon/perfmon_default_smpl.h>

#define PERIOD 10000UL

int main(void)
{
	static const pfm_uuid_t uuid = PFM_DEFAULT_SMPL_UUID;
	pfarg_reg_t pc[MAX_EVENTS], pd[MAX_EVENTS];
	pfm_default_smpl_ctx_arg_t ctx;
	pfm_default_smpl_entry_t *entry;
	pfm_default_smpl_hdr_t *hdr;
	unsigned int wrong = 0;
	unsigned long i;
	pfarg_load_t load;
	int fd;

	memset(&ctx, 0, sizeof(ctx));
	memset(&load, 0, sizeof(load));
	memset(pc, 0, sizeof(pc));
	memset(pd, 0, sizeof(pd));
	choose(basics + 1, 1, PFM_PLM3);
	pfm_regmask_set(&inp.pfp_unavail_pmcs, 16);
	if (pfm_dispatch_events(&inp, NULL, &outp, NULL))
		die("pfm_dispatch_events");
	memcpy(ctx.ctx_arg.ctx_smpl_buf_id, uuid, sizeof(uuid));
	ctx.buf_arg.buf_size = 65536;
	if (perfmonctl(0, PFM_CREATE_CONTEXT, &ctx, 1))
		die("PFM_CREATE_CONTEXT");
	fd = ctx.ctx_arg.ctx_fd;
	hdr = ctx.ctx_arg.ctx_smpl_vaddr;
	pc[0].reg_num = outp.pfp_pmcs[0].reg_num;
	pc[0].reg_value = outp.pfp_pmcs[0].reg_value;
	pc[0].reg_flags = PFM_REGFL_OVFL_NOTIFY | PFM_REGFL_RANDOM;
	pc[0].reg_smpl_pmds[0] = 1UL << outp.pfp_pmds[0].reg_num;
	pd[0].reg_num = outp.pfp_pmds[0].reg_num;
	pd[0].reg_value = -PERIOD;
	pd[0].reg_long_reset = -PERIOD;
	pd[0].reg_short_reset = -PERIOD;
	pd[0].reg_random_mask = 0xff;
	pd[0].reg_random_seed = 7;
	if (perfmonctl(fd, PFM_WRITE_PMCS, pc, 1) ||
	    perfmonctl(fd, PFM_WRITE_PMDS, pd, 1))
		die("write");
	load.load_pid = getpid();
	if (perfmonctl(fd, PFM_LOAD_CONTEXT, &load, 1) ||
	    perfmonctl(fd, PFM_START, NULL, 0))
		die("start");
	work(10);
	if (perfmonctl(fd, PFM_STOP, NULL, 0))
		die("stop");
	show("sampled", hdr->hdr_count > 50);
	entry = (pfm_default_smpl_entry_t *)(hdr + 1);
	for (i = 0; i < hdr->hdr_count; i++) {
		if (entry->ovfl_pmd != pd[0].reg_num ||
		    entry->tgid != getpid() ||
		    -entry->last_reset_val - PERIOD > 0xff)
			wrong++;
		entry = (pfm_default_smpl_entry_t *)((unsigned long *)(entry +
								       1) +
						     1);
	}
	show("wrong", wrong);
	return 0;
}

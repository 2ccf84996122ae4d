// SPDX-License-Identifier: GPL-2.0-only
/*
 * v2.2: a format by its UUID, and pfm_create_context() with three arguments.
 */
#include "style.h"

int main(void)
{
	static const pfm_uuid_t uuid = PFM_DFL_SMPL_UUID;
	pfarg_pmc_t pc[MAX_EVENTS];
	pfarg_pmd_t pd[MAX_EVENTS];
	pfm_dfl_smpl_arg_t arg;
	pfm_dfl_smpl_hdr_t *hdr;
	pfarg_load_t load;
	pfarg_ctx_t ctx;

	memset(&ctx, 0, sizeof(ctx));
	memset(&arg, 0, sizeof(arg));
	memset(&load, 0, sizeof(load));
	choose(basics + 1, 1, PFM_PLM3);
	fill(pc, pd);
	arg.buf_size = 65536;
	ctx.ctx_flags = PFM_FL_MAP_SETS;
	show("mapped_sets", gave(pfm_create_context(&ctx, NULL, 0), ENOSYS));
	ctx.ctx_flags = 0;
	memcpy(ctx.ctx_smpl_buf_id, uuid, sizeof(uuid));
	if (pfm_create_context(&ctx, &arg, sizeof(arg)) == -1)
		die("pfm_create_context");
	show("size", ctx.ctx_smpl_buf_size == 65536);
	hdr = mmap(NULL, ctx.ctx_smpl_buf_size, PROT_READ, MAP_PRIVATE,
		   ctx.ctx_fd, 0);
	if (hdr == MAP_FAILED)
		die("mmap");
	pd[0].reg_flags = PFM_REGFL_OVFL_NOTIFY;
	pd[0].reg_value = -10000ULL;
	pd[0].reg_long_reset = -10000ULL;
	pd[0].reg_short_reset = -10000ULL;
	if (pfm_write_pmcs(ctx.ctx_fd, pc, outp.pfp_pmc_count) ||
	    pfm_write_pmds(ctx.ctx_fd, pd, 1))
		die("write");
	load.load_pid = getpid();
	if (pfm_load_context(ctx.ctx_fd, &load) || pfm_start(ctx.ctx_fd, NULL))
		die("start");
	work(5);
	if (pfm_stop(ctx.ctx_fd))
		die("stop");
	show("samples", hdr->hdr_count);
	return 0;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * v2.2: perfmonctl() with the structures of v2.2.
 */
#include "style.h"

int main(void)
{
	pfarg_pmc_t pc[MAX_EVENTS];
	pfarg_pmd_t pd[MAX_EVENTS];
	pfarg_load_t load;
	pfarg_ctx_t ctx;

	memset(&ctx, 0, sizeof(ctx));
	memset(&load, 0, sizeof(load));
	choose(basics, 2, PFM_PLM3);
	fill(pc, pd);
	if (perfmonctl(0, PFM_CREATE_CONTEXT, &ctx, 1))
		die("PFM_CREATE_CONTEXT");
	if (perfmonctl(ctx.ctx_fd, PFM_WRITE_PMCS, pc, outp.pfp_pmc_count) ||
	    perfmonctl(ctx.ctx_fd, PFM_WRITE_PMDS, pd, outp.pfp_pmd_count))
		die("write");
	load.load_pid = getpid();
	if (perfmonctl(ctx.ctx_fd, PFM_LOAD_CONTEXT, &load, 1) ||
	    perfmonctl(ctx.ctx_fd, PFM_START, NULL, 0))
		die("start");
	work(1);
	if (perfmonctl(ctx.ctx_fd, PFM_STOP, NULL, 0) ||
	    perfmonctl(ctx.ctx_fd, PFM_READ_PMDS, pd, outp.pfp_pmd_count))
		die("read");
	show("cycles", pd[0].reg_value);
	show("instructions", pd[1].reg_value);
	return 0;
}

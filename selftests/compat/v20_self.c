// SPDX-License-Identifier: GPL-2.0-only
/*
 * v2.0: a thread counts what it does itself, with perfmonctl().
 */
#include "style.h"

int main(void)
{
	pfarg_reg_t pc[MAX_EVENTS], pd[MAX_EVENTS];
	pfarg_features_t features;
	pfarg_context_t ctx;
	pfarg_load_t load;
	unsigned int i;
	int fd;

	memset(&ctx, 0, sizeof(ctx));
	memset(&load, 0, sizeof(load));
	memset(&features, 0, sizeof(features));
	memset(pc, 0, sizeof(pc));
	memset(pd, 0, sizeof(pd));
	choose(basics, 2, PFM_PLM3);
	for (i = 0; i < outp.pfp_pmc_count; i++) {
		pc[i].reg_num = outp.pfp_pmcs[i].reg_num;
		pc[i].reg_value = outp.pfp_pmcs[i].reg_value;
	}
	for (i = 0; i < outp.pfp_pmd_count; i++)
		pd[i].reg_num = outp.pfp_pmds[i].reg_num;
	if (perfmonctl(0, PFM_GET_FEATURES, &features, 1))
		die("PFM_GET_FEATURES");
	show("major", features.ft_version >> 16);
	if (perfmonctl(0, PFM_CREATE_CONTEXT, &ctx, 1))
		die("PFM_CREATE_CONTEXT");
	fd = ctx.ctx_fd;
	if (perfmonctl(fd, PFM_WRITE_PMCS, pc, outp.pfp_pmc_count))
		die("PFM_WRITE_PMCS");
	if (perfmonctl(fd, PFM_WRITE_PMDS, pd, outp.pfp_pmd_count))
		die("PFM_WRITE_PMDS");
	load.load_pid = getpid();
	if (perfmonctl(fd, PFM_LOAD_CONTEXT, &load, 1) ||
	    perfmonctl(fd, PFM_START, NULL, 0))
		die("PFM_START");
	work(1);
	if (perfmonctl(fd, PFM_STOP, NULL, 0) ||
	    perfmonctl(fd, PFM_READ_PMDS, pd, 2))
		die("PFM_READ_PMDS");
	show("cycles", pd[0].reg_value);
	show("instructions", pd[1].reg_value);
	pd[1].reg_num = 300;
	show("refused", gave(perfmonctl(fd, PFM_READ_PMDS, pd, 2), EINVAL));
	show("marked", !PFM_REG_HAS_ERROR(pd[0].reg_flags) &&
			       PFM_REG_HAS_ERROR(pd[1].reg_flags));
	return 0;
}

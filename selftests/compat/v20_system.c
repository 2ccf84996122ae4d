// SPDX-License-Identifier: GPL-2.0-only
/*
 * v2.0: the CPU is the one that the caller runs on.
 */
#include "style.h"

#include <sched.h>

int main(void)
{
	pfarg_reg_t pc[MAX_EVENTS], pd[MAX_EVENTS];
	pfarg_context_t ctx;
	pfarg_load_t load;
	cpu_set_t cpus;
	unsigned int i;
	int fd;

	memset(&ctx, 0, sizeof(ctx));
	memset(&load, 0, sizeof(load));
	memset(pc, 0, sizeof(pc));
	memset(pd, 0, sizeof(pd));
	CPU_ZERO(&cpus);
	CPU_SET(0, &cpus);
	if (sched_setaffinity(0, sizeof(cpus), &cpus))
		die("sched_setaffinity");
	choose(basics, 2, PFM_PLM0 | PFM_PLM3);
	for (i = 0; i < outp.pfp_pmc_count; i++) {
		pc[i].reg_num = outp.pfp_pmcs[i].reg_num;
		pc[i].reg_value = outp.pfp_pmcs[i].reg_value;
	}
	for (i = 0; i < 2; i++)
		pd[i].reg_num = outp.pfp_pmds[i].reg_num;
	ctx.ctx_flags = PFM_FL_SYSTEM_WIDE;
	if (perfmonctl(0, PFM_CREATE_CONTEXT, &ctx, 1))
		die("PFM_CREATE_CONTEXT");
	fd = ctx.ctx_fd;
	if (perfmonctl(fd, PFM_WRITE_PMCS, pc, outp.pfp_pmc_count) ||
	    perfmonctl(fd, PFM_WRITE_PMDS, pd, 2))
		die("write");
	load.load_pid = getpid() + 1;
	show("another_process",
	     gave(perfmonctl(fd, PFM_LOAD_CONTEXT, &load, 1), EINVAL));
	load.load_pid = getpid();
	if (perfmonctl(fd, PFM_LOAD_CONTEXT, &load, 1) ||
	    perfmonctl(fd, PFM_START, NULL, 0))
		die("start");
	work(1);
	if (perfmonctl(fd, PFM_STOP, NULL, 0) ||
	    perfmonctl(fd, PFM_READ_PMDS, pd, 2))
		die("stop");
	show("instructions", pd[1].reg_value);
	return 0;
}

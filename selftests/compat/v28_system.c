// SPDX-License-Identifier: GPL-2.0-only
/*
 * v2.8: what a CPU executes; load_pid is the CPU, or the process as in programs that were not changed.
 */
#include "style.h"

#include <sched.h>

/* The set's flags, as the context has them then; 0 in flags: it is not described. */
static uint64_t count(uint32_t pid, uint32_t flags, uint32_t *has)
{
	pfarg_setdesc_t set;
	pfarg_setinfo_t info;
	pfarg_pmc_t pc[MAX_EVENTS];
	pfarg_pmd_t pd[MAX_EVENTS];
	pfarg_load_t load;
	pfarg_ctx_t ctx;
	int fd;

	memset(&ctx, 0, sizeof(ctx));
	memset(&load, 0, sizeof(load));
	memset(&set, 0, sizeof(set));
	memset(&info, 0, sizeof(info));
	fill(pc, pd);
	ctx.ctx_flags = PFM_FL_SYSTEM_WIDE;
	fd = pfm_create_context(&ctx, NULL, NULL, 0);
	set.set_flags = flags;
	if (fd != -1 && flags &&
	    (pfm_create_evtsets(fd, &set, 1) || pfm_getinfo_evtsets(fd, &info, 1)))
		die("set");
	*has = info.set_flags;
	if (fd == -1 || pfm_write_pmcs(fd, pc, outp.pfp_pmc_count) ||
	    pfm_write_pmds(fd, pd, outp.pfp_pmd_count))
		die("context");
	load.load_pid = pid;
	if (pfm_load_context(fd, &load) || pfm_start(fd, NULL))
		die("start");
	work(1);
	if (pfm_stop(fd) || pfm_read_pmds(fd, pd, 2) || pfm_unload_context(fd))
		die("stop");
	close(fd);
	return pd[1].reg_value;
}

int main(void)
{
	uint32_t flags, more;
	cpu_set_t cpus;

	CPU_ZERO(&cpus);
	CPU_SET(0, &cpus);
	if (sched_setaffinity(0, sizeof(cpus), &cpus))
		die("sched_setaffinity");
	choose(basics, 2, PFM_PLM0 | PFM_PLM3);
	show("instructions", count(0, 0, &flags));
	show("by_process", count(getpid(), 0, &flags) > 0);
	/* Itanium's flags: all that a program does is outside of interrupts. */
	choose(basics, 2, PFM_PLM3);
	show("outside", count(0, PFM_ITA_SETFL_EXCL_INTR, &flags) > 0);
	count(0, PFM_ITA_SETFL_INTR_ONLY, &more);
	show("sides", flags == PFM_ITA_SETFL_EXCL_INTR &&
		      more == PFM_ITA_SETFL_INTR_ONLY);
	return 0;
}

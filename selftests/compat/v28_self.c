// SPDX-License-Identifier: GPL-2.0-only
/*
 * v2.8: a thread counts what it does itself.
 */
#include "style.h"

int main(void)
{
	pfarg_pmc_t pc[MAX_EVENTS];
	pfarg_pmd_t pd[MAX_EVENTS];
	pfarg_load_t load;
	pfarg_ctx_t ctx;
	int fd;

	memset(&ctx, 0, sizeof(ctx));
	memset(&load, 0, sizeof(load));
	choose(basics, 2, PFM_PLM3);
	fill(pc, pd);
	fd = pfm_create_context(&ctx, NULL, NULL, 0);
	if (fd == -1)
		die("pfm_create_context");
	if (pfm_write_pmcs(fd, pc, outp.pfp_pmc_count) ||
	    pfm_write_pmds(fd, pd, outp.pfp_pmd_count))
		die("write");
	load.load_pid = getpid();
	if (pfm_load_context(fd, &load) || pfm_start(fd, NULL))
		die("start");
	work(1);
	if (pfm_stop(fd))
		die("stop");
	work(1);
	if (pfm_read_pmds(fd, pd, outp.pfp_pmd_count))
		die("read");
	show("cycles", pd[0].reg_value);
	show("instructions", pd[1].reg_value);
	if (pfm_start(fd, NULL))
		die("start again");
	work(1);
	if (pfm_stop(fd) || pfm_read_pmds(fd, pd, outp.pfp_pmd_count))
		die("read again");
	show("instructions_of_two", pd[1].reg_value);
	if (pfm_unload_context(fd) || pfm_unload_context(fd))
		die("unload");
	close(fd);
	return 0;
}

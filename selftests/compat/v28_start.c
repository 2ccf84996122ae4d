// SPDX-License-Identifier: GPL-2.0-only
/*
 * v2.8: monitoring begins with the set that the context was loaded with, and stays where it is, unless
 * pfm_start() names a set.
 */
#include "style.h"

int main(void)
{
	pfarg_pmc_t pc[MAX_EVENTS];
	pfarg_pmd_t pd[MAX_EVENTS], read_pd[2];
	pfarg_setdesc_t set;
	pfarg_load_t load;
	pfarg_start_t start;
	pfarg_ctx_t ctx;
	unsigned int i;
	int fd;

	memset(&ctx, 0, sizeof(ctx));
	memset(&load, 0, sizeof(load));
	memset(&set, 0, sizeof(set));
	memset(&start, 0, sizeof(start));
	memset(read_pd, 0, sizeof(read_pd));
	choose(basics + 1, 1, PFM_PLM3);
	fd = pfm_create_context(&ctx, NULL, NULL, 0);
	set.set_id = 1;
	if (fd == -1 || pfm_create_evtsets(fd, &set, 1))
		die("context");
	for (i = 0; i < 2; i++) {
		fill(pc, pd);
		pc[0].reg_set = i;
		pd[0].reg_set = i;
		read_pd[i].reg_num = pd[0].reg_num;
		read_pd[i].reg_set = i;
		if (pfm_write_pmcs(fd, pc, outp.pfp_pmc_count) ||
		    pfm_write_pmds(fd, pd, 1))
			die("write");
	}
	load.load_pid = getpid();
	load.load_set = 1;
	if (pfm_load_context(fd, &load) || pfm_start(fd, NULL))
		die("start");
	work(1);
	if (pfm_stop(fd) || pfm_read_pmds(fd, read_pd, 2))
		die("stop");
	show("other_set", read_pd[0].reg_value);
	show("instructions", read_pd[1].reg_value);
	start.start_set = 0;
	if (pfm_start(fd, &start))
		die("start with a set");
	work(1);
	if (pfm_stop(fd) || pfm_read_pmds(fd, read_pd, 2))
		die("stop again");
	show("instructions_of_set_0", read_pd[0].reg_value);
	show("instructions_as_before", read_pd[1].reg_value);
	return 0;
}

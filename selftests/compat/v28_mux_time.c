// SPDX-License-Identifier: GPL-2.0-only
/*
 * v2.8: two event sets that a timeout changes, and the estimate from the time of each.
 */
#include "style.h"

int main(void)
{
	pfarg_setdesc_t set[2];
	pfarg_setinfo_t info[2];
	pfarg_pmc_t pc[MAX_EVENTS];
	pfarg_pmd_t pd[MAX_EVENTS];
	unsigned int i, num_pmcs;
	pfarg_load_t load;
	uint64_t total;
	pfarg_ctx_t ctx;
	int fd;

	memset(&ctx, 0, sizeof(ctx));
	memset(&load, 0, sizeof(load));
	memset(set, 0, sizeof(set));
	memset(info, 0, sizeof(info));
	fd = pfm_create_context(&ctx, NULL, NULL, 0);
	if (fd == -1)
		die("pfm_create_context");
	for (i = 0; i < 2; i++) {
		set[i].set_id = i;
		set[i].set_flags = PFM_SETFL_TIME_SWITCH;
		set[i].set_timeout = 50000;
		info[i].set_id = i;
	}
	if (pfm_create_evtsets(fd, set, 2))
		die("pfm_create_evtsets");
	for (i = 0; i < 2; i++) {
		choose(basics + i, 1, PFM_PLM3);
		fill(pc, pd);
		num_pmcs = outp.pfp_pmc_count;
		pc[0].reg_set = i;
		pd[0].reg_set = i;
		if (pfm_write_pmcs(fd, pc, num_pmcs) ||
		    pfm_write_pmds(fd, pd, 1))
			die("write");
	}
	load.load_pid = getpid();
	if (pfm_load_context(fd, &load) || pfm_start(fd, NULL))
		die("start");
	work(8);
	if (pfm_stop(fd) || pfm_getinfo_evtsets(fd, info, 2))
		die("stop");
	show("runs_differ_at_most_by_one",
	     info[0].set_runs - info[1].set_runs + 1 <= 2);
	show("switched", info[0].set_runs > 2);
	if (pfm_read_pmds(fd, pd, 1))
		die("read");
	total = info[0].set_act_duration + info[1].set_act_duration;
	show("instructions", (uint64_t)((double)pd[0].reg_value * total /
					info[1].set_act_duration));
	show("set_available", info[0].set_avail_pmds[0] >> pd[0].reg_num & 1);
	return 0;
}

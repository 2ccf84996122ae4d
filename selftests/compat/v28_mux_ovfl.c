// SPDX-License-Identifier: GPL-2.0-only
/*
 * v2.8: two event sets, of which overflows of a counter change the first.
 */
#include "style.h"

#define PERIOD 10000ULL

int main(void)
{
	pfarg_setdesc_t set[2];
	pfarg_setinfo_t info[2];
	pfarg_pmc_t pc[MAX_EVENTS];
	pfarg_pmd_t pd[MAX_EVENTS], left;
	pfarg_load_t load;
	pfarg_ctx_t ctx;
	unsigned int i;
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
		set[i].set_flags = PFM_SETFL_OVFL_SWITCH;
		info[i].set_id = i;
	}
	if (pfm_create_evtsets(fd, set, 2))
		die("pfm_create_evtsets");
	for (i = 0; i < 2; i++) {
		choose(basics + 1, 1, PFM_PLM3);
		fill(pc, pd);
		pc[0].reg_set = i;
		pd[0].reg_set = i;
		pd[0].reg_value = -PERIOD;
		pd[0].reg_long_reset = -PERIOD;
		pd[0].reg_short_reset = -PERIOD;
		pd[0].reg_ovfl_switch_cnt = 2;
		if (pfm_write_pmcs(fd, pc, outp.pfp_pmc_count) ||
		    pfm_write_pmds(fd, pd, 1))
			die("write");
	}
	load.load_pid = getpid();
	if (pfm_load_context(fd, &load) || pfm_start(fd, NULL))
		die("start");
	work(8);
	if (pfm_stop(fd) || pfm_getinfo_evtsets(fd, info, 2))
		die("stop");
	left = pd[0];
	if (pfm_read_pmds(fd, &left, 1))
		die("read");
	show("left_at_most", left.reg_ovfl_switch_cnt <= 2);
	show("switched", info[0].set_runs > 2 && info[1].set_runs > 1);
	show("runs", info[0].set_runs + info[1].set_runs);
	return 0;
}

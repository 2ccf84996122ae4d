// SPDX-License-Identifier: GPL-2.0-only
/*
 * v2.2: sets with timeouts in microseconds, and with a next set that is named.
 */
#include "style.h"

int main(void)
{
	pfarg_setdesc_t set[3];
	pfarg_setinfo_t info[3];
	pfarg_pmc_t pc[MAX_EVENTS];
	pfarg_pmd_t pd[MAX_EVENTS];
	pfarg_load_t load;
	pfarg_ctx_t ctx;
	unsigned int i;
	int fd;

	memset(&ctx, 0, sizeof(ctx));
	memset(&load, 0, sizeof(load));
	memset(set, 0, sizeof(set));
	memset(info, 0, sizeof(info));
	choose(basics + 1, 1, PFM_PLM3);
	if (pfm_create_context(&ctx, NULL, 0) == -1)
		die("pfm_create_context");
	fd = ctx.ctx_fd;
	/* 0, 2, 1, and then 0 again. */
	for (i = 0; i < 3; i++) {
		set[i].set_id = i;
		set[i].set_id_next = (i + 2) % 3;
		set[i].set_flags = PFM_SETFL_TIME_SWITCH | PFM_SETFL_EXPL_NEXT;
		set[i].set_timeout = 50;
		info[i].set_id = i;
	}
	if (pfm_create_evtsets(fd, set, 3))
		die("pfm_create_evtsets");
	for (i = 0; i < 3; i++) {
		fill(pc, pd);
		pc[0].reg_set = i;
		pd[0].reg_set = i;
		if (pfm_write_pmcs(fd, pc, outp.pfp_pmc_count) ||
		    pfm_write_pmds(fd, pd, 1))
			die("write");
	}
	load.load_pid = getpid();
	if (pfm_load_context(fd, &load) || pfm_start(fd, NULL))
		die("start");
	work(8);
	if (pfm_stop(fd) || pfm_getinfo_evtsets(fd, info, 3))
		die("stop");
	show("ran", info[0].set_runs > 1);
	show("order", info[2].set_runs >= info[1].set_runs);
	show("microseconds",
	     info[0].set_timeout <= 50 && info[1].set_timeout <= 50);
	return 0;
}

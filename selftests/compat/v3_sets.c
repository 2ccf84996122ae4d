// SPDX-License-Identifier: GPL-2.0-only
/*
 * v3: sets that a timeout changes.
 */
#include "style.h"

int main(void)
{
	pfarg_set_desc_t set[2];
	pfarg_set_info_t info[2];
	pfarg_pmr_t pc[MAX_EVENTS], pd;
	unsigned int i, k;
	int fd;

	memset(set, 0, sizeof(set));
	memset(info, 0, sizeof(info));
	memset(&pd, 0, sizeof(pd));
	memset(pc, 0, sizeof(pc));
	choose(basics + 1, 1, PFM_PLM3);
	fd = pfm_create(0, NULL);
	for (i = 0; i < 2; i++) {
		set[i].set_id = i;
		set[i].set_flags = PFM_SETFL_TIME_SWITCH;
		set[i].set_timeout = 50000;
		info[i].set_id = i;
	}
	if (fd == -1 || pfm_create_sets(fd, 0, set, sizeof(set)))
		die("pfm_create_sets");
	for (i = 0; i < 2; i++) {
		for (k = 0; k < outp.pfp_pmc_count; k++) {
			pc[k].reg_num = outp.pfp_pmcs[k].reg_num;
			pc[k].reg_value = outp.pfp_pmcs[k].reg_value;
			pc[k].reg_set = i;
		}
		pd.reg_num = outp.pfp_pmds[0].reg_num;
		pd.reg_set = i;
		if (pfm_write(fd, 0, PFM_RW_PMC, pc,
			      outp.pfp_pmc_count * sizeof(*pc)) ||
		    pfm_write(fd, 0, PFM_RW_PMD, &pd, sizeof(pd)))
			die("pfm_write");
	}
	if (pfm_attach(fd, 0, getpid()) || pfm_set_state(fd, 0, PFM_ST_START))
		die("start");
	work(8);
	if (pfm_set_state(fd, 0, PFM_ST_STOP) ||
	    pfm_getinfo_sets(fd, 0, info, sizeof(info)))
		die("stop");
	show("switched", info[0].set_runs > 1 && info[1].set_runs > 1);
	show("size", gave(pfm_getinfo_sets(fd, 0, info, 7), EINVAL));
	return 0;
}

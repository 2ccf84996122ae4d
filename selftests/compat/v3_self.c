// SPDX-License-Identifier: GPL-2.0-only
/*
 * v3: a thread counts what it does itself, and keeps its attributes when it writes values.
 */
#include "style.h"

int main(void)
{
	pfarg_pmr_t pc[MAX_EVENTS], pd[MAX_EVENTS];
	pfarg_sinfo_t info;
	unsigned int i;
	int fd;

	memset(pc, 0, sizeof(pc));
	memset(pd, 0, sizeof(pd));
	choose(basics, 2, PFM_PLM3);
	fd = pfm_create(0, &info);
	if (fd == -1)
		die("pfm_create");
	for (i = 0; i < outp.pfp_pmc_count; i++) {
		pc[i].reg_num = outp.pfp_pmcs[i].reg_num;
		pc[i].reg_value = outp.pfp_pmcs[i].reg_value;
	}
	for (i = 0; i < 2; i++) {
		pd[i].reg_num = outp.pfp_pmds[i].reg_num;
		if (!(info.sif_avail_pmds[0] >> pd[i].reg_num & 1))
			die("a register that is not available");
	}
	if (pfm_write(fd, 0, PFM_RW_PMC, pc,
		      outp.pfp_pmc_count * sizeof(*pc)) ||
	    pfm_write(fd, 0, PFM_RW_PMD, pd, 2 * sizeof(*pd)))
		die("pfm_write");
	show("attach_flags", gave(pfm_attach(fd, 1, getpid()), EINVAL));
	if (pfm_attach(fd, 0, getpid()) || pfm_set_state(fd, 0, PFM_ST_START))
		die("start");
	work(1);
	if (pfm_set_state(fd, 0, PFM_ST_STOP) ||
	    pfm_read(fd, 0, PFM_RW_PMD, pd, 2 * sizeof(*pd)))
		die("stop");
	show("cycles", pd[0].reg_value);
	show("instructions", pd[1].reg_value);
	show("state", gave(pfm_set_state(fd, 0, 9), EINVAL));
	show("type",
	     gave(pfm_read(fd, 0, PFM_RW_PMC, pc, sizeof(*pc)), EINVAL));
	show("size", gave(pfm_read(fd, 0, PFM_RW_PMD, pd, 5), EINVAL));
	if (pfm_attach(fd, 0, PFM_NO_TARGET))
		die("detach");
	return 0;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Numbers of perfmon2 typed in: PMC16 and PMD16 to 18 are the fixed counters of Intel.
 */
#include "style.h"

int main(void)
{
	pfarg_pmd_t pd[3];
	pfarg_load_t load;
	pfarg_ctx_t ctx;
	pfarg_pmc_t pc;
	pfarg_reg_t reg;
	int fd, i;

	memset(&ctx, 0, sizeof(ctx));
	memset(&load, 0, sizeof(load));
	memset(&pc, 0, sizeof(pc));
	memset(pd, 0, sizeof(pd));
	memset(&reg, 0, sizeof(reg));
	reg.reg_num = 16;
	reg.reg_value = 1;
	pc.reg_num = 16;
	pc.reg_value = 0xaa;
	for (i = 0; i < 3; i++)
		pd[i].reg_num = 16 + i;
	fd = pfm_create_context(&ctx, NULL, NULL, 0);
	if (fd == -1)
		die("pfm_create_context");
	if (pfm_write_pmcs(fd, &pc, 1)) {
		/* No Intel. */
		show("no_fixed_counters", errno == EINVAL);
		return 0;
	}
	if (perfmonctl(0, PFM_GET_PMC_RESET_VAL, &reg, 1))
		die("PFM_GET_PMC_RESET_VAL");
	show("default", reg.reg_value);
	if (pfm_write_pmds(fd, pd, 2))
		die("write");
	load.load_pid = getpid();
	if (pfm_load_context(fd, &load) || pfm_start(fd, NULL))
		die("start");
	work(1);
	pc.reg_value = 0xa0;
	if (pfm_stop(fd) || pfm_write_pmcs(fd, &pc, 1) || pfm_start(fd, NULL))
		die("instructions off");
	work(1);
	if (pfm_stop(fd) || pfm_read_pmds(fd, pd, 2))
		die("stop");
	show("instructions", pd[0].reg_value);
	show("cycles_of_two", pd[1].reg_value);
	show("not_used", gave(pfm_read_pmds(fd, &pd[2], 1), EINVAL));
	return 0;
}

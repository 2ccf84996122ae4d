// SPDX-License-Identifier: GPL-2.0-only
/*
 * v3: the default format, with the long record of a PMD.
 */
#include "style.h"

int main(void)
{
	pfarg_pmd_attr_t attr;
	pfm_dfl_smpl_arg_t arg;
	pfm_dfl_smpl_hdr_t *hdr;
	pfarg_pmr_t pc[MAX_EVENTS], pd;
	unsigned int i;
	int fd;

	memset(&arg, 0, sizeof(arg));
	memset(&attr, 0, sizeof(attr));
	memset(&pd, 0, sizeof(pd));
	memset(pc, 0, sizeof(pc));
	choose(basics + 1, 1, PFM_PLM3);
	arg.buf_size = 65536;
	show("unknown_format",
	     gave(pfm_create(PFM_FL_SMPL_FMT, NULL, "pebs", &arg, sizeof(arg)),
		  EINVAL));
	fd = pfm_create(PFM_FL_SMPL_FMT, NULL, "default", &arg, sizeof(arg));
	if (fd == -1)
		die("pfm_create");
	hdr = mmap(NULL, arg.buf_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (hdr == MAP_FAILED)
		die("mmap");
	for (i = 0; i < outp.pfp_pmc_count; i++) {
		pc[i].reg_num = outp.pfp_pmcs[i].reg_num;
		pc[i].reg_value = outp.pfp_pmcs[i].reg_value;
	}
	attr.reg_num = outp.pfp_pmds[0].reg_num;
	attr.reg_flags = PFM_REGFL_OVFL_NOTIFY;
	attr.reg_value = -5000ULL;
	attr.reg_long_reset = -10000ULL;
	attr.reg_short_reset = -10000ULL;
	pd.reg_num = attr.reg_num;
	pd.reg_value = -10000ULL;
	if (pfm_write(fd, 0, PFM_RW_PMC, pc,
		      outp.pfp_pmc_count * sizeof(*pc)) ||
	    pfm_write(fd, 0, PFM_RW_PMD_ATTR, &attr, sizeof(attr)) ||
	    pfm_write(fd, 0, PFM_RW_PMD, &pd, sizeof(pd)))
		die("pfm_write");
	if (pfm_attach(fd, 0, getpid()) || pfm_set_state(fd, 0, PFM_ST_START))
		die("start");
	work(5);
	if (pfm_set_state(fd, 0, PFM_ST_STOP) ||
	    pfm_read(fd, 0, PFM_RW_PMD_ATTR, &attr, sizeof(attr)))
		die("stop");
	show("samples", hdr->hdr_count);
	show("last_value", -attr.reg_last_value);
	return 0;
}

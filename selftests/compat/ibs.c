// SPDX-License-Identifier: GPL-2.0-only
/*
 * libpfm 3 and v2.8: instruction-based sampling of AMD's processors, by PMC5 or its number of today.
 */
#include "style.h"

#include <perfmon/pfmlib_amd64.h>

#define MAXCNT 0x200

int main(void)
{
	static pfmlib_output_param_t out;
	pfmlib_amd64_output_param_t model_out;
	pfmlib_amd64_input_param_t model;
	pfm_dfl_smpl_entry_t *entry;
	pfm_dfl_smpl_arg_t arg;
	pfm_dfl_smpl_hdr_t *hdr;
	unsigned int i, base, wrong = 0;
	pfarg_load_t load;
	pfarg_ctx_t ctx;
	pfarg_pmc_t pc;
	pfarg_pmd_t pd;
	int fd, ret;

	memset(&model, 0, sizeof(model));
	memset(&ctx, 0, sizeof(ctx));
	memset(&arg, 0, sizeof(arg));
	memset(&load, 0, sizeof(load));
	memset(&pc, 0, sizeof(pc));
	memset(&pd, 0, sizeof(pd));
	if (pfm_initialize())
		die("pfm_initialize");
	model.flags = PFMLIB_AMD64_USE_IBSOP;
	model.ibsop.maxcnt = MAXCNT;
	ret = pfm_dispatch_events(NULL, &model, &out, &model_out);
	if (ret == PFMLIB_ERR_NOTSUPP || ret == PFMLIB_ERR_INVAL) {
		show("no_ibs", 1);
		return 0;
	}
	base = model_out.ibsop_base;
	pc.reg_num = out.pfp_pmcs[0].reg_num;
	pc.reg_value = out.pfp_pmcs[0].reg_value;
	pd.reg_num = out.pfp_pmds[base].reg_num;
	pd.reg_flags = PFM_REGFL_OVFL_NOTIFY;
	for (i = 1; i < out.pfp_pmd_count; i++)
		bit_set(pd.reg_smpl_pmds, out.pfp_pmds[base + i].reg_num);
	arg.buf_size = 65536;
	fd = pfm_create_context(&ctx, (char *)"default", &arg, sizeof(arg));
	if (fd == -1)
		die("pfm_create_context");
	hdr = mmap(NULL, arg.buf_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (hdr == MAP_FAILED || pfm_write_pmcs(fd, &pc, 1) ||
	    pfm_write_pmds(fd, &pd, 1))
		die("write");
	load.load_pid = getpid();
	if (pfm_load_context(fd, &load) || pfm_start(fd, NULL))
		die("start");
	work(2);
	if (pfm_stop(fd))
		die("stop");
	entry = (pfm_dfl_smpl_entry_t *)(hdr + 1);
	for (i = 0; i < hdr->hdr_count; i++) {
		uint64_t *values = (uint64_t *)(entry + 1);

		if (entry->ovfl_pmd != pd.reg_num ||
		    -entry->last_reset_val != MAXCNT * 16)
			wrong++;
		if (!i)
			show("rip", values[0]);
		entry = (pfm_dfl_smpl_entry_t *)(values + out.pfp_pmd_count -
						 1);
	}
	show("samples", hdr->hdr_count);
	show("wrong", wrong);
	return 0;
}

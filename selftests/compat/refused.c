// SPDX-License-Identifier: GPL-2.0-only
/*
 * Calls of each generation that cannot be served: the program compiles, and is told so.
 */
#include "style.h"

#include <perfmon/perfmon_default_smpl.h>
#include <perfmon/perfmon_pebs_core_smpl.h>
#include <perfmon/perfmon_pebs_p4_smpl.h>
#include <perfmon/perfmon_pebs_smpl.h>
#include <perfmon/pfmlib_core.h>
#include <perfmon/pfmlib_intel_atom.h>
#include <perfmon/pfmlib_intel_nhm.h>

/* Debug registers, obsolete commands, sets and foreign formats of v2.0 */
static void of_v20(void)
{
	pfm_default_smpl_ctx_arg_t whole;
	pfarg_context_t ctx;
	pfarg_dbreg_t debug[2];
	pfarg_reg_t reg;
	int i, wrong = 0;
	static const int obsolete[] = { 6, 7, 9, 0xb, 0xe };

	memset(debug, 0, sizeof(debug));
	memset(&reg, 0, sizeof(reg));
	memset(&ctx, 0, sizeof(ctx));
	memset(&whole, 0, sizeof(whole));
	show("ibrs", gave(perfmonctl(0, PFM_WRITE_IBRS, debug, 2), ENOSYS));
	show("dbrs", gave(perfmonctl(0, PFM_WRITE_DBRS, debug, 2), ENOSYS));
	for (i = 0; i < 5; i++)
		wrong += !gave(perfmonctl(0, obsolete[i], &reg, 1), EINVAL);
	show("obsolete_wrong", wrong);
	ctx.ctx_nextra_sets = 1;
	show("extra_sets",
	     gave(perfmonctl(0, PFM_CREATE_CONTEXT, &ctx, 1), EINVAL));
	whole.ctx_arg.ctx_smpl_buf_id[0] = 1;
	whole.buf_arg.buf_size = 65536;
	show("other_uuid",
	     gave(perfmonctl(0, PFM_CREATE_CONTEXT, &whole, 1), EINVAL));
}

/* Views of sets of v2.2; flags, formats and counters of fewer bits of v2.8 */
static void of_v2x(void)
{
	pfm_pebs_core_smpl_arg_t pebs_core;
	pfm_pebs_p4_smpl_arg_t pebs_p4;
	pfm_pebs_smpl_arg_t pebs;
	pfarg_setdesc_t set;
	pfarg_ctx_t ctx;
	pfarg_pmc_t pc;
	int fd;

	memset(&ctx, 0, sizeof(ctx));
	memset(&pebs, 0, sizeof(pebs));
	memset(&pebs_core, 0, sizeof(pebs_core));
	memset(&pebs_p4, 0, sizeof(pebs_p4));
	memset(&set, 0, sizeof(set));
	memset(&pc, 0, sizeof(pc));
	ctx.ctx_flags = PFM_FL_MAP_SETS;
	show("mapped_sets",
	     gave(perfmonctl(0, PFM_CREATE_CONTEXT, &ctx, 1), ENOSYS));
	ctx.ctx_flags = 1U << 16;
	show("other_flag",
	     gave(pfm_create_context(&ctx, NULL, NULL, 0), EINVAL));
	ctx.ctx_flags = 0;
	show("pebs", gave(pfm_create_context(&ctx, PFM_PEBS_SMPL_NAME, &pebs,
					     sizeof(pebs)),
			  EINVAL));
	show("pebs_core",
	     gave(pfm_create_context(&ctx, PFM_PEBS_CORE_SMPL_NAME, &pebs_core,
				     sizeof(pebs_core)),
		  EINVAL));
	show("pebs_p4", gave(pfm_create_context(&ctx, PFM_PEBS_P4_SMPL_NAME,
						&pebs_p4, sizeof(pebs_p4)),
			     EINVAL));
	fd = pfm_create_context(&ctx, NULL, NULL, 0);
	if (fd < 0)
		die("pfm_create_context");
	pc.reg_flags = PFM_REGFL_NO_EMUL64;
	show("fewer_bits", gave(pfm_write_pmcs(fd, &pc, 1), EINVAL));
	set.set_id = 1;
	set.set_flags = PFM_SETFL_EXPL_NEXT;
	show("next_set", gave(pfm_create_evtsets(fd, &set, 1), EINVAL));
	set.set_flags = PFM_ITA_SETFL_EXCL_INTR | PFM_ITA_SETFL_INTR_ONLY;
	show("both_sides", gave(pfm_create_evtsets(fd, &set, 1), EINVAL));
	set.set_flags = PFM_ITA_SETFL_EXCL_INTR;
	show("thread_side", gave(pfm_create_evtsets(fd, &set, 1), EINVAL));
	show("set_0",
	     (set.set_id = 0, gave(pfm_delete_evtsets(fd, &set, 1), EINVAL)));
	close(fd);
}

/* PEBS, LBR and other processors of libpfm 3 */
static void of_libpfm(void)
{
	pfmlib_nhm_input_param_t nhm;
	pfmlib_event_t event;
	char *text = NULL;
	int type;

	memset(&nhm, 0, sizeof(nhm));
	choose(basics, 1, PFM_PLM3);
	event = inp.pfp_events[0];
	show("is_pebs", pfm_core_is_pebs(&event) || pfm_nhm_is_pebs(&event) ||
				pfm_intel_atom_has_pebs(&event));
	show("data_source",
	     pfm_nhm_data_src_desc(0, &text) == PFMLIB_ERR_NOTSUPP);
	if (pfm_get_pmu_type(&type) != PFMLIB_SUCCESS)
		die("pfm_get_pmu_type");
	show("other_processor",
	     pfm_force_pmu(PFMLIB_MONTECITO_PMU) == PFMLIB_ERR_NOTSUPP &&
		     pfm_force_pmu(type) == PFMLIB_SUCCESS);
	if (type == PFMLIB_AMD64_PMU || type == PFMLIB_ARMV8_PMU)
		return;
	nhm.pfp_nhm_pebs.pebs_used = 1;
	if (pfm_dispatch_events(&inp, &nhm, &outp, NULL) != PFMLIB_ERR_NOTSUPP)
		printf("failed: PEBS is not refused\n");
	nhm.pfp_nhm_pebs.pebs_used = 0;
	nhm.pfp_nhm_lbr.lbr_used = 1;
	if (pfm_dispatch_events(&inp, &nhm, &outp, NULL) != PFMLIB_ERR_NOTSUPP)
		printf("failed: LBR is not refused\n");
}

int main(void)
{
	of_v20();
	of_v2x();
	of_libpfm();
	return 0;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * The self-monitoring program of the slides of perfmon2: libpfm 2, and perfmonctl() of v2.0.
 */
#include "style.h"

int main(void)
{
	static pfmlib_input_param_t in;
	static pfmlib_output_param_t out;
	pfarg_reg_t pc[4], pd[4];
	pfarg_context_t context;
	pfarg_load_t where;
	unsigned int i;

	memset(pc, 0, sizeof(pc));
	memset(pd, 0, sizeof(pd));
	memset(&context, 0, sizeof(context));
	memset(&where, 0, sizeof(where));
	if (pfm_initialize())
		die("pfm_initialize");
	if (pfm_find_event("CPU_CYCLES", &in.pfp_events[0]))
		die("pfm_find_event");
	in.pfp_plm = PFM_PLM3;
	in.pfp_count = 1;
	if (pfm_dispatch_events(&in, NULL, &out))
		die("pfm_dispatch_events");
	for (i = 0; i < out.pfp_pc_count; i++) {
		pc[i].reg_num = out.pfp_pc[i].reg_num;
		pc[i].reg_value = out.pfp_pc[i].reg_value;
	}
	pd[0].reg_num = out.pfp_pd[0].reg_num;
	if (perfmonctl(0, PFM_CREATE_CONTEXT, &context, 1) ||
	    perfmonctl(context.ctx_fd, PFM_WRITE_PMCS, pc, out.pfp_pc_count) ||
	    perfmonctl(context.ctx_fd, PFM_WRITE_PMDS, pd, 1))
		die("context");
	where.load_pid = getpid();
	if (perfmonctl(context.ctx_fd, PFM_LOAD_CONTEXT, &where, 1) ||
	    perfmonctl(context.ctx_fd, PFM_START, NULL, 0))
		die("start");
	work(1);
	if (perfmonctl(context.ctx_fd, PFM_STOP, NULL, 0) ||
	    perfmonctl(context.ctx_fd, PFM_READ_PMDS, pd, 1))
		die("stop");
	show("cycles", pd[0].reg_value);
	close(context.ctx_fd);
	return 0;
}

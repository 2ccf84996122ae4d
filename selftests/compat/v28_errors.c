// SPDX-License-Identifier: GPL-2.0-only
/*
 * v2.8: what is refused, and with which error.
 */
#include "style.h"

int main(void)
{
	pfarg_pmc_t pc[MAX_EVENTS];
	pfarg_pmd_t pd[MAX_EVENTS];
	pfarg_setdesc_t set;
	pfarg_load_t load;
	pfarg_start_t start;
	pfarg_ctx_t ctx;
	pfarg_pmc_t none;
	int fd, file;

	memset(&ctx, 0, sizeof(ctx));
	memset(&load, 0, sizeof(load));
	memset(&none, 0, sizeof(none));
	memset(&set, 0, sizeof(set));
	memset(&start, 0, sizeof(start));
	choose(basics, 2, PFM_PLM3);
	fill(pc, pd);
	fd = pfm_create_context(&ctx, NULL, NULL, 0);
	if (fd == -1)
		die("pfm_create_context");
	none.reg_num = 300;
	show("no_such_pmc", gave(pfm_write_pmcs(fd, &none, 1), EINVAL));
	show("read_unused", gave(pfm_read_pmds(fd, pd, 1), EINVAL));
	show("start_unloaded", gave(pfm_start(fd, NULL), EINVAL));
	show("stop_unloaded", gave(pfm_stop(fd), EINVAL));
	show("restart_unloaded", gave(pfm_restart(fd), EBUSY));
	if (pfm_write_pmcs(fd, pc, outp.pfp_pmc_count) ||
	    pfm_write_pmds(fd, pd, outp.pfp_pmd_count))
		die("write");
	load.load_pid = getpid();
	load.load_set = 3;
	show("load_without_set", gave(pfm_load_context(fd, &load), EINVAL));
	load.load_set = 0;
	if (pfm_load_context(fd, &load))
		die("load");
	show("load_twice", gave(pfm_load_context(fd, &load), EBUSY));
	show("sets_while_loaded", gave(pfm_create_evtsets(fd, &set, 1), EBUSY));
	start.start_set = 2;
	show("start_without_set", gave(pfm_start(fd, &start), EINVAL));
	show("rewrite_while_loaded",
	     !pfm_write_pmds(fd, pd, outp.pfp_pmd_count));
	pd[0].reg_flags = PFM_REGFL_OVFL_NOTIFY;
	show("attributes_while_loaded", gave(pfm_write_pmds(fd, pd, 1), EBUSY));
	file = dup(1);
	show("not_a_context", gave(pfm_start(file, NULL), EBADF) ||
				      gave(pfm_start(file, NULL), EINVAL));
	show("bad_descriptor", gave(pfm_stop(-1), EBADF));
	show("size_of_message", gave(read(fd, &none, 8), EINVAL));
	return 0;
}

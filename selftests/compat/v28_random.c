// SPDX-License-Identifier: GPL-2.0-only
/*
 * v2.8: periods that are randomised, each as last_reset_val tells.
 */
#include "style.h"

#define PERIOD 10000ULL
#define MASK   0xfffULL

int main(void)
{
	unsigned int i, wrong = 0, different = 0;
	pfarg_pmc_t pc[MAX_EVENTS];
	pfarg_pmd_t pd[MAX_EVENTS];
	pfm_dfl_smpl_entry_t *entry;
	pfm_dfl_smpl_arg_t arg;
	pfm_dfl_smpl_hdr_t *hdr;
	pfarg_load_t load;
	pfarg_ctx_t ctx;
	int fd;

	memset(&ctx, 0, sizeof(ctx));
	memset(&arg, 0, sizeof(arg));
	memset(&load, 0, sizeof(load));
	choose(basics + 1, 1, PFM_PLM3);
	fill(pc, pd);
	arg.buf_size = 65536;
	fd = pfm_create_context(&ctx, (char *)"default", &arg, sizeof(arg));
	if (fd == -1)
		die("pfm_create_context");
	hdr = mmap(NULL, arg.buf_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (hdr == MAP_FAILED)
		die("mmap");
	pd[0].reg_flags = PFM_REGFL_OVFL_NOTIFY | PFM_REGFL_RANDOM;
	pd[0].reg_value = -PERIOD;
	pd[0].reg_long_reset = -PERIOD;
	pd[0].reg_short_reset = -PERIOD;
	pd[0].reg_random_mask = MASK;
	pd[0].reg_random_seed = 5;
	if (pfm_write_pmcs(fd, pc, outp.pfp_pmc_count) ||
	    pfm_write_pmds(fd, pd, 1))
		die("write");
	load.load_pid = getpid();
	if (pfm_load_context(fd, &load) || pfm_start(fd, NULL))
		die("start");
	work(20);
	if (pfm_stop(fd) || pfm_read_pmds(fd, pd, 1))
		die("stop");
	entry = (pfm_dfl_smpl_entry_t *)(hdr + 1);
	for (i = 0; i < hdr->hdr_count; i++, entry++) {
		if (-entry->last_reset_val - PERIOD > MASK)
			wrong++;
		if (i && entry->last_reset_val != entry[-1].last_reset_val)
			different++;
	}
	show("sampled", hdr->hdr_count > 50);
	show("out_of_range", wrong);
	show("random", different > hdr->hdr_count / 2);
	show("last_reset_of_read", -pd[0].reg_last_reset_val - PERIOD <= MASK);
	return 0;
}

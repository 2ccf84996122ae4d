// SPDX-License-Identifier: GPL-2.0-only
/*
 * v2.8: samples of the thread itself, read when it has stopped and the buffer is not full.
 */
#include "style.h"

#define PERIOD 10000ULL

int main(void)
{
	pfarg_pmc_t pc[MAX_EVENTS];
	pfarg_pmd_t pd[MAX_EVENTS];
	pfm_dfl_smpl_entry_t *entry;
	pfm_dfl_smpl_arg_t arg;
	pfm_dfl_smpl_hdr_t *hdr;
	unsigned int i, wrong = 0;
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
	pd[0].reg_flags = PFM_REGFL_OVFL_NOTIFY;
	pd[0].reg_value = -PERIOD;
	pd[0].reg_long_reset = -PERIOD;
	pd[0].reg_short_reset = -PERIOD;
	if (pfm_write_pmcs(fd, pc, outp.pfp_pmc_count) ||
	    pfm_write_pmds(fd, pd, outp.pfp_pmd_count))
		die("write");
	/* Mapped after the registers were written, which some programs do. */
	hdr = mmap(NULL, arg.buf_size, PROT_READ, MAP_SHARED, fd, 0);
	if (hdr == MAP_FAILED)
		die("mmap");
	load.load_pid = getpid();
	if (pfm_load_context(fd, &load) || pfm_start(fd, NULL))
		die("start");
	work(5);
	if (pfm_stop(fd))
		die("stop");
	entry = (pfm_dfl_smpl_entry_t *)(hdr + 1);
	for (i = 0; i < hdr->hdr_count; i++, entry++)
		if (entry->ovfl_pmd != pd[0].reg_num ||
		    entry->tgid != (uint32_t)getpid())
			wrong++;
	show("samples", hdr->hdr_count);
	show("wrong", wrong);
	show("buffer_overflows", hdr->hdr_overflows);
	show("size", hdr->hdr_buf_size == arg.buf_size);
	return 0;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * v2.8: the default format, with another counter in each sample and reset with it.
 */
#include "style.h"

#define PERIOD	10000ULL
#define ENTRIES 100

int main(void)
{
	unsigned long samples = 0, overflows = 0, wrong = 0;
	pfarg_pmc_t pc[MAX_EVENTS];
	pfarg_pmd_t pd[MAX_EVENTS];
	pfm_dfl_smpl_entry_t *entry;
	pfm_dfl_smpl_arg_t arg;
	pfm_dfl_smpl_hdr_t *hdr;
	uint64_t other = 0;
	pfarg_load_t load;
	pfarg_ctx_t ctx;
	pfarg_msg_t msg;
	int fd, go[2];
	unsigned int i;
	pid_t pid;
	char byte;

	memset(&ctx, 0, sizeof(ctx));
	memset(&arg, 0, sizeof(arg));
	memset(&load, 0, sizeof(load));
	choose(basics, 2, PFM_PLM3);
	fill(pc, pd);
	if (pipe(go))
		die("pipe");
	pid = fork();
	if (!pid) {
		if (read(go[0], &byte, 1) != 1)
			_exit(1);
		work(50);
		_exit(0);
	}
	/* Blocked while its samples are read, the child misses none. */
	ctx.ctx_flags = PFM_FL_NOTIFY_BLOCK;
	arg.buf_size = sizeof(*hdr) + ENTRIES * (sizeof(*entry) + 8) + 4096;
	fd = pfm_create_context(&ctx, (char *)PFM_DFL_SMPL_NAME, &arg,
				sizeof(arg));
	if (fd == -1)
		die("pfm_create_context");
	hdr = mmap(NULL, arg.buf_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (hdr == MAP_FAILED)
		die("mmap");
	/* Instructions sample, cycles are in the samples. */
	pd[1].reg_flags = PFM_REGFL_OVFL_NOTIFY;
	pd[1].reg_value = -PERIOD;
	pd[1].reg_long_reset = -PERIOD;
	pd[1].reg_short_reset = -PERIOD;
	bit_set(pd[1].reg_smpl_pmds, pd[0].reg_num);
	bit_set(pd[1].reg_reset_pmds, pd[0].reg_num);
	if (pfm_write_pmcs(fd, pc, outp.pfp_pmc_count) ||
	    pfm_write_pmds(fd, pd, outp.pfp_pmd_count))
		die("write");
	load.load_pid = pid;
	if (pfm_load_context(fd, &load) || pfm_start(fd, NULL) ||
	    write(go[1], "", 1) != 1)
		die("start");
	do {
		if (read(fd, &msg, sizeof(msg)) != sizeof(msg))
			die("message");
		if (msg.type == PFM_MSG_OVFL &&
		    !(msg.pfm_ovfl_msg.msg_ovfl_pmds[0] >> pd[1].reg_num & 1))
			wrong++;
		entry = (pfm_dfl_smpl_entry_t *)(hdr + 1);
		for (i = 0; i < hdr->hdr_count; i++) {
			uint64_t *value = (uint64_t *)(entry + 1);

			if (entry->pid != (uint32_t)pid ||
			    entry->ovfl_pmd != pd[1].reg_num ||
			    entry->last_reset_val != -PERIOD)
				wrong++;
			other += *value;
			samples++;
			entry = (pfm_dfl_smpl_entry_t *)(value + 1);
		}
		overflows = hdr->hdr_overflows;
		if (msg.type == PFM_MSG_OVFL && pfm_restart(fd))
			die("restart");
	} while (msg.type != PFM_MSG_END);
	show("samples", samples);
	show("buffer_overflows", overflows);
	show("cycles_a_sample", other / samples);
	show("wrong", wrong);
	waitpid(pid, NULL, 0);
	return 0;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * v2.8: a child blocks at each overflow until its parent restarts it.
 */
#include "style.h"

#define PERIOD 50000ULL

int main(void)
{
	pfarg_pmc_t pc[MAX_EVENTS];
	pfarg_pmd_t pd[MAX_EVENTS];
	unsigned int notifications = 0;
	pfarg_load_t load;
	pfarg_ctx_t ctx;
	pfarg_msg_t msg;
	int fd, go[2];
	pid_t pid;
	char byte;

	memset(&ctx, 0, sizeof(ctx));
	memset(&load, 0, sizeof(load));
	choose(basics + 1, 1, PFM_PLM3);
	fill(pc, pd);
	if (pipe(go))
		die("pipe");
	pid = fork();
	if (!pid) {
		if (read(go[0], &byte, 1) != 1)
			_exit(1);
		work(4);
		_exit(0);
	}
	ctx.ctx_flags = PFM_FL_NOTIFY_BLOCK;
	fd = pfm_create_context(&ctx, NULL, NULL, 0);
	pd[0].reg_flags = PFM_REGFL_OVFL_NOTIFY;
	pd[0].reg_value = -PERIOD;
	pd[0].reg_long_reset = -PERIOD;
	pd[0].reg_short_reset = -PERIOD;
	if (fd == -1 || pfm_write_pmcs(fd, pc, outp.pfp_pmc_count) ||
	    pfm_write_pmds(fd, pd, outp.pfp_pmd_count))
		die("context");
	load.load_pid = pid;
	if (pfm_load_context(fd, &load) || pfm_start(fd, NULL))
		die("start");
	show("nothing_owed", gave(pfm_restart(fd), EBUSY));
	if (write(go[1], "", 1) != 1)
		die("go");
	while (read(fd, &msg, sizeof(msg)) == sizeof(msg) &&
	       msg.type == PFM_MSG_OVFL) {
		/* The thread id is in the field that is called pid. */
		if (msg.pfm_ovfl_msg.msg_ovfl_pid != (uint32_t)pid)
			die("wrong thread");
		notifications++;
		if (pfm_restart(fd))
			die("restart");
	}
	show("end_message", msg.type == PFM_MSG_END);
	show("notifications", notifications);
	waitpid(pid, NULL, 0);
	return 0;
}

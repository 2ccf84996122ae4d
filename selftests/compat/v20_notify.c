// SPDX-License-Identifier: GPL-2.0-only
/*
 * v2.0: the flag of notification is with the PMC, and the message has its own layout.
 */
#include "style.h"

#define PERIOD 50000ULL

int main(void)
{
	pfarg_reg_t pc[MAX_EVENTS], pd[MAX_EVENTS];
	unsigned int notifications = 0, wrong = 0;
	pfarg_context_t ctx;
	pfarg_load_t load;
	pfm_msg_t msg;
	int fd, go[2];
	pid_t pid;
	char byte;

	memset(&ctx, 0, sizeof(ctx));
	memset(&load, 0, sizeof(load));
	memset(pc, 0, sizeof(pc));
	memset(pd, 0, sizeof(pd));
	choose(basics + 1, 1, PFM_PLM3);
	/* The general counter 0: a PMC has the number of its PMD there. */
	pfm_regmask_set(&inp.pfp_unavail_pmcs, 16);
	if (pfm_dispatch_events(&inp, NULL, &outp, NULL))
		die("pfm_dispatch_events");
	pc[0].reg_num = outp.pfp_pmcs[0].reg_num;
	pc[0].reg_value = outp.pfp_pmcs[0].reg_value;
	pc[0].reg_flags = PFM_REGFL_OVFL_NOTIFY;
	pd[0].reg_num = outp.pfp_pmds[0].reg_num;
	pd[0].reg_value = -PERIOD;
	pd[0].reg_long_reset = -PERIOD;
	pd[0].reg_short_reset = -PERIOD;
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
	if (perfmonctl(0, PFM_CREATE_CONTEXT, &ctx, 1))
		die("PFM_CREATE_CONTEXT");
	fd = ctx.ctx_fd;
	if (perfmonctl(fd, PFM_WRITE_PMCS, pc, 1) ||
	    perfmonctl(fd, PFM_WRITE_PMDS, pd, 1))
		die("write");
	load.load_pid = pid;
	if (perfmonctl(fd, PFM_LOAD_CONTEXT, &load, 1) ||
	    perfmonctl(fd, PFM_START, NULL, 0) || write(go[1], "", 1) != 1)
		die("start");
	while (read(fd, &msg, sizeof(msg)) == sizeof(msg) &&
	       msg.pfm_gen_msg.msg_type == PFM_MSG_OVFL) {
		if (msg.pfm_ovfl_msg.msg_ctx_fd != fd ||
		    msg.pfm_ovfl_msg.msg_ovfl_pmds[0] != 1UL << pd[0].reg_num)
			wrong++;
		notifications++;
		if (perfmonctl(fd, PFM_RESTART, NULL, 0))
			die("PFM_RESTART");
	}
	show("end_message", msg.pfm_gen_msg.msg_type == PFM_MSG_END);
	show("notifications", notifications);
	show("wrong", wrong);
	waitpid(pid, NULL, 0);
	return 0;
}

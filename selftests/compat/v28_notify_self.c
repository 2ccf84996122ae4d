// SPDX-License-Identifier: GPL-2.0-only
/*
 * v2.8: an overflow sends SIGIO to the thread itself, which restarts in the handler.
 */
#include "style.h"

#include <fcntl.h>
#include <signal.h>

#define PERIOD 20000ULL

static volatile unsigned int notifications, wrong;
static pfarg_pmd_t pd[MAX_EVENTS];
static int fd;

static void handler(int sig)
{
	pfarg_msg_t msg;

	(void)sig;
	if (read(fd, &msg, sizeof(msg)) != sizeof(msg))
		return;
	if (msg.type != PFM_MSG_OVFL ||
	    !(msg.pfm_ovfl_msg.msg_ovfl_pmds[0] >> pd[0].reg_num & 1))
		wrong++;
	notifications++;
	pfm_restart(fd);
}

int main(void)
{
	pfarg_pmc_t pc[MAX_EVENTS];
	struct sigaction act;
	pfarg_load_t load;
	pfarg_ctx_t ctx;
	unsigned int i;

	memset(&ctx, 0, sizeof(ctx));
	memset(&load, 0, sizeof(load));
	memset(&act, 0, sizeof(act));
	act.sa_handler = handler;
	sigaction(SIGIO, &act, NULL);
	choose(basics + 1, 1, PFM_PLM3);
	fill(pc, pd);
	fd = pfm_create_context(&ctx, NULL, NULL, 0);
	pd[0].reg_flags = PFM_REGFL_OVFL_NOTIFY;
	pd[0].reg_value = -PERIOD;
	pd[0].reg_long_reset = -PERIOD;
	pd[0].reg_short_reset = -PERIOD;
	if (fd == -1 || pfm_write_pmcs(fd, pc, outp.pfp_pmc_count) ||
	    pfm_write_pmds(fd, pd, outp.pfp_pmd_count))
		die("context");
	load.load_pid = getpid();
	if (fcntl(fd, F_SETFL, fcntl(fd, F_GETFL, 0) | O_ASYNC | O_NONBLOCK) ||
	    fcntl(fd, F_SETOWN, getpid()))
		die("fcntl");
	if (pfm_load_context(fd, &load) || pfm_start(fd, NULL))
		die("start");
	for (i = 0; i < 1000 && notifications < 5; i++)
		work(1);
	pfm_stop(fd);
	show("notified", notifications >= 5);
	show("wrong_registers", wrong);
	return 0;
}

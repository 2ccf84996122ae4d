// SPDX-License-Identifier: GPL-2.0-only
/*
 * v2.8: a child that has stopped itself is counted from there to its end, and tells of it.
 */
#include "style.h"

#include <signal.h>
#include <sys/prctl.h>

int main(void)
{
	pfarg_pmc_t pc[MAX_EVENTS];
	pfarg_pmd_t pd[MAX_EVENTS];
	pfarg_load_t load;
	pfarg_ctx_t ctx;
	pfarg_msg_t msg;
	int fd, status;
	pid_t pid;

	memset(&ctx, 0, sizeof(ctx));
	memset(&load, 0, sizeof(load));
	choose(basics, 2, PFM_PLM3);
	fill(pc, pd);
	pid = fork();
	if (!pid) {
		/* Where it stops is the same each time; without its parent it ends. */
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		raise(SIGSTOP);
		work(2);
		_exit(3);
	}
	if (waitpid(pid, &status, WUNTRACED) != pid || !WIFSTOPPED(status))
		die("stopped child");
	fd = pfm_create_context(&ctx, NULL, NULL, 0);
	if (fd == -1 || pfm_write_pmcs(fd, pc, outp.pfp_pmc_count) ||
	    pfm_write_pmds(fd, pd, outp.pfp_pmd_count))
		die("context");
	load.load_pid = pid;
	if (pfm_load_context(fd, &load) || pfm_start(fd, NULL))
		die("start");
	if (kill(pid, SIGCONT))
		die("SIGCONT");
	if (read(fd, &msg, sizeof(msg)) != sizeof(msg))
		die("message");
	show("end_message", msg.type == PFM_MSG_END);
	waitpid(pid, &status, 0);
	show("status", WEXITSTATUS(status));
	if (pfm_read_pmds(fd, pd, outp.pfp_pmd_count))
		die("read");
	show("cycles", pd[0].reg_value);
	show("instructions", pd[1].reg_value);
	return 0;
}

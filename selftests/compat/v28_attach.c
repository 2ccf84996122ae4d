// SPDX-License-Identifier: GPL-2.0-only
/*
 * v2.8: a running process is stopped as a debugger does it, counted for a while, and left.
 */
#include "style.h"

#include <sys/ptrace.h>

int main(void)
{
	pfarg_pmc_t pc[MAX_EVENTS];
	pfarg_pmd_t pd[MAX_EVENTS];
	pfarg_load_t load;
	pfarg_ctx_t ctx;
	int fd, status, go[2], done[2];
	char byte;
	pid_t pid;

	memset(&ctx, 0, sizeof(ctx));
	memset(&load, 0, sizeof(load));
	choose(basics, 2, PFM_PLM3);
	fill(pc, pd);
	if (pipe(go) || pipe(done))
		die("pipe");
	pid = fork();
	if (!pid) {
		close(go[1]);
		work(1);
		while (read(go[0], &byte, 1) == 1) {
			work(1);
			if (write(done[1], "", 1) != 1)
				_exit(1);
		}
		_exit(0);
	}
	close(go[0]);
	if (ptrace(PTRACE_ATTACH, pid, NULL, NULL))
		die("PTRACE_ATTACH");
	waitpid(pid, &status, WUNTRACED);
	fd = pfm_create_context(&ctx, NULL, NULL, 0);
	if (fd == -1 || pfm_write_pmcs(fd, pc, outp.pfp_pmc_count) ||
	    pfm_write_pmds(fd, pd, outp.pfp_pmd_count))
		die("context");
	load.load_pid = pid;
	if (pfm_load_context(fd, &load) || pfm_start(fd, NULL))
		die("start");
	if (ptrace(PTRACE_DETACH, pid, NULL, NULL))
		die("PTRACE_DETACH");
	if (write(go[1], "", 1) != 1 || read(done[0], &byte, 1) != 1)
		die("go");
	if (pfm_stop(fd) || pfm_read_pmds(fd, pd, outp.pfp_pmd_count))
		die("read");
	show("counted", pd[1].reg_value > 0);
	if (pfm_unload_context(fd))
		die("unload");
	if (write(go[1], "", 1) != 1 || read(done[0], &byte, 1) != 1)
		die("go again");
	close(go[1]);
	waitpid(pid, &status, 0);
	show("status", WEXITSTATUS(status));
	return 0;
}

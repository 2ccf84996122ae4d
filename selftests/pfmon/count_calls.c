// SPDX-License-Identifier: GPL-2.0-only
/*
 * Counts the system calls of a command, without those of its children.
 *
 *	count_calls FILE COMMAND...
 *
 * writes the number to FILE, behind it a line "NUMBER COUNT" for each system call.  The exit
 * status is the command's.
 */
#include <elf.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <signal.h>
#include <unistd.h>

#define CALLS 1024

static unsigned int counts[CALLS];
static unsigned int total;

/* Number of the system call that the process is entering. */
static unsigned int number_of(pid_t pid)
{
	struct user_regs_struct regs;
	struct iovec area = { &regs, sizeof(regs) };

	if (ptrace(PTRACE_GETREGSET, pid, (void *)NT_PRSTATUS, &area))
		return 0;
#ifdef __aarch64__
	return regs.regs[8];
#else
	return regs.orig_rax;
#endif
}

static void count(pid_t pid)
{
	unsigned int number = number_of(pid);

	total++;
	if (number < CALLS)
		counts[number]++;
}

static int write_counts(const char *name)
{
	FILE *file = fopen(name, "w");
	unsigned int i;

	if (!file)
		return -1;
	fprintf(file, "%u\n", total);
	for (i = 0; i < CALLS; i++)
		if (counts[i])
			fprintf(file, "%u %u\n", i, counts[i]);
	return fclose(file);
}

int main(int argc, char **argv)
{
	int status = 0, signal = 0;
	int entering = 1;
	pid_t pid;

	if (argc < 3)
		return 125;
	pid = fork();
	if (!pid) {
		ptrace(PTRACE_TRACEME, 0, NULL, NULL);
		raise(SIGSTOP);
		execvp(argv[2], argv + 2);
		_exit(127);
	}
	if (waitpid(pid, &status, 0) != pid || !WIFSTOPPED(status) ||
	    ptrace(PTRACE_SETOPTIONS, pid, NULL, (void *)PTRACE_O_TRACESYSGOOD))
		return 125;
	while (!ptrace(PTRACE_SYSCALL, pid, NULL, (void *)(intptr_t)signal) &&
	       waitpid(pid, &status, 0) == pid && WIFSTOPPED(status)) {
		signal = WSTOPSIG(status);
		if (signal != (SIGTRAP | 0x80)) {
			/* That of execve(2). */
			if (signal == SIGTRAP)
				signal = 0;
			continue;
		}
		signal = 0;
		if (entering)
			count(pid);
		entering = !entering;
	}
	if (write_counts(argv[1]) || !WIFEXITED(status))
		return 125;
	return WEXITSTATUS(status);
}

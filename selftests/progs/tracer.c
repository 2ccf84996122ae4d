// SPDX-License-Identifier: GPL-2.0-only
/*
 * tracer PID [hold]: does to a process what a debugger does: stops it at each
 * system call and each signal until it ends, then prints how often; with hold,
 * stops it once and leaves it so until the tracer is killed.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#define SYSCALL_STOP (SIGTRAP | 0x80)

static void fail(const char *what)
{
	perror(what);
	exit(1);
}

static int is_stopping(int sig)
{
	return sig == SIGSTOP || sig == SIGTSTP || sig == SIGTTIN ||
	       sig == SIGTTOU;
}

/* Let it go on after a stop. */
static void go_on(pid_t pid, int status)
{
	const int sig = WSTOPSIG(status), event = status >> 16;
	int ret;

	if (event == PTRACE_EVENT_STOP && is_stopping(sig))
		ret = ptrace(PTRACE_LISTEN, pid, 0, 0);
	else if (event || sig == SYSCALL_STOP)
		ret = ptrace(PTRACE_SYSCALL, pid, 0, 0);
	else
		ret = ptrace(PTRACE_SYSCALL, pid, 0, sig);
	if (ret && errno != ESRCH)
		fail("ptrace");
}

int main(int argc, char *argv[])
{
	const pid_t pid = argc > 1 ? atoi(argv[1]) : 0;
	long stops = 0;
	int status;

	if (pid <= 0) {
		fprintf(stderr, "usage: tracer PID [hold]\n");
		return 2;
	}
	if (ptrace(PTRACE_SEIZE, pid, 0,
		   PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACEEXEC))
		fail("PTRACE_SEIZE");
	if (ptrace(PTRACE_INTERRUPT, pid, 0, 0))
		fail("PTRACE_INTERRUPT");
	while (waitpid(pid, &status, __WALL) == pid && WIFSTOPPED(status)) {
		stops++;
		while (argc > 2)
			pause();
		go_on(pid, status);
	}
	printf("%ld stops\n", stops);
	return 0;
}

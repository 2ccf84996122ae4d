// SPDX-License-Identifier: GPL-2.0-only
/*
 * Starting the command and noting its end.
 *
 * The child blocks in a read until its counters are set.  It reports a failed
 * execvp() through a pipe that a successful one closes, so that "not found" is
 * not mistaken for a command that returned 127.
 */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cpu_list.h"
#include "options/options.h"
#include "session/child.h"

static void close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

static int silence(void)
{
	int fd = open("/dev/null", O_WRONLY | O_CLOEXEC);

	if (fd < 0 || dup2(fd, STDOUT_FILENO) < 0 || dup2(fd, STDERR_FILENO) < 0)
		return -1;
	return 0;
}

static int keep_open(const struct target_setup *setup)
{
	char number[16];

	if (setup->keep_fd < 0)
		return 0;
	snprintf(number, sizeof(number), "%d", setup->keep_fd);
	if (fcntl(setup->keep_fd, F_SETFD, 0) < 0)
		return -1;
	return setenv(setup->keep_name, number, 1);
}

static int pin(const struct target_setup *setup)
{
	if (!setup->cpus)
		return 0;
	return sched_setaffinity(0, sizeof(setup->cpus->set),
				 (const cpu_set_t *)setup->cpus->set);
}

static void __attribute__((noreturn))
child(const struct target_setup *setup, int go, int failure)
{
	ssize_t done;
	char byte;
	int err;

	do {
		done = read(go, &byte, 1);
	} while (done < 0 && errno == EINTR);
	/* pfmon gave up or died. */
	if (done != 1)
		_exit(EXIT_OWN_FAILURE);
	if ((!setup->silent || !silence()) && !keep_open(setup) &&
	    !pin(setup)) {
		if (setup->ignore_children)
			signal(SIGCHLD, SIG_IGN);
		sigprocmask(SIG_SETMASK, &setup->signals, NULL);
		execvp(setup->command[0], setup->command);
	}
	err = errno;
	do {
		done = write(failure, &err, sizeof(err));
	} while (done < 0 && errno == EINTR);
	_exit(EXIT_NOT_FOUND);
}

int target_fork(struct target *target, const struct target_setup *setup)
{
	int go[2], failure[2], err;

	memset(target, 0, sizeof(*target));
	target->go = -1;
	target->failure = -1;
	if (pipe2(go, O_CLOEXEC))
		return -1;
	if (pipe2(failure, O_CLOEXEC))
		goto out_go;
	target->pid = fork();
	if (target->pid < 0)
		goto out_failure;
	if (!target->pid) {
		/* Or it would keep its own pipe from ending. */
		close(go[1]);
		close(failure[0]);
		child(setup, go[0], failure[1]);
	}
	close(go[0]);
	close(failure[1]);
	target->go = go[1];
	target->failure = failure[0];
	return 0;

out_failure:
	err = errno;
	target->pid = 0;
	close(failure[0]);
	close(failure[1]);
	errno = err;
out_go:
	err = errno;
	close(go[0]);
	close(go[1]);
	errno = err;
	return -1;
}

int target_execute(struct target *target)
{
	int err = 0;
	ssize_t done;

	do {
		done = write(target->go, "", 1);
	} while (done < 0 && errno == EINTR);
	close_fd(&target->go);
	do {
		done = read(target->failure, &err, sizeof(err));
	} while (done < 0 && errno == EINTR);
	close_fd(&target->failure);
	if (done != sizeof(err))
		return 0;
	target_reap(target, true);
	return err;
}

void target_abandon(struct target *target)
{
	close_fd(&target->go);
	close_fd(&target->failure);
	if (target->pid > 0 && !target->ended)
		target_reap(target, true);
}

void target_reap(struct target *target, bool wait)
{
	pid_t pid;

	if (target->ended)
		return;
	do {
		pid = wait4(target->pid, &target->status, wait ? 0 : WNOHANG,
			    &target->usage);
	} while (pid < 0 && errno == EINTR);
	if (pid == target->pid)
		target->ended = true;
}

int target_exit_status(const struct target *target)
{
	if (WIFSIGNALED(target->status))
		return 128 + WTERMSIG(target->status);
	return WEXITSTATUS(target->status);
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Starts the command and notes its end.
 *
 * The child blocks in a read until its counters are set up.  If execvp() fails,
 * the child reports the errno through a pipe, which a successful execvp() closes.
 * So "not found" is not mistaken for a command that returned 127.
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
#include "base/message.h"
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

static int keep_open(const struct child_setup *setup)
{
	char number[16];

	if (setup->keep_fd < 0)
		return 0;
	snprintf(number, sizeof(number), "%d", setup->keep_fd);
	if (fcntl(setup->keep_fd, F_SETFD, 0) < 0)
		return -1;
	return setenv(setup->keep_name, number, 1);
}

static int pin(const struct child_setup *setup)
{
	if (!setup->cpus)
		return 0;
	return sched_setaffinity(0, sizeof(setup->cpus->set),
				 (const cpu_set_t *)setup->cpus->set);
}

static void __attribute__((noreturn))
run_child(const struct child_setup *setup, int go, int failure)
{
	ssize_t done;
	char byte;
	int err;

	do {
		done = read(go, &byte, 1);
	} while (done < 0 && errno == EINTR);
	/* pfmon has given up or died. */
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

int child_fork(struct child *child, const struct child_setup *setup)
{
	int go[2], failure[2], err;

	memset(child, 0, sizeof(*child));
	child->go = -1;
	child->failure = -1;
	if (pipe2(go, O_CLOEXEC))
		return -1;
	if (pipe2(failure, O_CLOEXEC))
		goto out_go;
	child->pid = fork();
	if (child->pid < 0)
		goto out_failure;
	if (!child->pid) {
		/* Otherwise the child's copies would keep its own pipes open. */
		close(go[1]);
		close(failure[0]);
		run_child(setup, go[0], failure[1]);
	}
	close(go[0]);
	close(failure[1]);
	child->go = go[1];
	child->failure = failure[0];
	return 0;

out_failure:
	err = errno;
	child->pid = 0;
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

int child_execute(struct child *child)
{
	int err = 0;
	ssize_t done;

	do {
		done = write(child->go, "", 1);
	} while (done < 0 && errno == EINTR);
	close_fd(&child->go);
	do {
		done = read(child->failure, &err, sizeof(err));
	} while (done < 0 && errno == EINTR);
	close_fd(&child->failure);
	if (done != sizeof(err))
		return 0;
	child_reap(child, true);
	return err;
}

int child_tell_failure(const char *name, int err)
{
	say_error("cannot execute '%s': %s", name,
		  err == ENOENT && !strchr(name, '/')
			  ? "no such command in the folders of $PATH"
			  : strerror(err));
	return err == ENOENT ? EXIT_NOT_FOUND : EXIT_CANNOT_EXECUTE;
}

void child_abandon(struct child *child)
{
	close_fd(&child->go);
	close_fd(&child->failure);
	if (child->pid > 0 && !child->ended)
		child_reap(child, true);
}

void child_reap(struct child *child, bool wait)
{
	pid_t pid;

	if (child->ended)
		return;
	do {
		pid = wait4(child->pid, &child->status, wait ? 0 : WNOHANG,
			    &child->usage);
	} while (pid < 0 && errno == EINTR);
	if (pid == child->pid)
		child->ended = true;
}

int child_exit_status(const struct child *child)
{
	if (WIFSIGNALED(child->status))
		return 128 + WTERMSIG(child->status);
	return WEXITSTATUS(child->status);
}

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Processes that a test starts: programs that are measured from their exec to their
 * end, and children that idle, spin or run a function.
 */
#ifndef _SELFTESTS_CHILD_H
#define _SELFTESTS_CHILD_H

#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/sendfile.h>
#include <sys/wait.h>

#include "context.h"
#include "cpu.h"

/* The path of a program that was built beside the test. */
static inline const char *program(const char *name)
{
	static char paths[4][512];
	static unsigned int next;
	char *path = paths[next++ % 4];
	ssize_t len;

	len = readlink("/proc/self/exe", path, sizeof(paths[0]) - 64);
	if (len < 0)
		abort();
	path[len] = '\0';
	snprintf(strrchr(path, '/'), 64, "/progs/%s", name);
	return path;
}

/*
 * The same program, copied into memory: executing it does not wait until the host
 * has read the file.
 */
static inline const char *program_in_memory(const char *name)
{
	static char paths[4][32];
	static unsigned int next;
	char *path = paths[next++ % 4];
	const int from = open(program(name), O_RDONLY | O_CLOEXEC);
	const int to = memfd_create(name, MFD_CLOEXEC);
	ssize_t len;
	int fd;

	if (from < 0 || to < 0)
		abort();
	do {
		len = sendfile(to, from, NULL, 1 << 20);
	} while (len > 0);
	/* A file that is open for writing cannot be executed. */
	snprintf(path, sizeof(paths[0]), "/proc/self/fd/%d", to);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (len < 0 || fd < 0)
		abort();
	close(from);
	close(to);
	snprintf(path, sizeof(paths[0]), "/proc/self/fd/%d", fd);
	return path;
}

/*
 * Called in a child: kills the child when its parent dies, so that a failing test leaves
 * no process that holds contexts.  @parent is the process that forked the child.
 */
static inline void die_with_parent(pid_t parent)
{
	if (prctl(PR_SET_PDEATHSIG, SIGKILL) || getppid() != parent)
		_exit(1);
}

/* A child that waits before it goes on, so that a context can be attached to it meanwhile. */
struct child {
	pid_t pid;
	int go;
};

/*
 * Forks a child that waits for child_go(), on a CPU unless that is -1.  Returns true in the child, as
 * soon as it may go on, and false in the parent.
 */
static inline bool child_begin(struct child *child, int cpu)
{
	const pid_t parent = getpid();
	int pipefd[2];
	char c;

	if (pipe2(pipefd, O_CLOEXEC))
		abort();
	child->pid = fork();
	if (child->pid < 0)
		abort();
	if (!child->pid) {
		die_with_parent(parent);
		close(pipefd[1]);
		if (cpu >= 0)
			pin_to(cpu);
		if (read(pipefd[0], &c, 1) != 1)
			_exit(126);
		return true;
	}
	close(pipefd[0]);
	child->go = pipefd[1];
	return false;
}

static inline void child_exec(struct child *child, const char *const argv[])
{
	if (!child_begin(child, -1))
		return;
	execv(argv[0], (char *const *)argv);
	_exit(126);
}

/* Let the child go on. */
static inline void child_go(struct child *child)
{
	if (write(child->go, "", 1) != 1)
		abort();
	close(child->go);
}

/* Reap a child.  Returns its status as wait(2) reports it. */
static inline int child_reap(pid_t pid)
{
	int status;

	while (waitpid(pid, &status, 0) < 0) {
		if (errno != EINTR)
			abort();
	}
	return status;
}

/* A child that does nothing until it is killed. */
static inline pid_t child_idle(void)
{
	const pid_t parent = getpid();
	const pid_t pid = fork();

	if (pid < 0)
		abort();
	if (!pid) {
		die_with_parent(parent);
		for (;;)
			pause();
	}
	return pid;
}

static inline void child_kill(pid_t pid)
{
	kill(pid, SIGKILL);
	child_reap(pid);
}

/*
 * Prepare to count a program from its first instruction on; child_go() lets it begin.
 * Returns 0 or -errno.
 */
static inline int measure_prepare(int fd, struct child *child,
				  const char *const argv[])
{
	int ret;

	child_exec(child, argv);
	ret = context_load(fd, child->pid);
	if (!ret)
		ret = context_start(fd, PFM_START_ON_EXEC);
	return ret;
}

static inline int measure_begin(int fd, struct child *child,
				const char *const argv[])
{
	const int ret = measure_prepare(fd, child, argv);

	child_go(child);
	return ret;
}

/* Waits until all monitored tasks have ended. */
static inline int measure_end(int fd, struct child *child)
{
	union pfm_msg msg;
	int ret;

	child_reap(child->pid);
	ret = message_read(fd, &msg);
	if (ret < 0)
		return ret;
	return ret == sizeof(msg) && msg.type == PFM_MSG_END ? 0 : -EPROTO;
}

static inline int measure(int fd, const char *const argv[])
{
	struct child child;
	int ret = measure_begin(fd, &child, argv);

	if (ret)
		child_kill(child.pid);
	else
		ret = measure_end(fd, &child);
	return ret;
}

#define ARGV(...) ((const char *const[]){ __VA_ARGS__, NULL })

/* Create a process that keeps a CPU busy in user mode; it is busy when this returns. */
static inline pid_t child_spin_on(int cpu)
{
	const pid_t parent = getpid();
	int there[2];
	pid_t pid;
	char c;

	if (pipe(there))
		abort();
	pid = fork();
	if (pid < 0)
		abort();
	if (!pid) {
		die_with_parent(parent);
		pin_to(cpu);
		if (write(there[1], "", 1) != 1)
			_exit(1);
		for (;;)
			spin(1000);
	}
	close(there[1]);
	if (read(there[0], &c, 1) != 1)
		abort();
	close(there[0]);
	return pid;
}

/* Runs fn in a child.  Returns its result, or 1000 plus the signal that killed the child. */
static inline int in_child(int (*fn)(void *), void *arg)
{
	const pid_t pid = fork();
	int status;

	if (!pid)
		_exit(fn(arg));
	status = child_reap(pid);
	return WIFEXITED(status) ? WEXITSTATUS(status)
				 : 1000 + WTERMSIG(status);
}

/* The state of a process in /proc: R, S, ... */
static inline char state_letter(pid_t pid)
{
	char path[64], text[512] = "", *p;
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || read(fd, text, sizeof(text) - 1) < 0)
		abort();
	close(fd);
	p = strrchr(text, ')');
	return p ? p[2] : '?';
}

/* Waits until the thread that a context monitors sleeps, off its CPU. */
static inline void wait_asleep(int fd, pid_t pid)
{
	uint64_t value;

	do {
		value = pmd_value(fd, CPU_TIME_NS);
		usleep(20000);
	} while (state_letter(pid) != 'S' ||
		 pmd_value(fd, CPU_TIME_NS) != value);
}

#endif /* _SELFTESTS_CHILD_H */

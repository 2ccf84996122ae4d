// SPDX-License-Identifier: GPL-2.0-only
/*
 * Names of the tasks that samples of CPUs belong to.
 *
 * Several tasks may use a thread id one after the other, and a task may execute
 * several programs.  Both are noticed when the name is read again.  The earlier
 * phase (task_history.h), a task while it ran one program, is then taken to have
 * ended with its last sample.
 */
#include <dirent.h>
#include <linux/perfmon.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/array.h"
#include "base/message.h"
#include "base/process.h"
#include "sampling/proc_connector.h"
#include "sampling/sample.h"
#include "sampling/task_history.h"
#include "sampling/task_names.h"
#include "symbols/symbols.h"

/* Names of the special ids that the kernel uses in samples. */
#define IDLE_NAME  "idle"
#define OTHER_NAME "other-namespace"

/**
 * struct proc - a task while it runs one program
 * @tid: thread id
 * @pid: process id
 * @ppid: of the parent
 * @started: start time, distinguishes tasks with the same thread id
 * @round: round in which its name was last read
 * @last: time of its last sample
 * @path: path of the program; "" if not known
 * @comm: name of the thread
 * @known: its name has been read
 * @next: in the bucket
 */
struct proc {
	uint32_t tid;
	uint32_t pid;
	uint32_t ppid;
	uint64_t started;
	uint64_t round;
	uint64_t last;
	char *path;
	char comm[17];
	bool known;
	struct proc *next;
};

static int64_t clock_ns(clockid_t clock)
{
	struct timespec ts;

	clock_gettime(clock, &ts);
	return ts.tv_sec * 1000000000LL + ts.tv_nsec;
}

void task_names_init(struct task_names *names, struct task_history *tasks,
		     struct symbols *symbols)
{
	memset(names, 0, sizeof(*names));
	names->watch = -1;
	names->tasks = tasks;
	names->symbols = symbols;
	names->round = 1;
	names->offset = clock_ns(CLOCK_BOOTTIME) - clock_ns(CLOCK_MONOTONIC);
}

static struct proc *find(const struct task_names *names, uint32_t tid)
{
	uint32_t number;

	for (number = hash_find(&names->table, hash_mix(0, tid)); number;
	     number = hash_next(&names->table, number))
		if (names->list[number - 1]->tid == tid)
			return names->list[number - 1];
	return NULL;
}

static struct proc *add(struct task_names *names, uint32_t tid)
{
	struct proc *proc;

	if (array_reserve(&names->list, sizeof(*names->list), &names->room,
			  names->count + 1))
		return NULL;
	proc = calloc(1, sizeof(*proc));
	if (!proc || hash_add(&names->table, hash_mix(0, tid))) {
		free(proc);
		return NULL;
	}
	proc->tid = tid;
	names->list[names->count++] = proc;
	return proc;
}

/*
 * True if the task existed at a time.  Start times have the resolution of ticks.
 */
static bool existed(const struct task_names *names,
		    const struct process *process, uint64_t time)
{
	uint64_t tick = 1000000000ULL / sysconf(_SC_CLK_TCK);

	return process->started * tick <= time + names->offset;
}

/* Kernel threads execute no program. */
static const char *path_of(const struct process *process)
{
	return strchr(process->name, '/') ? process->name : "";
}

static void set(struct proc *proc, const struct process *process)
{
	char *path = strdup(path_of(process));

	if (!path)
		return;
	free(proc->path);
	proc->path = path;
	proc->pid = process->pid;
	proc->ppid = process->ppid;
	proc->started = process->started;
	snprintf(proc->comm, sizeof(proc->comm), "%.16s", process->comm);
	proc->known = true;
}

/* Records a finished phase: the task ended, or left the program. */
static void close_phase(struct task_names *names, const struct proc *proc,
			uint64_t end)
{
	struct phase phase = {
		.pid = proc->pid,
		.ppid = proc->ppid,
		.end = end,
		.reason = PFM_RECORD_UNLOAD,
		.path = proc->path ? proc->path : "",
	};

	memcpy(phase.comm, proc->comm, sizeof(phase.comm));
	task_history_add_phase(names->tasks, proc->tid, &phase);
}

/* True if it is the same task in the same program, as far as can be told. */
static bool same(const struct proc *proc, const struct process *process)
{
	return proc->started == process->started &&
	       !strncmp(proc->comm, process->comm, sizeof(proc->comm) - 1) &&
	       !strcmp(proc->path, path_of(process));
}

static void read_again(struct task_names *names, struct proc *proc,
		       const struct process *process)
{
	if (proc->known && same(proc, process))
		return;
	if (proc->known || proc->last)
		close_phase(names, proc, proc->last);
	/* A thread that only changes its name keeps its memory. */
	if (proc->known && (proc->started != process->started ||
			    strcmp(proc->path, path_of(process))))
		symbols_exec(names->symbols, process->pid, proc->last + 1);
	set(proc, process);
}

void task_names_see(struct task_names *names, const struct sample *sample)
{
	struct proc *proc = find(names, sample->tid);
	struct process process;

	if (!sample->tid || sample->tid == PFM_TID_UNKNOWN)
		return;
	if (!proc) {
		proc = add(names, sample->tid);
		if (!proc)
			return;
	}
	if (proc->round != names->round && (!proc->known || names->watch < 0)) {
		proc->round = names->round;
		/*
		 * existed() refuses a new task that took over the id of an ended
		 * one.
		 */
		if (!process_read(&process, sample->tid) &&
		    existed(names, &process, sample->tstamp))
			read_again(names, proc, &process);
		else if (!proc->known && !proc->last)
			names->unknown++;
	}
	names->unknown_samples += proc->known ? 0 : sample->count;
	if (sample->tstamp > proc->last)
		proc->last = sample->tstamp;
}

/* A child starts with the program of its parent. */
static void take_fork(struct task_names *names,
		      const struct proc_change *change)
{
	const struct proc *parent = find(names, change->parent_tid);
	struct proc *proc = find(names, change->tid);
	char *path;

	if (!parent)
		parent = find(names, change->parent_pid);
	if (proc)
		close_phase(names, proc, change->time - 1);
	else
		proc = add(names, change->tid);
	path = parent && parent->known ? strdup(parent->path) : NULL;
	if (!proc) {
		free(path);
		return;
	}
	free(proc->path);
	proc->path = path;
	proc->known = path;
	proc->pid = change->pid;
	proc->last = 0;
	proc->round = 0;
	if (path)
		memcpy(proc->comm, parent->comm, sizeof(proc->comm));
	if (change->tid == change->pid) {
		proc->ppid = change->parent_pid;
		symbols_fork(names->symbols, change->parent_pid, change->pid,
			     change->time);
	} else if (path) {
		proc->ppid = parent->ppid;
	}
}

static void take_exec(struct task_names *names,
		      const struct proc_change *change)
{
	struct proc *proc = find(names, change->pid);
	struct process process;

	if (proc)
		close_phase(names, proc, change->time - 1);
	else
		proc = add(names, change->pid);
	if (!proc)
		return;
	proc->known = false;
	proc->last = 0;
	proc->round = 0;
	proc->pid = change->pid;
	free(proc->path);
	proc->path = NULL;
	proc->comm[0] = '\0';
	symbols_exec(names->symbols, change->pid, change->time);
	if (process_read(&process, change->pid))
		return;
	set(proc, &process);
	/* It may have mapped more since then; perf tells when. */
	if (!names->symbols->exact)
		symbols_read_process(names->symbols, change->pid,
				     change->time);
}

static void take_name(struct task_names *names,
		      const struct proc_change *change)
{
	struct proc *proc = find(names, change->tid);

	if (!proc || !proc->known)
		return;
	close_phase(names, proc, change->time - 1);
	memcpy(proc->comm, change->comm, sizeof(proc->comm));
}

void task_names_take_changes(struct task_names *names)
{
	struct proc_change change;
	int ret;

	while (names->watch >= 0 &&
	       (ret = proc_connector_next(names->watch, &change))) {
		if (ret < 0)
			names->lost = true;
		else if (change.kind == PROC_FORK)
			take_fork(names, &change);
		else if (change.kind == PROC_EXEC)
			take_exec(names, &change);
		else
			take_name(names, &change);
	}
}

void task_names_next_round(struct task_names *names)
{
	names->round++;
}

void task_names_scan(struct task_names *names)
{
	uint64_t time = clock_ns(CLOCK_MONOTONIC);
	struct process process;
	struct dirent *entry;
	struct proc *proc;
	uint32_t pid;
	DIR *folder;

	/* Open it first, so that it reports what happens during the scan. */
	names->watch = proc_connector_open();
	if (names->watch < 0)
		say_verbose("the kernel reports executed programs only to root, outside of containers: short-lived tasks will have no names");
	folder = opendir("/proc");
	if (!folder) {
		say_warning(
			"/proc cannot be read: names of tasks will be missing");
		return;
	}
	while ((entry = readdir(folder))) {
		pid = strtoul(entry->d_name, NULL, 10);
		if (!pid || process_read(&process, pid))
			continue;
		proc = add(names, pid);
		if (proc)
			set(proc, &process);
		symbols_read_process(names->symbols, pid, time);
	}
	closedir(folder);
}

/* Names the special ids that the kernel uses in samples. */
static void note_special(struct task_names *names, uint32_t tid,
			 const char *name)
{
	struct phase phase = {
		.pid = tid,
		.end = UINT64_MAX,
		.reason = PFM_RECORD_UNLOAD,
		.path = "",
	};

	snprintf(phase.comm, sizeof(phase.comm), "%s", name);
	task_history_add_phase(names->tasks, tid, &phase);
}

bool task_names_find(const struct task_names *names, uint32_t tid,
		     const char **path, const char **comm)
{
	const struct proc *proc = find(names, tid);

	*path = "";
	if (!tid)
		*comm = IDLE_NAME;
	else if (tid == PFM_TID_UNKNOWN)
		*comm = OTHER_NAME;
	else if (!proc || !proc->known)
		return false;
	else
		*comm = proc->comm;
	if (tid && tid != PFM_TID_UNKNOWN && proc->path)
		*path = proc->path;
	return true;
}

void task_names_finish(struct task_names *names)
{
	size_t i;

	note_special(names, 0, IDLE_NAME);
	note_special(names, PFM_TID_UNKNOWN, OTHER_NAME);
	for (i = 0; i < names->count; i++)
		close_phase(names, names->list[i], UINT64_MAX);
	if (names->lost)
		say_warning(
			"programs were executed faster than pfmon could record: samples may have the name of the previous program");
	if (names->unknown_samples)
		say_warning(
			"%llu sample%s of %llu task%s that ended before their names could be read: they are shown by number only",
			(unsigned long long)names->unknown_samples,
			names->unknown_samples == 1 ? "" : "s",
			(unsigned long long)names->unknown,
			names->unknown == 1 ? "" : "s");
}

void task_names_free(struct task_names *names)
{
	size_t i;

	if (names->tasks && names->watch >= 0)
		close(names->watch);
	names->watch = -1;
	for (i = 0; i < names->count; i++) {
		free(names->list[i]->path);
		free(names->list[i]);
	}
	free(names->list);
	hash_free(&names->table);
	names->list = NULL;
	names->count = 0;
	names->room = 0;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Attaches to the processes of a control group, or to processes that were named.
 *
 * If a process is created while the group is being searched, it is followed if
 * its parent was already attached; otherwise the next search finds it.
 */
#include <dirent.h>
#include <errno.h>
#include <perfmon/perfmon.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/message.h"
#include "base/process.h"
#include "check/holders.h"
#include "check/modules.h"
#include "check/remedies.h"
#include "events/counts.h"
#include "events/event_list.h"
#include "events/sets.h"
#include "options/options.h"
#include "session/attach.h"
#include "session/context_ioctl.h"
#include "session/members.h"
#include "session/session.h"

/*
 * Give up after this many searches: processes may come faster than pfmon
 * attaches.
 */
#define LOOKS_MAX 100

/* Number of ancestors to check for one that is monitored. */
#define ANCESTORS_MAX 100

/**
 * struct look - one search of the group
 * @first: it is the first one of the session
 * @named: the processes were named by the user, so each has to be monitored
 * @added: number of processes that were attached
 */
struct look {
	struct members *members;
	struct session *session;
	bool first;
	bool named;
	size_t added;
};

static struct member *find(struct members *members, pid_t pid)
{
	size_t i;

	for (i = 0; i < members->count; i++)
		if (members->list[i].pid == pid)
			return &members->list[i];
	return NULL;
}

static struct member *add(struct members *members, pid_t pid)
{
	struct member *member;

	if (array_reserve(&members->list, sizeof(*members->list),
			  &members->room, members->count + 1)) {
		say_error("out of memory for the processes");
		return NULL;
	}
	member = &members->list[members->count++];
	*member = (struct member){ .pid = pid, .fd = -1, .seen = true };
	return member;
}

/*
 * True if another pfmon, or another program, has a context on this process; with
 * @pid 0 on any process.
 */
static bool held_by_other(pid_t pid)
{
	struct holders holders;
	struct holder holder;
	bool other = false;

	holders_open(&holders);
	while (holders_next(&holders, &holder))
		other |= holder.cpu < 0 &&
			 (!pid || holder.thread == (uint32_t)pid) &&
			 holder.pid != (uint32_t)getpid();
	other |= !pid && holders.others;
	holders_close(&holders);
	return other;
}

/* True if a process descends from one that has a context of this pfmon. */
static bool descends(struct members *members, pid_t pid)
{
	struct process process = { .ppid = pid };
	unsigned int steps;
	struct member *member;

	for (steps = 0; steps < ANCESTORS_MAX && process.ppid > 0; steps++) {
		member = find(members, process.ppid);
		if (member && member->fd >= 0)
			return true;
		if (process_read(&process, process.ppid))
			return false;
	}
	return false;
}

/* Counts or reports a process that was refused.  Returns -1 if the session has to end. */
static int take_refusal(struct look *look, struct member *member, int err)
{
	if (look->named) {
		rights_tell_task(member->pid, err);
		return -1;
	}
	if (err == -ESRCH)
		return 0;
	if (err == -EEXIST && !held_by_other(member->pid)) {
		/*
		 * It is already followed, in most cases by a context of this
		 * pfmon.
		 */
		if (held_by_other(0) && !descends(look->members, member->pid))
			look->members->taken++;
		return 0;
	}
	if (err == -EOPNOTSUPP) {
		look->members->kernel++;
		return 0;
	}
	rights_tell_task(member->pid, err);
	look->members->refused++;
	return look->first ? -1 : 0;
}

static int attach(struct look *look, pid_t pid)
{
	struct session *session = look->session;
	struct member *member = add(look->members, pid);
	int fd, err;

	if (!member)
		return -1;
	if (pid == getpid()) {
		say_verbose("pfmon itself is in the group and not counted");
		return 0;
	}
	fd = modules_create_context(session->options->follow);
	if (fd < 0 || sets_program(session->events, fd, false)) {
		if (fd >= 0)
			close(fd);
		return -1;
	}
	context_keep_records(fd);
	err = attach_load(fd, pid, true, session->options->take);
	if (!err && !session->waits)
		err = pfm_ctx_start(fd, NULL);
	if (err) {
		close(fd);
		return take_refusal(look, member, err);
	}
	member->fd = fd;
	look->members->active++;
	look->added++;
	say_debug("process %d is monitored", pid);
	return 0;
}

int members_start(struct members *members, struct session *session)
{
	size_t i;

	session->waits = false;
	for (i = 0; i < members->count; i++)
		if (members->list[i].fd >= 0 &&
		    attach_start(members->list[i].fd))
			return -1;
	return 0;
}

/* Attaches to the processes that are in one folder at present. */
static int look_at(struct look *look, const char *path)
{
	char *name = NULL, line[32];
	struct member *member;
	FILE *file;
	int err = 0;
	pid_t pid;

	if (asprintf(&name, "%s/cgroup.procs", path) < 0)
		return -1;
	file = fopen(name, "re");
	free(name);
	/* The folder was removed in the meantime: it was empty. */
	if (!file)
		return 0;
	while (!err && fgets(line, sizeof(line), file)) {
		pid = atoi(line);
		member = find(look->members, pid);
		if (member)
			member->seen = true;
		/* A process of another pid namespace has number 0. */
		else if (pid > 0)
			err = attach(look, pid);
	}
	fclose(file);
	return err;
}

static int look_below(struct look *look, const char *path)
{
	struct dirent *entry;
	char *name;
	DIR *folder;
	int err;

	err = look_at(look, path);
	folder = err ? NULL : opendir(path);
	while (!err && folder && (entry = readdir(folder))) {
		if (entry->d_type != DT_DIR || entry->d_name[0] == '.')
			continue;
		if (asprintf(&name, "%s/%s", path, entry->d_name) < 0)
			return -1;
		err = look_below(look, name);
		free(name);
	}
	if (folder)
		closedir(folder);
	return err;
}

/* Forgets processes that have ended, because their ids may be used again. */
static void forget(struct members *members)
{
	size_t i, k = 0;

	for (i = 0; i < members->count; i++)
		if (members->list[i].fd >= 0 || members->list[i].seen)
			members->list[k++] = members->list[i];
	members->count = k;
}

int members_attach(struct members *members, struct session *session,
		   const char *path, bool first, size_t *added)
{
	struct look look = {
		.members = members,
		.session = session,
		.first = first,
	};
	unsigned int looks;
	size_t i;

	*added = 0;
	for (looks = 0; looks < LOOKS_MAX; looks++) {
		for (i = 0; i < members->count; i++)
			members->list[i].seen = false;
		look.added = 0;
		if (look_below(&look, path))
			return -1;
		forget(members);
		*added += look.added;
		if (!look.added)
			return 0;
	}
	say_warning(
		"processes are created so fast that not all of them could be attached yet");
	return 0;
}

int members_attach_named(struct members *members, struct session *session)
{
	const struct scope_options *scope = &session->options->scope;
	struct look look = {
		.members = members,
		.session = session,
		.first = true,
		.named = true,
	};
	struct process process;
	size_t i;

	for (i = 0; i < scope->num_tasks; i++)
		if (attach_check(scope->tasks[i], false, &process) ||
		    attach(&look, scope->tasks[i]))
			return -1;
	return 0;
}

static void add_config(struct session *session, const struct pfm_config *config)
{
	struct pfm_config *sum = &session->config;

	if (!sum->abi_version) {
		*sum = *config;
		return;
	}
	sum->merged += config->merged;
	sum->follow_failed += config->follow_failed;
	sum->unsplit += config->unsplit;
	sum->barred += config->barred;
	sum->unfollowed_threads += config->unfollowed_threads;
	sum->unfollowed_processes += config->unfollowed_processes;
}

int members_take(struct members *members, struct session *session,
		 struct member *member)
{
	const struct events *events = session->events;
	struct pfm_config config;
	struct counts *counts;
	int err;

	if (context_unload(member->fd) ||
	    context_read_records(member->fd, session->buffer,
				 &session->results) ||
	    context_read_config(member->fd, &config))
		return -1;
	counts = counts_create(events);
	if (!counts) {
		say_error("out of memory for the counts");
		return -1;
	}
	err = sets_read(events, member->fd, counts);
	if (!err)
		results_add_context(&session->results, counts);
	free(counts);
	if (err)
		return -1;
	add_config(session, &config);
	close(member->fd);
	member->fd = -1;
	members->active--;
	return 0;
}

void members_free(struct members *members)
{
	size_t i;

	for (i = 0; i < members->count; i++)
		if (members->list[i].fd >= 0)
			close(members->list[i].fd);
	free(members->list);
	memset(members, 0, sizeof(*members));
}

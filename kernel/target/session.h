/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Sessions: loaded contexts, of threads and of CPUs.
 */
#ifndef _PFM_SESSION_H
#define _PFM_SESSION_H

#include <linux/list.h>
#include <linux/sched.h>
#include <linux/types.h>
#include <linux/uidgid.h>

struct attribute_group;
struct pid;

/**
 * struct pfm_session - a context from load to unload, or to the end of the last
 *	task that it monitors
 * @node: in the list of sessions while there is one; session_lock
 * @cpu: CPU that is monitored, -1 when threads are; as @node
 * @target: thread that the context was loaded on, or NULL; this and what follows
 *	is changed under pfm_context.lock while there is no session
 * @owner: process that loaded the context
 * @uid: its user
 * @comm: its name
 */
struct pfm_session {
	struct list_head node;
	int cpu;
	struct pid *target;
	struct pid *owner;
	kuid_t uid;
	char comm[TASK_COMM_LEN];
};

extern const struct attribute_group pfm_session_group;

void pfm_session_prepare(struct pfm_session *session, struct task_struct *task);
int pfm_session_begin(struct pfm_session *session, int cpu);
void pfm_session_end(struct pfm_session *session);
void pfm_session_free(struct pfm_session *session);

#endif /* _PFM_SESSION_H */

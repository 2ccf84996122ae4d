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
struct cgroup;
struct pfm_held;
struct pfm_session;
struct pid;

extern const struct attribute_group pfm_session_group;

void pfm_session_prepare(struct pfm_session *session, struct task_struct *task,
			 struct cgroup *cgroup);
int pfm_session_begin(struct pfm_session *session, int cpu, const u64 *holds);
void pfm_session_end(struct pfm_session *session);
void pfm_session_held(const struct pfm_session *own, int cpu,
		      struct cgroup *cgroup, u64 *holds, struct pfm_held *out);
void pfm_session_name(const char *comm, char *to);
bool pfm_session_meets(const struct pfm_session *session, int cpu,
		       struct cgroup *cgroup);
void pfm_session_walk_begin(struct pfm_session *mark);
bool pfm_session_walk(struct pfm_session *mark,
		      bool (*fn)(struct pfm_session *session, void *arg),
		      void *arg);
void pfm_session_walk_end(struct pfm_session *mark);
void pfm_session_free(struct pfm_session *session);

#endif /* _PFM_SESSION_H */

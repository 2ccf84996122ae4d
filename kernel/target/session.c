// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sessions.  A session lasts from load to unload, or until the last monitored task has
 * ended.  Sessions that monitor threads and sessions that monitor CPUs exclude each
 * other, and each CPU has at most one session.  A file in sysfs shows who uses the PMU.
 */
#include "target/session.h"

#include <linux/capability.h>
#include <linux/cred.h>
#include <linux/ctype.h>
#include <linux/kobject.h>
#include <linux/pid.h>
#include <linux/sched.h>
#include <linux/spinlock.h>
#include <linux/string.h>
#include <linux/sysfs.h>
#include <linux/user_namespace.h>

#include "core/context.h"

/* Number of sessions that a read of the file "holders" looks at with interrupts off. */
#define BATCH 64

/* Longest line of the file "holders"; as much is kept free for the last line. */
#define LINE_MAX_LEN 128

/* Protects the variables below; raw, innermost, interrupts off. */
static DEFINE_RAW_SPINLOCK(session_lock);
static LIST_HEAD(sessions);
static unsigned int task_sessions;
static unsigned int sys_sessions;

/**
 * pfm_session_prepare - store who is about to begin a session, and for which thread
 * @session: session of the context, whose pfm_context.lock is held
 * @task: thread that will be monitored, NULL for a CPU
 *
 * Context: process.
 */
void pfm_session_prepare(struct pfm_session *session, struct task_struct *task)
{
	pfm_session_free(session);
	session->target = task ? get_task_pid(task, PIDTYPE_PID) : NULL;
	session->owner = get_task_pid(current, PIDTYPE_TGID);
	session->uid = current_uid();
	strscpy_pad(session->comm, current->comm, sizeof(session->comm));
}

/**
 * pfm_session_free - drop what pfm_session_prepare() stored
 * @session: session that has ended or never begun; pfm_context.lock is held
 */
void pfm_session_free(struct pfm_session *session)
{
	put_pid(session->target);
	put_pid(session->owner);
	session->target = NULL;
	session->owner = NULL;
}

/* True when other sessions exclude one that monitors this CPU (-1: threads). */
static bool excluded(int cpu)
{
	const struct pfm_session *other;

	if (cpu < 0)
		return sys_sessions;
	if (task_sessions)
		return true;
	list_for_each_entry(other, &sessions, node) {
		if (other->cpu == cpu)
			return true;
	}
	return false;
}

/**
 * pfm_session_begin - begin a session unless another one excludes it
 * @session: session of the context that is about to be loaded, prepared
 * @cpu: monitored CPU, -1 when threads are monitored
 *
 * Context: any but NMI.
 * Return: 0; -EBUSY when another session excludes this one.
 */
int pfm_session_begin(struct pfm_session *session, int cpu)
{
	unsigned long flags;
	int ret = 0;

	raw_spin_lock_irqsave(&session_lock, flags);
	if (excluded(cpu)) {
		ret = -EBUSY;
	} else {
		session->cpu = cpu;
		list_add_tail(&session->node, &sessions);
		if (cpu < 0)
			task_sessions++;
		else
			sys_sessions++;
	}
	raw_spin_unlock_irqrestore(&session_lock, flags);
	return ret;
}

/**
 * pfm_session_end - end a session: the context monitors nothing any more
 * @session: the session
 *
 * Context: any but NMI; also under pfm_context.targets_lock, in a probe.
 */
void pfm_session_end(struct pfm_session *session)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&session_lock, flags);
	list_del(&session->node);
	if (session->cpu < 0)
		task_sessions--;
	else
		sys_sessions--;
	raw_spin_unlock_irqrestore(&session_lock, flags);
}

static ssize_t task_sessions_count_show(struct kobject *kobj,
					struct kobj_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "%u\n", READ_ONCE(task_sessions));
}

static ssize_t sys_sessions_count_show(struct kobject *kobj,
				       struct kobj_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "%u\n", READ_ONCE(sys_sessions));
}

/* Processes choose their names, so replace all characters that are not printable. */
static void printable(char *to, const char *comm)
{
	for (; *comm; comm++)
		*to++ = isascii(*comm) && isprint(*comm) ? *comm : '?';
	*to = '\0';
}

/**
 * struct holders_walk - state of a read of the file "holders"
 * @mark: entry in the list of sessions that marks the position: behind the sessions
 *	already looked at.  It is no session itself, and has a NULL owner to tell so
 * @all: the reading process may see the sessions of other users
 * @uid: user id of the reading process
 * @full: there is no room for more lines
 * @others: number of sessions without a line
 */
struct holders_walk {
	struct pfm_session mark;
	bool all;
	kuid_t uid;
	bool full;
	unsigned int others;
};

/* True when a session gets a line. */
static bool is_shown(const struct holders_walk *walk,
		     const struct pfm_session *session)
{
	return !walk->full &&
	       (walk->all || uid_eq(session->uid, walk->uid));
}

/*
 * Look at the next sessions, at most BATCH, up to the first that gets a line.  Copy that
 * session to found, with references; if there was none, found->owner is NULL.  Returns
 * false when the end of the list was reached and nothing was found.
 */
static bool look(struct holders_walk *walk, struct pfm_session *found)
{
	struct pfm_session *session = &walk->mark;
	unsigned int left = BATCH;
	unsigned long flags;
	bool more;

	found->owner = NULL;
	raw_spin_lock_irqsave(&session_lock, flags);
	while (!found->owner && left--) {
		if (list_is_last(&session->node, &sessions))
			break;
		session = list_next_entry(session, node);
		if (!session->owner)
			continue;
		if (is_shown(walk, session))
			*found = *session;
		else
			walk->others++;
	}
	more = !list_is_last(&session->node, &sessions) || found->owner;
	if (session != &walk->mark)
		list_move(&walk->mark.node, &session->node);
	get_pid(found->owner);
	if (found->owner)
		get_pid(found->target);
	raw_spin_unlock_irqrestore(&session_lock, flags);
	return more;
}

static int emit_session(char *buf, int at, const struct pfm_session *session)
{
	char comm[TASK_COMM_LEN];

	printable(comm, session->comm);
	if (session->cpu < 0)
		at += sysfs_emit_at(buf, at, "thread %d",
				    pid_vnr(session->target));
	else
		at += sysfs_emit_at(buf, at, "cpu %d", session->cpu);
	at += sysfs_emit_at(buf, at, " pid %d uid %u comm %s\n",
			    pid_vnr(session->owner),
			    from_kuid_munged(current_user_ns(), session->uid),
			    comm);
	return at;
}

/*
 * Each session has a line that tells what is monitored, and by whom.  A process without
 * CAP_PERFMON sees its user's sessions only.  The last line counts the sessions that
 * have no line.
 */
static ssize_t holders_show(struct kobject *kobj, struct kobj_attribute *attr,
			    char *buf)
{
	struct holders_walk walk = {
		.mark.cpu = -1,
		.all = perfmon_capable(),
		.uid = current_uid(),
	};
	struct pfm_session found;
	unsigned long flags;
	int len = 0;

	raw_spin_lock_irqsave(&session_lock, flags);
	list_add(&walk.mark.node, &sessions);
	raw_spin_unlock_irqrestore(&session_lock, flags);
	while (look(&walk, &found)) {
		cond_resched();
		if (!found.owner)
			continue;
		len = emit_session(buf, len, &found);
		put_pid(found.target);
		put_pid(found.owner);
		walk.full = len > (int)PAGE_SIZE - 2 * LINE_MAX_LEN;
	}
	raw_spin_lock_irqsave(&session_lock, flags);
	list_del(&walk.mark.node);
	raw_spin_unlock_irqrestore(&session_lock, flags);
	if (walk.others)
		len += sysfs_emit_at(buf, len, "others %u\n", walk.others);
	return len;
}

static struct kobj_attribute task_sessions_attr =
	__ATTR_RO(task_sessions_count);
static struct kobj_attribute sys_sessions_attr = __ATTR_RO(sys_sessions_count);
static struct kobj_attribute holders_attr = __ATTR_RO(holders);

static struct attribute *session_attrs[] = {
	&task_sessions_attr.attr,
	&sys_sessions_attr.attr,
	&holders_attr.attr,
	NULL,
};

/* Files of /sys/kernel/perfmon. */
const struct attribute_group pfm_session_group = { .attrs = session_attrs };

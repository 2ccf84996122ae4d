// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sessions: a context is one from load to unload, or to the end of the last
 * task that it monitors.  Those of threads and those of CPUs exclude each other,
 * and a CPU has one at most.  Who holds the PMU can be read in sysfs.
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

/* Sessions that the file "holders" looks at with interrupts off. */
#define BATCH 64

/* Longest line of the file "holders", and room for the one that ends it. */
#define LINE_MAX_LEN 128

/* Protects what follows; raw, innermost, interrupts off. */
static DEFINE_RAW_SPINLOCK(session_lock);
static LIST_HEAD(sessions);
static unsigned int task_sessions;
static unsigned int sys_sessions;

/**
 * pfm_session_prepare - say who is about to begin a session, and with what
 * @session: of the context, whose pfm_context.lock is held
 * @task: thread that will be monitored, NULL for a CPU
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
 * pfm_session_free - forget who began a session
 * @session: one that has ended
 */
void pfm_session_free(struct pfm_session *session)
{
	put_pid(session->target);
	put_pid(session->owner);
	session->target = NULL;
	session->owner = NULL;
}

/* Whether others exclude a session.  session_lock is held. */
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
 * pfm_session_begin - a context is about to be loaded
 * @session: the context's, prepared
 * @cpu: CPU that it monitors, -1 when it monitors threads
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
 * pfm_session_end - a context monitors nothing any more
 * @session: the context's
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

/* Names are the processes' to choose: what is no text stays out of the file. */
static void printable(char *to, const char *comm)
{
	for (; *comm; comm++)
		*to++ = isascii(*comm) && isprint(*comm) ? *comm : '?';
	*to = '\0';
}

/**
 * struct reader - a reader of the file "holders"
 * @mark: in the list behind the sessions that were looked at; no session, as it has no
 *	owner
 * @all: the reader may see the sessions of others
 * @uid: the reader's
 * @full: there is no room for more lines
 * @others: sessions without a line
 */
struct reader {
	struct pfm_session mark;
	bool all;
	kuid_t uid;
	bool full;
	unsigned int others;
};

/* Whether a session gets a line. */
static bool is_shown(const struct reader *reader,
		     const struct pfm_session *session)
{
	return !reader->full &&
	       (reader->all || uid_eq(session->uid, reader->uid));
}

/*
 * Look at some more sessions, up to the next that gets a line: that is copied, with
 * references, and its copy has an owner.  Returns false when there are no more.
 */
static bool look(struct reader *reader, struct pfm_session *found)
{
	struct pfm_session *session = &reader->mark;
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
		if (is_shown(reader, session))
			*found = *session;
		else
			reader->others++;
	}
	more = !list_is_last(&session->node, &sessions) || found->owner;
	if (session != &reader->mark)
		list_move(&reader->mark.node, &session->node);
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
 * One line a session: what is monitored, and by whom.  Who lacks CAP_PERFMON
 * sees their own.  The last line counts the sessions that have no line.
 */
static ssize_t holders_show(struct kobject *kobj, struct kobj_attribute *attr,
			    char *buf)
{
	struct reader reader = {
		.mark.cpu = -1,
		.all = perfmon_capable(),
		.uid = current_uid(),
	};
	struct pfm_session found;
	unsigned long flags;
	int len = 0;

	raw_spin_lock_irqsave(&session_lock, flags);
	list_add(&reader.mark.node, &sessions);
	raw_spin_unlock_irqrestore(&session_lock, flags);
	while (look(&reader, &found)) {
		cond_resched();
		if (!found.owner)
			continue;
		len = emit_session(buf, len, &found);
		put_pid(found.target);
		put_pid(found.owner);
		reader.full = len > (int)PAGE_SIZE - 2 * LINE_MAX_LEN;
	}
	raw_spin_lock_irqsave(&session_lock, flags);
	list_del(&reader.mark.node);
	raw_spin_unlock_irqrestore(&session_lock, flags);
	if (reader.others)
		len += sysfs_emit_at(buf, len, "others %u\n", reader.others);
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

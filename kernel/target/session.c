// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sessions.  A session lasts from load to unload, or until the last monitored task has
 * ended.  It holds parts of the hardware, those of its registers.  No CPU may ever have to count
 * for two sessions that hold the same.  So a part is held by sessions of threads, which may run on
 * any CPU, or by one session of each CPU.  Threads do not run at the same time on a CPU, so
 * sessions of different threads may hold the same; pfm_table_insert() asks about those of one
 * thread.  For the same reason sessions of a CPU may that monitor cgroups of which no task belongs
 * to both.  Files in sysfs show who uses the PMU.
 */
#include "target/session.h"

#include <linux/atomic.h>
#include <linux/bitmap.h>
#include <linux/bitops.h>
#include <linux/bits.h>
#include <linux/capability.h>
#include <linux/cgroup.h>
#include <linux/cred.h>
#include <linux/ctype.h>
#include <linux/kobject.h>
#include <linux/list.h>
#include <linux/minmax.h>
#include <linux/perfmon.h>
#include <linux/pid.h>
#include <linux/sched.h>
#include <linux/spinlock.h>
#include <linux/string.h>
#include <linux/sysfs.h>
#include <linux/user_namespace.h>

#include "core/context.h"
#include "core/cpu_state.h"
#include "core/pmu.h"
#include "set/layout.h"
#include "target/policy.h"

/* Number of sessions that a read of the file "holders" looks at with interrupts off. */
#define BATCH 64

/* Longest line of the file "holders"; as much is kept free for the last line. */
#define LINE_MAX_LEN 128

/* Protects the variables below; raw, innermost, interrupts off. */
static DEFINE_RAW_SPINLOCK(session_lock);
static LIST_HEAD(sessions);
/* Sessions of CPUs, which are few: of threads there may be a hundred thousand. */
static LIST_HEAD(cpu_sessions);
/* Number of the latest session */
static u64 latest;
static unsigned int task_sessions;
static unsigned int sys_sessions;
/* For each part of the hardware, number of sessions that hold it: of threads, and of CPUs. */
static unsigned int holders[2][PFM_CLASSES][BITS_PER_TYPE(u64)];

static u64 id_of(const struct cgroup *cgroup)
{
#ifdef CONFIG_CGROUPS
	return cgroup ? cgroup_id(cgroup) : 0;
#else
	return 0;
#endif
}

/**
 * pfm_session_prepare - store who is about to begin a session, and for which thread
 * @session: session of the context, whose pfm_context.lock is held
 * @task: thread that will be monitored, NULL for a CPU
 * @cgroup: cgroup whose tasks will be monitored on the CPU, NULL: all
 *
 * Context: process.
 */
void pfm_session_prepare(struct pfm_session *session, struct task_struct *task,
			 struct cgroup *cgroup)
{
	pfm_session_free(session);
	session->cgroup = cgroup;
	session->cgroup_id = id_of(cgroup);
	session->target = task ? get_task_pid(task, PIDTYPE_PID) : NULL;
	session->owner = get_task_pid(current, PIDTYPE_TGID);
	session->uid = current_uid();
	session->ranks = pfm_policy_take();
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

/* Count a session that begins (1) or ends (-1) among those that hold the same. */
static void count(const struct pfm_session *session, int by)
{
	const bool of_cpu = session->cpu >= 0;
	enum pfm_reg_class class;
	u64 left;

	for (class = 0; class < PFM_CLASSES; class++) {
		for (left = session->holds[class]; left; left &= left - 1)
			holders[of_cpu][class][__ffs64(left)] += by;
	}
	if (of_cpu)
		sys_sessions += by;
	else
		task_sessions += by;
}

/* True when a session of any thread, or of any CPU, holds one of these parts. */
static bool is_held(const u64 *holds, bool of_cpu)
{
	enum pfm_reg_class class;
	u64 left;

	for (class = 0; class < PFM_CLASSES; class++) {
		for (left = holds[class]; left; left &= left - 1) {
			if (holders[of_cpu][class][__ffs64(left)])
				return true;
		}
	}
	return false;
}

/* True if no task can belong to both cgroups; NULL stands for all tasks. */
static bool are_apart(struct cgroup *a, struct cgroup *b)
{
#ifdef CONFIG_CGROUPS
	return a && b && !cgroup_is_descendant(a, b) &&
	       !cgroup_is_descendant(b, a);
#else
	return false;
#endif
}

/* Find a slot for a session of a CPU: one of no other that may count at the same time. */
static int find_slot(const struct pfm_session *session, const u64 *holds,
		     int cpu)
{
	unsigned long free = GENMASK(PFM_SLOTS - 1, PFM_SLOT_OWN);
	const struct pfm_session *other;

	lockdep_assert_held(&session_lock);
	list_for_each_entry(other, &cpu_sessions, on_cpu) {
		/* B1 */
		if (other->cpu != cpu ||
		    are_apart(other->cgroup, session->cgroup))
			continue;
		if (pfm_holds_meet(other->holds, holds))
			return -EBUSY;
		__clear_bit(other->slot, &free);
	}
	return free ? __ffs(free) : -EBUSY;
}

/**
 * pfm_session_begin - begin a session unless another one excludes it
 * @session: session of the context that is about to be loaded, prepared
 * @cpu: monitored CPU, -1 when threads are monitored
 * @holds: parts of the hardware that the session will hold, see struct pfm_layout
 *
 * Context: any but NMI.
 * Return: 0; -EBUSY when another session holds a part of the same, or when the CPU has as many
 * sessions as it can count for.
 */
int pfm_session_begin(struct pfm_session *session, int cpu, const u64 *holds)
{
	const bool of_cpu = cpu >= 0;
	unsigned long flags;
	int slot = -EBUSY;

	raw_spin_lock_irqsave(&session_lock, flags);
	/* J1, J2 */
	if (!is_held(holds, !of_cpu))
		slot = of_cpu ? find_slot(session, holds, cpu) : 0;
	if (slot >= 0) {
		session->cpu = cpu;
		session->slot = slot;
		session->number = ++latest;
		memcpy(session->holds, holds, sizeof(session->holds));
		session->lasts = true;
		list_add_tail(&session->node, &sessions);
		if (of_cpu)
			list_add_tail(&session->on_cpu, &cpu_sessions);
		count(session, 1);
	}
	raw_spin_unlock_irqrestore(&session_lock, flags);
	return min(slot, 0);
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
	session->lasts = false;
	list_del(&session->node);
	if (session->cpu >= 0)
		list_del(&session->on_cpu);
	count(session, -1);
	raw_spin_unlock_irqrestore(&session_lock, flags);
	/* All its targets are out of the table, and no CPU counts for one. J7 */
	if (session->further)
		atomic64_sub(PFM_WATCH_SWITCH, &pfm_switch_watch);
	session->further = false;
}

/**
 * pfm_session_name - copy the name of a process, for other users to read
 * @comm: the name
 * @to: out: room for TASK_COMM_LEN characters
 *
 * Processes choose their names, so all characters that are not printable are replaced.
 */
void pfm_session_name(const char *comm, char *to)
{
	for (; *comm; comm++)
		*to++ = isascii(*comm) && isprint(*comm) ? *comm : '?';
	*to = '\0';
}

/* Add what sessions of threads hold, without one that lasts or is NULL. */
static void add_threads(const struct pfm_session *own, u64 *holds)
{
	enum pfm_reg_class class;
	unsigned int bit, mine;

	for (class = 0; class < PFM_CLASSES; class++) {
		for (bit = 0; bit < BITS_PER_TYPE(u64); bit++) {
			mine = own ? own->holds[class] >> bit & 1 : 0;
			if (holders[0][class][bit] > mine)
				holds[class] |= BIT_ULL(bit);
		}
	}
}

/**
 * pfm_session_meets - tell whether a CPU may have to count for a session and for another one
 * @session: the session
 * @cpu: CPU that the other one monitors, -1 if it monitors threads
 * @cgroup: cgroup that the other one monitors on the CPU, NULL: all tasks
 *
 * Sessions of different threads never meet, nor do those of cgroups of which no task belongs to
 * both.
 *
 * Return: true if it may.
 */
bool pfm_session_meets(const struct pfm_session *session, int cpu,
		       struct cgroup *cgroup)
{
	if (cpu < 0 || session->cpu < 0)
		return session->cpu != cpu;
	return session->cpu == cpu && !are_apart(session->cgroup, cgroup);
}

/*
 * Find a session that holds anything and that the caller may see; one of CPUs first, as these are
 * few.
 */
static const struct pfm_session *find_holder(const struct pfm_session *own,
					     int cpu, struct cgroup *cgroup,
					     bool all)
{
	const kuid_t uid = current_uid();
	const struct pfm_session *session;
	unsigned int left = BATCH;

	list_for_each_entry(session, &cpu_sessions, on_cpu) {
		if (session != own && pfm_session_meets(session, cpu, cgroup) &&
		    (all || uid_eq(session->uid, uid)) &&
		    pfm_holds_any(session->holds))
			return session;
	}
	list_for_each_entry(session, &sessions, node) {
		/* An entry without an owner marks a place: see holders_show(). */
		if (!left--)
			break;
		if (session != own && session->owner &&
		    pfm_session_meets(session, cpu, cgroup) &&
		    (all || uid_eq(session->uid, uid)) &&
		    pfm_holds_any(session->holds))
			return session;
	}
	return NULL;
}

/* Add what sessions of a CPU (-1: of any CPU) hold.  Returns how many slots they use. */
static unsigned int add_cpus(const struct pfm_session *own, int cpu,
			     struct cgroup *cgroup, u64 *holds)
{
	const struct pfm_session *session;
	enum pfm_reg_class class;
	unsigned long slots = 0;

	list_for_each_entry(session, &cpu_sessions, on_cpu) {
		if (session == own || !pfm_session_meets(session, cpu, cgroup))
			continue;
		__set_bit(session->slot, &slots);
		for (class = 0; class < PFM_CLASSES; class++)
			holds[class] |= session->holds[class];
	}
	return hweight_long(slots);
}

/**
 * pfm_session_held - find what other sessions hold
 * @own: session of the context that asks, left out
 * @cpu: CPU that a session would be for, -1 for threads
 * @cgroup: cgroup that it would monitor on the CPU, NULL: all tasks
 * @holds: in: 0; out: for each register class, the parts that LOAD would refuse
 * @out: out: slots, and the process of one of the sessions
 *
 * Context: process.
 */
void pfm_session_held(const struct pfm_session *own, int cpu,
		      struct cgroup *cgroup, u64 *holds, struct pfm_held *out)
{
	const bool all = perfmon_capable();
	const struct pfm_session *holder;
	struct pid *owner = NULL;
	unsigned int n;
	kuid_t uid;

	raw_spin_lock_irq(&session_lock);
	n = add_cpus(own, cpu, cgroup, holds);
	if (cpu >= 0)
		add_threads(own->lasts && own->cpu < 0 ? own : NULL, holds);
	holder = find_holder(own, cpu, cgroup, all);
	if (holder) {
		owner = get_pid(holder->owner);
		uid = holder->uid;
		pfm_session_name(holder->comm, out->comm);
	}
	raw_spin_unlock_irq(&session_lock);
	out->slots = PFM_SLOTS_OWN - n;
	if (!owner)
		return;
	out->pid = pid_vnr(owner);
	out->uid = from_kuid_munged(current_user_ns(), uid);
	put_pid(owner);
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

/**
 * struct holders_walk - state of a read of the file "holders"
 * @found: copy of the session that gets the next line, with references; or its owner is NULL
 * @all: the reading process may see the sessions of other users
 * @uid: user id of the reading process
 * @full: there is no room for more lines
 * @others: number of sessions without a line
 */
struct holders_walk {
	struct pfm_session found;
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

/**
 * pfm_session_walk_begin - begin to walk over all sessions
 * @mark: entry that marks the position in the list: behind the sessions already looked at
 */
void pfm_session_walk_begin(struct pfm_session *mark)
{
	unsigned long flags;

	/* It is no session itself, and this tells so. */
	mark->owner = NULL;
	raw_spin_lock_irqsave(&session_lock, flags);
	list_add(&mark->node, &sessions);
	raw_spin_unlock_irqrestore(&session_lock, flags);
}

/**
 * pfm_session_walk - look at the next sessions
 * @mark: the position
 * @fn: called for some sessions, with session_lock held; until it returns true
 * @arg: passed to @fn
 *
 * Context: process; the caller may sleep between calls.
 * Return: false if the end of the list was reached, and @fn has not returned true.
 */
bool pfm_session_walk(struct pfm_session *mark,
		      bool (*fn)(struct pfm_session *session, void *arg),
		      void *arg)
{
	struct pfm_session *session = mark;
	unsigned int left = BATCH;
	bool found = false, more;
	unsigned long flags;

	raw_spin_lock_irqsave(&session_lock, flags);
	while (!found && left-- && !list_is_last(&session->node, &sessions)) {
		session = list_next_entry(session, node);
		found = session->owner && fn(session, arg);
	}
	more = found || !list_is_last(&session->node, &sessions);
	if (session != mark)
		list_move(&mark->node, &session->node);
	raw_spin_unlock_irqrestore(&session_lock, flags);
	return more;
}

/**
 * pfm_session_walk_end - end the walk
 * @mark: the position
 */
void pfm_session_walk_end(struct pfm_session *mark)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&session_lock, flags);
	list_del(&mark->node);
	raw_spin_unlock_irqrestore(&session_lock, flags);
}

/* Copy the next session that gets a line, with references; count one that gets none. */
static bool look(struct pfm_session *session, void *arg)
{
	struct holders_walk *walk = arg;

	if (!is_shown(walk, session)) {
		walk->others++;
		return false;
	}
	walk->found = *session;
	get_pid(walk->found.owner);
	get_pid(walk->found.target);
	return true;
}

static int emit_session(char *buf, int at, const struct pfm_session *session)
{
	char comm[TASK_COMM_LEN];

	pfm_session_name(session->comm, comm);
	if (session->cpu < 0)
		at += sysfs_emit_at(buf, at, "thread %d",
				    pid_vnr(session->target));
	else
		at += sysfs_emit_at(buf, at, "cpu %d", session->cpu);
	if (session->cgroup_id)
		at += sysfs_emit_at(buf, at, " cgroup %llu",
				    session->cgroup_id);
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
		.all = perfmon_capable(),
		.uid = current_uid(),
	};
	struct pfm_session mark = { .cpu = -1 };
	int len = 0;

	pfm_session_walk_begin(&mark);
	while (pfm_session_walk(&mark, look, &walk)) {
		cond_resched();
		if (!walk.found.owner)
			continue;
		len = emit_session(buf, len, &walk.found);
		put_pid(walk.found.target);
		put_pid(walk.found.owner);
		walk.found.owner = NULL;
		walk.full = len > (int)PAGE_SIZE - 2 * LINE_MAX_LEN;
	}
	pfm_session_walk_end(&mark);
	if (walk.others)
		len += sysfs_emit_at(buf, len, "others %u\n", walk.others);
	return len;
}

/**
 * struct held_walk - state of a read of the file "held"
 * @holds: parts of the hardware that sessions of threads hold, and those of CPUs
 */
struct held_walk {
	u64 holds[2][PFM_CLASSES];
};

static bool add_held(struct pfm_session *session, void *arg)
{
	struct held_walk *walk = arg;
	u64 *holds = walk->holds[session->cpu >= 0];
	enum pfm_reg_class class;

	for (class = 0; class < PFM_CLASSES; class++)
		holds[class] |= session->holds[class];
	return false;
}

/*
 * Numbers of the PMDs that sessions of threads hold, and those that sessions of any CPU hold.
 * Everybody may read them, because a LOAD that is refused tells the same.
 */
static ssize_t held_show(struct kobject *kobj, struct kobj_attribute *attr,
			 char *buf)
{
	struct pfm_session mark = { .cpu = -1 };
	DECLARE_BITMAP(threads, PFM_REGS_MAX) = {};
	DECLARE_BITMAP(cpus, PFM_REGS_MAX) = {};
	struct held_walk walk = {};

	pfm_session_walk_begin(&mark);
	while (pfm_session_walk(&mark, add_held, &walk))
		cond_resched();
	pfm_session_walk_end(&mark);
	pfm_pmu_occupants(walk.holds[0], threads);
	pfm_pmu_occupants(walk.holds[1], cpus);
	return sysfs_emit(buf, "threads %*pbl\ncpus %*pbl\n", PFM_REGS_MAX,
			  threads, PFM_REGS_MAX, cpus);
}

static struct kobj_attribute task_sessions_attr =
	__ATTR_RO(task_sessions_count);
static struct kobj_attribute sys_sessions_attr = __ATTR_RO(sys_sessions_count);
static struct kobj_attribute holders_attr = __ATTR_RO(holders);
static struct kobj_attribute held_attr = __ATTR_RO(held);

static struct attribute *session_attrs[] = {
	&task_sessions_attr.attr,
	&sys_sessions_attr.attr,
	&holders_attr.attr,
	&held_attr.attr,
	NULL,
};

/* Files of /sys/kernel/perfmon. */
const struct attribute_group pfm_session_group = { .attrs = session_attrs };

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sources: counters of perf that count all the time, one a CPU for each configuration in use.
 *
 * Programs with the same configuration share a source.  Creating and releasing an event of perf
 * sleeps, and takes the lock of CPU hot-plug.  So nothing here holds that lock, and CPUs that
 * come online get their events from work (perf_cpus.c); until then they are barred.  The argument
 * in full: Documentation/extend/perf-pmu.rst.
 */
#include "perf_source.h"

#include <linux/bits.h>
#include <linux/capability.h>
#include <linux/cpumask.h>
#include <linux/cred.h>
#include <linux/err.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/perf_event.h>
#include <linux/perfmon_perf.h>
#include <linux/sched.h>
#include <linux/sched/task.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/string.h>
#include <linux/workqueue.h>
#include <perfmon/pmu.h>

/*
 * The counters are held as long as the source exists, on all CPUs, and perf has what is left.
 */
static unsigned int unprivileged = 4;
module_param(unprivileged, uint, 0644);
MODULE_PARM_DESC(unprivileged,
		 "largest number of different events for processes without CAP_PERFMON");

/* Protects sources, pfm_source.fresh and ready; process context. */
static DEFINE_MUTEX(sources_lock);
static LIST_HEAD(sources);
/* CPUs on which each source has its event.  The others are barred. */
static struct cpumask ready;
/* Number of times that a source lost its last user and is not known to be released. */
static atomic_t idle;

/**
 * struct stay - the time from when a CPU comes online until it goes offline
 * @nr: number of the stay.  A suspend begins a new one
 * @over: the CPU is about to go offline
 *
 * Changed on that CPU.
 */
struct stay {
	u32 nr;
	bool over;
};

static DEFINE_PER_CPU(struct stay, stays);

/* The kernel's own rights. */
static const struct cred *source_cred;

/*
 * Some kernels ask here for the right to count a CPU.  A caller without it may count the event, as
 * perf_rights_check() and perf_source_get() have found, and perfmon decides for which tasks.  What
 * the event's own PMU asks of the caller is not asked here any more, see asks_rights().
 */
static struct perf_event *create_kernel_counter(struct perf_event_attr *attr,
						int cpu)
{
	struct perf_event *event;
	const struct cred *old;

	if (perfmon_capable())
		return perf_event_create_kernel_counter(attr, cpu, NULL, NULL,
							NULL);
	old = override_creds(source_cred);
	event = perf_event_create_kernel_counter(attr, cpu, NULL, NULL, NULL);
	revert_creds(old);
	return event;
}

static struct perf_event_attr attr_of(const struct perf_key *key)
{
	return (struct perf_event_attr){
		.type = key->type,
		.size = sizeof(struct perf_event_attr),
		.config = key->config,
		.config1 = key->config1,
		.config2 = key->config2,
		.pinned = 1,
		.exclude_user = !!(key->flags & PFM_PERF_EXCLUDE_USER),
		.exclude_kernel = !!(key->flags & PFM_PERF_EXCLUDE_KERNEL),
		.exclude_hv = !!(key->flags & PFM_PERF_EXCLUDE_HV),
		.exclude_idle = !!(key->flags & PFM_PERF_EXCLUDE_IDLE),
		.exclude_host = !!(key->flags & PFM_PERF_EXCLUDE_HOST),
		.exclude_guest = !!(key->flags & PFM_PERF_EXCLUDE_GUEST),
	};
}

static struct perf_event *create(const struct perf_key *key, int cpu)
{
	struct perf_event_attr attr = attr_of(key);

	/* What it watches is an address, which need not be the caller's. */
	if (key->type == PERF_TYPE_BREAKPOINT)
		return ERR_PTR(-EOPNOTSUPP);
	return create_kernel_counter(&attr, cpu);
}

static void release(struct perf_event *event)
{
	if (event)
		perf_event_release_kernel(event);
}

/*
 * True for events whose count means something for a task: those of uncore PMUs count for all
 * CPUs of a package.  Events that trace into a buffer do not count.  The config words of a probe
 * are addresses in the caller's memory, so they do not tell what it is.
 */
static bool is_usable(const struct perf_event *event, int cpu)
{
	const struct pmu *pmu = event->pmu;

	if (pmu->task_ctx_nr == perf_invalid_context || event->cpu != cpu)
		return false;
	if (pmu->capabilities & (PERF_PMU_CAP_EXCLUSIVE | PERF_PMU_CAP_ITRACE))
		return false;
	return !pmu->name ||
	       (strcmp(pmu->name, "kprobe") && strcmp(pmu->name, "uprobe"));
}

/*
 * Have a CPU count an event.  Returns the event, NULL if the CPU's PMU does not have it, or an
 * error pointer: -ESTALE if the CPU has gone meanwhile, or has been away.
 */
static struct perf_event *begin(const struct perf_key *key, int cpu)
{
	const struct stay *stay = per_cpu_ptr(&stays, cpu);
	const u32 nr = READ_ONCE(stay->nr);
	struct perf_event *event = create(key, cpu);
	int ret = 0;

	if (PTR_ERR_OR_ZERO(event) == -ENOENT)
		return NULL;
	if (IS_ERR(event))
		ret = PTR_ERR(event);
	else if (!is_usable(event, cpu))
		ret = -EOPNOTSUPP;
	else if (READ_ONCE(event->state) != PERF_EVENT_STATE_ACTIVE)
		ret = -EBUSY;
	if (!ret)
		return event;
	if (!IS_ERR(event))
		release(event);
	if (READ_ONCE(stay->over) || READ_ONCE(stay->nr) != nr)
		ret = -ESTALE;
	return ERR_PTR(ret);
}

/* Tell why perf does not count an event.  Returns the error of LOAD_CONTEXT. */
static int refuse(const struct perf_key *key, int cpu, int err)
{
	switch (err) {
	case -ENOMEM:
		return err;
	case -EACCES:
	case -EPERM:
		pfm_refusal_notice("context not loaded: perf counts type %u, config 0x%llx only for processes with CAP_PERFMON\n",
				   key->type, key->config);
		return -EPERM;
	case -EBUSY:
	case -ENOSPC:
		pfm_refusal_notice("context not loaded: perf has no counter left on CPU %d for type %u, config 0x%llx\n",
				   cpu, key->type, key->config);
		return -EBUSY;
	default:
		pfm_refusal_notice("context not loaded: perf does not count type %u, config 0x%llx on CPU %d: error %d\n",
				   key->type, key->config, cpu, err);
		return -EOPNOTSUPP;
	}
}

/*
 * In a raw event of Intel's: count what the other thread of the core executes as well.  On other
 * x86 processors the bit is reserved or harmless.
 */
#define RAW_ANY_THREAD BIT_ULL(21)

/*
 * True for events whose PMU may ask for a right of its own: kprobes and uprobes, which act when
 * they are created, PMUs that trace, and PMUs of other modules.
 */
static bool asks_rights(const struct perf_key *key)
{
	if (key->type == PERF_TYPE_RAW)
		return IS_ENABLED(CONFIG_X86) && key->config & RAW_ANY_THREAD;
	return key->type >= PERF_TYPE_MAX;
}

/*
 * Have perf decide whether the caller may count the event for its own tasks.  The PMU must see
 * the caller's rights, not the kernel's, before anything is created with the latter; and a source
 * that somebody with more rights has made is not to be shared with a caller without.  So an event
 * of the current thread is created with its own rights.  It is disabled, and released at once.
 */
static int ask_perf(const struct perf_key *key)
{
	struct perf_event_attr attr = attr_of(key);
	struct perf_event *event;
	int ret = 0;

	if (perfmon_capable() || !asks_rights(key))
		return 0;
	attr.disabled = 1;
	event = perf_event_create_kernel_counter(&attr, -1, current, NULL,
						 NULL);
	if (IS_ERR(event))
		return refuse(key, -1, PTR_ERR(event));
	if (!is_usable(event, -1))
		ret = refuse(key, -1, -EOPNOTSUPP);
	release(event);
	return ret;
}

static void destroy(struct perf_source *source)
{
	int cpu;

	for_each_possible_cpu(cpu)
		release(*per_cpu_ptr(source->events, cpu));
	free_percpu(source->events);
	kfree(source);
}

static int begin_all(struct perf_source *source)
{
	bool found = false;
	int cpu;

	for_each_cpu(cpu, &ready) {
		struct perf_event *event = begin(&source->key, cpu);

		if (IS_ERR(event)) {
			/* The CPU is barred when it comes back, and gets its event then. */
			if (PTR_ERR(event) == -ESTALE)
				continue;
			return refuse(&source->key, cpu, PTR_ERR(event));
		}
		*per_cpu_ptr(source->events, cpu) = event;
		if (event)
			found = true;
	}
	return found ? 0 : refuse(&source->key, -1, -ENOENT);
}

/* True when processes without CAP_PERFMON have as many sources as they may. */
static bool ordinary_full(void)
{
	const struct perf_source *source;
	unsigned int n = 0;

	list_for_each_entry(source, &sources, entry)
		n += source->ordinary;
	if (n < READ_ONCE(unprivileged))
		return false;
	pfm_refusal_notice("context not loaded: processes without CAP_PERFMON have %u different events of perf already (parameter unprivileged)\n",
			   n);
	return true;
}

/* Release the sources without users. */
static void reap_locked(void)
{
	struct perf_source *source, *next;

	atomic_set(&idle, 0);
	list_for_each_entry_safe(source, next, &sources, entry) {
		/* Y1 */
		if (atomic_read(&source->users))
			continue;
		list_del(&source->entry);
		destroy(source);
	}
}

static struct perf_source *make(const struct perf_key *key)
{
	struct perf_source *source;
	int ret;

	/* They may have the last counter. */
	if (atomic_read(&idle))
		reap_locked();
	if (!perfmon_capable() && ordinary_full())
		return ERR_PTR(-EBUSY);
	source = kzalloc(sizeof(*source), GFP_KERNEL_ACCOUNT);
	if (!source)
		return ERR_PTR(-ENOMEM);
	source->events =
		alloc_percpu_gfp(struct perf_event *, GFP_KERNEL_ACCOUNT);
	if (!source->events) {
		kfree(source);
		return ERR_PTR(-ENOMEM);
	}
	source->key = *key;
	source->ordinary = !perfmon_capable();
	source->switches = key->type == PERF_TYPE_SOFTWARE &&
			   key->config == PERF_COUNT_SW_CONTEXT_SWITCHES &&
			   !(key->flags & PFM_PERF_EXCLUDE_KERNEL);
	ret = begin_all(source);
	if (ret) {
		destroy(source);
		return ERR_PTR(ret);
	}
	list_add_tail(&source->entry, &sources);
	return source;
}

static struct perf_source *find(const struct perf_key *key)
{
	struct perf_source *source;

	list_for_each_entry(source, &sources, entry) {
		if (!memcmp(&source->key, key, sizeof(*key)))
			return source;
	}
	return NULL;
}

static void reap(void)
{
	mutex_lock(&sources_lock);
	reap_locked();
	mutex_unlock(&sources_lock);
}

static void reap_fn(struct work_struct *work)
{
	reap();
}

static DECLARE_WORK(reap_work, reap_fn);

/**
 * perf_source_get - take a reference on the source of a configuration
 * @key: the configuration, which the current process may have counted
 *
 * Context: process; may sleep, no lock of CPU hot-plug held.
 * Return: the source, which counts on all CPUs that are not barred; or an error pointer:
 * -EBUSY: no counter is left; -EOPNOTSUPP: perf does not count this; -EPERM; -ENOMEM.
 */
struct perf_source *perf_source_get(const struct perf_key *key)
{
	struct perf_source *source;
	const int ret = ask_perf(key);

	if (ret)
		return ERR_PTR(ret);
	mutex_lock(&sources_lock);
	source = find(key);
	if (!source)
		source = make(key);
	if (!IS_ERR(source))
		atomic_inc(&source->users);
	mutex_unlock(&sources_lock);
	return source;
}

/**
 * perf_source_put - drop a reference on a source
 * @source: the source; no CPU counts with the program that had the reference
 *
 * Context: any but NMI.
 */
void perf_source_put(struct perf_source *source)
{
	/* From the decrement on, the source may be gone. */
	if (!atomic_dec_and_test(&source->users))
		return;
	atomic_inc(&idle);
	/* Y4 */
	schedule_work(&reap_work);
}

/** perf_source_settle - release the sources without users now; process context */
void perf_source_settle(void)
{
	if (atomic_read(&idle))
		reap();
}

/**
 * perf_source_arrive - note that this CPU has come online, or that perf's counters lost their
 * state; it is barred
 *
 * Context: on one CPU; perf_source_renew() follows.
 */
void perf_source_arrive(void)
{
	struct stay *stay = raw_cpu_ptr(&stays);

	WRITE_ONCE(stay->nr, stay->nr + 1);
	WRITE_ONCE(stay->over, false);
}

/** perf_source_leave - note that this CPU is about to go offline; on one CPU */
void perf_source_leave(void)
{
	this_cpu_write(stays.over, true);
}

/**
 * struct swap - the events of a CPU are replaced by others
 * @pmu: description of the PMU
 * @nr: number of the CPU's stay when the others were created
 * @done: out: they have been replaced
 */
struct swap {
	const struct pfm_pmu *pmu;
	u32 nr;
	bool done;
};

/*
 * On the CPU, interrupts off.  It may be counting still, for a task that it has counted for since
 * before it was to go offline.
 */
static void swap_here(void *arg)
{
	const struct stay *stay = this_cpu_ptr(&stays);
	struct perf_source *source;
	struct swap *s = arg;

	if (stay->nr != s->nr || stay->over)
		return;
	/* Y3 */
	pfm_cpu_suspend(s->pmu);
	list_for_each_entry(source, &sources, entry)
		swap(*this_cpu_ptr(source->events), source->fresh);
	pfm_cpu_forget(s->pmu);
	pfm_cpu_admit(s->pmu);
	s->done = true;
}

static int make_fresh(unsigned int cpu)
{
	struct perf_source *source;

	list_for_each_entry(source, &sources, entry) {
		struct perf_event *event = begin(&source->key, cpu);

		if (IS_ERR(event))
			return PTR_ERR(event);
		source->fresh = event;
	}
	return 0;
}

/**
 * perf_source_renew - give a CPU new events for all sources, and admit it
 * @cpu: the CPU, which perf_source_arrive() was called on
 * @pmu: description of the PMU
 *
 * Context: process; may sleep, no lock of CPU hot-plug held.
 * Return: 0; -ESTALE if the CPU has gone again; or the reason why it stays barred.
 */
int perf_source_renew(unsigned int cpu, const struct pfm_pmu *pmu)
{
	struct swap swap = { .pmu = pmu };
	struct perf_source *source;
	int ret;

	mutex_lock(&sources_lock);
	swap.nr = READ_ONCE(per_cpu(stays, cpu).nr);
	cpumask_clear_cpu(cpu, &ready);
	ret = make_fresh(cpu);
	if (!ret) {
		smp_call_function_single(cpu, swap_here, &swap, 1);
		ret = swap.done ? 0 : -ESTALE;
	}
	if (!ret)
		cpumask_set_cpu(cpu, &ready);
	list_for_each_entry(source, &sources, entry) {
		release(source->fresh);
		source->fresh = NULL;
	}
	mutex_unlock(&sources_lock);
	return ret;
}

/**
 * perf_source_begin - get ready to create events
 *
 * Return: 0 or -ENOMEM.
 */
int perf_source_begin(void)
{
	source_cred = prepare_kernel_cred(&init_task);
	return source_cred ? 0 : -ENOMEM;
}

/** perf_source_end - release all sources; no program exists any more */
void perf_source_end(void)
{
	cancel_work_sync(&reap_work);
	reap();
	put_cred(source_cred);
}

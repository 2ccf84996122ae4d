/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Differences between kernel versions: the only place that knows of them.
 */
#ifndef _PFM_COMPAT_H
#define _PFM_COMPAT_H

/*
 * The PFM_HAVE_* macros come from Kbuild, which looks into the headers that the
 * module is built against: distributions' kernels are not what their version
 * number says.
 */

/* The sched_process_exit tracepoint also tells of the group's end. */
#ifdef PFM_HAVE_EXIT_GROUP_DEAD
#define PFM_EXIT_PROBE(name) \
	void name(void *data, struct task_struct *task, bool group_dead)
#else
#define PFM_EXIT_PROBE(name) void name(void *data, struct task_struct *task)
#endif

/* The task_newtask tracepoint has the flags in 64 bits. */
#ifdef PFM_HAVE_CLONE_FLAGS_U64
#define PFM_FORK_PROBE(name) \
	void name(void *data, struct task_struct *child, u64 clone_flags)
#else
#define PFM_FORK_PROBE(name)                             \
	void name(void *data, struct task_struct *child, \
		  unsigned long clone_flags)
#endif

/*
 * Whether a task may be dumped, and the user namespace that says so of its
 * program, moved from its mm to the task.
 */
#ifdef PFM_HAVE_EXEC_STATE
#include <linux/sched/exec_state.h>
#define pfm_task_dumpable(task, mm)                                           \
	({                                                                    \
		bool __dumpable;                                              \
		rcu_read_lock();                                              \
		__dumpable = rcu_dereference((task)->exec_state)->dumpable == \
			     1;                                               \
		rcu_read_unlock();                                            \
		__dumpable;                                                   \
	})
/* Only exec replaces the state: the caller holds exec_update_lock. */
#define pfm_task_exec_ns(task, mm) \
	(rcu_dereference_protected((task)->exec_state, true)->user_ns)
#else
#define pfm_task_dumpable(task, mm) (get_dumpable(mm) == SUID_DUMP_USER)
#define pfm_task_exec_ns(task, mm) ((mm)->user_ns)
#endif

/*
 * Memory can be charged to another control group than that of current.  Where what
 * that takes is not exported, current's pays; without control groups nobody does.
 */
#ifdef PFM_HAVE_ACTIVE_MEMCG
#include <linux/memcontrol.h>
#include <linux/sched/mm.h>
#define pfm_memcg_get() get_mem_cgroup_from_mm(current->mm)
#define pfm_memcg_put(memcg) mem_cgroup_put(memcg)
#define pfm_memcg_enter(memcg) set_active_memcg(memcg)
#define pfm_memcg_leave(old) ((void)set_active_memcg(old))
#else
#define pfm_memcg_get() ((struct mem_cgroup *)NULL)
#define pfm_memcg_put(memcg) ((void)(memcg))
#define pfm_memcg_enter(memcg) ((void)(memcg), (struct mem_cgroup *)NULL)
#define pfm_memcg_leave(old) ((void)(old))
#endif

/*
 * Whether a task is in the middle of execve(2).  Where kernels do not say so, the
 * comparison of the address space has to do.
 */
#ifdef PFM_HAVE_IN_EXECVE
#define pfm_in_execve(task) ((task)->in_execve)
#else
#define pfm_in_execve(task) false
#endif

/* The queue for work that is bound to no CPU has another name. */
#ifdef PFM_HAVE_SYSTEM_DFL_WQ
#define pfm_unbound_wq system_dfl_wq
#else
#define pfm_unbound_wq system_unbound_wq
#endif

/* VMA flags are changed through functions. */
#ifdef PFM_HAVE_VM_FLAGS_MOD
#define pfm_vm_flags_mod(vma, set, clear) vm_flags_mod(vma, set, clear)
#else
#define pfm_vm_flags_mod(vma, set, clear) \
do { \
	struct vm_area_struct *__vma = (vma); \
	__vma->vm_flags = (__vma->vm_flags | (set)) & ~(clear); \
} while (0)
#endif

/* One call prepares a timer. */
#ifdef PFM_HAVE_HRTIMER_SETUP
#define pfm_hrtimer_setup(timer, fn, clock, mode) \
	hrtimer_setup(timer, fn, clock, mode)
#else
#define pfm_hrtimer_setup(timer, fn, clock, mode)   \
	do {                                        \
		struct hrtimer *__timer = (timer);  \
		hrtimer_init(__timer, clock, mode); \
		__timer->function = fn;             \
	} while (0)
#endif

#endif /* _PFM_COMPAT_H */

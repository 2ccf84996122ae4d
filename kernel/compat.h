/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Differences between kernel versions; no other file depends on the version.
 */
#ifndef _PFM_COMPAT_H
#define _PFM_COMPAT_H

/*
 * Kbuild defines the PFM_HAVE_* macros after a look into the headers that the module is
 * built against.  A version number would not do, because distributions backport
 * changes.
 */

/* Newer kernels pass group_dead to probes on sched_process_exit. */
#ifdef PFM_HAVE_EXIT_GROUP_DEAD
#define PFM_EXIT_PROBE(name) \
	void name(void *data, struct task_struct *task, bool group_dead)
#else
#define PFM_EXIT_PROBE(name) void name(void *data, struct task_struct *task)
#endif

/* Newer kernels pass 64-bit flags to probes on task_newtask. */
#ifdef PFM_HAVE_CLONE_FLAGS_U64
#define PFM_FORK_PROBE(name) \
	void name(void *data, struct task_struct *child, u64 clone_flags)
#else
#define PFM_FORK_PROBE(name)                             \
	void name(void *data, struct task_struct *child, \
		  unsigned long clone_flags)
#endif

/*
 * In newer kernels, a task and no longer its mm tells whether the task may be dumped,
 * and the user namespace of its program.
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
 * A number that changes whenever the address space was locked for writing.  Kernels without
 * one have the tracepoint vma_store.
 */
#if defined(CONFIG_PER_VMA_LOCK) && defined(PFM_HAVE_MM_LOCK_SEQCOUNT)
#define PFM_MM_CHANGE(mm) READ_ONCE((mm)->mm_lock_seq.sequence)
#elif defined(CONFIG_PER_VMA_LOCK)
#define PFM_MM_CHANGE(mm) ((unsigned int)READ_ONCE((mm)->mm_lock_seq))
#endif

/*
 * Charging memory to another control group than that of current.  Where the kernel does
 * not export what this takes, current's group pays; without control groups nobody does.
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
 * True for a thread that the kernel has created in a process, and that never returns to
 * user mode.  Older kernels have those of io_uring only.
 */
#include <linux/sched.h>
#ifdef PF_USER_WORKER
#define pfm_user_worker(task) ((task)->flags & (PF_IO_WORKER | PF_USER_WORKER))
#else
#define pfm_user_worker(task) ((task)->flags & PF_IO_WORKER)
#endif

/*
 * True when a task is in the middle of execve(2).  Where the kernel does not tell,
 * callers rely on their comparison of the address space alone.
 */
#ifdef PFM_HAVE_IN_EXECVE
#define pfm_in_execve(task) ((task)->in_execve)
#else
#define pfm_in_execve(task) false
#endif

/*
 * The workqueue for work that is bound to no CPU; newer kernels call it system_dfl_wq.
 */
#ifdef PFM_HAVE_SYSTEM_DFL_WQ
#define pfm_unbound_wq system_dfl_wq
#else
#define pfm_unbound_wq system_unbound_wq
#endif

/* In newer kernels, VMA flags must be changed by functions. */
#ifdef PFM_HAVE_VM_FLAGS_MOD
#define pfm_vm_flags_mod(vma, set, clear) vm_flags_mod(vma, set, clear)
#else
#define pfm_vm_flags_mod(vma, set, clear) \
do { \
	struct vm_area_struct *__vma = (vma); \
	__vma->vm_flags = (__vma->vm_flags | (set)) & ~(clear); \
} while (0)
#endif

/* In newer kernels, one function initialises a timer and sets its callback. */
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

/*
 * Functions for a suspend of the whole system, called on the last CPU with interrupts
 * off.  In newer kernels they have an argument, and a structure beside the functions.
 */
#ifdef PFM_HAVE_SYSCORE
#define PFM_SYSCORE_SUSPEND(name) int name(void *unused)
#define PFM_SYSCORE_RESUME(name) void name(void *unused)
#define PFM_SYSCORE_DEFINE(name, suspend_fn, resume_fn)  \
	static const struct syscore_ops name##_ops = {   \
		.suspend = suspend_fn,                   \
		.resume = resume_fn,                     \
	};                                               \
	static struct syscore name = { .ops = &name##_ops }
#define pfm_syscore_register(syscore) register_syscore(syscore)
#define pfm_syscore_unregister(syscore) unregister_syscore(syscore)
#else
#define PFM_SYSCORE_SUSPEND(name) int name(void)
#define PFM_SYSCORE_RESUME(name) void name(void)
#define PFM_SYSCORE_DEFINE(name, suspend_fn, resume_fn) \
	static struct syscore_ops name = {              \
		.suspend = suspend_fn,                  \
		.resume = resume_fn,                    \
	}
#define pfm_syscore_register(syscore) register_syscore_ops(syscore)
#define pfm_syscore_unregister(syscore) unregister_syscore_ops(syscore)
#endif

/* The functions for CPUID: newer kernels have them in a header of their own. */
#ifdef CONFIG_X86
#ifdef PFM_HAVE_CPUID_API
#include <asm/cpuid/api.h>
#else
#include <asm/processor.h>
#endif
#endif

/*
 * perf's decision, with that of the security modules, whether the current process may count the
 * kernel.  Older kernels do not export it; newer ones do not want to know the event.
 */
#if defined(PFM_HAVE_PERF_ALLOW_KERNEL) && defined(PFM_HAVE_PERF_ALLOW_VOID)
#define pfm_perf_allow_kernel(attr) ((void)(attr), perf_allow_kernel())
#elif defined(PFM_HAVE_PERF_ALLOW_KERNEL)
#define pfm_perf_allow_kernel(attr) perf_allow_kernel(attr)
#else
#define pfm_perf_allow_kernel(attr) ((void)(attr), 0)
#endif

/*
 * Probes in programs.  Newer kernels return a handle of the probe, unregister in two steps, and do
 * not say why they ask the filter; still newer ones pass a cookie to the handlers.
 */
#ifdef PFM_HAVE_UPROBES
#include <linux/err.h>
#include <linux/uprobes.h>

#ifdef PFM_HAVE_UPROBE_FILTER_CTX
#define PFM_UPROBE_FILTER(name)                                              \
	bool name(struct uprobe_consumer *self, enum uprobe_filter_ctx why,  \
		  struct mm_struct *mm)
#else
#define PFM_UPROBE_FILTER(name) \
	bool name(struct uprobe_consumer *self, struct mm_struct *mm)
#endif

#ifdef PFM_HAVE_UPROBE_COOKIE
#define PFM_UPROBE_HANDLER(name)                                       \
	int name(struct uprobe_consumer *self, struct pt_regs *regs,   \
		 __u64 *cookie)
#define PFM_UPROBE_RET_HANDLER(name)                                   \
	int name(struct uprobe_consumer *self, unsigned long func,     \
		 struct pt_regs *regs, __u64 *cookie)
#else
#define PFM_UPROBE_HANDLER(name) \
	int name(struct uprobe_consumer *self, struct pt_regs *regs)
#define PFM_UPROBE_RET_HANDLER(name)                                   \
	int name(struct uprobe_consumer *self, unsigned long func,     \
		 struct pt_regs *regs)
#endif

/* The caller unregisters as many as it has, and then calls pfm_uprobe_sync() once. */
#ifdef PFM_HAVE_UPROBE_HANDLE
#define pfm_uprobe_register(inode, offset, consumer) \
	uprobe_register(inode, offset, 0, consumer)
#define pfm_uprobe_unregister(inode, offset, uprobe, consumer) \
	uprobe_unregister_nosync(uprobe, consumer)
#define pfm_uprobe_sync() uprobe_unregister_sync()
#else
#define pfm_uprobe_register(inode, offset, consumer) \
	((struct uprobe *)ERR_PTR(uprobe_register(inode, offset, consumer)))
#define pfm_uprobe_unregister(inode, offset, uprobe, consumer) \
	uprobe_unregister(inode, offset, consumer)
#define pfm_uprobe_sync() do { } while (0)
#endif
#endif

/* Older kernels want to know the CPU on which the address space is left: this one. */
#ifdef PFM_HAVE_LEAVE_MM_VOID
#define pfm_leave_mm() leave_mm()
#else
#define pfm_leave_mm() leave_mm(smp_processor_id())
#endif

#endif /* _PFM_COMPAT_H */

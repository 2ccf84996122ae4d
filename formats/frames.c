// SPDX-License-Identifier: GPL-2.0-only
/*
 * Call stacks of the current task, walked from an interrupt.
 *
 * Context: an NMI, an interrupt, or a context switch.  Memory is read by copies that fail where a
 * fault would have to be handled; nothing is locked or allocated.
 *
 * The kernel exports a stack walker on x86 only.  On arm64 a frame is two words on
 * the stack, {address of the caller's frame, return address}, and x29 points to the
 * innermost one; the kernel and practically all user code keep to that.  A function
 * that calls none has no frame, and others have none in their first and last instructions:
 * then the return address is in the link register, x30.  At other times that register
 * holds what the function's last call left there.  Only the program's unwind table tells
 * which is the case, so the register is recorded and marked, and the consumer decides.
 */
#include "frames.h"

#include <linux/mm_types.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/sched/task_stack.h>
#include <linux/uaccess.h>
#include <perfmon/format.h>

#ifdef CONFIG_X86
#include <asm/unwind.h>
#endif

/* Add an address.  Returns false when there is no room for it. */
static __always_inline bool add(struct frames *frames, u64 addr)
{
	if (frames->n == frames->max) {
		frames->cut = true;
		return false;
	}
	frames->at[frames->n++] = addr;
	return true;
}

/* A frame, in the layout of arm64 and x86. */
struct frame {
	unsigned long next;
	unsigned long ret;
};

#if defined(CONFIG_ARM64)

static unsigned long user_frame(const struct pt_regs *regs)
{
	return regs->regs[29];
}

/* 32-bit programs have no agreed register for the frame pointer. */
static bool user_has_frames(const struct pt_regs *regs)
{
	return !compat_user_mode(regs);
}

/* Remove a pointer authentication code. */
static unsigned long user_return(unsigned long addr)
{
	return addr & (TASK_SIZE_64 - 1);
}

static unsigned long kernel_return(unsigned long addr)
{
	return addr | -TASK_SIZE_64;
}

/* Add the link register, behind the interrupted instruction. */
static __always_inline void add_lr(struct frames *frames, unsigned long addr)
{
	if (frames->want_lr)
		frames->lr = add(frames, addr);
}

static __always_inline void add_user_lr(struct frames *frames,
					const struct pt_regs *regs)
{
	add_lr(frames, user_return(regs->regs[30]));
}

/*
 * Since Linux 6.13 the frame that an exception pushes is zero, and a word that says
 * its kind follows; both are in the struct pt_regs of the exception.
 */
#ifdef FRAME_META_TYPE_PT_REGS
#define META_PT_REGS FRAME_META_TYPE_PT_REGS
#else
#define META_PT_REGS 0
#endif

/* Address of the frame of the code that the exception interrupted, or 0. */
static __always_inline unsigned long skip_exception(struct frames *frames,
						    unsigned long at)
{
	const struct pt_regs *regs =
		(void *)(at - offsetof(struct pt_regs, stackframe));
	unsigned long pc, next;
	u64 type;

	if (!META_PT_REGS ||
	    copy_from_kernel_nofault(&type, (void *)(at + sizeof(struct frame)),
				     sizeof(type)) ||
	    type != META_PT_REGS)
		return 0;
	if (copy_from_kernel_nofault(&pc, &regs->pc, sizeof(pc)) ||
	    copy_from_kernel_nofault(&next, &regs->regs[29], sizeof(next))) {
		frames->cut = true;
		return 0;
	}
	return add(frames, pc) ? next : 0;
}

/* Read a frame of the kernel's; @mapped: it is certain that there is memory. */
static __always_inline bool read_kernel(struct frame *frame, unsigned long at,
					bool mapped)
{
	if (likely(mapped)) {
		frame->next = READ_ONCE_NOCHECK(*(unsigned long *)at);
		frame->ret = READ_ONCE_NOCHECK(*((unsigned long *)at + 1));
		return true;
	}
	/* Inline: cheaper than a call of copy_from_kernel_nofault() for each frame. */
	__get_kernel_nofault(&frame->next, (void *)at, unsigned long, fault);
	__get_kernel_nofault(&frame->ret, (void *)at + sizeof(long),
			     unsigned long, fault);
	return true;
fault:
	return false;
}

/**
 * frames_kernel - walk the kernel's stack
 * @to: gets the addresses
 * @regs: interrupted registers, of the kernel
 *
 * A walk may begin on the interrupt stack and cross over to the task's stack, as the
 * chain of frames does, but never back.  Within a stack its addresses rise.  So the
 * walk ends, and stays within the two stacks.
 */
void frames_kernel(struct frames *to, struct pt_regs *regs)
{
	unsigned long task_low = (unsigned long)task_stack_page(current);
	unsigned long task_high = task_low + THREAD_SIZE;
	/* The interrupted code used the stack that its registers were saved on. */
	unsigned long low = (unsigned long)(regs + 1);
	unsigned long high = low + THREAD_SIZE;
	unsigned long at = regs->regs[29];
	bool on_task = low > task_low && low <= task_high;
	struct frames frames = *to; /* a copy, kept in registers */
	struct frame frame;

	if (on_task)
		high = task_high;
	add(&frames, instruction_pointer(regs));
	add_lr(&frames, kernel_return(regs->regs[30]));
	pagefault_disable();
	while (at) {
		if (!on_task && (at < low || at > high - sizeof(frame))) {
			on_task = true;
			low = task_low;
			high = task_high;
		}
		if (at < low || at > high - sizeof(frame) || at % sizeof(long))
			break;
		if (!read_kernel(&frame, at, on_task))
			break;
		low = at + sizeof(frame);
		if (!frame.next && !frame.ret) {
			/* The outermost frame, or that of an exception. */
			at = skip_exception(&frames, at);
			continue;
		}
		if (!add(&frames, kernel_return(frame.ret)))
			break;
		at = frame.next;
	}
	pagefault_enable();
	if (at)
		frames.cut = true;
	*to = frames;
}

/*
 * From here on the functions that read the kernel's memory can read the user's as
 * well, so each address has to be checked and masked.
 */
static void user_begin(void)
{
	pagefault_disable();
	uaccess_enable_privileged();
}

static void user_end(void)
{
	uaccess_disable_privileged();
	pagefault_enable();
}

/* Read a frame of the user's; inline, because there are many. */
static __always_inline bool read_frame(struct frame *frame, unsigned long at,
				       bool is_32)
{
	const unsigned long __user *user = (void __user *)at;
	const unsigned long *masked;

	if (unlikely(at > TASK_SIZE_64 - sizeof(*frame)) &&
	    !access_ok(user, sizeof(*frame)))
		return false;
	masked = (__force const unsigned long *)uaccess_mask_ptr(user);
	__get_kernel_nofault(&frame->next, masked, unsigned long, fault);
	__get_kernel_nofault(&frame->ret, masked + 1, unsigned long, fault);
	return true;
fault:
	return false;
}

#elif defined(CONFIG_X86)

static unsigned long user_frame(const struct pt_regs *regs)
{
	return regs->bp;
}

static bool user_has_frames(const struct pt_regs *regs)
{
	return true;
}

static unsigned long user_return(unsigned long addr)
{
	return addr;
}

/**
 * frames_kernel - walk the kernel's stack
 * @frames: gets the addresses
 * @regs: interrupted registers, of the kernel
 */
void frames_kernel(struct frames *frames, struct pt_regs *regs)
{
	struct unwind_state state;
	unsigned long addr;

	/* The walk begins with the caller of the interrupted function. */
	if (!add(frames, instruction_pointer(regs)))
		return;
	for (unwind_start(&state, current, regs, NULL); !unwind_done(&state);
	     unwind_next_frame(&state)) {
		addr = unwind_get_return_address(&state);
		if (!addr)
			break;
		if (!add(frames, addr))
			return;
	}
	if (unwind_error(&state))
		frames->cut = true;
}

#else

static unsigned long user_frame(const struct pt_regs *regs)
{
	return 0;
}

static bool user_has_frames(const struct pt_regs *regs)
{
	return false;
}

static unsigned long user_return(unsigned long addr)
{
	return addr;
}

void frames_kernel(struct frames *frames, struct pt_regs *regs)
{
	add(frames, instruction_pointer(regs));
	frames->cut = true;
}

#endif

#if !defined(CONFIG_ARM64)
/* The processor has no link register, or the walk does not know it. */
static void add_user_lr(struct frames *frames, const struct pt_regs *regs)
{
}

static void user_begin(void)
{
	pagefault_disable();
}

static void user_end(void)
{
	pagefault_enable();
}

/*
 * Read a frame of the user's, of 32 or 64 bits.  Inline, because there are many, and
 * copy_from_user_nofault() takes 150 instructions for each.
 */
static __always_inline bool read_frame(struct frame *frame, unsigned long at,
				       bool is_32)
{
	const unsigned long __user *longs = (void __user *)at;
	const u32 __user *words = (void __user *)at;

	if (!user_access_begin(longs, sizeof(*frame)))
		return false;
	if (likely(!is_32)) {
		unsafe_get_user(frame->next, longs, fault);
		unsafe_get_user(frame->ret, longs + 1, fault);
	} else {
		unsafe_get_user(frame->next, words, fault);
		unsafe_get_user(frame->ret, words + 1, fault);
	}
	user_access_end();
	return true;
fault:
	user_access_end();
	return false;
}
#endif

static bool is_32bit(const struct pt_regs *regs)
{
#if defined(CONFIG_X86_64)
	return regs->cs == __USER32_CS;
#else
	return false;
#endif
}

/**
 * frames_user_regs - the user's registers of the current task
 * @ovfl: the overflow
 *
 * In the middle of an exec these registers are still those of the old program, but
 * the memory is the new program's; the core does not set user_ok then.
 *
 * Return: the registers with which the task runs user code, or has left it; NULL when
 * the task is not the current one or has no such registers, or when the creator may
 * not see them.
 */
struct pt_regs *frames_user_regs(const struct pfm_ovfl *ovfl)
{
	struct pt_regs *regs = ovfl->regs;

	if (!ovfl->user_ok || ovfl->task != current || !current->mm ||
	    (current->flags & PF_KTHREAD))
		return NULL;
	if (!regs || !user_mode(regs))
		regs = task_pt_regs(current);
	/* A new thread that has not run user code yet has none. */
	return user_mode(regs) && instruction_pointer(regs) ? regs : NULL;
}

/**
 * frames_user - walk the user's stack
 * @to: gets the addresses
 * @regs: from frames_user_regs()
 *
 * Each frame must lie above the previous one, so the walk ends, whatever the user's
 * memory holds.
 */
void frames_user(struct frames *to, struct pt_regs *regs)
{
	unsigned long at = user_frame(regs), low = 0;
	struct frames frames = *to; /* a copy, kept in registers */
	bool is_32 = is_32bit(regs);
	struct frame frame;

	add(&frames, instruction_pointer(regs));
	if (!user_has_frames(regs)) {
		frames.cut = true;
		*to = frames;
		return;
	}
	add_user_lr(&frames, regs);
	user_begin();
	while (at) {
		if (at <= low || at % (is_32 ? sizeof(u32) : sizeof(long)) ||
		    !read_frame(&frame, at, is_32)) {
			frames.cut = true;
			break;
		}
		/* The outermost function has no caller. */
		if (!frame.ret || !add(&frames, user_return(frame.ret)))
			break;
		low = at;
		at = frame.next;
	}
	user_end();
	*to = frames;
}

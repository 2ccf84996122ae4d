// SPDX-License-Identifier: GPL-2.0-only
/*
 * The format callstack, sample by sample: the user's stack, the kernel's, or both, and how
 * many frames of each, and with the link register or without.  The user's chain of frames is
 * known to the address; it begins where a function calls the first one without a frame of its
 * own.
 */
#include "context.h"
#include "cpu.h"
#include "rights.h"
#include "sampling.h"

#include <linux/perfmon_callstack.h>
#include <stddef.h>

#include "kselftest_harness.h"

#define CALLS 40 /* of deep() by itself */
#define FRAMES \
	(CALLS + 3) /* the instruction, and whom leaf and deep() return to */
#define PERIOD	 200000 /* ns of CPU time */
#define ENOUGH	 100 /* samples */
#define PATIENCE 20000 /* ms that nothing needs */

#define NOINLINE __attribute__((noinline, noclone, noipa))

static const uint8_t uuid[PFM_UUID_LEN] = PFM_CALLSTACK_UUID;

/* Return addresses: of the leaf, then of each deep() from the innermost on. */
static uint64_t returns[FRAMES - 1];

static void (*leaf)(void);

extern const char user_begin[], user_end[], kernel_entered[];

/* Instructions in user mode. */
static NOINLINE void user_leaf(void)
{
	unsigned long n = 20000;

	returns[0] = (uintptr_t)__builtin_return_address(0);
#ifdef __aarch64__
	asm volatile(".globl user_begin, user_end\n"
		     "user_begin: subs %0, %0, #1\n\tb.ne user_begin\nuser_end:"
		     : "+r"(n)
		     :
		     : "cc");
#else
	asm volatile(".globl user_begin, user_end\n"
		     "user_begin: dec %0\n\tjne user_begin\nuser_end:"
		     : "+r"(n)
		     :
		     : "cc");
#endif
}

/* System calls: close(-1). */
static NOINLINE void kernel_leaf(void)
{
	unsigned int i;

	returns[0] = (uintptr_t)__builtin_return_address(0);
	for (i = 0; i < 100; i++) {
#ifdef __aarch64__
		register long x0 asm("x0") = -1;
		register long x8 asm("x8") = 57;

		asm volatile(".globl kernel_entered\nsvc #0\nkernel_entered:"
			     : "+r"(x0)
			     : "r"(x8)
			     : "memory");
#else
		long ret = 3;

		asm volatile(".globl kernel_entered\nsyscall\nkernel_entered:"
			     : "+a"(ret)
			     : "D"(-1L)
			     : "rcx", "r11", "memory");
#endif
	}
}

static NOINLINE void deep(unsigned int calls)
{
	returns[1 + calls] = (uintptr_t)__builtin_return_address(0);
	if (calls)
		deep(calls - 1);
	else
		leaf();
	/* No tail call: each has a frame of its own. */
	asm volatile("" : : : "memory");
}

/* Calls deep() without a frame pointer: the chain of frames ends here. */
static NOINLINE void deep_without_callers(void)
{
#ifdef __aarch64__
	register unsigned long x0 asm("x0") = CALLS;
	register void (*x1)(unsigned int) asm("x1") = deep;

	asm volatile("stp	x29, x30, [sp, #-16]!\n"
		     "	mov	x29, #0\n"
		     "	blr	x1\n"
		     "	ldp	x29, x30, [sp], #16\n"
		     : "+r"(x0), "+r"(x1)
		     :
		     : "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x9", "x10",
		       "x11", "x12", "x13", "x14", "x15", "x16", "x17", "x18",
		       "x30", "cc", "memory");
#else
	unsigned long calls = CALLS;
	void (*fn)(unsigned int) = deep;

	/* Beyond the red zone, and aligned as the call wants it. */
	asm volatile("mov	%%rsp, %%rbx\n"
		     "	lea	-128(%%rsp), %%rsp\n"
		     "	and	$-16, %%rsp\n"
		     "	push	%%rbp\n"
		     "	push	%%rbx\n"
		     "	xor	%%ebp, %%ebp\n"
		     "	call	*%1\n"
		     "	pop	%%rbx\n"
		     "	pop	%%rbp\n"
		     "	mov	%%rbx, %%rsp\n"
		     : "+D"(calls), "+a"(fn)
		     :
		     : "rbx", "rcx", "rdx", "rsi", "r8", "r9", "r10", "r11",
		       "cc", "memory");
#endif
}

/* The format, of a context that an open device makes; -errno. */
static int callstack_create(int device, uint32_t flags, uint32_t depth,
			    uint64_t part_size)
{
	const struct pfm_callstack_arg arg = {
		.part_size = part_size,
		.parts = 1,
		.flags = flags,
		.depth = depth,
	};
	struct pfm_create create = {
		.fmt_arg = (uintptr_t)&arg,
		.fmt_arg_size = sizeof(arg),
	};

	memcpy(create.fmt_uuid, uuid, sizeof(uuid));
	return call(device, PFM_IOC_CREATE_CONTEXT, &create);
}

/* Numbers of samples, and of frames of the kernel. */
struct shown {
	unsigned int user, kernel, kernel_frames, wrong;
};

/* The second frame is the link register if it is asked for and there is room for it. */
static bool lr_wrong(uint32_t flags, uint32_t depth, bool marked)
{
#ifdef __aarch64__
	return marked != (flags & PFM_CALLSTACK_LR && depth > 1);
#else
	return marked;
#endif
}

/*
 * Compares the user's stack with the calls that led to the leaf.  The leaf has a frame and has
 * called nothing, so the link register still has its return address.
 */
static bool user_wrong(const struct pfm_callstack_entry *entry,
		       const uint64_t *frames, uint32_t flags, uint32_t depth)
{
	const bool lr = entry->flags & PFM_CALLSTACK_LR_USER;
	const uint32_t all = FRAMES + lr, n = depth < all ? depth : all;

	if (lr_wrong(flags, depth, lr) || entry->nr_user != n ||
	    !(entry->flags & PFM_CALLSTACK_CUT_USER) != (n == all))
		return true;
	if (!lr)
		return memcmp(frames + 1, returns, (n - 1) * sizeof(*frames));
	return frames[1] != returns[0] ||
	       memcmp(frames + 2, returns, (n - 2) * sizeof(*frames));
}

/* The kernel's begins with the instruction, and has addresses of the kernel only. */
static bool kernel_wrong(const struct pfm_callstack_entry *entry,
			 const uint64_t *frames, uint32_t depth)
{
	unsigned int i;

	for (i = 0; i < entry->nr_kernel; i++) {
		if (!(frames[i] >> 63))
			return true;
	}
	return !entry->nr_kernel || entry->nr_kernel > depth ||
	       frames[0] != entry->ip ||
	       ((entry->flags & PFM_CALLSTACK_CUT_KERNEL) &&
		entry->nr_kernel < depth);
}

/* Looks at a sample of a thread whose creator may see the kernel, or may not. */
static void look_at(const struct pfm_callstack_entry *entry, uint32_t flags,
		    uint32_t depth, bool privileged, struct shown *shown)
{
	const uint64_t *kernel = (const uint64_t *)(entry + 1);
	const uint64_t *user = kernel + entry->nr_kernel;
	const bool in_kernel = privileged ? entry->ip >> 63 : !entry->ip;
	bool wrong = false;

	if (in_kernel && privileged && (flags & PFM_CALLSTACK_KERNEL)) {
		wrong = kernel_wrong(entry, kernel, depth) ||
			lr_wrong(flags, depth,
				 entry->flags & PFM_CALLSTACK_LR_KERNEL);
		shown->kernel_frames += entry->nr_kernel;
	} else if (entry->nr_kernel ||
		   (entry->flags & (PFM_CALLSTACK_CUT_KERNEL |
				    PFM_CALLSTACK_LR_KERNEL))) {
		wrong = true;
	}
	if (!(flags & PFM_CALLSTACK_USER)) {
		wrong |= entry->nr_user ||
			 (entry->flags &
			  (PFM_CALLSTACK_CUT_USER | PFM_CALLSTACK_LR_USER));
		shown->kernel += in_kernel;
		shown->user += !in_kernel;
	} else if (in_kernel) {
		/* Not in an interrupt of user code elsewhere. */
		if (entry->nr_user && user[0] == (uintptr_t)kernel_entered) {
			shown->kernel++;
			wrong |= user_wrong(entry, user, flags, depth);
		}
	} else {
		wrong |= !entry->nr_user || user[0] != entry->ip;
		/* Elsewhere it may not have set up its frame yet. */
		if (entry->ip >= (uintptr_t)user_begin &&
		    entry->ip < (uintptr_t)user_end) {
			shown->user++;
			wrong |= user_wrong(entry, user, flags, depth);
		}
	}
	if (wrong && !shown->wrong++)
		printf("# ip %llx, %u frames of the kernel, %u of the user, flags %x\n",
		       (unsigned long long)entry->ip, entry->nr_kernel,
		       entry->nr_user, entry->flags);
}

/* Samples this thread while it is deep in calls; -errno, or 0. */
static int sample(int device, uint32_t flags, uint32_t depth, bool privileged,
		  struct shown *shown)
{
	const uint64_t begin = time_ns(CLOCK_MONOTONIC);
	const uint64_t part = 1 << 18;
	const int fd = callstack_create(device, flags | PFM_CALLSTACK_DROP,
					depth, part);
	const struct pfm_callstack_entry *entry;
	const struct pfm_callstack_hdr *hdr;
	const struct pfm_nway_part *first;
	uint64_t offs = sizeof(*first);
	int ret;

	*shown = (struct shown){};
	if (fd < 0)
		return fd;
	hdr = buffer_map(fd);
	ret = hdr ? pmd_write(fd, CPU_TIME_NS, -PERIOD) : -ENOMEM;
	if (!ret)
		ret = sample_every(fd, CPU_TIME_NS, PERIOD, NULL, 0);
	if (!ret)
		ret = context_load(fd, 0);
	if (!ret)
		ret = context_start(fd, 0);
	if (ret)
		return ret;
	do {
		deep_without_callers();
	} while (hdr->nway.samples < ENOUGH &&
		 time_ns(CLOCK_MONOTONIC) - begin < PATIENCE * 1000000ULL);
	context_stop(fd);
	first = (const void *)((const char *)hdr + hdr->nway.part_offs);
	for (; offs < first->cur_offs;
	     offs += sizeof(*entry) +
		     8 * (entry->nr_vals + entry->nr_kernel + entry->nr_user)) {
		entry = (const void *)((const char *)first + offs);
		if (!(entry->flags & PFM_CALLSTACK_LATE))
			look_at(entry, flags, depth, privileged, shown);
	}
	/* The mapping holds the context. */
	munmap((void *)hdr, hdr->nway.part_offs + part);
	close(fd);
	return 0;
}

FIXTURE(frames)
{
	int device;
	struct shown shown;
};

FIXTURE_VARIANT(frames)
{
	uint32_t flags;
};

FIXTURE_VARIANT_ADD(frames, user){
	.flags = PFM_CALLSTACK_USER,
};

FIXTURE_VARIANT_ADD(frames, kernel){
	.flags = PFM_CALLSTACK_KERNEL,
};

FIXTURE_VARIANT_ADD(frames, both){
	.flags = PFM_CALLSTACK_USER | PFM_CALLSTACK_KERNEL,
};

FIXTURE_VARIANT_ADD(frames, both_lr){
	.flags = PFM_CALLSTACK_USER | PFM_CALLSTACK_KERNEL | PFM_CALLSTACK_LR,
};

FIXTURE_SETUP(frames)
{
	self->device = device_open();
	ASSERT_LE(0, self->device);
}

FIXTURE_TEARDOWN(frames)
{
	close(self->device);
}

/* One frame, less than there are, just as many, one more, as many as may be. */
static const uint32_t depths[] = {
	1, 2, FRAMES - 1, FRAMES, FRAMES + 1, PFM_CALLSTACK_DEPTH_MAX
};

TEST_F(frames, of_user_code)
{
	size_t i;

	leaf = user_leaf;
	for (i = 0; i < ARRAY_LEN(depths); i++) {
		ASSERT_EQ(0, sample(self->device, variant->flags, depths[i],
				    true, &self->shown));
		EXPECT_EQ(0, self->shown.wrong)
		{
			TH_LOG("depth %u", depths[i]);
		}
		EXPECT_LT(ENOUGH / 2, self->shown.user);
	}
}

TEST_F(frames, of_system_calls)
{
	size_t i;

	leaf = kernel_leaf;
	for (i = 0; i < ARRAY_LEN(depths); i++) {
		ASSERT_EQ(0, sample(self->device, variant->flags, depths[i],
				    true, &self->shown));
		EXPECT_EQ(0, self->shown.wrong)
		{
			TH_LOG("depth %u", depths[i]);
		}
		EXPECT_LT(ENOUGH / 4, self->shown.kernel);
		if (!(variant->flags & PFM_CALLSTACK_KERNEL)) {
			EXPECT_EQ(0, self->shown.kernel_frames);
		} else if (depths[i] > 1) {
			EXPECT_LT(self->shown.kernel,
				  self->shown.kernel_frames);
		}
	}
}

/* The kernel's stack is not for everybody, the user's behind it is. */
TEST_F(frames, without_rights)
{
	leaf = kernel_leaf;
	rights_drop();
	ASSERT_EQ(0, sample(self->device, variant->flags, 10, false,
			    &self->shown));
	EXPECT_EQ(0, self->shown.wrong);
	EXPECT_EQ(0, self->shown.kernel_frames);
	EXPECT_LT(ENOUGH / 4, self->shown.kernel);
}

/* A part holds an entry with all the frames that may be. */
TEST_F(frames, limits)
{
	const bool both = !(~variant->flags &
			    (PFM_CALLSTACK_USER | PFM_CALLSTACK_KERNEL));
	const uint32_t refused[] = { 0, PFM_CALLSTACK_DEPTH_MAX + 1, ~0U };
	uint64_t least;
	size_t i;
	int fd;

	for (i = 0; i < ARRAY_LEN(refused); i++)
		EXPECT_EQ(-EINVAL,
			  callstack_create(self->device, variant->flags,
					   refused[i], 1 << 18));
	for (i = 0; i < ARRAY_LEN(depths); i++) {
		least = sizeof(struct pfm_nway_part) +
			sizeof(struct pfm_callstack_entry) +
			8 * depths[i] * (both ? 2 : 1);
		EXPECT_EQ(-EINVAL,
			  callstack_create(self->device, variant->flags,
					   depths[i], least - 8));
		fd = callstack_create(self->device, variant->flags, depths[i],
				      least);
		EXPECT_LE(0, fd);
		close(fd);
	}
}

TEST(no_stack_at_all)
{
	const int device = device_open();

	ASSERT_LE(0, device);
	EXPECT_EQ(-EINVAL,
		  callstack_create(device, PFM_CALLSTACK_DROP, 10, 1 << 18));
	close(device);
}

TEST_HARNESS_MAIN

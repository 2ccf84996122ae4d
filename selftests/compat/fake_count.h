/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Counting, samples, overflows and event sets of the made-up kernel.
 */
#ifndef COMPAT_FAKE_COUNT_H
#define COMPAT_FAKE_COUNT_H

#include <fcntl.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "fake_machine.h"

static void post(struct context *ctx, const union pfm_msg *msg)
{
	if (ctx->num_msgs < MSGS)
		ctx->msgs[(ctx->first + ctx->num_msgs++) % MSGS] = *msg;
	ctx->signal = true;
	changed();
}

static uint64_t draw(const struct pfm_pmd_attr *attr, uint64_t reset)
{
	if (!(attr->flags & PFM_PMDF_RANDOM))
		return reset;
	all->random =
		all->random * 6364136223846793005ULL + 1442695040888963407ULL;
	return reset - (all->random >> 32 & attr->random_mask);
}

static void reset(struct set *set, unsigned int num, bool is_long,
		  uint64_t carry)
{
	struct pfm_pmd_attr *attr = &set->attr[num];

	attr->last_reset =
		draw(attr, is_long ? attr->long_reset : attr->short_reset);
	set->pmd[num] = attr->last_reset + carry;
	set->wrapped[num / 64] &= ~(1ULL << num % 64);
}

static void reset_all(struct set *set, unsigned int num, bool is_long)
{
	for (unsigned int i = 0; i < REGS; i++)
		if (set->attr[num].reset_pmds[i / 64] >> i % 64 & 1)
			reset(set, i, is_long, 0);
	reset(set, num, is_long, set->pmd[num]);
}

/* True if the buffer is full now. */
static bool record(struct context *ctx, struct set *set, unsigned int num)
{
	struct pfm_default_hdr *hdr = (void *)ctx->buffer;
	struct pfm_default_entry *entry =
		(void *)(ctx->buffer + hdr->hdr_cur_offs);
	const struct pfm_pmd_attr *attr = &set->attr[num];
	uint64_t *val = (void *)(entry + 1);

	*entry = (struct pfm_default_entry){
		.tid = syscall(SYS_gettid),
		.pid = getpid(),
		.ovfl_pmd = num,
		.last_reset_val = attr->last_reset,
		.ip = 0x401000,
		.tstamp = 1000 + hdr->hdr_count,
		.set = ctx->set,
	};
	for (unsigned int i = 0; i < REGS; i++)
		if (attr->smpl_pmds[i / 64] >> i % 64 & 1)
			*val++ = is_ibs_data(i) ? 0x1000 + i : set->pmd[i];
	hdr->hdr_cur_offs = (char *)val - ctx->buffer;
	hdr->hdr_count++;
	if (hdr->hdr_cur_offs + hdr->hdr_min_buf_space <= hdr->hdr_buf_size)
		return false;
	hdr->hdr_overflows++;
	return true;
}

static void next_set(struct context *ctx)
{
	struct set *set = &ctx->sets[ctx->set];

	if (set->desc.flags & PFM_SETFL_EXPL_NEXT)
		ctx->set = set->desc.next;
	else
		do {
			ctx->set = (ctx->set + 1) % SETS;
		} while (!ctx->sets[ctx->set].there);
	set = &ctx->sets[ctx->set];
	set->runs++;
	set->slice_ns = 0;
	memset(set->left, 0, sizeof(set->left));
	for (int i = 0; i < REGS; i++)
		set->left[i] = set->attr[i].ovfl_switch_cnt;
}

/* Returns true when the set changed. */
static bool overflow(struct context *ctx, struct set *set, unsigned int num)
{
	const struct pfm_pmd_attr *attr = &set->attr[num];
	const bool notify = attr->flags & PFM_PMDF_NOTIFY;
	union pfm_msg msg = { .type = PFM_MSG_OVFL };
	bool mask;

	set->wrapped[num / 64] |= 1ULL << num % 64;
	mask = ctx->buf_size ? record(ctx, set, num) : notify;
	if (mask) {
		msg.ovfl.tid = syscall(SYS_gettid);
		msg.ovfl.pid = getpid();
		msg.ovfl.set = ctx->set;
		msg.ovfl.ip = 0x401000;
		memcpy(msg.ovfl.ovfl_pmds, set->wrapped,
		       sizeof(msg.ovfl.ovfl_pmds));
		ctx->masked = true;
		ctx->owed = true;
		if (notify)
			post(ctx, &msg);
		return false;
	}
	reset_all(set, num, false);
	if (!(set->desc.flags & PFM_SETFL_OVFL_SWITCH) || !set->left[num] ||
	    --set->left[num])
		return false;
	next_set(ctx);
	return true;
}

static void count(struct context *ctx)
{
	struct set *set = &ctx->sets[ctx->set];

	set->active_ns += CALL_NS;
	set->slice_ns += CALL_NS;
	for (unsigned int i = 0; i < REGS; i++)
		if (set->used[i] && !is_ibs_data(i))
			set->pmd[i] += events(set, i);
	for (unsigned int i = 0; i < REGS && !ctx->masked; i++) {
		if (!set->used[i] || !set->has_attr[i] || is_ibs_data(i) ||
		    set->pmd[i] >= CALL_NS || !events(set, i) ||
		    set->pmd[i] >= events(set, i))
			continue;
		/* It wrapped in this call. */
		if (overflow(ctx, set, i))
			return;
	}
	if (set->desc.flags & PFM_SETFL_TIME_SWITCH &&
	    set->slice_ns >= set->desc.timeout)
		next_set(ctx);
}

/* The thread that overflowed gets the signal: programs that want one monitor themselves. */
static void notify(struct context *ctx)
{
	ctx->signal = false;
	if (ctx->file_flags & O_ASYNC)
		raise(SIGIO);
}

pid_t getppid(void)
{
	const uint32_t self = syscall(SYS_gettid);

	lock();
	for (int i = 0; i < CONTEXTS; i++) {
		struct context *ctx = &all->contexts[i];

		if (ctx->fd < 0 || !ctx->loaded || !ctx->started || ctx->masked)
			continue;
		if (!(ctx->flags & PFM_CTX_SYSTEM_WIDE) && ctx->target != self)
			continue;
		count(ctx);
		while (ctx->masked && ctx->flags & PFM_CTX_NOTIFY_BLOCK &&
		       ctx->loaded)
			wait_for_change();
	}
	unlock();
	for (int i = 0; i < CONTEXTS; i++)
		if (all->contexts[i].fd >= 0 && all->contexts[i].signal)
			notify(&all->contexts[i]);
	return syscall(SYS_getppid);
}

void _exit(int status)
{
	const uint32_t self = syscall(SYS_gettid);
	union pfm_msg msg = { .type = PFM_MSG_END };

	msg.end.tid = self;
	lock();
	for (int i = 0; i < CONTEXTS; i++) {
		struct context *ctx = &all->contexts[i];

		if (ctx->fd < 0 || !ctx->loaded || ctx->target != self ||
		    ctx->flags & PFM_CTX_SYSTEM_WIDE)
			continue;
		ctx->loaded = false;
		ctx->started = false;
		post(ctx, &msg);
	}
	unlock();
	syscall(SYS_exit_group, status);
	__builtin_unreachable();
}

#endif

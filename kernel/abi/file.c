// SPDX-License-Identifier: GPL-2.0-only
/*
 * The descriptor of a context: an anonymous inode with the ioctls, read(2), poll(2) and
 * mmap(2).
 */
#include "abi/file.h"

#include <linux/anon_inodes.h>
#include <linux/err.h>
#include <linux/fcntl.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/limits.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/poll.h>
#include <linux/seq_file.h>
#include <linux/uaccess.h>
#include <asm/ioctls.h>

#include "abi/args.h"
#include "abi/cgroup_ctl.h"
#include "abi/context_ctl.h"
#include "abi/evtset.h"
#include "abi/getinfo.h"
#include "abi/held.h"
#include "abi/load_ctl.h"
#include "abi/own.h"
#include "abi/pmd_attr.h"
#include "abi/range_ctl.h"
#include "abi/read_pmds.h"
#include "abi/restart.h"
#include "abi/running.h"
#include "abi/user_page_map.h"
#include "abi/write_regs.h"
#include "attach/attach.h"
#include "attach/load.h"
#include "core/context.h"
#include "sampling/buffer.h"
#include "sampling/lane.h"
#include "sampling/maps.h"
#include "sampling/message.h"
#include "target/record.h"

static long
ioctl_regs(struct pfm_context *ctx, unsigned int cmd, unsigned long uarg,
	   int (*ioctl)(struct pfm_context *ctx, struct pfm_regs *arg))
{
	struct pfm_regs arg;
	int ret;

	ret = pfm_args_get(&arg, sizeof(arg), sizeof(arg), cmd, uarg);
	if (ret)
		return ret;
	ret = ioctl(ctx, &arg);
	/* Callers look at the field "failed" only after an error. */
	if (ret && pfm_args_put(&arg, sizeof(arg), cmd, uarg))
		return -EFAULT;
	return ret;
}

static long ioctl_load(struct pfm_context *ctx, unsigned int cmd,
		       unsigned long uarg)
{
	struct pfm_load arg;
	int ret;

	ret = pfm_args_get(&arg, sizeof(arg), sizeof(arg), cmd, uarg);
	if (ret)
		return ret;
	if (arg.flags & ~(PFM_LOAD_PROCESS | PFM_LOAD_TAKE))
		return -EINVAL;
	return pfm_load_ctl(ctx, &arg) ?: pfm_load_probe(ctx);
}

static long ioctl_set_cgroup(struct pfm_context *ctx, unsigned int cmd,
			     unsigned long uarg)
{
	struct pfm_cgroup arg;
	int ret;

	ret = pfm_args_get(&arg, sizeof(arg), sizeof(arg), cmd, uarg);
	if (ret)
		return ret;
	return pfm_cgroup_ctl(ctx, &arg);
}

static long ioctl_getinfo_held(struct pfm_context *ctx, unsigned int cmd,
			       unsigned long uarg)
{
	struct pfm_held arg;
	int ret;

	ret = pfm_args_get(&arg, sizeof(arg), sizeof(arg), cmd, uarg);
	if (!ret && arg.reserved)
		ret = -EINVAL;
	if (!ret)
		ret = pfm_held_get(ctx, &arg);
	return ret ?: pfm_args_put(&arg, sizeof(arg), cmd, uarg);
}

static long ioctl_start(struct pfm_context *ctx, unsigned int cmd,
			unsigned long uarg)
{
	struct pfm_start arg;
	int ret;

	if (!uarg)
		return pfm_attach_start(ctx, NULL);
	ret = pfm_args_get(&arg, sizeof(arg), sizeof(arg), cmd, uarg);
	if (ret)
		return ret;
	if (arg.reserved || (arg.flags & ~PFM_START_ON_EXEC))
		return -EINVAL;
	return pfm_attach_start(ctx, &arg);
}

static long ioctl_restart(struct pfm_context *ctx, unsigned int cmd,
			  unsigned long uarg)
{
	struct pfm_restart arg = { .lane = PFM_LANE_ALL };
	int ret;

	if (uarg) {
		ret = pfm_args_get(&arg, sizeof(arg), sizeof(arg), cmd, uarg);
		if (ret)
			return ret;
	}
	if (arg.flags)
		return -EINVAL;
	return pfm_restart(ctx, &arg);
}

static long ioctl_get_config(struct pfm_context *ctx, unsigned int cmd,
			     unsigned long uarg)
{
	struct pfm_config arg;

	if (_IOC_SIZE(cmd) < PFM_CONFIG_SIZE_VER0)
		return -EINVAL;
	pfm_context_get_config(ctx, &arg);
	return pfm_args_put(&arg, sizeof(arg), cmd, uarg);
}

static long ioctl_set_config(struct pfm_context *ctx, unsigned int cmd,
			     unsigned long uarg)
{
	struct pfm_config arg;
	int ret;

	ret = pfm_args_get(&arg, sizeof(arg), PFM_CONFIG_SIZE_VER0, cmd, uarg);
	if (ret)
		return ret;
	return pfm_context_set_config(ctx, &arg);
}

static int read_records(struct pfm_context *ctx, struct pfm_read_records *arg)
{
	return arg->flags ? pfm_running_read(ctx, arg)
			  : pfm_record_read(ctx, arg);
}

static long ioctl_read_records(struct pfm_context *ctx, unsigned int cmd,
			       unsigned long uarg,
			       int (*ioctl)(struct pfm_context *ctx,
					    struct pfm_read_records *arg))
{
	struct pfm_read_records arg;
	int ret;

	ret = pfm_args_get(&arg, sizeof(arg), sizeof(arg), cmd, uarg);
	if (ret)
		return ret;
	/*
	 * Records must not be taken before it is certain that count and used can be
	 * written.
	 */
	if (pfm_args_put(&arg, sizeof(arg), cmd, uarg))
		return -EFAULT;
	ret = ioctl(ctx, &arg);
	if (!ret)
		ret = pfm_args_put(&arg, sizeof(arg), cmd, uarg);
	return ret;
}

static long ioctl_available(struct pfm_context *ctx, unsigned long uarg)
{
	const s64 entries = pfm_lane_available(ctx);

	if (entries < 0)
		return entries;
	return put_user((int)min_t(s64, entries, INT_MAX), (int __user *)uarg);
}

static long locked_ioctl(struct pfm_context *ctx, unsigned int cmd,
			 unsigned long arg)
{
	/*
	 * pfm_load_settle() checks this too.  Usually the session has not ended, and the
	 * check here saves the call.
	 */
	if (unlikely(pfm_context_ended(ctx)))
		pfm_load_settle(ctx);
	switch (_IOC_NR(cmd)) {
	case _IOC_NR(PFM_IOC_READ_PMDS):
		return ioctl_regs(ctx, cmd, arg, pfm_read_pmds);
	case _IOC_NR(PFM_IOC_START):
		return ioctl_start(ctx, cmd, arg);
	case _IOC_NR(PFM_IOC_STOP):
		return pfm_attach_stop(ctx);
	case _IOC_NR(PFM_IOC_WRITE_PMCS):
		return ioctl_regs(ctx, cmd, arg, pfm_write_pmcs);
	case _IOC_NR(PFM_IOC_WRITE_PMDS):
		return ioctl_regs(ctx, cmd, arg, pfm_write_pmds);
	case _IOC_NR(PFM_IOC_LOAD_CONTEXT):
		return ioctl_load(ctx, cmd, arg);
	case _IOC_NR(PFM_IOC_UNLOAD_CONTEXT):
		pfm_load_end(ctx);
		return 0;
	case _IOC_NR(PFM_IOC_GETINFO_PMCS):
		return ioctl_regs(ctx, cmd, arg, pfm_getinfo_pmcs);
	case _IOC_NR(PFM_IOC_GETINFO_PMDS):
		return ioctl_regs(ctx, cmd, arg, pfm_getinfo_pmds);
	case _IOC_NR(PFM_IOC_GETINFO_EVENTS):
		return ioctl_regs(ctx, cmd, arg, pfm_getinfo_events);
	case _IOC_NR(PFM_IOC_SET_CGROUP):
		return ioctl_set_cgroup(ctx, cmd, arg);
	case _IOC_NR(PFM_IOC_GETINFO_HELD):
		return ioctl_getinfo_held(ctx, cmd, arg);
	case _IOC_NR(PFM_IOC_SET_RANGES):
		return ioctl_regs(ctx, cmd, arg, pfm_range_set);
	case _IOC_NR(PFM_IOC_GETINFO_RANGES):
		return ioctl_regs(ctx, cmd, arg, pfm_range_getinfo);
	case _IOC_NR(PFM_IOC_GET_CONFIG):
		return ioctl_get_config(ctx, cmd, arg);
	case _IOC_NR(PFM_IOC_SET_CONFIG):
		return ioctl_set_config(ctx, cmd, arg);
	case _IOC_NR(PFM_IOC_RESTART):
		return ioctl_restart(ctx, cmd, arg);
	case _IOC_NR(PFM_IOC_WRITE_PMDATTRS):
		return ioctl_regs(ctx, cmd, arg, pfm_pmd_attr_write);
	case _IOC_NR(PFM_IOC_READ_PMDATTRS):
		return ioctl_regs(ctx, cmd, arg, pfm_pmd_attr_read);
	case _IOC_NR(PFM_IOC_CREATE_EVTSET):
		return ioctl_regs(ctx, cmd, arg, pfm_evtset_create);
	case _IOC_NR(PFM_IOC_DELETE_EVTSET):
		return ioctl_regs(ctx, cmd, arg, pfm_evtset_delete);
	case _IOC_NR(PFM_IOC_GETINFO_EVTSET):
		return ioctl_regs(ctx, cmd, arg, pfm_evtset_getinfo);
	case _IOC_NR(PFM_IOC_READ_RECORDS):
		return ioctl_read_records(ctx, cmd, arg, read_records);
	case _IOC_NR(PFM_IOC_READ_MAPS):
		return ioctl_read_records(ctx, cmd, arg, pfm_maps_read);
	default:
		return -ENOTTY;
	}
}

/**
 * pfm_file_ioctl - execute any ioctl on a context's descriptor
 * @file: file of the descriptor
 * @cmd: PFM_IOC_* or FIONREAD
 * @arg: argument of the ioctl, usually a user pointer
 *
 * Context: process; may sleep.
 * Return: result of the ioctl.
 */
long pfm_file_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct pfm_context *ctx = file->private_data;
	long ret;

	if (_IOC_TYPE(cmd) != PFM_IOC_MAGIC && cmd != FIONREAD)
		return -ENOTTY;
	/*
	 * Killable, as the holder of the lock may wait for a page fault on a slow file.
	 */
	if (mutex_lock_killable(&ctx->lock))
		return -EINTR;
	if (cmd == FIONREAD)
		ret = ioctl_available(ctx, arg);
	else
		ret = locked_ioctl(ctx, cmd, arg);
	mutex_unlock(&ctx->lock);
	return ret;
}

static ssize_t file_read(struct file *file, char __user *buf, size_t size,
			 loff_t *pos)
{
	return pfm_message_read(file->private_data, buf, size,
				file->f_flags & O_NONBLOCK);
}

static __poll_t file_poll(struct file *file, poll_table *table)
{
	struct pfm_context *ctx = file->private_data;
	__poll_t events = 0;
	bool ended;

	poll_wait(file, &ctx->wait, table);
	/* First, so that the END message that came before is seen. */
	ended = pfm_context_ended(ctx);
	if (pfm_message_waits(ctx) ||
	    ((ctx->flags & PFM_CTX_NO_MSG) && atomic_read(&ctx->notified)))
		events |= EPOLLIN | EPOLLRDNORM;
	if (ended)
		events |= EPOLLHUP;
	if (pfm_record_due(ctx))
		events |= EPOLLPRI;
	return events;
}

/* The file of a mapping: it holds this module, and no context. */
static const struct file_operations mapped_ops = {
	.owner = THIS_MODULE,
	.llseek = noop_llseek,
};

static int map(struct pfm_context *ctx, struct vm_area_struct *vma)
{
	if (vma->vm_pgoff == PFM_USER_PAGE_OFFSET >> PAGE_SHIFT)
		return pfm_user_page_map(ctx, vma);
	return ctx->buffer ? pfm_buffer_map(ctx->buffer, vma) : -EINVAL;
}

/*
 * A mapping that refers to the descriptor's file would keep the session after the last
 * close(2).  So each mapping gets a file of its own.
 */
static int file_mmap(struct file *file, struct vm_area_struct *vma)
{
	struct file *mapped;
	int ret;

	mapped = anon_inode_getfile("[perfmon]", &mapped_ops, NULL, O_RDONLY);
	if (IS_ERR(mapped))
		return PTR_ERR(mapped);
	ret = map(file->private_data, vma);
	if (!ret)
		vma_set_file(vma, mapped);
	fput(mapped);
	return ret;
}

static int file_fasync(int fd, struct file *file, int on)
{
	struct pfm_context *ctx = file->private_data;

	return fasync_helper(fd, file, on, &ctx->fasync);
}

static int file_release(struct inode *inode, struct file *file)
{
	pfm_context_destroy(file->private_data);
	return 0;
}

static const char *state_name(u32 state)
{
	switch (state) {
	case PFM_STATE_LOADED:
		return "loaded";
	case PFM_STATE_MASKED:
		return "masked";
	case PFM_STATE_OFFLINE:
		return "offline";
	default:
		return "unloaded";
	}
}

static void file_show_fdinfo(struct seq_file *seq, struct file *file)
{
	struct pfm_context *ctx = file->private_data;
	struct pfm_config cfg;
	u32 tid;

	if (!mutex_trylock(&ctx->lock)) {
		seq_puts(seq, "pfm_state:\tbusy\n");
		return;
	}
	pfm_load_settle(ctx);
	pfm_context_get_config(ctx, &cfg);
	tid = ctx->end.tid;
	mutex_unlock(&ctx->lock);
	seq_printf(seq, "pfm_state:\t%s\n", state_name(cfg.state));
	seq_printf(seq, "pfm_flags:\t0x%x\n", cfg.flags);
	seq_printf(seq, "pfm_running:\t%u\n", cfg.running);
	if (cfg.flags & PFM_CTX_SYSTEM_WIDE) {
		seq_printf(seq, "pfm_cpu:\t%d\n", (int)cfg.cpu);
		seq_printf(seq, "pfm_offlines:\t%u\n", cfg.offlines);
		seq_printf(seq, "pfm_offline_ns:\t%llu\n", cfg.offline_ns);
	}
	seq_printf(seq, "pfm_tid:\t%u\n", tid);
	seq_printf(seq, "pfm_sets:\t%u\n", cfg.sets);
	seq_printf(seq, "pfm_set:\t%u\n", cfg.set);
	seq_printf(seq, "pfm_tasks:\t%u\n", cfg.tasks);
	seq_printf(seq, "pfm_records:\t%u\n", cfg.records);
	seq_printf(seq, "pfm_records_max:\t%u\n", cfg.records_max);
	seq_printf(seq, "pfm_merged:\t%llu\n", cfg.merged);
	seq_printf(seq, "pfm_follow_failed:\t%llu\n", cfg.follow_failed);
	seq_printf(seq, "pfm_unsplit:\t%llu\n", cfg.unsplit);
	seq_printf(seq, "pfm_unfollowed_threads:\t%llu\n",
		   cfg.unfollowed_threads);
	seq_printf(seq, "pfm_unfollowed_processes:\t%llu\n",
		   cfg.unfollowed_processes);
	seq_printf(seq, "pfm_barred:\t%llu\n", cfg.barred);
	seq_printf(seq, "pfm_overflows:\t%llu\n", cfg.overflows);
	seq_printf(seq, "pfm_skipped:\t%llu\n", cfg.skipped);
	seq_printf(seq, "pfm_throttled:\t%llu\n", cfg.throttled);
	seq_printf(seq, "pfm_msgs_merged:\t%llu\n", cfg.msgs_merged);
	seq_printf(seq, "pfm_buffer_size:\t%llu\n", cfg.buffer_size);
	seq_printf(seq, "pfm_pmu:\t%s\n", cfg.pmu);
}

static const struct file_operations file_ops = {
	.owner = THIS_MODULE,
	.read = file_read,
	.poll = file_poll,
	.mmap = file_mmap,
	.unlocked_ioctl = pfm_own_ioctl,
	.compat_ioctl = compat_ptr_ioctl,
	.fasync = file_fasync,
	.release = file_release,
	.show_fdinfo = file_show_fdinfo,
	.llseek = noop_llseek,
};

/**
 * pfm_file_open - open a descriptor for a context
 * @ctx: the context; owned by the descriptor if this succeeds
 *
 * Context: process; may sleep.
 * Return: the descriptor; or -errno, and the caller still owns the context.
 */
int pfm_file_open(struct pfm_context *ctx)
{
	return anon_inode_getfd("[perfmon]", &file_ops, ctx,
				O_RDWR | O_CLOEXEC);
}

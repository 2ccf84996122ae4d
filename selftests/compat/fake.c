// SPDX-License-Identifier: GPL-2.0-only
/*
 * A stand-in for /dev/perfmon, to be preloaded, on which programs for perfmon2 count: the same numbers
 * on every machine.
 *
 * It counts calls of getppid(): each is 100 instructions, 250 cycles of one nanosecond,
 * 50 ops of IBS and 10 of any other event, in the contexts of the thread that calls it and in
 * system-wide ones.  FAKE_MACHINE is intel (four counters and three fixed ones), amd (four
 * counters and IBS) or armv8 (six counters and a cycle counter).  Children that fork(2) creates share
 * the contexts.  A thread ends with _exit().
 */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "fake_count.h"

static int device = -1;

__attribute__((constructor)) static void begin(void)
{
	all = mmap(NULL, sizeof(*all), PROT_READ | PROT_WRITE,
		   MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (all == MAP_FAILED)
		abort();
	for (int i = 0; i < CONTEXTS; i++)
		all->contexts[i].fd = -1;
}

static int fail(int err)
{
	errno = err;
	return -1;
}

static int create(const struct pfm_create *arg)
{
	static const uint8_t uuid[PFM_UUID_LEN] = PFM_DEFAULT_UUID,
			     none[PFM_UUID_LEN];
	const struct pfm_default_arg *fmt = (void *)(uintptr_t)arg->fmt_arg;
	struct context *ctx = all->contexts;
	struct pfm_default_hdr *hdr;

	while (ctx < all->contexts + CONTEXTS && ctx->fd >= 0)
		ctx++;
	if (ctx == all->contexts + CONTEXTS)
		return fail(EMFILE);
	memset(ctx, 0, sizeof(*ctx));
	ctx->fd = -1;
	if (memcmp(arg->fmt_uuid, none, sizeof(none))) {
		if (memcmp(arg->fmt_uuid, uuid, sizeof(uuid)))
			return fail(ENOENT);
		if (fmt->buf_size > BUFFER || fmt->buf_flags ||
		    fmt->buf_size < sizeof(*hdr) + 1000)
			return fail(EINVAL);
		ctx->buf_size = fmt->buf_size;
		hdr = (void *)ctx->buffer;
		hdr->hdr_cur_offs = sizeof(*hdr);
		hdr->hdr_buf_size = fmt->buf_size;
		hdr->hdr_min_buf_space = 200;
		hdr->hdr_version = PFM_DEFAULT_VERSION;
	}
	ctx->flags = arg->flags;
	ctx->sets[0].there = true;
	ctx->fd = eventfd(0, EFD_CLOEXEC);
	return ctx->fd;
}

/* A set, or NULL with errno. */
static struct set *set_of(struct context *ctx, unsigned int set)
{
	if (set < SETS && ctx->sets[set].there)
		return &ctx->sets[set];
	errno = ENOENT;
	return NULL;
}

static int regs_call(struct context *ctx, unsigned long request,
		     struct pfm_regs *arg)
{
	struct pfm_reg *regs = (void *)(uintptr_t)arg->regs;

	for (arg->failed = 0; arg->failed < arg->count; arg->failed++) {
		struct pfm_reg *reg = &regs[arg->failed];
		struct set *set = set_of(ctx, reg->set);
		unsigned int num = reg->num;

		if (!set)
			return -1;
		if (request == PFM_IOC_WRITE_PMCS) {
			if (!has_counter(num) && !is_ibs(num))
				return fail(ENXIO);
			if (reg->value & reserved(num))
				return fail(ERANGE);
			set->pmc[num] = reg->value;
			set->pmc_used[num] = true;
			continue;
		}
		if (!has_pmd(num))
			return fail(ENXIO);
		if (request == PFM_IOC_READ_PMDS) {
			if (!set->used[num])
				return fail(ENODATA);
			reg->value = set->pmd[num];
			continue;
		}
		if (is_ibs_data(num))
			return fail(EACCES);
		if (ctx->loaded && !set->used[num])
			return fail(EBUSY);
		set->used[num] = true;
		set->pmd[num] = reg->value;
		set->attr[num].last_reset = reg->value;
		set->wrapped[num / 64] &= ~(1ULL << num % 64);
	}
	return 0;
}

static int attr_call(struct context *ctx, bool write, struct pfm_regs *arg)
{
	struct pfm_pmd_attr *attrs = (void *)(uintptr_t)arg->regs;

	if (write && ctx->loaded)
		return fail(EBUSY);
	for (arg->failed = 0; arg->failed < arg->count; arg->failed++) {
		struct pfm_pmd_attr *attr = &attrs[arg->failed];
		struct set *set = set_of(ctx, attr->set);
		unsigned int num = attr->num;
		uint64_t last;

		if (!set)
			return -1;
		if (!has_pmd(num))
			return fail(ENXIO);
		if (!write) {
			if (!set->has_attr[num])
				return fail(ENODATA);
			*attr = set->attr[num];
			if (set->runs)
				attr->ovfl_switch_cnt = set->left[num];
			continue;
		}
		last = set->attr[num].last_reset;
		set->attr[num] = *attr;
		set->attr[num].last_reset = last;
		set->left[num] = attr->ovfl_switch_cnt;
		set->has_attr[num] = true;
		set->used[num] = true;
		for (unsigned int i = 0; i < PFM_REGS_MAX; i++) {
			if (!((attr->smpl_pmds[i / 64] |
			       attr->reset_pmds[i / 64]) >>
				      i % 64 &
			      1))
				continue;
			if (!has_pmd(i))
				return fail(ENXIO);
			set->used[i] = true;
		}
	}
	return 0;
}

static int info_call(bool pmcs, struct pfm_regs *arg)
{
	struct pfm_reg_info *infos = (void *)(uintptr_t)arg->regs;

	for (arg->failed = 0; arg->failed < arg->count; arg->failed++) {
		struct pfm_reg_info *info = &infos[arg->failed];
		unsigned int num = info->num;

		if (pmcs ? !has_counter(num) && !is_ibs(num) : !has_pmd(num))
			return fail(ENXIO);
		info->width = is_ibs_data(num) ? 64 : 48;
		info->ctl = pmcs || is_ibs_data(num) ? PFM_REG_NONE : num;
		info->rsvd = pmcs ? reserved(num) : 0;
		if (!pmcs)
			info->flags =
				is_ibs_data(num)
					? PFM_REGI_SNAPSHOT | PFM_REGI_READONLY
					: PFM_REGI_COUNTER | PFM_REGI_OVERFLOW;
		if (!pmcs && machine("armv8") && num == 31)
			info->flags |= PFM_REGI_CYCLES;
		snprintf(info->name, sizeof(info->name), "R%u", num);
	}
	return 0;
}

static int set_call(struct context *ctx, unsigned long request,
		    struct pfm_regs *arg)
{
	struct pfm_set_desc *descs = (void *)(uintptr_t)arg->regs;
	struct pfm_set_info *infos = (void *)(uintptr_t)arg->regs;
	const uint32_t sides = PFM_SETFL_EXCL_INTR | PFM_SETFL_INTR_ONLY;

	if (request != PFM_IOC_GETINFO_EVTSET && ctx->loaded)
		return fail(EBUSY);
	for (arg->failed = 0; arg->failed < arg->count; arg->failed++) {
		struct pfm_set_desc *desc = &descs[arg->failed];
		struct pfm_set_info *info = &infos[arg->failed];
		struct set *set;

		if (request == PFM_IOC_CREATE_EVTSET) {
			if (desc->set >= SETS)
				return fail(ENOMEM);
			if ((desc->flags & sides) == sides)
				return fail(EINVAL);
			if (desc->flags & sides &&
			    !(ctx->flags & PFM_CTX_SYSTEM_WIDE))
				return fail(EOPNOTSUPP);
			if (desc->flags & PFM_SETFL_TIME_SWITCH &&
			    desc->timeout < PFM_SET_TIMEOUT_MIN)
				return fail(ERANGE);
			set = &ctx->sets[desc->set];
			memset(set, 0, sizeof(*set));
			set->there = true;
			set->desc = *desc;
			continue;
		}
		set = set_of(ctx, request == PFM_IOC_DELETE_EVTSET ? desc->set
								   : info->set);
		if (!set)
			return -1;
		if (request == PFM_IOC_DELETE_EVTSET) {
			if (!desc->set)
				return fail(EINVAL);
			set->there = false;
			continue;
		}
		info->flags = set->desc.flags;
		info->next = set->desc.next;
		info->timeout = set->desc.timeout;
		info->runs = set->runs;
		info->active_ns = set->active_ns;
		info->active = set == &ctx->sets[ctx->set];
		info->remaining = set->desc.timeout > set->slice_ns
					  ? set->desc.timeout - set->slice_ns
					  : 0;
		memcpy(info->ovfl_pmds, set->wrapped, sizeof(set->wrapped));
	}
	return 0;
}

static int load(struct context *ctx, const struct pfm_load *arg)
{
	struct set *set = set_of(ctx, arg->set);
	unsigned int i;

	if (!set)
		return -1;
	if (ctx->loaded)
		return fail(EBUSY);
	for (i = 0; i < REGS && !set->used[i]; i++)
		;
	if (i == REGS)
		return fail(ENODATA);
	if (ctx->flags & PFM_CTX_SYSTEM_WIDE &&
	    arg->tid >= sysconf(_SC_NPROCESSORS_CONF))
		return fail(ERANGE);
	ctx->target = arg->tid || ctx->flags & PFM_CTX_SYSTEM_WIDE
			      ? arg->tid
			      : (uint32_t)syscall(SYS_gettid);
	ctx->loaded = true;
	ctx->set = arg->set;
	set->runs++;
	return 0;
}

static int start(struct context *ctx, const struct pfm_start *arg)
{
	if (!ctx->loaded)
		return fail(ENOTCONN);
	if (arg && !set_of(ctx, arg->set))
		return -1;
	if (arg && !ctx->started)
		ctx->set = arg->set;
	ctx->started = true;
	return 0;
}

static int restart(struct context *ctx)
{
	struct pfm_default_hdr *hdr = (void *)ctx->buffer;
	struct set *set = &ctx->sets[ctx->set];

	if (!ctx->loaded)
		return fail(ENOTCONN);
	if (!ctx->owed)
		return fail(EBUSY);
	for (unsigned int i = 0; i < REGS; i++)
		if (set->wrapped[i / 64] >> i % 64 & 1)
			reset_all(set, i, true);
	if (ctx->buf_size) {
		hdr->hdr_count = 0;
		hdr->hdr_cur_offs = sizeof(*hdr);
	}
	ctx->owed = false;
	ctx->masked = false;
	changed();
	return 0;
}

static int config(const struct context *ctx, struct pfm_config *cfg)
{
	memset(cfg, 0, sizeof(*cfg));
	cfg->abi_version = PFM_ABI_VERSION;
	cfg->flags = ctx->flags;
	cfg->buffer_size = ctx->buf_size;
	cfg->lane_size = ctx->buf_size;
	cfg->lanes = 1;
	strcpy(cfg->pmu, machine("intel") ? "intel"
			 : machine("amd") ? "amd"
					  : "armv8_pmuv3");
	for (unsigned int i = 0; i < REGS; i++) {
		if (has_counter(i) || is_ibs(i))
			cfg->impl_pmcs[i / 64] |= 1ULL << i % 64;
		if (has_pmd(i))
			cfg->impl_pmds[i / 64] |= 1ULL << i % 64;
	}
	return 0;
}

static int call(struct context *ctx, unsigned long request, void *arg)
{
	switch (request) {
	case PFM_IOC_WRITE_PMCS:
	case PFM_IOC_WRITE_PMDS:
	case PFM_IOC_READ_PMDS:
		return regs_call(ctx, request, arg);
	case PFM_IOC_WRITE_PMDATTRS:
	case PFM_IOC_READ_PMDATTRS:
		return attr_call(ctx, request == PFM_IOC_WRITE_PMDATTRS, arg);
	case PFM_IOC_GETINFO_PMCS:
	case PFM_IOC_GETINFO_PMDS:
		return info_call(request == PFM_IOC_GETINFO_PMCS, arg);
	case PFM_IOC_CREATE_EVTSET:
	case PFM_IOC_DELETE_EVTSET:
	case PFM_IOC_GETINFO_EVTSET:
		return set_call(ctx, request, arg);
	case PFM_IOC_GET_CONFIG:
		return config(ctx, arg);
	case PFM_IOC_LOAD_CONTEXT:
		return load(ctx, arg);
	case PFM_IOC_UNLOAD_CONTEXT:
		ctx->loaded = false;
		ctx->started = false;
		ctx->masked = false;
		changed();
		return 0;
	case PFM_IOC_START:
		return start(ctx, arg);
	case PFM_IOC_STOP:
		if (!ctx->loaded)
			return fail(ENOTCONN);
		ctx->started = false;
		return 0;
	case PFM_IOC_RESTART:
		return restart(ctx);
	default:
		return fail(ENOTTY);
	}
}

int ioctl(int fd, unsigned long request, ...)
{
	struct context *ctx;
	va_list args;
	void *arg;
	int ret;

	va_start(args, request);
	arg = va_arg(args, void *);
	va_end(args);
	if (fd >= 0 && fd == device && request == PFM_IOC_CREATE_CONTEXT) {
		lock();
		ret = create(arg);
		unlock();
		return ret;
	}
	ctx = find(fd);
	if (!ctx)
		return syscall(SYS_ioctl, fd, request, arg);
	lock();
	ret = call(ctx, request, arg);
	unlock();
	return ret;
}

int open(const char *path, int flags, ...)
{
	va_list args;
	int mode;

	va_start(args, flags);
	mode = flags & O_CREAT ? va_arg(args, int) : 0;
	va_end(args);
	if (strcmp(path, "/dev/perfmon"))
		return syscall(SYS_openat, AT_FDCWD, path, flags, mode);
	device = syscall(SYS_openat, AT_FDCWD, "/dev/null", O_RDWR | O_CLOEXEC);
	return device;
}

int fcntl(int fd, int cmd, ...)
{
	struct context *ctx = find(fd);
	va_list args;
	long arg;

	va_start(args, cmd);
	arg = va_arg(args, long);
	va_end(args);
	if (ctx && cmd == F_SETFL) {
		ctx->file_flags = arg;
		return 0;
	}
	return ctx && cmd == F_GETFL ? ctx->file_flags
				     : syscall(SYS_fcntl, fd, cmd, arg);
}

int fcntl64(int fd, int cmd, ...) __attribute__((alias("fcntl")));

ssize_t read(int fd, void *buf, size_t size)
{
	struct context *ctx = find(fd);

	if (!ctx)
		return syscall(SYS_read, fd, buf, size);
	if (size < sizeof(union pfm_msg))
		return fail(EINVAL);
	/* A child that was created earlier does not have the descriptor, so memory is watched. */
	lock();
	while (!ctx->num_msgs) {
		if (ctx->file_flags & O_NONBLOCK) {
			unlock();
			return fail(EAGAIN);
		}
		wait_for_change();
	}
	memcpy(buf, &ctx->msgs[ctx->first++ % MSGS], sizeof(union pfm_msg));
	ctx->num_msgs--;
	unlock();
	return sizeof(union pfm_msg);
}

void *mmap(void *addr, size_t length, int prot, int flags, int fd, off_t offset)
{
	struct context *ctx = flags & MAP_ANONYMOUS || !all ? NULL : find(fd);

	if (!ctx)
		return (void *)syscall(SYS_mmap, addr, length, prot, flags, fd,
				       offset);
	if (!ctx->buf_size || prot & PROT_WRITE) {
		errno = EINVAL;
		return MAP_FAILED;
	}
	/* Another name of the shared memory. */
	return mremap(ctx->buffer, 0, length, MREMAP_MAYMOVE);
}

int close(int fd)
{
	struct context *ctx = all ? find(fd) : NULL;

	if (ctx)
		ctx->fd = -1;
	if (fd == device)
		device = -1;
	return syscall(SYS_close, fd);
}

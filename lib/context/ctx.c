// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/*
 * Contexts: the ioctls, and read(2) for messages.
 */
#include "context/ctx.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <perfmon/perfmon.h>

#define DEVICE "/dev/perfmon"

int pfmi_ioctl(int fd, unsigned long request, const void *arg)
{
	int saved = errno;
	int ret;

	ret = ioctl(fd, request, arg);
	if (ret >= 0)
		return ret;
	ret = -errno;
	errno = saved;
	return ret;
}

int pfmi_opts_copy(void *own, size_t size, const void *opts)
{
	const unsigned char *bytes = opts;
	size_t given, i;

	memset(own, 0, size);
	if (!opts)
		return 0;
	memcpy(&given, opts, sizeof(given));
	if (given < sizeof(given))
		return -EINVAL;
	for (i = size; i < given; i++)
		if (bytes[i])
			return -E2BIG;
	memcpy(own, opts, given < size ? given : size);
	return 0;
}

static int create(const struct pfm_create *create)
{
	int saved = errno;
	int device, fd;

	device = open(DEVICE, O_RDWR | O_CLOEXEC);
	if (device < 0) {
		fd = -errno;
		errno = saved;
		return fd;
	}
	fd = pfmi_ioctl(device, PFM_IOC_CREATE_CONTEXT, create);
	close(device);
	errno = saved;
	return fd;
}

int pfm_ctx_create(const struct pfm_create_opts *opts)
{
	struct pfm_create_opts own;
	struct pfm_create arg = { 0 };
	int ret;

	ret = pfmi_opts_copy(&own, sizeof(own), opts);
	if (ret < 0)
		return ret;
	if (own.reserved || own.fmt_arg_size > UINT32_MAX)
		return -EINVAL;
	arg.flags = own.flags;
	if (own.fmt_uuid)
		memcpy(arg.fmt_uuid, own.fmt_uuid, PFM_UUID_LEN);
	arg.fmt_arg = (uintptr_t)own.fmt_arg;
	arg.fmt_arg_size = own.fmt_arg_size;
	return create(&arg);
}

int pfmi_vector_ioctl(int fd, unsigned long request, const void *elements,
		      unsigned int count, unsigned int *failed)
{
	struct pfm_regs regs = {
		.regs = (uintptr_t)elements,
		.count = count,
		.failed = count,
	};
	int ret;

	ret = pfmi_ioctl(fd, request, &regs);
	if (failed)
		*failed = regs.failed;
	return ret;
}

int pfm_ctx_write_pmcs(int fd, const struct pfm_reg *regs, unsigned int count,
		       unsigned int *failed)
{
	return pfmi_vector_ioctl(fd, PFM_IOC_WRITE_PMCS, regs, count, failed);
}

int pfm_ctx_write_pmds(int fd, const struct pfm_reg *regs, unsigned int count,
		       unsigned int *failed)
{
	return pfmi_vector_ioctl(fd, PFM_IOC_WRITE_PMDS, regs, count, failed);
}

int pfm_ctx_read_pmds(int fd, struct pfm_reg *regs, unsigned int count,
		      unsigned int *failed)
{
	return pfmi_vector_ioctl(fd, PFM_IOC_READ_PMDS, regs, count, failed);
}

int pfm_ctx_getinfo_pmcs(int fd, struct pfm_reg_info *info, unsigned int count,
			 unsigned int *failed)
{
	return pfmi_vector_ioctl(fd, PFM_IOC_GETINFO_PMCS, info, count, failed);
}

int pfm_ctx_getinfo_pmds(int fd, struct pfm_reg_info *info, unsigned int count,
			 unsigned int *failed)
{
	return pfmi_vector_ioctl(fd, PFM_IOC_GETINFO_PMDS, info, count, failed);
}

int pfm_ctx_getinfo_events(int fd, struct pfm_event_info *info,
			   unsigned int count, unsigned int *failed)
{
	return pfmi_vector_ioctl(fd, PFM_IOC_GETINFO_EVENTS, info, count,
				 failed);
}

int pfm_ctx_getinfo_held(int fd, struct pfm_held *held)
{
	return pfmi_ioctl(fd, PFM_IOC_GETINFO_HELD, held);
}

int pfm_ctx_set_cgroup(int fd, int cgroup)
{
	struct pfm_cgroup arg = { .fd = cgroup };

	return pfmi_ioctl(fd, PFM_IOC_SET_CGROUP, &arg);
}

int pfm_ctx_set_ranges(int fd, const struct pfm_range *ranges,
		       unsigned int count, unsigned int *failed)
{
	return pfmi_vector_ioctl(fd, PFM_IOC_SET_RANGES, ranges, count, failed);
}

int pfm_ctx_getinfo_ranges(int fd, struct pfm_range_info *info,
			   unsigned int count, unsigned int *failed)
{
	return pfmi_vector_ioctl(fd, PFM_IOC_GETINFO_RANGES, info, count,
				 failed);
}

int pfm_ctx_load(int fd, uint32_t tid, const struct pfm_load_opts *opts)
{
	struct pfm_load_opts own;
	struct pfm_load load = { .tid = tid };
	int ret;

	ret = pfmi_opts_copy(&own, sizeof(own), opts);
	if (ret < 0)
		return ret;
	if (own.reserved)
		return -EINVAL;
	load.set = own.set;
	load.flags = own.flags;
	return pfmi_ioctl(fd, PFM_IOC_LOAD_CONTEXT, &load);
}

int pfm_ctx_unload(int fd)
{
	return pfmi_ioctl(fd, PFM_IOC_UNLOAD_CONTEXT, NULL);
}

int pfm_ctx_start(int fd, const struct pfm_start_opts *opts)
{
	struct pfm_start_opts own;
	struct pfm_start start = { 0 };
	int ret;

	ret = pfmi_opts_copy(&own, sizeof(own), opts);
	if (ret < 0)
		return ret;
	if (own.reserved)
		return -EINVAL;
	start.set = own.set;
	start.flags = own.flags;
	return pfmi_ioctl(fd, PFM_IOC_START, &start);
}

int pfm_ctx_stop(int fd)
{
	return pfmi_ioctl(fd, PFM_IOC_STOP, NULL);
}

int pfm_ctx_get_config(int fd, struct pfm_config *config)
{
	return pfmi_ioctl(fd, PFM_IOC_GET_CONFIG, config);
}

int pfm_ctx_set_config(int fd, const struct pfm_config *config)
{
	return pfmi_ioctl(fd, PFM_IOC_SET_CONFIG, config);
}

static int read_ioctl(int fd, unsigned long request, uint32_t flags, void *buf,
		      size_t size, unsigned int *count, size_t *used)
{
	struct pfm_read_records arg = {
		.buf = (uintptr_t)buf,
		.flags = flags,
		/* The largest multiple of 8, as records are aligned to 8 bytes. */
		.size = size < UINT32_MAX ? size : UINT32_MAX - 7,
	};
	int ret;

	ret = pfmi_ioctl(fd, request, &arg);
	if (count)
		*count = ret < 0 ? 0 : arg.count;
	if (used)
		*used = ret < 0 ? 0 : arg.used;
	return ret < 0 ? ret : 0;
}

int pfm_ctx_read_records(int fd, void *buf, size_t size, unsigned int *count,
			 size_t *used)
{
	return read_ioctl(fd, PFM_IOC_READ_RECORDS, 0, buf, size, count, used);
}

int pfm_ctx_read_running(int fd, void *buf, size_t size, unsigned int *count,
			 size_t *used)
{
	return read_ioctl(fd, PFM_IOC_READ_RECORDS, PFM_RECORDS_RUNNING, buf,
			  size, count, used);
}

int pfm_ctx_read_maps(int fd, void *buf, size_t size, unsigned int *count,
		      size_t *used)
{
	return read_ioctl(fd, PFM_IOC_READ_MAPS, 0, buf, size, count, used);
}

int pfm_ctx_read_msg(int fd, union pfm_msg *msg)
{
	int saved = errno;
	ssize_t length;
	int ret;

	length = read(fd, msg, sizeof(*msg));
	if (length == (ssize_t)sizeof(*msg))
		return 1;
	if (length >= 0)
		return length ? -EIO : 0;
	ret = -errno;
	errno = saved;
	return ret;
}

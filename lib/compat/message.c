// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/*
 * Messages in the layouts of the old interface, and with its register numbers.
 */
#include "compat.h"

#include <errno.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "include/perfmon2-compat/perfmon/perfmon.h"
#include "sample_copy.h"

#undef read
#undef mmap

static void old_bitmap(const struct pfmi_known *known, const __u64 *from,
		       uint64_t *to)
{
	__u64 new[PFM_PMD_BV];

	memcpy(new, from, sizeof(new));
	if (known->old_pmds)
		pfmi_numbers_old_bitmap(&known->numbers, new, PFM_PMD_BV, to);
	else
		memcpy(to, new, sizeof(new));
}

/* v2.0: shorter, and with the time at which the message is read. */
static ssize_t put_v20(int fd, const struct pfmi_known *known,
		       const union pfm_msg *msg, void *buf)
{
	pfm_msg_t old = { 0 };
	uint64_t pmds[PFM_PMD_BV];
	struct timespec now;
	unsigned long tstamp;

	clock_gettime(CLOCK_MONOTONIC, &now);
	tstamp = now.tv_sec * 1000000000UL + now.tv_nsec;
	old.pfm_gen_msg.msg_type = msg->type;
	old.pfm_gen_msg.msg_ctx_fd = fd;
	if (msg->type == PFM_MSG_OVFL) {
		old_bitmap(known, msg->ovfl.ovfl_pmds, pmds);
		memcpy(old.pfm_ovfl_msg.msg_ovfl_pmds, pmds,
		       sizeof(old.pfm_ovfl_msg.msg_ovfl_pmds));
		old.pfm_ovfl_msg.msg_active_set = msg->ovfl.set;
		old.pfm_ovfl_msg.msg_tstamp = tstamp;
	} else {
		old.pfm_end_msg.msg_tstamp = tstamp;
	}
	memcpy(buf, &old, sizeof(old));
	return sizeof(old);
}

ssize_t pfm3_read(int fd, void *buf, size_t count)
{
	struct pfmi_known *known = pfmi_known_find(fd);
	struct pfm_config config;
	uint64_t pmds[PFM_PMD_BV];
	union pfm_msg msg;
	ssize_t ret;

	/* The descriptor may have become that of another file. */
	if (!known || pfm_ctx_get_config(fd, &config))
		return read(fd, buf, count);
	if (count < (known->generation == PFMI_V20 ? sizeof(pfm_msg_t)
						   : sizeof(pfarg_msg_t))) {
		errno = EINVAL;
		return -1;
	}
	ret = read(fd, &msg, sizeof(msg));
	if (ret != sizeof(msg))
		return ret;
	pfmi_sample_copy_update(known);
	if (known->generation == PFMI_V20)
		return put_v20(fd, known, &msg, buf);
	if (msg.type == PFM_MSG_OVFL) {
		old_bitmap(known, msg.ovfl.ovfl_pmds, pmds);
		memcpy(msg.ovfl.ovfl_pmds, pmds, sizeof(pmds));
	}
	memcpy(buf, &msg, sizeof(msg));
	return ret;
}

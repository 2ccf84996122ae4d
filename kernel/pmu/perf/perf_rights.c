// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which events perf would let the current process count.
 *
 * The level perf_event_paranoid is not exported.  It is read from its file, which is opened when
 * the module is loaded: then the file is that of the administrator's mount namespace, and no
 * process can put another one in its place.
 */
#include "perf_rights.h"

#include <linux/capability.h>
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/kernel.h>
#include <linux/minmax.h>
#include <linux/perf_event.h>
#include <linux/perfmon_perf.h>
#include <linux/printk.h>
#include <perfmon/pmu.h>

#include "compat.h"
#include "perf_source.h"

/*
 * Levels from which on perf refuses callers without CAP_PERFMON: tracepoints of the kernel,
 * the kernel, everything (a level of Debian's and others').
 */
enum paranoid {
	PARANOID_TRACE = 0,
	PARANOID_KERNEL = 2,
	PARANOID_ALL = 3,
};

static struct file *level_file;

static int level(void)
{
	char text[16];
	loff_t pos = 0;
	ssize_t len;
	int value;

	if (!level_file)
		return PARANOID_ALL;
	len = kernel_read(level_file, text, sizeof(text) - 1, &pos);
	text[max_t(ssize_t, len, 0)] = '\0';
	if (len > 0 && !kstrtoint(text, 10, &value))
		return value;
	pr_warn_once("kernel.perf_event_paranoid cannot be read (%zd): perf's events need CAP_PERFMON\n",
		     len);
	return PARANOID_ALL;
}

static int refuse(int paranoid, const char *what)
{
	pfm_refusal_notice("context not loaded: kernel.perf_event_paranoid is %d, so %s need CAP_PERFMON\n",
			   paranoid, what);
	return -EPERM;
}

/**
 * perf_rights_check - decide whether the current process may have an event counted
 * @key: the event
 *
 * Context: process; may sleep.
 * Return: 0 or -EPERM.
 */
int perf_rights_check(const struct perf_key *key)
{
	struct perf_event_attr attr = {
		.type = key->type,
		.config = key->config,
	};
	const bool kernel = !(key->flags & PFM_PERF_EXCLUDE_KERNEL);
	int paranoid;

	if (!perfmon_capable()) {
		paranoid = level();
		if (paranoid >= PARANOID_ALL)
			return refuse(paranoid, "perf's events");
		if (kernel && paranoid >= PARANOID_KERNEL)
			return refuse(paranoid, "perf's events in the kernel");
		if (key->type == PERF_TYPE_TRACEPOINT &&
		    paranoid >= PARANOID_TRACE)
			return refuse(paranoid, "tracepoints");
	}
	/* Asks the security modules as well. */
	return kernel && pfm_perf_allow_kernel(&attr) ? -EPERM : 0;
}

/** perf_rights_begin - open the file of the level, in the context of modprobe */
void perf_rights_begin(void)
{
	level_file =
		filp_open("/proc/sys/kernel/perf_event_paranoid", O_RDONLY, 0);
	if (!IS_ERR(level_file))
		return;
	pr_warn("no /proc/sys/kernel/perf_event_paranoid: perf's events need CAP_PERFMON\n");
	level_file = NULL;
}

/** perf_rights_end - undo perf_rights_begin() */
void perf_rights_end(void)
{
	if (level_file)
		fput(level_file);
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sampling format "trace": each sample becomes a trace event perfmon:sample, for
 * trace-cmd, perf, bpftrace and other readers of the kernel's tracing.
 *
 * Context: the overflow interrupt, which may be an NMI, or a context switch; trace events are
 * allowed there.
 *
 * Limits: at most four values of smpl_pmds.  Lost events are counted by the tracing
 * tool.  The format has no notification, no argument and no memory.
 *
 * UUID: 7f87756c-c076-4309-a22e-47d49f79363b
 */
#include <linux/module.h>
#include <perfmon/format.h>
#include <perfmon/release.h>

#define CREATE_TRACE_POINTS
#include "trace_sample.h"

static int trace_handler(const struct pfm_ovfl *ovfl)
{
	trace_sample(ovfl);
	return PFM_CTRL_RESET;
}

static const struct pfm_format_desc desc = {
	.help = "trace events perfmon:sample, for trace-cmd, perf and bpftrace",
	.layout = PFM_LAYOUT_NONE,
};

static struct pfm_format trace = {
	.name = "trace",
	.uuid = { 0x7f, 0x87, 0x75, 0x6c, 0xc0, 0x76, 0x43, 0x09, 0xa2, 0x2e,
		  0x47, 0xd4, 0x9f, 0x79, 0x36, 0x3b },
	.version = 0x10000,
	.flags = PFM_FORMAT_SIMPLE | PFM_FORMAT_NMI,
	.handler = trace_handler,
	.desc = &desc,
	.owner = THIS_MODULE,
};

static int __init trace_module_init(void)
{
	return pfm_register_format(&trace);
}

static void __exit trace_module_exit(void)
{
	pfm_unregister_format(&trace);
}

module_init(trace_module_init);
module_exit(trace_module_exit);

MODULE_DESCRIPTION("perfmon sampling format: trace event perfmon:sample");
MODULE_LICENSE("GPL");
MODULE_VERSION(PFM_RELEASE);
MODULE_ALIAS("perfmon-format-7f87756c-c076-4309-a22e-47d49f79363b");

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The trace event perfmon:sample.
 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM perfmon

#if !defined(_FORMATS_TRACE_SAMPLE_H) || defined(TRACE_HEADER_MULTI_READ)
#define _FORMATS_TRACE_SAMPLE_H

#include <linux/minmax.h>
#include <linux/string.h>
#include <linux/tracepoint.h>
#include <perfmon/format.h>

/* Values of the registers in smpl_pmds that an event has room for. */
#define TRACE_SAMPLE_VALS 4

/* clang-format off */
TRACE_EVENT(sample,
	    TP_PROTO(const struct pfm_ovfl *ovfl),
	    TP_ARGS(ovfl),
	    TP_STRUCT__entry(__field(u32, pid)
			     __field(u32, tid)
			     __field(u16, pmd)
			     __field(u16, set)
			     __field(u16, cpu)
			     __field(u16, nvals)
			     __field(u64, ip)
			     __field(u64, period)
			     __field(u64, tstamp)
			     __field(u64, eventid)
			     __array(u64, vals, TRACE_SAMPLE_VALS)
	    ),
	    TP_fast_assign(__entry->pid = ovfl->pid;
			   __entry->tid = ovfl->tid;
			   __entry->pmd = ovfl->pmd;
			   __entry->set = ovfl->set;
			   __entry->cpu = ovfl->cpu;
			   __entry->nvals = min_t(u16, ovfl->nvals,
						  TRACE_SAMPLE_VALS);
			   __entry->ip = ovfl->ip;
			   __entry->period = -ovfl->last_reset;
			   __entry->tstamp = ovfl->tstamp;
			   __entry->eventid = ovfl->eventid;
			   memset(__entry->vals, 0, sizeof(__entry->vals));
			   memcpy(__entry->vals, ovfl->vals,
				  __entry->nvals * sizeof(u64));
	    ),
	    TP_printk("pid=%u tid=%u cpu=%u pmd=%u set=%u ip=0x%llx period=%llu vals=%s",
		      __entry->pid, __entry->tid, __entry->cpu, __entry->pmd,
		      __entry->set, __entry->ip, __entry->period,
		      __print_array(__entry->vals, __entry->nvals, 8))
);
/* clang-format on */

#endif /* _FORMATS_TRACE_SAMPLE_H */

/* CFLAGS_formats/trace.o in Kbuild has a -I for this folder. */
#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH .
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE trace_sample
#include <trace/define_trace.h>

// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/*
 * Messages for users about errors of ioctls.
 */
#include "base/array.h"

#include <errno.h>
#include <string.h>

#include <perfmon/perfmon.h>

/* Meaning of an error of an ioctl; request 0: of any ioctl. */
static const struct {
	unsigned long request;
	int error;
	const char *text;
} meanings[] = {
	{ PFM_IOC_CREATE_CONTEXT, ENOENT,
	  "/dev/perfmon does not exist; load the module: modprobe perfmon" },
	{ PFM_IOC_CREATE_CONTEXT, ENXIO,
	  "/dev/perfmon has no driver; load the module: modprobe perfmon" },
	{ PFM_IOC_CREATE_CONTEXT, EACCES,
	  "no right to open /dev/perfmon; it is for root and the group perfmon" },
	{ PFM_IOC_CREATE_CONTEXT, EPERM,
	  "no right to open /dev/perfmon; it is for root and the group perfmon" },
	{ PFM_IOC_CREATE_CONTEXT, ENODEV, "no PMU module is loaded" },
	{ PFM_IOC_CREATE_CONTEXT, EMFILE,
	  "the process has as many descriptors open as it may" },
	{ PFM_IOC_CREATE_CONTEXT, ENFILE,
	  "the system has as many files open as it may" },
	{ PFM_IOC_CREATE_CONTEXT, ENOBUFS,
	  "the sampling buffer is beyond the limit on locked memory (ulimit -l) or that in /sys/kernel/perfmon" },
	{ PFM_IOC_CREATE_CONTEXT, EOPNOTSUPP,
	  "this kernel can neither block threads on notification nor report their mappings" },
	{ PFM_IOC_WRITE_PMCS, ENXIO, "no such control register" },
	{ PFM_IOC_WRITE_PMCS, ENOENT, "no such event set" },
	{ PFM_IOC_WRITE_PMCS, ERANGE,
	  "reserved bits of the control register differ from the default" },
	{ PFM_IOC_WRITE_PMCS, EPERM,
	  "counting kernel or hypervisor code needs CAP_PERFMON, and sampling it a kernel that is not locked down for confidentiality" },
	{ PFM_IOC_WRITE_PMCS, EBUSY,
	  "the context is loaded and does not use the register, or monitors more than one task" },
	{ PFM_IOC_WRITE_PMDS, ENXIO, "no such data register" },
	{ PFM_IOC_WRITE_PMDS, ENOENT, "no such event set" },
	{ PFM_IOC_WRITE_PMDS, EACCES, "the register is read-only" },
	{ PFM_IOC_WRITE_PMDS, EBUSY,
	  "the context is loaded and does not use the register, or monitors more than one task" },
	{ PFM_IOC_READ_PMDS, ENXIO, "no such data register" },
	{ PFM_IOC_READ_PMDS, ENOENT, "no such event set" },
	{ PFM_IOC_READ_PMDS, ENODATA,
	  "the event set does not use the register" },
	{ PFM_IOC_WRITE_PMDATTRS, ENXIO, "no such data register" },
	{ PFM_IOC_WRITE_PMDATTRS, ENOENT, "no such event set" },
	{ PFM_IOC_WRITE_PMDATTRS, EACCES,
	  "a register that is to be reset is read-only" },
	{ PFM_IOC_WRITE_PMDATTRS, EOPNOTSUPP,
	  "the register cannot interrupt, or one that is to be reset cannot be" },
	{ PFM_IOC_WRITE_PMDATTRS, EBUSY, "the context is loaded" },
	{ PFM_IOC_WRITE_PMDATTRS, ENOSPC,
	  "more than 64 registers of the event set sample" },
	{ PFM_IOC_READ_PMDATTRS, ENXIO, "no such data register" },
	{ PFM_IOC_READ_PMDATTRS, ENOENT, "no such event set" },
	{ PFM_IOC_READ_PMDATTRS, ENODATA, "the register does not sample" },
	{ PFM_IOC_CREATE_EVTSET, EBUSY,
	  "event sets cannot change while the context is loaded" },
	{ PFM_IOC_CREATE_EVTSET, EINVAL,
	  "a time slice of an event set ends either by a timeout or by overflows, and jitter needs a timeout" },
	{ PFM_IOC_CREATE_EVTSET, ERANGE,
	  "timeout below the shortest that the kernel takes, or jitter above the timeout" },
	{ PFM_IOC_CREATE_EVTSET, EOPNOTSUPP,
	  "idle time and interrupts are left out in system-wide contexts only, and a log needs a sampling format" },
	{ PFM_IOC_CREATE_EVTSET, EPERM,
	  "that many event sets need CAP_PERFMON" },
	{ PFM_IOC_CREATE_EVTSET, ENOTTY,
	  "the kernel modules are older than event sets" },
	{ PFM_IOC_DELETE_EVTSET, EBUSY,
	  "event sets cannot change while the context is loaded" },
	{ PFM_IOC_DELETE_EVTSET, ENOENT, "no such event set" },
	{ PFM_IOC_DELETE_EVTSET, EINVAL, "event set 0 cannot be deleted" },
	{ PFM_IOC_GETINFO_EVTSET, ENOENT, "no such event set" },
	{ PFM_IOC_WRITE_PMDS, EOPNOTSUPP,
	  "the register counts in whatever event set is active, and belongs to set 0" },
	{ PFM_IOC_RESTART, ENOTCONN, "the context is not loaded" },
	{ PFM_IOC_RESTART, EBUSY, "nothing waits for a restart" },
	{ PFM_IOC_RESTART, ERANGE, "no such lane" },
	{ PFM_IOC_LOAD_CONTEXT, ENXIO,
	  "the CPU lacks a register that the context uses, or something of it" },
	{ PFM_IOC_LOAD_CONTEXT, EBUSY,
	  "the context is loaded already, other contexts hold registers that it uses or the CPU has two contexts (/sys/kernel/perfmon/holders says whose they are), or perf uses the PMU (the kernel log says where)" },
	{ PFM_IOC_LOAD_CONTEXT, EIO,
	  "the interrupt of the PMU cannot be set up on each CPU" },
	{ PFM_IOC_LOAD_CONTEXT, ERANGE, "no such CPU" },
	{ PFM_IOC_LOAD_CONTEXT, ENODEV, "the CPU is offline" },
	{ PFM_IOC_LOAD_CONTEXT, ESRCH, "no such thread, or it is exiting" },
	{ PFM_IOC_LOAD_CONTEXT, EPERM,
	  "no right to monitor that; a thread of another user and a CPU need CAP_PERFMON" },
	{ PFM_IOC_LOAD_CONTEXT, EOPNOTSUPP,
	  "kernel threads cannot be monitored, workers of io_uring and vhost cannot be blocked on notification, and sets without interrupts cannot sample" },
	{ PFM_IOC_LOAD_CONTEXT, EEXIST,
	  "another context of the thread uses one of the registers, or it has as many contexts as it can have" },
	{ PFM_IOC_LOAD_CONTEXT, EACCES,
	  "the administrator keeps one of the registers for contexts on CPUs (/sys/kernel/perfmon/policy/reserved)" },
	{ PFM_IOC_LOAD_CONTEXT, ENOENT,
	  "no such event set, or a set names a next one that does not exist" },
	{ PFM_IOC_LOAD_CONTEXT, ENODATA, "the context uses no register" },
	{ PFM_IOC_START, ENOTCONN, "the context is not loaded" },
	{ PFM_IOC_START, ENOENT, "no such event set" },
	{ PFM_IOC_STOP, ENOTCONN, "the context is not loaded" },
	{ PFM_IOC_GETINFO_PMCS, ENXIO, "no such control register" },
	{ PFM_IOC_GETINFO_PMDS, ENXIO, "no such data register" },
	{ PFM_IOC_GETINFO_EVENTS, EINVAL,
	  "the first event code is not a multiple of 64" },
	{ PFM_IOC_SET_RANGES, EPERM, "probes in programs need CAP_PERFMON" },
	{ PFM_IOC_SET_RANGES, EBUSY,
	  "ranges cannot change while the context is loaded" },
	{ PFM_IOC_SET_RANGES, EINVAL,
	  "unknown flags, or an end that does not go with them" },
	{ PFM_IOC_SET_RANGES, EBADF, "the file is not open for reading" },
	{ PFM_IOC_SET_RANGES, ENOEXEC, "not a regular file" },
	{ PFM_IOC_SET_RANGES, ERANGE, "the place is not within the file" },
	{ PFM_IOC_SET_RANGES, EOPNOTSUPP,
	  "the kernel has no probes in programs for modules; or the context monitors a CPU, samples, or counts sums only" },
	{ PFM_IOC_GETINFO_RANGES, ERANGE, "no such range" },
	{ PFM_IOC_GETINFO_RANGES, ENODATA,
	  "the context was not loaded with these ranges, or does not use the register" },
	{ PFM_IOC_SET_CONFIG, EBUSY,
	  "the FOLLOW flags cannot change while the context is loaded" },
	{ PFM_IOC_SET_CONFIG, ERANGE,
	  "the number of records to keep is out of range" },
	{ PFM_IOC_READ_RECORDS, ENOSPC,
	  "the buffer does not hold the next record" },
	{ PFM_IOC_READ_MAPS, ENOSPC,
	  "the buffer does not hold the next mapping" },
	{ 0, ENOTTY,
	  "the descriptor is not a context, or the kernel modules are older than this operation" },
	{ 0, EBADF, "the descriptor is not open" },
	{ 0, E2BIG,
	  "the kernel modules are older than the program, or the vector is too long" },
};

const char *pfm_ctx_strerror(unsigned long request, int err)
{
	const char *text;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(meanings); i++)
		if (meanings[i].error == -err &&
		    (meanings[i].request == request || !meanings[i].request))
			return meanings[i].text;
#ifdef __GLIBC__
	/* Not translated, as the texts above, and thread-safe. */
	text = strerrordesc_np(-err);
#else
	text = strerror(-err);
#endif
	return text ? text : "unknown error";
}

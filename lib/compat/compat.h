/* SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause) */
/*
 * What the old generations of the interface have in common.  Functions return
 * -errno; only pfmi_v2_result() touches errno.
 */
#ifndef PERFMON_COMPAT_H
#define PERFMON_COMPAT_H

#include "../internal.h"

#include <perfmon/perfmon2.h>

/* The files define the function; the macro is for users of the header. */
#undef perfmonctl

/* Gives @ret, or -1 with errno set to the error that the old interface had. */
int pfmi_v2_result(int ret);

/* New context; @flags are PFM_FL_*. */
int pfmi_v2_create(uint64_t flags);

/*
 * As the calls on contexts, except for reserved bits of a PMC, which get their
 * default, and for read-only PMDs, which are left out.  They change @regs.
 * @failed is UINT32_MAX when the element is not known.
 */
int pfmi_v2_write_pmcs(int fd, struct pfm_reg *regs, unsigned int count,
		       unsigned int *failed);
int pfmi_v2_write_pmds(int fd, struct pfm_reg *regs, unsigned int count,
		       unsigned int *failed);

/* Zeroed vector for @count registers, to be freed; NULL and *@err otherwise. */
struct pfm_reg *pfmi_v2_vector(int count, int *err);

/* Triggers of a set's end (reg_ovfl_switch_cnt): write, and read what is left. */
int pfmi_v2_write_triggers(int fd, const pfarg_pmd_t *pmds, int count);
int pfmi_v2_read_triggers(int fd, pfarg_pmd_t *pmds, int count);

/* Default of a PMC, which any context knows. */
int pfmi_v2_reset_value(int fd, unsigned int num, uint64_t *value);

/**
 * struct pfmi_v2_ops - what differs between the generations of perfmonctl()
 */
struct pfmi_v2_ops {
	int (*create)(void *arg);
	int (*write_pmcs)(int fd, void *arg, int count);
	int (*write_pmds)(int fd, void *arg, int count);
	int (*read_pmds)(int fd, void *arg, int count);
	int (*reset_values)(void *arg, int count);
};

/* The rest is common to them.  Result as pfmi_v2_result(). */
int pfmi_v2_control(const struct pfmi_v2_ops *ops, int fd, int cmd, void *arg,
		    int count);

#endif

/* SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause) */
/*
 * Functions that all generations of the old interface use.  They return -errno; only
 * pfmi_v2_result() changes errno.
 */
#ifndef PERFMON_COMPAT_H
#define PERFMON_COMPAT_H

#include <stddef.h>
#include <stdint.h>

#include <perfmon/perfmon.h>
#include <perfmon/perfmon2.h>

/* The files here define the function; the macro is for programs. */
#undef perfmonctl

/* Returns @ret, or -1 with errno set to the error that the old interface had. */
int pfmi_v2_result(int ret);

/* Create a context; @flags are PFM_FL_*. */
int pfmi_v2_create(uint64_t flags);

/*
 * As pfm_ctx_write_pmcs() and pfm_ctx_write_pmds(), except that reserved bits of a PMC
 * get their default, and read-only PMDs are left out.  They change @regs.  @failed is
 * UINT32_MAX when the element is not known.
 */
int pfmi_v2_write_pmcs(int fd, struct pfm_reg *regs, unsigned int count,
		       unsigned int *failed);
int pfmi_v2_write_pmds(int fd, struct pfm_reg *regs, unsigned int count,
		       unsigned int *failed);

/* Zeroed vector of @count elements, which the caller frees; or NULL and *@err. */
void *pfmi_v2_vector(int count, size_t size, int *err);

/* Overflows that end a time slice (reg_ovfl_switch_cnt): write them, and read the rest. */
int pfmi_v2_write_triggers(int fd, const pfarg_pmd_t *pmds, int count);
int pfmi_v2_read_triggers(int fd, pfarg_pmd_t *pmds, int count);

/* Default of a PMC; @fd may be any context. */
int pfmi_v2_reset_value(int fd, unsigned int num, uint64_t *value);

/**
 * struct pfmi_v2_ops - the commands that differ between the generations of perfmonctl()
 * @create: CREATE_CONTEXT
 * @write_pmcs: WRITE_PMCS
 * @write_pmds: WRITE_PMDS
 * @read_pmds: READ_PMDS
 * @reset_values: GET_PMC_RESET_VAL
 */
struct pfmi_v2_ops {
	int (*create)(void *arg);
	int (*write_pmcs)(int fd, void *arg, int count);
	int (*write_pmds)(int fd, void *arg, int count);
	int (*read_pmds)(int fd, void *arg, int count);
	int (*reset_values)(void *arg, int count);
};

/* perfmonctl() with the commands of a generation.  Result as pfmi_v2_result(). */
int pfmi_v2_control(const struct pfmi_v2_ops *ops, int fd, int cmd, void *arg,
		    int count);

#endif

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

#include "known.h"

/* The files here define the function; the macro is for programs. */
#undef perfmonctl

/* Returns @ret, or -1 with errno set to the error that the old interface had. */
int pfmi_v2_result(int ret);

/**
 * struct pfmi_v2_format - the default sampling format, as the generations name it
 * @buf_size: bytes of the buffer
 * @buf_flags: zero
 */
struct pfmi_v2_format {
	uint64_t buf_size;
	uint32_t buf_flags;
};

/* Create a context; @flags are PFM_FL_*, @format NULL for none. */
int pfmi_v2_create(enum pfmi_generation generation, uint64_t flags,
		   const struct pfmi_v2_format *format);

/*
 * As pfm_ctx_write_pmcs() and so on, with register numbers of perfmon2.  Reserved bits of a PMC get
 * their default, and read-only PMDs are left out.  They change @regs.  @failed is
 * UINT32_MAX when the element is not known.
 */
int pfmi_v2_write_pmcs(int fd, struct pfm_reg *regs, unsigned int count,
		       unsigned int *failed);
int pfmi_v2_write_pmds(int fd, struct pfm_reg *regs, unsigned int count,
		       unsigned int *failed);
int pfmi_v2_read_pmds(int fd, struct pfm_reg *regs, unsigned int count,
		      unsigned int *failed);

/* The attributes of sampling of a PMD; all zero without any. */
int pfmi_v2_get_attr(int fd, uint16_t num, uint16_t set,
		     struct pfm_pmd_attr *attr);

/*
 * Write those that differ from the kernel's, so that a program may write a PMD again while the
 * context is loaded.  Numbers are those of perfmon2, except in the bitmaps.
 */
int pfmi_v2_write_attrs(int fd, struct pfm_pmd_attr *attrs, unsigned int count);

/* Set the bitmaps of @attr from those of a program, of @words words. */
int pfmi_v2_put_bitmaps(int fd, const uint64_t *smpl, const uint64_t *reset,
			unsigned int words, struct pfm_pmd_attr *attr);

/* Load on a thread, or on the CPU that the generation means by @pid. */
int pfmi_v2_load(int fd, uint32_t pid, uint16_t set);

/* Of an event set that is described: timeout in nanoseconds. */
int pfmi_v2_create_sets(int fd, const pfarg_setdesc_t *sets, int count);

/* Zeroed vector of @count elements, which the caller frees; or NULL and *@err. */
void *pfmi_v2_vector(int count, size_t size, int *err);

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

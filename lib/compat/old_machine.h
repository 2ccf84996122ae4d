/* SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause) */
/*
 * The registers of this machine, for the functions of libpfm 3.
 */
#ifndef COMPAT_OLD_MACHINE_H
#define COMPAT_OLD_MACHINE_H

#include <stdbool.h>

#include <perfmon/perfmon.h>

#include "numbers.h"

/**
 * struct pfmi_old_machine - the registers, read once by pfm3_initialize()
 * @map: the registers of the kernel modules; without modules, those of the processor
 * @numbers: their old numbers
 */
struct pfmi_old_machine {
	struct pfm_reg_map *map;
	struct pfmi_numbers numbers;
};

/* -errno, and no machine, for a processor that the library does not know. */
int pfmi_old_machine_read(struct pfmi_old_machine *machine);

/* True for a counter of the processor that had a number in perfmon2. */
bool pfmi_old_machine_counts(const struct pfm_reg_info *pmd);

#endif

/* SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause) */
/*
 * Registers of AMD's instruction-based sampling, for pfm_dispatch_events() of libpfm 3.
 */
#ifndef COMPAT_OLD_IBS_H
#define COMPAT_OLD_IBS_H

#include "include/perfmon2-compat/perfmon/pfmlib_amd64.h"
#include "old_machine.h"

/* Add the registers that @in asks for: PFMLIB_SUCCESS or an error.  @to may be NULL. */
int pfmi_old_ibs_put(const struct pfmi_old_machine *machine,
		     const pfmlib_amd64_input_param_t *in,
		     pfmlib_output_param_t *out,
		     pfmlib_amd64_output_param_t *to);

#endif

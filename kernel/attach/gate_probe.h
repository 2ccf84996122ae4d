/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Probes in programs, at the begin and the end of ranges.
 */
#ifndef _PFM_GATE_PROBE_H
#define _PFM_GATE_PROBE_H

#include <linux/types.h>

struct pfm_context;
struct pfm_gates;
struct pfm_range;

bool pfm_gate_probe_possible(void);
struct pfm_gates *pfm_gate_probe_create(struct pfm_context *ctx,
					const struct pfm_range *ranges, u32 n,
					u32 *failed);
void pfm_gate_probe_set(struct pfm_context *ctx, struct pfm_gates *gates);
int pfm_gate_probe_register(struct pfm_context *ctx);
void pfm_gate_probe_unregister(struct pfm_context *ctx);
void pfm_gate_probe_free(struct pfm_context *ctx);

#endif /* _PFM_GATE_PROBE_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Creating and destroying contexts, GET_CONFIG and SET_CONFIG.
 */
#ifndef _PFM_CONTEXT_CTL_H
#define _PFM_CONTEXT_CTL_H

struct pfm_config;
struct pfm_context;
struct pfm_create;

struct pfm_context *pfm_context_create(const struct pfm_create *arg);
void pfm_context_destroy(struct pfm_context *ctx);
void pfm_context_get_config(struct pfm_context *ctx, struct pfm_config *cfg);
int pfm_context_set_config(struct pfm_context *ctx,
			   const struct pfm_config *cfg);

#endif /* _PFM_CONTEXT_CTL_H */

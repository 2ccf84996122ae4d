/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Descriptions of sampling formats: checks them, and writes them as text.
 */
#ifndef _PFM_CORE_FORMAT_DESC_H
#define _PFM_CORE_FORMAT_DESC_H

struct pfm_format;

char *pfm_format_desc_text(const struct pfm_format *fmt);

#endif /* _PFM_CORE_FORMAT_DESC_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which events perf would let the current process count.
 */
#ifndef _PFM_PERF_RIGHTS_H
#define _PFM_PERF_RIGHTS_H

struct perf_key;

int perf_rights_check(const struct perf_key *key);
void perf_rights_begin(void);
void perf_rights_end(void);

#endif /* _PFM_PERF_RIGHTS_H */

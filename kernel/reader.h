/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Readers: processes that may read counters in user mode.
 */
#ifndef _PFM_READER_H
#define _PFM_READER_H

#include <linux/compiler.h>
#include <linux/types.h>

struct mm_struct;
struct pfm_pmu;
struct pfm_reader;

extern unsigned int pfm_readers;

struct pfm_reader *pfm_reader_create(const struct mm_struct *mm,
				     const struct pfm_pmu *pmu);
struct pfm_reader *pfm_reader_join(struct pfm_reader *reader);
bool pfm_reader_leave(struct pfm_reader *reader);
void pfm_reader_left(struct pfm_reader *reader);
const struct pfm_pmu *pfm_reader_pmu(const struct mm_struct *mm);

#endif /* _PFM_READER_H */

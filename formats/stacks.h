/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _FORMATS_STACKS_H
#define _FORMATS_STACKS_H

#include <linux/perfmon_callstack.h>
#include <linux/types.h>

u64 stacks_room(u64 part_size);
u32 stacks_slots(u64 part_size);
u64 stacks_record_size(const struct pfm_callstack_record *record);
bool stacks_is_full(const struct pfm_callstack_hdr *hdr,
		    const struct pfm_nway_part *part, u64 max_size, u32 events);
bool stacks_may_other(const struct pfm_callstack_hdr *hdr,
		      const struct pfm_nway_part *part);
bool stacks_count(struct pfm_callstack_hdr *hdr, struct pfm_nway_part *part,
		  const struct pfm_callstack_record *key, u64 seed,
		  bool may_add, bool *added);
void stacks_clear(struct pfm_callstack_hdr *hdr, u64 seq);

#endif /* _FORMATS_STACKS_H */

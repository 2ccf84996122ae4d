/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Changes of an address space, to be noticed where no lock may be taken.
 */
#ifndef _PFM_MAPS_CHANGE_H
#define _PFM_MAPS_CHANGE_H

struct maple_tree;
struct mm_struct;
struct vm_area_struct;

unsigned long pfm_maps_change(const struct mm_struct *mm);
void pfm_maps_stored(void *data, struct maple_tree *tree,
		     struct vm_area_struct *vma);

#endif /* _PFM_MAPS_CHANGE_H */

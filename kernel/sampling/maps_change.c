// SPDX-License-Identifier: GPL-2.0-only
/*
 * Changes of an address space, to be noticed where no lock may be taken.
 *
 * Newer kernels count how often an address space was locked for a change.  For older ones
 * a probe on the tracepoint vma_store counts the mappings that are stored in it: by mmap,
 * mremap, and by what splits or merges mappings.  munmap need not be noticed, as no code is
 * executed where nothing is mapped.  mprotect stores nothing when it changes a whole
 * mapping; callers also compare the number of executable pages.
 */
#include "sampling/maps_change.h"

#include <linux/atomic.h>
#include <linux/hash.h>
#include <linux/mm.h>

#include "compat.h"

#ifdef PFM_MM_CHANGE

unsigned long pfm_maps_change(const struct mm_struct *mm)
{
	return PFM_MM_CHANGE(mm);
}

#else

/* Address spaces that share an element only cause a superfluous look at the mappings. */
#define STORES_BITS 10

static atomic_long_t stores[1 << STORES_BITS];

/**
 * pfm_maps_change - get a number that changes with the executable mappings
 * @mm: the address space
 *
 * Context: any, also NMI.
 */
unsigned long pfm_maps_change(const struct mm_struct *mm)
{
	return atomic_long_read(&stores[hash_ptr(mm, STORES_BITS)]);
}

/**
 * pfm_maps_stored - probe: a mapping is about to be stored in an address space
 * @data: not used
 * @tree: not used
 * @vma: the mapping; the mmap_lock of its address space is held for writing
 *
 * Heap and stacks, which grow often, are left out.
 */
void pfm_maps_stored(void *data, struct maple_tree *tree,
		     struct vm_area_struct *vma)
{
	if (vma->vm_file || (vma->vm_flags & VM_EXEC))
		atomic_long_inc(&stores[hash_ptr(vma->vm_mm, STORES_BITS)]);
}

#endif /* PFM_MM_CHANGE */

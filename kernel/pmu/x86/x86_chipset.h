/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * NMIs that the chipset sends, for an error of the memory or of a bus.
 */
#ifndef PFM_X86_CHIPSET_H
#define PFM_X86_CHIPSET_H

#include <linux/types.h>
#include <asm/mach_traps.h>
#include <asm/x86_init.h>

/* An absent port reads as all ones: a virtual machine need not have port 0x61. */
#define X86_NO_PORT 0xff

/*
 * True if the chipset has sent an NMI.  The kernel asks the chipset for what nobody has claimed.
 * If an NMI handler claimed such an NMI, the error would never be reported: the chipset sends no
 * other NMI until the kernel has acknowledged this one.
 */
static inline bool x86_chipset_sent_nmi(void)
{
	const unsigned char reason = x86_platform.get_nmi_reason();

	return reason != X86_NO_PORT && reason & NMI_REASON_MASK;
}

#endif /* PFM_X86_CHIPSET_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Facts about the program victim that hold before it runs.
 */
#ifndef _SELFTESTS_VICTIM_H
#define _SELFTESTS_VICTIM_H

/* Address of its first segment: -Ttext-segment in the Makefile. */
#define VICTIM_BASE	0x123400000000
/* Return addresses in its data. */
#define VICTIM_SECRET	0x5ec2e7000000
/* Bytes of its .bss: an exec with a lower RLIMIT_AS fails late. */
#define VICTIM_BSS	(64 << 20)

#endif /* _SELFTESTS_VICTIM_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Finds out if pfmon runs in a container or in a virtual machine, and on a kernel that is locked
 * down.
 */
#ifndef PFMON_CHECK_ENVIRONMENT_H
#define PFMON_CHECK_ENVIRONMENT_H

#include <stdbool.h>

/*
 * The container's manager ("docker", "podman", "lxc", ...), as it calls itself; NULL outside of
 * containers.  The string stays valid.
 */
const char *environment_container(void);

/*
 * The maker of the virtual machine, as its firmware or device tree gives it; "unknown" where only
 * the processor tells of a hypervisor; NULL on a real machine.  The string stays valid.
 */
const char *environment_machine(void);

/* True if the kernel's lockdown is at that level, "integrity" or "confidentiality". */
bool environment_locked_down(const char *level);

#endif

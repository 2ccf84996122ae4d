/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Finds out if pfmon runs in a container or in a virtual machine.
 */
#ifndef PFMON_CHECK_ENVIRONMENT_H
#define PFMON_CHECK_ENVIRONMENT_H

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

#endif

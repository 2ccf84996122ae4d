/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The version of perfmon: of modules, library, pfmon and packages, which are released together.
 *
 * What else has a number changes when programs have to: the interface of the modules
 * (PFM_ABI_VERSION), that of the library (its SONAME), sampling formats, and documents of pfmon
 * ("schema_version").  The section "Versions" of Documentation/use/install.rst tells
 * which is which.
 *
 * dkms.conf, debian/changelog and debian/perfmon-dkms.postinst have the version as well, and
 * PFM_LIB_VERSION is this one; selftests/packages/versions_host_test.sh compares them.
 */
#ifndef _PERFMON_RELEASE_H
#define _PERFMON_RELEASE_H

#define PFM_RELEASE "4.0.0"

#endif

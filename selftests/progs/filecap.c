// SPDX-License-Identifier: GPL-2.0-only
/*
 * filecap FILE: gives FILE the capability CAP_PERFMON, permitted and effective, as
 * "setcap cap_perfmon+ep" does.
 */
#include <stdio.h>
#include <linux/capability.h>
#include <sys/xattr.h>

#ifndef CAP_PERFMON
#define CAP_PERFMON 38
#endif

int main(int argc, char **argv)
{
	struct vfs_cap_data caps = {
		.magic_etc = VFS_CAP_REVISION_2 | VFS_CAP_FLAGS_EFFECTIVE,
		.data[CAP_PERFMON / 32].permitted = 1U << CAP_PERFMON % 32,
	};

	if (argc == 2 && !setxattr(argv[1], "security.capability", &caps,
				   XATTR_CAPS_SZ_2, 0))
		return 0;
	perror("filecap");
	return 1;
}

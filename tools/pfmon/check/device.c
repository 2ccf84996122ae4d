// SPDX-License-Identifier: GPL-2.0-only
/*
 * The device file is for a group: it takes membership, and a mode that lets the group read and write.
 */
#include <grp.h>
#include <pwd.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check/remedies.h"

#define DEVICE "/dev/perfmon"

/* The group that a device of root gets: that of the udev rule. */
#define GROUP "perfmon"

const char *device_remedy(const struct stat *st, char *text, size_t size)
{
	const struct group *group = st->st_gid ? getgrgid(st->st_gid) : NULL;
	const bool closed = !group || (st->st_mode & 060) != 060;
	const bool outside = !group || (st->st_gid != getegid() &&
					!group_member(st->st_gid));
	const struct passwd *user = getpwuid(getuid());
	char join[160] = "";

	if (!closed && !outside) {
		snprintf(
			text, size,
			"the mode allows it, so an access control list or a security module does not: see 'getfacl " DEVICE
			"' and 'sudo dmesg'");
		return text;
	}
	if (outside)
		snprintf(join, sizeof(join), "%ssudo usermod -aG %.64s %.64s",
			 closed ? " && " : "", group ? group->gr_name : GROUP,
			 user ? user->pw_name : "$USER");
	snprintf(text, size, "run '%s%s%s'%s%s",
		 group ? ""
		       : "sudo groupadd -f " GROUP " && sudo chgrp " GROUP
			 " " DEVICE " && ",
		 closed ? "sudo chmod 660 " DEVICE : "", join,
		 outside ? " and log in again" : "",
		 closed ? "; the udev rule 60-perfmon.rules keeps it so" : "");
	return text;
}

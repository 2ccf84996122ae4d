// SPDX-License-Identifier: GPL-2.0-only
/*
 * Checks the device file.
 */
#include <grp.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check/doctor_checks.h"
#include "check/findings.h"
#include "check/remedies.h"

#define DEVICE "/dev/perfmon"
#define SYSFS  "/sys/kernel/perfmon"

static void tell_missing(struct findings *findings, const char *container)
{
	findings_add(findings, FINDING_FAILED, "device",
		     DEVICE " does not exist");
	findings_fix(
		findings, "%s",
		access(SYSFS, F_OK) ? "it comes with the modules"
		: container
			? "start the container with '--device " DEVICE "'"
			: "run 'sudo modprobe -r perfmon && sudo modprobe perfmon': it makes the file where udev or devtmpfs is at work");
}

void doctor_check_device(struct findings *findings, const char *container)
{
	struct group *group;
	char text[400];
	struct stat st;
	bool may;

	if (stat(DEVICE, &st)) {
		tell_missing(findings, container);
		return;
	}
	group = getgrgid(st.st_gid);
	may = !access(DEVICE, R_OK | W_OK);
	findings_add(findings, may ? FINDING_OK : FINDING_FAILED, "device",
		     DEVICE ": mode %03o, group %s%s",
		     (unsigned int)st.st_mode & 0777,
		     group ? group->gr_name : "?",
		     may ? "" : ": this user may not open it");
	if (!may)
		findings_fix(findings, "%s",
			     device_remedy(&st, text, sizeof(text)));
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Creates a context.  If that fails, the message ends with the command that makes
 * it work.
 */
#include <errno.h>
#include <grp.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>
#include <perfmon/perfmon.h>

#include "base/message.h"
#include "check/environment.h"
#include "check/modules.h"
#include "check/remedies.h"

#define DEVICE	"/dev/perfmon"
#define SYSFS	"/sys/kernel/perfmon"

/* modprobe itself prints on standard error what is wrong. */
static bool load_modules(void)
{
	int status = 0;
	pid_t pid;

	say_note("loading the kernel modules: modprobe perfmon");
	pid = fork();
	if (pid < 0) {
		say_error("cannot start modprobe: %s", strerror(errno));
		return false;
	}
	if (!pid) {
		/*
		 * Keep modprobe's output out of the command's standard output.
		 */
		dup2(STDERR_FILENO, STDOUT_FILENO);
		execl("/sbin/modprobe", "modprobe", "perfmon", (char *)NULL);
		execl("/usr/sbin/modprobe", "modprobe", "perfmon", (char *)NULL);
		_exit(127);
	}
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return false;
	if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
		say_error("there is no modprobe in /sbin or /usr/sbin; install the kmod package");
	return WIFEXITED(status) && !WEXITSTATUS(status);
}

static void tell_missing(void)
{
	const char *container = environment_container();
	const bool loaded = !access(SYSFS, F_OK);

	if (loaded && container)
		say_error(DEVICE " is missing in this container (%s); start it with '--device " DEVICE "'",
			  container);
	else if (loaded)
		say_error(DEVICE " is missing although the kernel modules are loaded; run 'sudo modprobe -r perfmon && sudo modprobe perfmon'");
	else if (container)
		say_error(DEVICE " is missing: a container (%s) cannot load modules; run 'sudo modprobe perfmon' on its host, then start it with '--device " DEVICE "'",
			  container);
	else if (geteuid())
		say_error(DEVICE " is missing: the kernel modules are not loaded; run 'sudo modprobe perfmon'");
	else
		say_error(DEVICE " is missing and 'modprobe perfmon' did not help; build and install the kernel modules with 'make && make install && depmod', then run 'modprobe perfmon'");
}

static void tell_denied(void)
{
	const struct group *group = NULL;
	struct stat st = { 0 };
	char text[400], who[96];

	if (!stat(DEVICE, &st) && st.st_gid && (st.st_mode & S_IWGRP))
		group = getgrgid(st.st_gid);
	if (group)
		snprintf(who, sizeof(who), "root or membership of group %.64s",
			 group->gr_name);
	else
		snprintf(who, sizeof(who), "root");
	say_error("cannot open " DEVICE ": Permission denied; it takes %s: %s",
		  who, device_remedy(&st, text, sizeof(text)));
}

static bool device_exists(void)
{
	return !access(DEVICE, F_OK);
}

/* A container has the folder of the kernel's modules only if it was started in order to load them. */
static bool may_load(void)
{
	struct utsname uts = { 0 };
	char path[128];

	uname(&uts);
	snprintf(path, sizeof(path), "/lib/modules/%s", uts.release);
	return !environment_container() || !access(path, F_OK);
}

void modules_tell(int err)
{
	const char *why = pfm_ctx_strerror(PFM_IOC_CREATE_CONTEXT, err);

	switch (err) {
	case -ENOENT:
	case -ENXIO:
		tell_missing();
		break;
	case -EACCES:
		tell_denied();
		break;
	case -ENODEV:
		say_error("cannot create a context: no PMU module is loaded; run 'sudo modprobe perfmon_soft' for the virtual registers");
		break;
	case -EINVAL:
	case -ENOTTY:
		say_error("cannot create a context: %s; pfmon and the kernel modules are of different versions, compare 'pfmon --version' and 'modinfo perfmon'",
			  why);
		break;
	default:
		say_error("cannot create a context: %s", why);
	}
}

int modules_create_context(uint32_t flags)
{
	PFM_OPTS(pfm_create_opts, opts, .flags = flags);
	int fd = pfm_ctx_create(&opts);

	/* Opening a device node without driver fails with ENXIO. */
	if (fd < 0 && !geteuid() && access(SYSFS, F_OK) && may_load() &&
	    (!device_exists() || fd == -ENXIO || fd == -ENODEV) &&
	    load_modules())
		fd = pfm_ctx_create(&opts);
	if (fd >= 0)
		return fd;
	modules_tell(fd);
	return -1;
}

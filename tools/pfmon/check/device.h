/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Rights to the device file.
 */
#ifndef PFMON_CHECK_DEVICE_H
#define PFMON_CHECK_DEVICE_H

#include <stddef.h>

struct stat;

/*
 * What lets this user open the device, of which *@st is the state: commands, for example "run
 * 'sudo chmod 660 /dev/perfmon'".  Returns @text.
 */
const char *device_remedy(const struct stat *st, char *text, size_t size);

#endif

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Prints the short name of each cgroup whose path is a line of standard input.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cgroup_name.h"

int main(void)
{
	char line[4096], *name;

	while (fgets(line, sizeof(line), stdin)) {
		line[strcspn(line, "\n")] = '\0';
		name = cgroup_name(line);
		if (!name)
			return 1;
		puts(name);
		free(name);
	}
	return 0;
}

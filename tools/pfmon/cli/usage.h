/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PFMON_CLI_USAGE_H
#define PFMON_CLI_USAGE_H

/* --help and --version, on standard output. */
void usage_print(void);
void usage_print_version(void);

#endif

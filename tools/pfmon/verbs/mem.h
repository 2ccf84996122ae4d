/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The verb mem.
 */
#ifndef PFMON_VERBS_MEM_H
#define PFMON_VERBS_MEM_H

/* The file that is written unless --samples names another one. */
#define MEM_FILE "pfmon-mem.data"

/*
 * mem_sample.c: samples accesses to memory into @file.  @argv: options of 'pfmon record' and a command,
 * behind the name of the program.  Returns the exit status.
 */
int mem_sample(int argc, char **argv, const char *file);

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * 'pfmon ibs': what can be done with samples of AMD's instruction-based sampling.
 */
#ifndef PFMON_IBS_IBS_H
#define PFMON_IBS_IBS_H

/* @argv begins with "ibs".  Returns the exit status. */
int ibs(int argc, char **argv);

#endif

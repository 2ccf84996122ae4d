/* SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause) */
/*
 * The names of AMD's Research IBS Toolkit for its driver: structures of samples, and requests.
 *
 * Programs that read files of samples are compiled with it as they are: the structures are those of
 * <perfmon/ibs-compat.h>.  The devices themselves, /dev/cpu/N/ibs/op and fetch, are the driver's:
 * perfmon does not have them, so open(2) fails with ENOENT.  The functions of libIBS, in
 * <perfmon/ibs-compat.h>, do what the requests did; Documentation/use/ibs.rst says which.
 */
#ifndef PERFMON2_COMPAT_IBS_UAPI_H
#define PERFMON2_COMPAT_IBS_UAPI_H

#include "../perfmon/ibs-compat.h"

#define IBS_ENABLE	0x0
#define IBS_DISABLE	0x1
#define SET_CUR_CNT	0x2
#define GET_CUR_CNT	0x3
#define SET_CNT		0x4
#define GET_CNT		0x5
#define SET_MAX_CNT	0x6
#define GET_MAX_CNT	0x7
#define SET_CNT_CTL	0x8
#define GET_CNT_CTL	0x9
#define SET_RAND_EN	0xA
#define GET_RAND_EN	0xB
#define SET_POLL_SIZE	0xC
#define GET_POLL_SIZE	0xD
#define SET_BUFFER_SIZE 0xE
#define GET_BUFFER_SIZE 0xF
#define RESET_BUFFER	0x10
#define GET_LOST	0xEE
#define DEBUG_BUFFER	0xEF

#endif /* PERFMON2_COMPAT_IBS_UAPI_H */

/* SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause) */
/*
 * What pfm_assign_strerror() needs to know beside the error.
 */
#ifndef PERFMON_ASSIGNMENT_DETAIL_H
#define PERFMON_ASSIGNMENT_DETAIL_H

/*
 * pfm_assignment.detail.  CODE: the bits that the register does not take, of the lower 32.
 * TOO_MANY, NO_COUNTER: what is special about the counters of the event.
 */
#define PFMI_DETAIL_PAIR	1	/* it takes two counters */
#define PFMI_DETAIL_FIXED	2	/* only a fixed counter counts it */
#define PFMI_DETAIL_UNIT	3	/* SHARED: two events of one unit or control register */
#define PFMI_DETAIL_PEBS	4	/* NO_REGISTER: the event is one of PEBS */

#endif

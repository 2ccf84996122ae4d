/* SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause) */
/*
 * Codes of pfm_assignment.detail: why an event has no register, as pfm_assign_strerror() says it.
 */
#ifndef PERFMON_ASSIGNMENT_DETAIL_H
#define PERFMON_ASSIGNMENT_DETAIL_H

/*
 * A code comes with the error that its comment names; without a name with TOO_MANY or NO_COUNTER.
 * With the error CODE the detail is a mask: those bits, of the lower 32, that the register does
 * not take.
 */
#define PFMI_DETAIL_PAIR	1	/* it takes two counters */
#define PFMI_DETAIL_FIXED	2	/* only a fixed counter counts it */
#define PFMI_DETAIL_UNIT	3	/* SHARED: two events of one unit or control register */
#define PFMI_DETAIL_PEBS	4	/* NO_REGISTER: the event is one of PEBS */

#endif

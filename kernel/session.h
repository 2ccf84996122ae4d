/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Sessions: loaded contexts, of threads and of CPUs.
 */
#ifndef _PFM_SESSION_H
#define _PFM_SESSION_H

void pfm_session_task_begin(void);
void pfm_session_task_end(void);
unsigned int pfm_session_tasks(void);

#endif /* _PFM_SESSION_H */

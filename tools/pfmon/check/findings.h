/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Findings of the checks of --doctor.
 */
#ifndef PFMON_CHECK_FINDINGS_H
#define PFMON_CHECK_FINDINGS_H

#include <stddef.h>

/**
 * enum finding_kind - how serious a finding is
 */
enum finding_kind {
	FINDING_OK,
	FINDING_LIMITED, /* pfmon can count, but not everything */
	FINDING_FAILED, /* pfmon cannot count */
};

/**
 * struct finding - result of one check
 * @kind: how serious it is
 * @check: name of the check
 * @text: what was found
 * @fix: what to do about it; "" nothing
 */
struct finding {
	enum finding_kind kind;
	const char *check;
	char text[512];
	char fix[512];
};

#define FINDINGS_MAX 32

/**
 * struct findings - results of all checks
 * @list: the results
 * @count: elements of @list
 * @events: list of events that can be counted here; NULL if nothing can be counted
 */
struct findings {
	struct finding list[FINDINGS_MAX];
	size_t count;
	const char *events;
};

/* Adds a finding.  findings_fix() adds to the last one what to do about it. */
void findings_add(struct findings *findings, enum finding_kind kind,
		  const char *check, const char *format, ...)
	__attribute__((format(printf, 4, 5)));
void findings_fix(struct findings *findings, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the checks of --doctor have found.
 */
#ifndef PFMON_CHECK_FINDINGS_H
#define PFMON_CHECK_FINDINGS_H

#include <stddef.h>

/**
 * enum finding_kind - how bad it is
 */
enum finding_kind {
	FINDING_OK,
	FINDING_LIMITED, /* pfmon counts, but not everything */
	FINDING_FAILED, /* it does not count */
};

/**
 * struct finding - what one check has found
 * @kind: how bad it is
 * @check: its name
 * @text: what it is
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
 * struct findings - what all checks have found
 */
struct findings {
	struct finding list[FINDINGS_MAX];
	size_t count;
};

/* One finding more.  findings_fix() says what to do about the last one. */
void findings_add(struct findings *findings, enum finding_kind kind,
		  const char *check, const char *format, ...)
	__attribute__((format(printf, 4, 5)));
void findings_fix(struct findings *findings, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

#endif

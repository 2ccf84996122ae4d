// SPDX-License-Identifier: GPL-2.0-only
/*
 * The list of findings.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "check/findings.h"

void findings_add(struct findings *findings, enum finding_kind kind,
		  const char *check, const char *format, ...)
{
	struct finding *finding = &findings->list[findings->count];
	va_list args;

	if (findings->count == FINDINGS_MAX)
		abort();
	findings->count++;
	finding->kind = kind;
	finding->check = check;
	va_start(args, format);
	vsnprintf(finding->text, sizeof(finding->text), format, args);
	va_end(args);
}

void findings_fix(struct findings *findings, const char *format, ...)
{
	struct finding *finding = &findings->list[findings->count - 1];
	va_list args;

	va_start(args, format);
	vsnprintf(finding->fix, sizeof(finding->fix), format, args);
	va_end(args);
}

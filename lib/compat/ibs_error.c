// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
#include "ibs_error.h"

#include <stdarg.h>
#include <stdio.h>

/* Longer than any text; a longer one is cut off. */
static char last[512];

int pfmi_ibs_refuse(int err, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(last, sizeof(last), format, args);
	va_end(args);
	return -err;
}

const char *pfmi_ibs_error(void)
{
	return last;
}

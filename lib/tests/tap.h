/* SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause) */
/*
 * Test results in the Test Anything Protocol.  The plan is printed at the end, when the
 * number of checks is known: a program that dies before prints no plan, and so fails.
 */
#ifndef TESTS_TAP_H
#define TESTS_TAP_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static int tap_count, tap_failures;

__attribute__((format(printf, 2, 3), unused))
static bool ok(bool good, const char *format, ...)
{
	va_list args;

	printf("%sok %d - ", good ? "" : "not ", ++tap_count);
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	putchar('\n');
	if (!good)
		tap_failures++;
	return good;
}

__attribute__((unused))
static bool is_num(long long value, long long wanted, const char *what)
{
	if (ok(value == wanted, "%s", what))
		return true;
	printf("# got %lld (0x%llx), wanted %lld (0x%llx)\n", value,
	       (unsigned long long)value, wanted, (unsigned long long)wanted);
	return false;
}

__attribute__((unused))
static bool is_text(const char *text, const char *wanted, const char *what)
{
	if (ok(!strcmp(text, wanted), "%s", what))
		return true;
	printf("# got '%s', wanted '%s'\n", text, wanted);
	return false;
}

__attribute__((unused))
static bool has_text(const char *text, const char *wanted, const char *what)
{
	if (ok(strstr(text, wanted), "%s", what))
		return true;
	printf("# got '%s', which lacks '%s'\n", text, wanted);
	return false;
}

static int tap_end(void)
{
	printf("1..%d\n", tap_count);
	return tap_failures ? 1 : 0;
}

#endif

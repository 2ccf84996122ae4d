// SPDX-License-Identifier: GPL-2.0-only
/*
 * Memory that runs out: the C library's functions are replaced by some that fail from a moment on.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

#include "../../lib/tests/tap.h"
#include "base/string_table.h"

static bool none_left;

/* The C library itself calls these, too. */
#define SHOWN __attribute__((visibility("default")))

/* Those of glibc. */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);

SHOWN void *malloc(size_t size)
{
	return none_left ? NULL : __libc_malloc(size);
}

SHOWN void *calloc(size_t count, size_t size)
{
	return none_left ? NULL : __libc_calloc(count, size);
}

SHOWN void *realloc(void *old, size_t size)
{
	return none_left ? NULL : __libc_realloc(old, size);
}

static void test_strings(void)
{
	struct string_table strings = {};
	char text[] = "a0000";
	unsigned int i, failed = 0;
	uint32_t number;

	none_left = true;
	number = string_table_number(&strings, "a");
	none_left = false;
	is_num(number, UINT32_MAX, "no string");
	is_num(strings.count, 0, "it is not counted");
	is_num(string_table_number(&strings, "a"), 0, "the first string");
	none_left = true;
	for (i = 0; i < 1000; i++) {
		snprintf(text, sizeof(text), "a%u", i);
		failed += string_table_number(&strings, text) == UINT32_MAX;
	}
	none_left = false;
	is_num(failed, 1000, "no more strings");
	is_num(strings.count, 1, "none of them is counted");
	is_num(string_table_number(&strings, "a"), 0, "the first one is there");
	is_num(string_table_number(&strings, "b"), 1, "and more when there is memory");
	string_table_free(&strings);
}

int main(void)
{
	test_strings();
	return tap_end();
}

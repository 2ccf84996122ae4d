// SPDX-License-Identifier: GPL-2.0-only
/*
 * Arrays that double.
 */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

#define ROOM_MIN 8

int array_reserve(void *list, size_t size, size_t *room, size_t need)
{
	size_t more = *room ? *room : ROOM_MIN;
	void *elements;

	if (need <= *room)
		return 0;
	while (more < need)
		more *= 2;
	/* The type of the pointer is not known here. */
	memcpy(&elements, list, sizeof(elements));
	elements = reallocarray(elements, more, size);
	if (!elements)
		return -1;
	memcpy(list, &elements, sizeof(elements));
	*room = more;
	return 0;
}

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Arrays that grow.
 */
#ifndef PFMON_BASE_ARRAY_H
#define PFMON_BASE_ARRAY_H

#include <stddef.h>

/**
 * array_reserve() - make room in an array
 * @list: address of the pointer to the first element, which may be NULL; it is changed
 * @size: bytes of an element
 * @room: elements that fit in the array; it is changed
 * @need: elements that have to fit in it
 *
 * The room at least doubles when it grows, so that adding one element after the other takes
 * constant time for each.  New room has any content.
 *
 * Return: 0, or -1 without memory; the array is as before then.
 */
int array_reserve(void *list, size_t size, size_t *room, size_t need);

#endif

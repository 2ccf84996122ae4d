// SPDX-License-Identifier: GPL-2.0-only
/*
 * ibs_place FILE PID TIME ADDRESS...: prints what is at hexadecimal addresses, by the notes in a
 * file of IBS samples, a line for each: kind of memory, name, symbol and offset in it.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "ibs/ibs_places.h"

int main(int argc, char **argv)
{
	static struct ibs_places places;
	struct ibs_place place;
	const char *comm, *path;
	uint32_t pid;
	uint64_t when;
	int i;

	if (argc < 5 || ibs_places_read(&places, argv[1]))
		return 2;
	pid = strtoul(argv[2], NULL, 10);
	when = strtoull(argv[3], NULL, 10);
	for (i = 4; i < argc; i++) {
		ibs_places_find(&places, pid, when, strtoull(argv[i], NULL, 16),
				&place);
		printf("%s %s %s+%" PRIx64 "\n", ibs_place_names[place.kind],
		       place.name ? place.name : "-",
		       place.symbol ? place.symbol : "-", place.symbol_offset);
	}
	path = ibs_places_thread(&places, pid, when, &comm);
	printf("thread %s %s\n", path ? comm : "-", path ? path : "-");
	ibs_places_free(&places);
	return 0;
}

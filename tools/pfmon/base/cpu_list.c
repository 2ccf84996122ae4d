// SPDX-License-Identifier: GPL-2.0-only
/*
 * Lists of CPUs, as /sys/devices/system/cpu writes them.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cpu_list.h"

#define FOLDER "/sys/devices/system/cpu"
#define BITS   (8 * sizeof(unsigned long))

void cpu_list_add(struct cpu_list *cpus, unsigned int cpu)
{
	if (cpu < CPUS_MAX)
		cpus->set[cpu / BITS] |= 1UL << cpu % BITS;
}

bool cpu_list_has(const struct cpu_list *cpus, unsigned int cpu)
{
	return cpu < CPUS_MAX && cpus->set[cpu / BITS] >> cpu % BITS & 1;
}

/* A number without sign or blanks; -1 when there is none. */
static long take_number(const char **text)
{
	unsigned long value;
	char *end;

	if (**text < '0' || **text > '9')
		return -1;
	errno = 0;
	value = strtoul(*text, &end, 10);
	*text = end;
	return errno || value >= CPUS_MAX ? CPUS_MAX : (long)value;
}

int cpu_list_parse(const char *text, struct cpu_list *cpus, char *why,
		   size_t size)
{
	const char *at = text;
	long first, last;

	for (;;) {
		first = take_number(&at);
		last = first;
		if (*at == '-') {
			at++;
			last = take_number(&at);
		}
		if (first < 0 || last < first ||
		    (*at && *at != ',' && *at != '\n')) {
			snprintf(
				why, size,
				"'%s' is not a list of CPUs; give numbers and ranges, for instance 0,2-3",
				text);
			return -1;
		}
		if (last >= CPUS_MAX) {
			snprintf(why, size,
				 "'%s': no CPU has a number above %u", text,
				 CPUS_MAX - 1);
			return -1;
		}
		for (; cpus && first <= last; first++)
			cpu_list_add(cpus, first);
		if (*at != ',')
			return 0;
		at++;
	}
}

const char *cpu_list_format(const struct cpu_list *cpus, char *text,
			    size_t size)
{
	unsigned int first, last;
	size_t used = 0;
	int length;

	*text = '\0';
	for (first = 0; first < CPUS_MAX; first = last + 1) {
		last = first;
		if (!cpu_list_has(cpus, first))
			continue;
		while (cpu_list_has(cpus, last + 1))
			last++;
		length = snprintf(text + used, size - used,
				  last == first ? "%s%u" : "%s%u-%u",
				  used ? "," : "", first, last);
		if (length < 0 || used + length >= size)
			break;
		used += length;
	}
	return text;
}

/* First line of a file, without its end.  0, or -1. */
static int read_line(const char *name, char *text, size_t size)
{
	FILE *file = fopen(name, "re");
	bool done;

	if (!file)
		return -1;
	done = fgets(text, size, file);
	fclose(file);
	if (!done)
		return -1;
	text[strcspn(text, "\n")] = '\0';
	return 0;
}

int cpu_list_online(struct cpu_list *cpus)
{
	char text[4096], why[256];

	memset(cpus, 0, sizeof(*cpus));
	if (read_line(FOLDER "/online", text, sizeof(text)))
		return -1;
	return cpu_list_parse(text, cpus, why, sizeof(why));
}

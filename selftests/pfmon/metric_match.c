// SPDX-License-Identifier: GPL-2.0-only
/*
 * metric_match VENDOR FAMILY MODEL STEPPING CORE FILE...: the models of the metric files that are
 * for a processor of x86 with this identity, one a line.  CORE is its type, or "only" if the
 * processor is not hybrid.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "metrics/metric_cpu.h"
#include "processor/cpu_identity.h"

static enum x86_core core_of(const char *text)
{
	if (!strcmp(text, "performance"))
		return X86_CORE_PERFORMANCE;
	if (!strcmp(text, "efficient"))
		return X86_CORE_EFFICIENT;
	return strcmp(text, "only") ? X86_CORE_UNKNOWN : X86_CORE_ONLY;
}

int main(int argc, char **argv)
{
	struct cpu_identity cpu = { 0 };
	json_error_t error;
	json_t *file;
	int i;

	if (argc < 7)
		return 2;
	snprintf(cpu.vendor, sizeof(cpu.vendor), "%s", argv[1]);
	cpu.family = strtoul(argv[2], NULL, 0);
	cpu.model = strtoul(argv[3], NULL, 0);
	cpu.stepping = strtoul(argv[4], NULL, 0);
	cpu.core = core_of(argv[5]);
	for (i = 6; i < argc; i++) {
		file = json_load_file(argv[i], 0, &error);
		if (!file) {
			fprintf(stderr, "%s: %s\n", argv[i], error.text);
			return 1;
		}
		if (metric_cpu_matches(&cpu, json_object_get(file, "match")))
			puts(json_string_value(json_object_get(file, "model")));
		json_decref(file);
	}
	return 0;
}

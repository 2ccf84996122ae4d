// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sampling modules: names that the original had for them, and what --smpl-module-info prints.
 */
#include <stdio.h>
#include <string.h>

#include "base/message.h"
#include "cli/smpl_module.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/*
 * The original's format for stacks of Itanium's kernel was "kcall-stack-ia64".  Names with "-old" were
 * for kernels with perfmon 2.0; only the lines of "detailed" were others then.
 */
static const struct {
	const char *name;
	enum smpl_module module;
} old_names[] = {
	{ "kcall-stack-ia64", MODULE_CALLSTACK },
	{ "inst-hist-old", MODULE_INST_HIST },
	{ "compact-old", MODULE_COMPACT },
	{ "raw-old", MODULE_RAW },
};

static const char pebs[] =
	"it took Intel's PEBS, which perfmon does not program; on AMD --smpl-module=ibs has exact samples";

/* Modules for records that perfmon does not make. */
static const struct {
	const char *name;
	const char *instead;
} gone[] = {
	{ "pebs", pebs },
	{ "pebs_core", pebs },
	{ "pebs_p4", pebs },
	{ "dear-hist",
	  "it took Itanium's registers of cache misses; 'pfmon mem' tells which data misses caches" },
};

/**
 * struct description - what --smpl-module-info prints
 * @title: what the samples become
 * @format: the sampling format of the kernel
 * @prints: what a line, or the file, has
 * @options: the options that are about it
 */
static const struct description {
	const char *title;
	const char *format;
	const char *prints;
	const char *options;
} descriptions[] = {
	[MODULE_INST_HIST] = {
		"a profile: how often each address was found",
		"default; nway with --smpl-parts",
		"for each event: samples, their share, share of this line and those above it; then address, symbol",
		"--resolve-addresses --smpl-per-function --smpl-show-top --smpl-cum-threshold --aggregate-results",
	},
	[MODULE_DETAILED] = {
		"all of each sample, with names, in the order of time",
		"default; nway with --smpl-parts",
		"entry N PID: TID: CPU: STAMP: OVFL: LAST_VAL: SET: IIP:, then a line for each register",
		"--with-header --resolve-addresses --extra-smpl-pmds --reset-non-smpl-periods",
	},
	[MODULE_DETAILED_OLD] = {
		"the same in the form of pfmon 3.0",
		"default; nway with --smpl-parts",
		"entry N PID: CPU: STAMP: IIP:, the period where it is random, then a line for each register",
		"--with-header --resolve-addresses --extra-smpl-pmds --reset-non-smpl-periods",
	},
	[MODULE_COMPACT] = {
		"a line for each sample, in the order of time",
		"default; nway with --smpl-parts",
		"number, process, thread, CPU, time (hex), register that overflowed, period, event set, address (hex), values (hex), symbol",
		"--with-header --resolve-addresses --extra-smpl-pmds --reset-non-smpl-periods",
	},
	[MODULE_RAW] = {
		"binary entries of the default format, in the order of time",
		"default; nway with --smpl-parts",
		"a header and the entries: <pfmon/raw.h> describes them",
		"--smpl-outfile (required) --extra-smpl-pmds --reset-non-smpl-periods",
	},
	[MODULE_CALLSTACK] = {
		"a profile of call stacks",
		"callstack",
		"as inst-hist, and the functions of the stack, innermost first",
		"--smpl-depth --smpl-aggregate-stacks --resolve-addresses --smpl-show-top --smpl-cum-threshold",
	},
	[MODULE_IBS] = {
		"samples of AMD's instruction-based sampling, as the processor recorded them",
		"ibs",
		"a file for 'pfmon ibs decode'",
		"--smpl-outfile (required) --smpl-parts",
	},
};

_Static_assert(COUNT(descriptions) == MODULE_FORMAT,
	       "descriptions of the sampling modules");

enum smpl_module smpl_module_find(const char *name, size_t length)
{
	unsigned int i;

	for (i = 0; i < MODULE_FORMAT; i++)
		if (strlen(smpl_module_names[i]) == length &&
		    !strncmp(smpl_module_names[i], name, length))
			break;
	return i;
}

const char *smpl_module_word(const char *name)
{
	unsigned int i;

	for (i = 0; i < COUNT(old_names); i++)
		if (!strcmp(old_names[i].name, name))
			return smpl_module_names[old_names[i].module];
	return name;
}

const char *smpl_module_gone(const char *name)
{
	unsigned int i;

	for (i = 0; i < COUNT(gone); i++)
		if (!strcmp(gone[i].name, name))
			return gone[i].instead;
	return NULL;
}

int smpl_module_print(const char *name)
{
	const char *word = smpl_module_word(name);
	enum smpl_module module = smpl_module_find(word, strlen(word));
	const struct description *description = &descriptions[module];
	unsigned int i;

	if (module != MODULE_FORMAT) {
		printf("Name    : %s\n"
		       "Desc    : %s\n"
		       "Format  : %s\n"
		       "Prints  : %s\n"
		       "Options : %s\n",
		       word, description->title, description->format,
		       description->prints, description->options);
		return 0;
	}
	if (smpl_module_gone(name)) {
		say_error("there is no sampling module '%s': %s", name,
			  smpl_module_gone(name));
		return -1;
	}
	say_error(
		"'%s' is no sampling module; 'pfmon formats %s' describes it if it is a sampling format",
		name, name);
	fputs("The modules are", stderr);
	for (i = 0; i < MODULE_FORMAT; i++)
		fprintf(stderr, "%s %s", i ? "," : "", smpl_module_names[i]);
	fputc('\n', stderr);
	return -1;
}

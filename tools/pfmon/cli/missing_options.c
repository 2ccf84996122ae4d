// SPDX-License-Identifier: GPL-2.0-only
/*
 * Options of the original pfmon, and of perf, that pfmon does not have: why, and what to use instead.
 */
#include <stdbool.h>
#include <string.h>

#include "cli/wrong_options.h"

/* A shorter beginning of a name might be of another option. */
#define PREFIX_MIN 4

static const char opcodes[] =
	"only Itanium's counters can be restricted to some opcodes; samples tell the mix ('pfmon record -e instructions', then 'pfmon report --by=opcode' or --by=class), or count an event of these instructions ('pfmon -l' lists the events)";
static const char branches[] =
	"it is about Itanium's branch trace buffer; an event of branches can sample (-e branches --long-smpl-periods=N), and 'pfmon record -b' records branches";
static const char ranges[] =
	"only Itanium's counters can be restricted to addresses of data; --irange counts in functions, and sampling tells the share of each function (--long-smpl-periods=N --resolve-addresses --smpl-per-function)";
static const char triggers[] =
	"it takes breakpoints on data, which pfmon does not set; --trigger-code-start-addresses starts at code, the program can start and stop counting itself (--dont-start, pfm_ctx_start()), or sampling tells the share of each function (--smpl-per-function)";

/**
 * struct missing - an option that is missing
 * @name: its name
 * @all: all options whose names begin so are meant
 * @why: what to say
 */
static const struct missing {
	const char *name;
	bool all;
	const char *why;
} missing[] = {
	{ "btb-", true, branches },
	{ "checkpoint-func", false, triggers },
	{ "demangle-java", false,
	  "names of Java come from /tmp/perf-PID.map, where they are readable; --demangle-cpp is for C++, Rust and D" },
	{ "drange", false, ranges },
	{ "etb-", true, branches },
	{ "event-thresholds", false,
	  "it was for Itanium's counters; --counter-mask has the thresholds of Intel's and AMD's" },
	{ "frequency", false,
	  "samples have a period, not a frequency: --long-smpl-periods=N takes one every N events" },
	{ "ld-lat-threshold", false,
	  "it takes Intel's PEBS, which perfmon does not program; on AMD use -e ibs_op:ldlat=N" },
	{ "occ-mask", false,
	  "the occupancy of queues is counted by events of the uncore, which pfmon does not have; perf has them" },
	{ "opc-match", true, opcodes },
	{ "print-syms", false,
	  "symbols are read where a sample needs them; 'nm FILE' and /proc/kallsyms list all" },
	{ "repeat", false,
	  "run pfmon in a loop: results go to the end of a file with --append -o FILE" },
	{ "restart-wait", false, "it was for debugging; leave it out" },
	{ "smpl-eager-save", false,
	  "there is one profile of the session, which is written at its end; leave it out" },
	{ "trigger-data-", true, triggers },
};

static const struct {
	char letter;
	const char *why;
} letters[] = {
	{ 'C', "CPUs are named by --system-wide --cpu-list=LIST" },
	{ 'F',
	  "samples have a period, not a frequency: --long-smpl-periods=N takes one every N events" },
	{ 'G', "a control group is named by --cgroup=PATH, and its tasks on CPUs by --system-wide --cgroup=PATH" },
	{ 'a', "CPUs are counted with --system-wide" },
	{ 'c', "the period of samples is --long-smpl-periods=N" },
	{ 'd', "--topdown tells where the time goes" },
	{ 'g', "call stacks are sampled with --smpl-module=callstack" },
	{ 'r',
	  "run pfmon in a loop: results go to the end of a file with --append -o FILE" },
	{ 'x', "values with commas are written by --csv" },
};

const char *missing_option_name(const char *name, size_t length)
{
	size_t i, full;

	for (i = 0; i < sizeof(missing) / sizeof(missing[0]); i++) {
		full = strlen(missing[i].name);
		if (length > full && !missing[i].all)
			continue;
		if (length < PREFIX_MIN && length < full)
			continue;
		if (!strncmp(missing[i].name, name,
			     length < full ? length : full))
			return missing[i].why;
	}
	return NULL;
}

const char *missing_option_letter(char letter)
{
	size_t i;

	for (i = 0; i < sizeof(letters) / sizeof(letters[0]); i++)
		if (letters[i].letter == letter)
			return letters[i].why;
	return NULL;
}

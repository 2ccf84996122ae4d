// SPDX-License-Identifier: GPL-2.0-only
/*
 * --help and --version.
 */
#include <stdio.h>
#include <perfmon/perfmon.h>

#include "usage.h"
#include "version.h"

static const char text[] =
"usage: pfmon [OPTION]... [--] COMMAND [ARGUMENT]...\n"
"       pfmon -l|-L|-i EVENT|-I|--check-events-only [OPTION]...\n"
"       pfmon report --html [OPTION]... [FOLDED]\n"
"\n"
"Runs COMMAND and counts processor and kernel events in it, or samples where\n"
"they occur. Results go to standard error when it ends; its exit status is\n"
"passed on.\n"
"\n"
"What to count:\n"
"  -e, --events=EVENT,...        events (cycles); {A,B} are counted together\n"
"  -e EVENT,... -e EVENT,...     sets of events that take turns\n"
"  -u, -3, --user-level          count in user code (the default)\n"
"  -k, -0, --kernel-level        count in the kernel; -u -k count in both\n"
"  -1, -2                        other levels, where the processor has them\n"
"      --priv-levels=LEVELS,...  levels of each event, of the letters u and k\n"
"\n"
"More events than counters (counts are estimates then, marked with ~):\n"
"      --switch-timeout=MS,...   a set's turn lasts MS milliseconds (0.3)\n"
"      --switch-overflow=EVENT:N,...  turns of the set before it end when EVENT has\n"
"                                occurred N times\n"
"      --no-multiplex            run COMMAND once for each set instead\n"
"      --exclusive               fail instead\n"
"\n"
"Which tasks (without these: the first thread of COMMAND only):\n"
"      --follow-fork             processes that it forks\n"
"      --follow-vfork            processes that it starts by vfork or posix_spawn\n"
"      --follow-pthread          threads\n"
"      --follow-exec[=REGEX]     on over exec; only programs whose path matches\n"
"      --follow-exec-exclude=REGEX  on over exec; but programs that match\n"
"      --follow-all              all of these\n"
"      --exec-split-results      a result for each program that a task executed\n"
"      --aggregate-results       sums only\n"
"\n"
"How long:\n"
"  -t, --session-timeout=TIME    end counting after TIME (10, 2.5s, 500ms, 2m)\n"
"      --dont-start              COMMAND starts counting itself, by the context\n"
"                                descriptor in $PFMON_CONTEXT_FD\n"
"\n"
"Output:\n"
"  -o, --outfile=FILE            results to FILE\n"
"      --append                  to its end\n"
"      --json, --csv             for programs; pfmon(1) says what is in them\n"
"      --with-header             describe machine and events first\n"
"      --us-counter-format       1,234,567\n"
"      --eu-counter-format       1.234.567\n"
"      --hex-counter-format      0x000000000012d687\n"
"      --show-time               real, user and system time of COMMAND\n"
"      --no-cmd-output           COMMAND's output to /dev/null\n"
"      --quiet                   no notes; errors and warnings remain\n"
"  -v, --verbose                 say what is done\n"
"      --debug                   say it in detail\n"
"\n"
"Sampling (a sample each PERIOD events; an empty place: that event does not):\n"
"      --long-smpl-periods=PERIOD,...   first one, and after a notification\n"
"      --short-smpl-periods=PERIOD,...  between; one list alone stands for both\n"
"      --smpl-periods-random=MASK[:SEED],...  add random numbers up to MASK\n"
"      --smpl-module=NAME        inst-hist (the default), detailed, compact, raw,\n"
"                                callstack\n"
"      --smpl-output=FORM        folded, speedscope, pprof or perf-script\n"
"      --smpl-outfile=FILE       samples to FILE\n"
"      --smpl-print-counts       counts, too\n"
"      --resolve-addresses       name functions and files\n"
"      --smpl-per-function       a line for each function\n"
"      --demangle-cpp            readable names of C++ and Rust\n"
"      --symbol-file=FILE        symbols of COMMAND's program\n"
"      --sysmap-file=FILE        symbols of the kernel\n"
"      --smpl-show-top=N         N lines of the profile\n"
"      --smpl-cum-threshold=PERCENT  the lines that make up PERCENT\n"
"      --smpl-entries=N          samples in the buffer (2048)\n"
"      --smpl-parts=N            buffer in N parts: sampling goes on while one is\n"
"                                read\n"
"      --smpl-depth=N            frames of a stack (64)\n"
"      --smpl-aggregate-stacks   have the kernel add up equal stacks\n"
"      --saturate-smpl-buffer    stop when the buffer is full\n"
"      --overflow-block          COMMAND waits while a full buffer is read\n"
"      --reset-non-smpl-periods[=PMD,...]  reset other counters with each sample\n"
"      --extra-smpl-pmds=PMD,... more values in each sample\n"
"\n"
"Information:\n"
"  -l, --show-events[=REGEX]     names of events\n"
"  -L, --long-show-events[=REGEX]  with their unit masks\n"
"  -i, --event-info=EVENT        all about an event: name, code or REGEX\n"
"      --check-events-only       whether the events can be counted together\n"
"  -I, --info                    about processor, kernel and libraries\n"
"  -h, --help\n"
"  -V, --version\n"
"\n"
"Exit status: that of COMMAND, 128+N when signal N killed it; 125 pfmon failed,\n"
"126 COMMAND could not be executed, 127 it was not found.\n"
"\n"
"Examples:\n"
"  pfmon -e cycles,instructions -- gzip -9 file\n"
"  pfmon --follow-all --us-counter-format -u -k -e cycles -- make -j4\n"
"  pfmon --follow-all --follow-exec='/cc1$' --json -o counts.json -- make\n"
"  pfmon -e '{cycles,instructions}' -e L1D_CACHE_REFILL,BR_MIS_PRED -- ./program\n"
"  pfmon --long-smpl-periods=1000000 --resolve-addresses -- ./program\n"
"  pfmon --follow-all --long-smpl-periods=1000000 --smpl-module=callstack \\\n"
"        --smpl-output=folded --smpl-outfile=make.folded -- make\n"
"  pfmon report --html -o make.html make.folded\n";

void usage_print(void)
{
	fputs(text, stdout);
}

void usage_print_version(void)
{
	int lib = pfm_lib_version(), tables = pfm_lib_tables_version();

	printf("pfmon %s%s%s%s\n", PFMON_VERSION, *PFMON_COMMIT ? " (" : "",
	       PFMON_COMMIT, *PFMON_COMMIT ? ")" : "");
	printf("libperfmon %d.%d.%d\n", lib >> 16, lib >> 8 & 0xff, lib & 0xff);
	printf("libpfm %d.%d\n", tables >> 16, tables & 0xffff);
	printf("perfmon ABI %u.%u\n", PFM_ABI_VERSION >> 16,
	       PFM_ABI_VERSION & 0xffff);
}

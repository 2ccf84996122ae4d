// SPDX-License-Identifier: GPL-2.0-only
/*
 * --help, --version and --show-options.
 */
#include <stdio.h>
#include <string.h>
#include <perfmon/perfmon.h>

#include "base/version.h"
#include "cli/option_table.h"
#include "cli/usage.h"

/* Columns where descriptions begin and end. */
#define HELP_COLUMN 32
#define HELP_END    79

/* clang-format off */
static const char intro[] =
"usage: pfmon [OPTION]... [--] COMMAND [ARGUMENT]...\n"
"       pfmon -p PID,...|--attach-thread=TID|--cgroup=PATH [OPTION]...\n"
"       pfmon --system-wide [OPTION]... [[--] COMMAND [ARGUMENT]...]\n"
"       pfmon -l|-L|-i EVENT|-I|--check-events-only|--doctor [OPTION]...\n"
"       pfmon report --html [OPTION]... [FOLDED]\n"
"       pfmon report --view=VIEW [OPTION]... FILE\n"
"       pfmon ibs decode [OPTION]... FILE...\n"
"\n"
"Runs COMMAND and counts processor and kernel events in it, or samples where\n"
"they occur; or monitors tasks that already run, or whole CPUs. Results go to\n"
"standard error when the session ends. The exit status is that of COMMAND.\n";

static const char outro[] =
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
"  pfmon -p 1234 -t 10\n"
"  sudo pfmon --system-wide -u -k -e cycles,instructions --print-interval=1000\n"
"  pfmon --follow-all --long-smpl-periods=1000000 --smpl-module=callstack \\\n"
"        --smpl-output=folded --smpl-outfile=make.folded -- make\n"
"  pfmon report --html -o make.html make.folded\n";
/* clang-format on */

/* Prints the words of @text from HELP_COLUMN on, in as many lines as they need. */
static void print_help(const char *text)
{
	int column = HELP_COLUMN;

	while (*text) {
		int word = strcspn(text, " ");

		if (column > HELP_COLUMN && column + 1 + word > HELP_END) {
			printf("\n%*s", HELP_COLUMN, "");
			column = HELP_COLUMN;
		} else if (column > HELP_COLUMN) {
			putchar(' ');
			column++;
		}
		printf("%.*s", word, text);
		column += word;
		text += word;
		text += strspn(text, " ");
	}
	putchar('\n');
}

/* Prints "-e, --events=EVENT,...".  Returns the number of characters. */
static int print_spellings(const struct option_row *row)
{
	const char *letters = row->letters ? row->letters : "";
	int column = 0;

	for (; *letters; letters++)
		column += printf("-%c%s", *letters,
				 letters[1] || row->name ? ", " : "");
	if (row->name && !row->letters)
		column += printf("    ");
	if (row->name)
		column += printf("--%s", row->name);
	if (row->argument)
		column += printf(row->optional ? "[=%s]"
				 : row->name   ? "=%s"
					       : " %s",
				 row->argument);
	return column;
}

static void print_row(const struct option_row *row)
{
	int column = printf("  ");

	column += print_spellings(row);
	if (column >= HELP_COLUMN) {
		putchar('\n');
		column = 0;
	}
	printf("%*s", HELP_COLUMN - column, "");
	print_help(row->help);
}

void usage_print_table(const struct option_table *table)
{
	unsigned int i;

	for (i = 0; i < table->count; i++) {
		const struct option_row *row = &table->rows[i];

		if (!i || row->group != row[-1].group)
			printf("\n%s:\n", option_group_title(row->group));
		print_row(row);
	}
}

static struct option_table all_rows(void)
{
	return (struct option_table){ .rows = option_rows,
				      .count = option_num_rows };
}

void usage_print(void)
{
	const struct option_table table = all_rows();

	fputs(intro, stdout);
	usage_print_table(&table);
	fputs(outro, stdout);
}

static void print_options_line(const struct option_row *row)
{
	const char *letters = row->letters ? row->letters : "";
	const char *before = " ";
	unsigned int i;

	for (; *letters; letters++)
		printf("-%c%s", *letters, letters[1] || row->name ? "," : "");
	if (row->name)
		printf("--%s", row->name);
	if (row->argument)
		printf(" %s %s", row->optional ? "optional" : "required",
		       row->argument);
	else
		fputs(" none", stdout);
	for (i = 0; i < row->num_choices; i++) {
		if (!row->choices[i])
			continue;
		printf("%s%s", before, row->choices[i]);
		before = ",";
	}
	putchar('\n');
}

void usage_print_options_table(const struct option_table *table)
{
	unsigned int i;

	for (i = 0; i < table->count; i++)
		print_options_line(&table->rows[i]);
}

void usage_print_options(void)
{
	const struct option_table table = all_rows();

	usage_print_options_table(&table);
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

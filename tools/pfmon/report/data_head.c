// SPDX-License-Identifier: GPL-2.0-only
/*
 * The command line, the machine and the time of a recording.
 */
#include <time.h>

#include "base/quoting.h"
#include "data/data_info.h"
#include "report/data_head.h"

void data_head_print(FILE *out, const struct data_info *info)
{
	time_t began = info->began;
	struct tm local;
	char when[32];
	char **word;

	fputs("#", out);
	for (word = info->argv; *word; word++) {
		fputc(' ', out);
		shell_word_print(out, *word);
	}
	if (!began || !localtime_r(&began, &local) ||
	    !strftime(when, sizeof(when), "%Y-%m-%d %H:%M:%S", &local))
		*when = '\0';
	fprintf(out, "\n# %s (%s), Linux %s%s%s\n", info->host, info->machine,
		info->kernel, *when ? ", " : "", when);
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * ibs_header FAMILY MODEL CAPABILITIES [WORD...]: writes the header of a file of IBS
 * samples to standard output, as recording does, for the command WORD...
 */
#include <stdlib.h>

#include "ibs/ibs_file.h"

int main(int argc, char **argv)
{
	struct ibs_origin origin = {
		.processor = { .stepping = 2, .name = "AMD made up" },
		.time = 1790000000,
	};

	if (argc < 4)
		return 2;
	origin.processor.family = strtoul(argv[1], NULL, 0);
	origin.processor.model = strtoul(argv[2], NULL, 0);
	origin.processor.caps = strtoul(argv[3], NULL, 0);
	origin.command = argc > 4 ? argv + 4 : NULL;
	return ibs_file_write_header(stdout, &origin) || fclose(stdout);
}

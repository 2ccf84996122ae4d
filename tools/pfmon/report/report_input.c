// SPDX-License-Identifier: GPL-2.0-only
/*
 * The file that a report is made of.
 */
#include <errno.h>
#include <string.h>

#include "base/message.h"
#include "report/report_input.h"

int report_input_open(struct report_input *input, const char *name)
{
	*input = (struct report_input){ "standard input", stdin, 0 };
	if (!name || !strcmp(name, "-"))
		return 0;
	input->name = name;
	input->in = fopen(name, "re");
	if (input->in)
		return 0;
	say_error("cannot open '%s': %s%s", name, strerror(errno),
		  errno == ENOENT && !strcmp(name, REPORT_INPUT_FILE)
			  ? "; 'pfmon record' writes it"
			  : "");
	return -1;
}

/* Folded stacks may begin with empty lines as well, and their lines are numbered. */
bool report_input_is_json(struct report_input *input)
{
	int c;

	while ((c = getc(input->in)) == '\n')
		input->lines++;
	if (c != EOF)
		ungetc(c, input->in);
	else if (ferror(input->in))
		/* Whoever reads on finds the same error, and says so. */
		clearerr(input->in);
	return c == '{';
}

void report_input_close(struct report_input *input)
{
	if (input->in && input->in != stdin)
		fclose(input->in);
}

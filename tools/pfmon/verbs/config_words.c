// SPDX-License-Identifier: GPL-2.0-only
/*
 * Divides an alias into words.
 */
#include <stdlib.h>
#include <string.h>

#include "verbs/config_words.h"

#define BLANKS " \t"

/*
 * Copies the word that @text begins with to *@to, and moves both behind it.  Returns 0, or -1 if a
 * quote is not closed.
 */
static int take_word(const char **text, char **to)
{
	const char *from = *text;
	char *out = *to, quote = 0;

	for (; *from && (quote || !strchr(BLANKS, *from)); from++) {
		if (quote && *from == quote)
			quote = 0;
		else if (!quote && (*from == '"' || *from == '\''))
			quote = *from;
		else if (quote != '\'' && *from == '\\' && from[1])
			*out++ = *++from;
		else
			*out++ = *from;
	}
	*out++ = '\0';
	*text = from;
	*to = out;
	return quote ? -1 : 0;
}

char **config_words(const char *text, int *argc, char **argv)
{
	/* A word is not longer than its text, and each has a byte at least. */
	size_t room = strlen(text) + 2;
	char **words = calloc(room + *argc + 1, sizeof(*words));
	char *letters = malloc(room), *to = letters;
	int count = 0, i;

	if (!words || !letters)
		goto out_words;
	words[count++] = argv[0];
	while (*(text += strspn(text, BLANKS))) {
		words[count++] = to;
		if (take_word(&text, &to))
			goto out_words;
	}
	for (i = 2; i < *argc; i++)
		words[count++] = argv[i];
	*argc = count;
	return words;

out_words:
	free(letters);
	free(words);
	return NULL;
}

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Words of an alias.
 */
#ifndef PFMON_VERBS_CONFIG_WORDS_H
#define PFMON_VERBS_CONFIG_WORDS_H

/*
 * Returns the command line @argv with the words of @text in place of its second word, and sets
 * *@argc.  Blanks separate words; quotes of both kinds, and a backslash, keep them.  NULL if a quote
 * is not closed, or without memory.
 */
char **config_words(const char *text, int *argc, char **argv);

#endif

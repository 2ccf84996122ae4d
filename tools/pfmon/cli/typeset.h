/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Options as typesetting leaves them: copied from a page, "--system-wide" may begin with an en dash.
 */
#ifndef PFMON_CLI_TYPESET_H
#define PFMON_CLI_TYPESET_H

/*
 * If a word begins with a dash that is no hyphen, replaces it by the option that it stands for.
 * Returns 1 if it did, 0 if there was nothing to do, -1 without memory.  The new word lives as long
 * as the command line.
 */
int typeset_replace(char **word);

#endif

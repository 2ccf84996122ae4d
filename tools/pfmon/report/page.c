// SPDX-License-Identifier: GPL-2.0-only
/*
 * The page, included from the file that the Makefile names, see page.h.
 */
#include "report/pages.h"

asm(".pushsection .rodata\n"
    ".globl report_page\n"
    ".hidden report_page\n"
    "report_page:\n"
    ".incbin \"" REPORT_PAGE "\"\n"
    ".byte 0\n"
    ".popsection");

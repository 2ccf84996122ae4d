// SPDX-License-Identifier: GPL-2.0-only
/*
 * The page, as it lies in the file that the Makefile names, see report_page.h.
 */
#include "report/page.h"

asm(".pushsection .rodata\n"
    ".globl report_page\n"
    ".hidden report_page\n"
    "report_page:\n"
    ".incbin \"" REPORT_PAGE "\"\n"
    ".byte 0\n"
    ".popsection");

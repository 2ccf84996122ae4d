/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where the code of a recording is read from.
 */
#ifndef PFMON_REPORT_DATA_CODE_H
#define PFMON_REPORT_DATA_CODE_H

struct code;
struct replay;

/* @code: result, for code_free(); it lives no longer than the recording. */
void data_code_init(struct code *code, struct replay *replay);

#endif

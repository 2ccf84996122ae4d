/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The descriptor of a context.
 */
#ifndef _PFM_FILE_H
#define _PFM_FILE_H

struct file;
struct pfm_context;

long pfm_file_ioctl(struct file *file, unsigned int cmd, unsigned long arg);
int pfm_file_open(struct pfm_context *ctx);

#endif /* _PFM_FILE_H */

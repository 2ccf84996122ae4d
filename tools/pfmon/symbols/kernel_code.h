/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Code of the kernel that runs, by /proc/kcore: as it is in memory, with what the kernel has
 * patched in it.
 */
#ifndef PFMON_SYMBOLS_KERNEL_CODE_H
#define PFMON_SYMBOLS_KERNEL_CODE_H

#include <stddef.h>
#include <stdint.h>

/**
 * struct kernel_code - the code; all zero before the first read
 * @fd: the file
 * @elf: what libelf knows of it; NULL not opened
 * @buffer: what was read last
 * @room: bytes that fit in it
 * @err: errno of opening or reading it; 0 none
 */
struct kernel_code {
	int fd;
	void *elf;
	uint8_t *buffer;
	size_t room;
	int err;
};

/**
 * kernel_code_read() - read code
 * @code: the code
 * @address: of the first byte
 * @size: how many bytes
 * @got: result: as many could be read
 *
 * Needs CAP_SYS_RAWIO, and a kernel that is not locked down.
 *
 * Return: the bytes, until the next call; NULL if there are none, and then @code->err says why:
 * EACCES or EPERM without the right, ENOENT where the kernel has no such file, EFAULT where no
 * memory is at the address, or ENOMEM.
 */
const uint8_t *kernel_code_read(struct kernel_code *code, uint64_t address,
				size_t size, size_t *got);

void kernel_code_free(struct kernel_code *code);

#endif

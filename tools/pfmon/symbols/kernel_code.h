/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The code of the running kernel and its modules, from /proc/kcore.  It is the code that
 * runs: with what the kernel patched after it was loaded, such as alternatives for the
 * processor and the calls of ftrace.
 */
#ifndef PFMON_SYMBOLS_KERNEL_CODE_H
#define PFMON_SYMBOLS_KERNEL_CODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define KERNEL_CODE_FILE "/proc/kcore"

/**
 * struct kernel_code - the open file
 * @fd: its descriptor; -1 if it is not open
 * @parts: addresses that it has
 * @num_parts: elements of @parts
 * @machine: processor that the code is for, EM_* of elf.h
 * @buffer: what was read last
 */
struct kernel_code {
	int fd;
	struct kernel_code_part *parts;
	size_t num_parts;
	unsigned int machine;
	uint8_t *buffer;
};

/**
 * kernel_code_open() - open the file
 * @code: result; kernel_code_close() has to be called in any case
 *
 * Return: 0, or a negative error without a message: -EACCES and -EPERM without
 * CAP_SYS_RAWIO or under lockdown, -ENOENT if the kernel has no such file, -ENOEXEC if it
 * is no ELF file with addresses, -ENOMEM.
 */
int kernel_code_open(struct kernel_code *code);

/**
 * kernel_code_read() - read code
 * @code: the open file
 * @address: of the first byte
 * @size: bytes that are wanted
 * @got: result: bytes that were read of them
 *
 * Return: the bytes, which live until the next call; NULL if nothing is mapped there, or
 * without memory.
 */
const uint8_t *kernel_code_read(struct kernel_code *code, uint64_t address,
				size_t size, size_t *got);

void kernel_code_close(struct kernel_code *code);

#endif

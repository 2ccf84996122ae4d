/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The code that was sampled: that of programs is in their files, that of the kernel in
 * /proc/kcore, which has it in the boot of the recording only.
 */
#ifndef PFMON_SYMBOLS_CODE_H
#define PFMON_SYMBOLS_CODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "symbols/images.h"
#include "symbols/kallsyms.h"
#include "symbols/kernel_code.h"

/**
 * enum code_state - whether the kernel's code is read, or why not
 * @CODE_UNTRIED: nothing asked for it
 * @CODE_READ: it is read
 * @CODE_OTHER_BOOT: the recording is of another boot, or does not say of which one
 * @CODE_HIDDEN: the user may not see the kernel's addresses
 * @CODE_CLOSED: the file cannot be opened
 */
enum code_state {
	CODE_UNTRIED,
	CODE_READ,
	CODE_OTHER_BOOT,
	CODE_HIDDEN,
	CODE_CLOSED,
};

/**
 * struct code - where code is read from
 * @images: files of programs; its caller's
 * @symbols: functions of the kernel; its caller's
 * @kernel_here: the recording is of this boot of this machine
 * @kernel_seen: this user may see the addresses of the kernel
 * @kernel: the kernel's code, if @state is CODE_READ
 * @state: of @kernel
 * @error: negative error of opening it
 */
struct code {
	struct images *images;
	const struct kallsyms *symbols;
	bool kernel_here;
	bool kernel_seen;
	struct kernel_code kernel;
	enum code_state state;
	int error;
};

/*
 * @code: result; code_free() has to be called.  @images and @symbols have to live as long.  The caller
 * sets @kernel_here and @kernel_seen before code of the kernel is read.
 */
void code_init(struct code *code, struct images *images,
	       const struct kallsyms *symbols);

/**
 * code_size() - find how long a function is
 * @code: where code is read from
 * @image: number of its file, or IMAGE_KERNEL
 * @address: in the function, as in struct symbol
 *
 * Return: bytes; in the kernel those to the next function, with what pads this one; 0 if not
 * known.
 */
uint64_t code_size(struct code *code, uint32_t image, uint64_t address);

/**
 * code_read() - read code
 * @code: where code is read from
 * @image: number of the file, or IMAGE_KERNEL
 * @address: of the first byte
 * @size: bytes that are wanted
 * @got: result: bytes that were read of them
 * @machine: result: processor that it is for, EM_* of elf.h
 *
 * Return: the bytes, which live until the next call; NULL if they cannot be read.
 */
const uint8_t *code_read(struct code *code, uint32_t image, uint64_t address,
			 size_t size, size_t *got, unsigned int *machine);

/**
 * code_tell() - say why code of the kernel was asked for and not read, if so
 * @code: where code is read from
 * @name: the recording
 */
void code_tell(const struct code *code, const char *name);

void code_free(struct code *code);

#endif

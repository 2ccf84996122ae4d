/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The code at places: that of programs is in their files, that of the kernel in
 * /proc/kcore, which has it in the boot of the recording only.
 */
#ifndef PFMON_IBS_IBS_CODE_H
#define PFMON_IBS_IBS_CODE_H

#include "ibs/ibs_places.h"
#include "symbols/kernel_code.h"

/**
 * enum ibs_code_state - whether the kernel's code is read, or why not
 * @IBS_CODE_UNTRIED: nothing asked for it
 * @IBS_CODE_READ: it is read
 * @IBS_CODE_OTHER_BOOT: the recording is of another boot, or does not say of which one
 * @IBS_CODE_HIDDEN: the user may not see the kernel's addresses
 * @IBS_CODE_CLOSED: the file cannot be opened
 */
enum ibs_code_state {
	IBS_CODE_UNTRIED,
	IBS_CODE_READ,
	IBS_CODE_OTHER_BOOT,
	IBS_CODE_HIDDEN,
	IBS_CODE_CLOSED,
};

/**
 * struct ibs_code - where code is read from
 * @places: what is known of the recording; its caller's
 * @kernel: the kernel's code, if @state is IBS_CODE_READ
 * @state: of @kernel
 * @error: negative error of opening it
 */
struct ibs_code {
	struct ibs_places *places;
	struct kernel_code kernel;
	enum ibs_code_state state;
	int error;
};

/* @code: result; ibs_code_free() has to be called.  @places has to live as long. */
void ibs_code_init(struct ibs_code *code, struct ibs_places *places);

/**
 * ibs_code_size() - find how long the function at a place is
 * @code: where code is read from
 * @place: in the function
 *
 * Return: bytes; in the kernel those to the next function, with what pads this one; 0 if not
 * known.
 */
uint64_t ibs_code_size(struct ibs_code *code, const struct ibs_place *place);

/**
 * ibs_code_read() - read code
 * @code: where code is read from
 * @place: in the same file or also in the kernel
 * @address: of the first byte, as in @place
 * @size: bytes that are wanted
 * @got: result: bytes that were read of them
 * @wide: result: it is 64-bit code, not 32-bit code
 *
 * Return: the bytes, which live until the next call; NULL if they cannot be read.
 */
const uint8_t *ibs_code_read(struct ibs_code *code,
			     const struct ibs_place *place, uint64_t address,
			     size_t size, size_t *got, bool *wide);

/**
 * ibs_code_tell() - say why code of the kernel was asked for and not read, if so
 * @code: where code is read from
 * @name: the recording
 */
void ibs_code_tell(const struct ibs_code *code, const char *name);

void ibs_code_free(struct ibs_code *code);

#endif

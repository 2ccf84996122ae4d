/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The code in a file: functions, source lines and bytes.  Addresses are those of the
 * file, as struct image_symbol has them.
 */
#ifndef PFMON_SYMBOLS_IMAGE_CODE_H
#define PFMON_SYMBOLS_IMAGE_CODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "symbols/images.h"

/**
 * image_code_line() - find the source line of an address
 * @images: the files
 * @number: number of the file
 * @address: address of an instruction
 * @line: result: number of the line, from 1 on
 *
 * Return: path of the source file, which lives as long as @images; NULL if the file has
 * no line for the address, as without debugging information.
 */
const char *image_code_line(struct images *images, uint32_t number,
			    uint64_t address, unsigned int *line);

/**
 * image_code_size() - find how long the function at an address is
 * @images: the files
 * @number: number of the file
 * @address: address in the function
 *
 * Return: bytes, as its symbol says; 0 if not known.
 */
uint64_t image_code_size(struct images *images, uint32_t number,
			 uint64_t address);

/**
 * image_code_read() - read code
 * @images: the files
 * @number: number of the file
 * @address: of the first byte
 * @size: bytes that are wanted
 * @got: result: bytes that the file has of them
 * @machine: result: processor that it is for, EM_* of elf.h
 *
 * Return: the bytes, which live as long as @images; NULL if there are none.
 */
const uint8_t *image_code_read(struct images *images, uint32_t number,
			       uint64_t address, size_t size, size_t *got,
			       unsigned int *machine);

#endif

// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/*
 * Arguments of sampling formats, made of text, and values in buffers.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "formats/format.h"

uint64_t pfmi_format_bits(uint32_t size)
{
	return size >= 8 ? UINT64_MAX : (1ULL << 8 * size) - 1;
}

int pfmi_format_number(const char *text, uint64_t *number)
{
	const int saved = errno;
	const bool hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
	int err;

	if (!pfmi_text_number(text, number))
		return -EINVAL;
	if (*number != UINT64_MAX)
		return 0;
	/* It stands for a number with more digits as well, which may fit. */
	errno = 0;
	*number = strtoull(text, NULL, hex ? 16 : 10);
	err = -errno;
	errno = saved;
	return err;
}

uint64_t pfmi_format_load(const void *at, uint32_t size)
{
	uint64_t v8;
	uint32_t v4;
	uint16_t v2;

	switch (size) {
	case 1:
		return *(const uint8_t *)at;
	case 2:
		memcpy(&v2, at, sizeof(v2));
		return v2;
	case 4:
		memcpy(&v4, at, sizeof(v4));
		return v4;
	default:
		memcpy(&v8, at, sizeof(v8));
		return v8;
	}
}

static void store(void *at, uint32_t size, uint64_t value)
{
	const uint8_t v1 = value;
	const uint16_t v2 = value;
	const uint32_t v4 = value;

	switch (size) {
	case 1:
		memcpy(at, &v1, sizeof(v1));
		break;
	case 2:
		memcpy(at, &v2, sizeof(v2));
		break;
	case 4:
		memcpy(at, &v4, sizeof(v4));
		break;
	default:
		memcpy(at, &value, sizeof(value));
	}
}

uint64_t pfm_format_value(const struct pfm_format_field *field,
			  const void *base)
{
	uint64_t value = pfmi_format_load((const char *)base + field->offset,
					  field->size);
	const uint64_t bits = pfmi_format_bits(field->size);

	if (field->flags & PFM_FORMAT_SIGNED && value > bits >> 1)
		value |= ~bits;
	return value;
}

static void set(const struct pfm_format_arg *field, void *arg, uint64_t value)
{
	char *at = (char *)arg + field->offset;
	uint64_t word;

	if (!field->mask) {
		store(at, field->size, value);
		return;
	}
	word = pfmi_format_load(at, field->size) & ~field->mask;
	store(at, field->size, value ? word | field->mask : word);
}

void pfm_format_arg_init(const struct pfm_format *format, void *arg)
{
	unsigned int i;

	memset(arg, 0, format->info.arg_size);
	for (i = 0; i < format->info.args; i++)
		set(&format->args[i], arg, format->args[i].dfl);
}

/* The power of two that a suffix stands for; 0 if it is none. */
static unsigned int suffix_shift(char suffix)
{
	switch (suffix) {
	case 'k':
	case 'K':
		return 10;
	case 'M':
		return 20;
	case 'G':
		return 30;
	default:
		return 0;
	}
}

/* Returns 0, -EINVAL or -ERANGE. */
static int read_number(const char *text, uint64_t *number)
{
	size_t length = strlen(text);
	unsigned int shift;
	char digits[24];
	int ret;

	if (!length || length >= sizeof(digits))
		return -EINVAL;
	strcpy(digits, text);
	shift = suffix_shift(digits[length - 1]);
	if (shift)
		digits[length - 1] = '\0';
	ret = pfmi_format_number(digits, number);
	if (ret)
		return ret;
	if (*number > UINT64_MAX >> shift)
		return -ERANGE;
	*number <<= shift;
	return 0;
}

static int set_number(const struct pfm_format_arg *field, void *arg,
		      const char *text)
{
	const bool negative = *text == '-';
	uint64_t value;
	int ret;

	ret = read_number(text + negative, &value);
	if (ret)
		return ret;
	if (field->flags & PFM_FORMAT_SIGNED) {
		if (value > (uint64_t)INT64_MAX + negative)
			return -ERANGE;
		value = negative ? -value : value;
		if ((int64_t)value < (int64_t)field->min ||
		    (int64_t)value > (int64_t)field->max)
			return -ERANGE;
	} else if ((negative && value) || value < field->min ||
		   value > field->max) {
		return -ERANGE;
	}
	set(field, arg, value);
	return 0;
}

static int set_flag(const struct pfm_format_arg *field, void *arg,
		    const char *text)
{
	const bool yes = pfmi_text_equal(text, "yes") || !strcmp(text, "1");

	if (!yes && !pfmi_text_equal(text, "no") && strcmp(text, "0"))
		return -EINVAL;
	set(field, arg, yes);
	return 0;
}

int pfm_format_arg_set(const struct pfm_format *format, void *arg,
		       unsigned int field, const char *value)
{
	if (field >= format->info.args)
		return -ENOENT;
	return format->args[field].mask
		       ? set_flag(&format->args[field], arg, value)
		       : set_number(&format->args[field], arg, value);
}

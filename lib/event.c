// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/*
 * Parser of event strings.
 */
#include "arch.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int set_name(struct pfm_event *event, const char *name)
{
	size_t length = strlen(name);

	if (length >= sizeof(event->name))
		return -ENAMETOOLONG;
	memcpy(event->name, name, length + 1);
	return 0;
}

/* Appends the levels to the name, in a fixed order. */
static int finish_hardware(const struct pfm_arch_ops *ops,
			   const struct pfmi_words *words, uint32_t dfl_plm,
			   struct pfm_event *event)
{
	static const struct {
		uint32_t level;
		const char *text;
	} levels[] = {
		{ PFM_PLM_USER, ":u" },
		{ PFM_PLM_KERNEL, ":k" },
		{ PFM_PLM_HYP, ":h" },
	};
	size_t pos = strlen(event->name);
	bool fits = true;
	size_t i;

	event->kind = PFM_EVENT_HARDWARE;
	event->pmd = PFM_REG_NONE;
	event->plm = words->levels_on ? words->levels_on : dfl_plm;
	event->plm &= ~words->levels_off;
	if (!event->plm || (event->plm & ~ops->levels))
		return -EDOM;
	if (event->code == ops->cycles)
		event->flags |= PFM_EVENTF_CYCLES;
	for (i = 0; i < ARRAY_SIZE(levels); i++)
		if (event->plm & levels[i].level)
			fits = pfmi_text_add(event->name, sizeof(event->name),
					     &pos, "%s", levels[i].text);
	return fits ? 0 : -ENAMETOOLONG;
}

/*
 * The parsers below return -ENOENT when they do not know the name, so that the next one
 * is tried.
 */

static int parse_generic(const struct pfm_arch_ops *ops,
			 const struct pfmi_words *words, struct pfm_event *event)
{
	unsigned int i;

	for (i = 0; i < pfmi_num_generics; i++) {
		if (!pfmi_text_equal(words->name, pfmi_generics[i].name))
			continue;
		if (words->num_fields)
			return -EINVAL;
		if (!ops)
			return -ENODEV;
		event->code = pfmi_generics[i].cycles ? ops->cycles :
							ops->instructions;
		return set_name(event, pfmi_generics[i].name);
	}
	return -ENOENT;
}

static int parse_virtual(const struct pfm_regmap *map,
			 const struct pfmi_words *words, struct pfm_event *event)
{
	const struct pfm_reg_info *info = pfmi_virtual_find(map, words->name);

	if (!info)
		return -ENOENT;
	if (words->num_fields || words->levels_on || words->levels_off)
		return -EINVAL;
	event->kind = PFM_EVENT_VIRTUAL;
	event->pmd = info->num;
	event->flags = pfmi_virtual_flags(info);
	return set_name(event, info->name);
}

bool pfmi_raw(const char *text, uint64_t *code)
{
	const char *digits;

	if (text[0] == 'r' || text[0] == 'R')
		digits = text + 1;
	else if (text[0] == '0' && (text[1] == 'x' || text[1] == 'X'))
		digits = text + 2;
	else
		return false;
	/* strtoull() would accept signs, blanks and another 0x as well. */
	if (!*digits || digits[strspn(digits, "0123456789abcdefABCDEF")])
		return false;
	/* Too many digits for 64 bits: use the largest number, which is refused. */
	*code = strlen(digits) > 16 ? UINT64_MAX : strtoull(digits, NULL, 16);
	return true;
}

static int parse_raw(const struct pfm_arch_ops *ops,
		     const struct pfmi_words *words, struct pfm_event *event)
{
	size_t pos = 0;
	uint64_t code;

	if (!pfmi_raw(words->name, &code))
		return -ENOENT;
	if (words->num_fields)
		return -EINVAL;
	if (!ops)
		return -ENODEV;
	if (code > ops->code_max)
		return -ERANGE;
	event->code = code;
	pfmi_text_add(event->name, sizeof(event->name), &pos, "r%llx",
		      (unsigned long long)code);
	return 0;
}

static int parse_table(const struct pfm_arch_ops *ops,
		       const struct pfmi_words *words, struct pfm_event *event)
{
	int ret = pfmi_tables_encode(ops, words, event);

	/* The name is right, but there is no PMU that the library knows. */
	if (!ops && !ret)
		return -ENODEV;
	return ret;
}

static int parse_arch(const struct pfm_arch_ops *ops,
		      const struct pfmi_words *words, struct pfm_event *event)
{
	const struct pfm_arch_event *known;
	size_t pos = 0;

	if (!ops || (words->table && !pfmi_text_equal(words->table, ops->name)))
		return -ENOENT;
	for (known = ops->events; known->name; known++) {
		if (!pfmi_text_equal(known->name, words->name))
			continue;
		if (words->num_fields)
			return -EINVAL;
		event->code = known->code;
		pfmi_text_add(event->name, sizeof(event->name), &pos, "%s::%s",
			      ops->name, known->name);
		return 0;
	}
	return -ENOENT;
}

static int parse_hardware(const struct pfm_arch_ops *ops,
			  const struct pfmi_words *words,
			  struct pfm_event *event)
{
	int ret = -ENOENT;

	if (!words->table) {
		ret = parse_generic(ops, words, event);
		if (ret == -ENOENT)
			ret = parse_raw(ops, words, event);
	}
	if (ret == -ENOENT)
		ret = parse_table(ops, words, event);
	if (ret == -ENOENT)
		ret = parse_arch(ops, words, event);
	return ret;
}

int pfm_event_parse(const struct pfm_regmap *map, const char *text,
		    uint32_t dfl_plm, struct pfm_event *event)
{
	const struct pfm_arch_ops *ops = pfmi_arch_find(map);
	struct pfmi_words words;
	int ret;

	memset(event, 0, sizeof(*event));
	ret = pfmi_words_split(text, &words);
	if (ret)
		return ret;
	if (!words.table) {
		ret = parse_virtual(map, &words, event);
		if (ret != -ENOENT)
			return ret;
	}
	ret = parse_hardware(ops, &words, event);
	if (ret)
		return ret;
	return finish_hardware(ops, &words, dfl_plm, event);
}

const char *pfm_event_table(const struct pfm_regmap *map)
{
	const struct pfm_arch_ops *ops = pfmi_arch_find(map);
	const char *name;

	if (!ops)
		return "";
	name = pfmi_tables_name(ops);
	return name ? name : ops->name;
}

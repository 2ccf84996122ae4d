// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/*
 * Reads the text of a description of a sampling format.
 *
 * A line that is not indented begins a section.  Lines, keys and words that are not known are
 * from a later version, and are left out.  What is known has to be consistent, as the kernel
 * has checked it, because places in buffers are computed of it.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"
#include "formats/format.h"

/* Keys of a line. */
#define PAIRS_MAX 24

static const char *const layouts[] = { "none", "linear", "parts", "array" };

static const char *const uses[] = { "stream", "histogram", "table" };

static const char *const kinds[] = {
	[PFM_FORMAT_NUMBER] = "number",	  [PFM_FORMAT_BITS] = "bits",
	[PFM_FORMAT_CODE] = "code",	  [PFM_FORMAT_STACK] = "stack",
	[PFM_FORMAT_DATA] = "data",	  [PFM_FORMAT_TIME] = "time",
	[PFM_FORMAT_PID] = "pid",	  [PFM_FORMAT_TID] = "tid",
	[PFM_FORMAT_CPU] = "cpu",	  [PFM_FORMAT_SET] = "set",
	[PFM_FORMAT_PMD] = "pmd",	  [PFM_FORMAT_EVENT] = "event",
	[PFM_FORMAT_RESET] = "reset",	  [PFM_FORMAT_PERIOD] = "period",
	[PFM_FORMAT_COUNT] = "count",	  [PFM_FORMAT_VALUE] = "value",
	[PFM_FORMAT_ENTRIES] = "entries", [PFM_FORMAT_SEEN] = "seen",
	[PFM_FORMAT_LOST] = "lost",	  [PFM_FORMAT_BRANCH] = "branch",
};

/**
 * struct line - a line in pairs
 * @keys: what stands before the colon of each pair, and
 * @values: what stands behind it
 * @count: elements of both
 */
struct line {
	const char *keys[PAIRS_MAX];
	const char *values[PAIRS_MAX];
	unsigned int count;
};

enum section { SECTION_HEAD, SECTION_ARG, SECTION_HEADER, SECTION_ENTRY };

/* Cuts a line into its pairs.  Pairs beyond the last one that there is room for are left out. */
static void cut_line(char *text, struct line *line)
{
	char *pair, *colon, *end;

	line->count = 0;
	for (pair = text; pair && line->count < PAIRS_MAX; pair = end) {
		pair += strspn(pair, "\t");
		end = strchr(pair, '\t');
		if (end)
			*end++ = '\0';
		colon = strchr(pair, ':');
		if (!colon)
			continue;
		*colon++ = '\0';
		/* In the first section there is a blank, and no semicolon. */
		colon += strspn(colon, " ");
		if (*colon && colon[strlen(colon) - 1] == ';')
			colon[strlen(colon) - 1] = '\0';
		line->keys[line->count] = pair;
		line->values[line->count++] = colon;
	}
}

static const char *text_of(const struct line *line, const char *key)
{
	unsigned int i;

	for (i = 0; i < line->count; i++)
		if (!strcmp(line->keys[i], key))
			return line->values[i];
	return NULL;
}

/* A number, which may be negative; @number keeps its value if it is not there. */
static int number_of(const struct line *line, const char *key, uint64_t *number)
{
	const char *text = text_of(line, key);
	const bool negative = text && *text == '-';
	uint64_t value;

	if (!text)
		return 0;
	if (pfmi_format_number(text + negative, &value))
		return -EBADMSG;
	*number = negative ? -value : value;
	return 0;
}

/* A number that is there, of at most @max. */
static int size_of(const struct line *line, const char *key, uint64_t max,
		   uint32_t *size)
{
	uint64_t number = max + 1;

	if (number_of(line, key, &number) || number > max)
		return -EBADMSG;
	*size = number;
	return 0;
}

/* The number of a word; that of the first one if it is not known. */
static uint32_t word_of(const struct line *line, const char *key,
			const char *const *words, unsigned int count)
{
	const char *text = text_of(line, key);
	unsigned int i;

	for (i = 0; text && i < count; i++)
		if (!strcmp(words[i], text))
			return i;
	return 0;
}

static bool is_size(uint32_t size)
{
	return size == 1 || size == 2 || size == 4 || size == 8;
}

static bool is_set(const struct line *line, const char *key)
{
	const char *text = text_of(line, key);

	return text && !strcmp(text, "1");
}

/* Makes room for one more element of zeros.  Returns it; NULL without memory. */
static void *grow(void *list, unsigned int count, size_t size)
{
	char **place = list;
	char *bigger = realloc(*place, (count + 1) * size);

	if (!bigger)
		return NULL;
	*place = bigger;
	return memset(bigger + count * size, 0, size);
}

/* Place and size, which have to be within @room bytes. */
static int read_place(const struct line *line, uint32_t room, uint32_t *offset,
		      uint32_t *size)
{
	if (size_of(line, "size", 8, size) || !is_size(*size) ||
	    size_of(line, "offset", room, offset) || *offset % *size ||
	    room - *offset < *size)
		return -EBADMSG;
	return 0;
}

static int read_bounds(const struct line *line, struct pfm_format_arg *arg)
{
	const uint64_t bits = pfmi_format_bits(arg->size);

	arg->max = bits;
	if (arg->flags & PFM_FORMAT_SIGNED) {
		arg->max = bits >> 1;
		arg->min = ~arg->max;
	}
	if (arg->mask)
		arg->max = 1;
	return number_of(line, "min", &arg->min) ||
			       number_of(line, "max", &arg->max) ||
			       number_of(line, "default", &arg->dfl)
		       ? -EBADMSG
		       : 0;
}

static int read_arg(struct pfm_format *format, const struct line *line)
{
	struct pfm_format_info *info = &format->info;
	struct pfm_format_arg *arg;

	if (info->args == PFMI_FORMAT_ARGS_MAX)
		return -EBADMSG;
	arg = grow(&format->args, info->args, sizeof(*arg));
	if (!arg)
		return -ENOMEM;
	arg->name = line->values[0];
	arg->unit = text_of(line, "unit");
	arg->help = text_of(line, "help");
	if (is_set(line, "signed"))
		arg->flags |= PFM_FORMAT_SIGNED;
	if (is_set(line, "required"))
		arg->flags |= PFM_FORMAT_REQUIRED;
	if (read_place(line, info->arg_size, &arg->offset, &arg->size) ||
	    number_of(line, "mask", &arg->mask) || read_bounds(line, arg))
		return -EBADMSG;
	info->args++;
	return 0;
}

static int read_field(struct pfmi_fields *fields, const struct line *line,
		      unsigned int most)
{
	struct pfm_format_field *field;

	if (fields->count == most)
		return -EBADMSG;
	field = grow(&fields->list, fields->count, sizeof(*field));
	if (!field)
		return -ENOMEM;
	field->name = line->values[0];
	field->unit = text_of(line, "unit");
	field->count = text_of(line, "count");
	field->kind = word_of(line, "kind", kinds, ARRAY_SIZE(kinds));
	field->flags = is_set(line, "signed") ? PFM_FORMAT_SIGNED : 0;
	return 0;
}

static int read_fixed(struct pfmi_fields *fields, const struct line *line,
		      uint32_t room)
{
	struct pfm_format_field *field;
	int ret;

	ret = read_field(fields, line, PFMI_FORMAT_FIELDS_MAX);
	if (ret)
		return ret;
	field = &fields->list[fields->count];
	if (field->kind == PFM_FORMAT_BRANCH)
		return -EBADMSG;
	ret = read_place(line, room, &field->offset, &field->size);
	if (!ret)
		fields->count++;
	return ret;
}

/* Elements of a tail may be larger than a number. */
static bool is_element(const struct pfm_format_field *tail)
{
	return tail->kind == PFM_FORMAT_BRANCH
		       ? tail->size == sizeof(struct pfm_branch)
		       : is_size(tail->size);
}

static int read_tail(struct pfmi_entry *entry, const struct line *line)
{
	struct pfmi_fields *tails = &entry->tails;
	struct pfm_format_field *tail;
	int ret;

	ret = read_field(tails, line, PFM_FORMAT_TAILS_MAX);
	if (ret)
		return ret;
	tail = &tails->list[tails->count];
	if (size_of(line, "size", sizeof(struct pfm_branch), &tail->size) ||
	    !is_element(tail) || !tail->count)
		return -EBADMSG;
	tails->count++;
	return 0;
}

static int read_entry(struct pfm_format *format, const struct line *line)
{
	struct pfm_format_info *info = &format->info;
	struct pfmi_entry *entry;

	if (info->entries == PFMI_FORMAT_ENTRIES_MAX)
		return -EBADMSG;
	entry = grow(&format->entries, info->entries, sizeof(*entry));
	if (!entry)
		return -ENOMEM;
	entry->head.name = line->values[0];
	entry->head.use = word_of(line, "use", uses, ARRAY_SIZE(uses));
	entry->when = text_of(line, "when");
	entry->with = text_of(line, "with");
	if (size_of(line, "size", PFMI_FORMAT_SIZE_MAX, &entry->head.size) ||
	    !entry->head.size || entry->head.size % 8 ||
	    number_of(line, "is", &entry->is))
		return -EBADMSG;
	info->entries++;
	return 0;
}

static int read_version(const char *text, uint32_t *version)
{
	uint64_t major, minor;
	char number[16];
	size_t length = strcspn(text, ".");

	if (length >= sizeof(number) || !text[length])
		return -EBADMSG;
	memcpy(number, text, length);
	number[length] = '\0';
	if (!pfmi_text_digits(number, 10, &major) || major > UINT16_MAX ||
	    !pfmi_text_digits(text + length + 1, 10, &minor) ||
	    minor > UINT16_MAX)
		return -EBADMSG;
	*version = major << 16 | minor;
	return 0;
}

/* A line of the first section, which has one pair. */
static int read_head(struct pfm_format_info *info, const struct line *line)
{
	const char *key = line->keys[0], *value = line->values[0];

	if (!strcmp(key, "format"))
		info->name = value;
	else if (!strcmp(key, "uuid"))
		return pfm_format_uuid(value, info->uuid) ? -EBADMSG : 0;
	else if (!strcmp(key, "version"))
		return read_version(value, &info->version);
	else if (!strcmp(key, "layout"))
		info->layout =
			word_of(line, "layout", layouts, ARRAY_SIZE(layouts));
	else if (!strcmp(key, "pmu"))
		info->pmu = value;
	else if (!strcmp(key, "help"))
		info->help = value;
	return 0;
}

/* A line that begins a section, or is one of the first section. */
static int read_section(struct pfm_format *format, const struct line *line,
			enum section *section)
{
	struct pfm_format_info *info = &format->info;
	const char *key = line->keys[0];

	*section = SECTION_HEAD;
	/* Another size would not be that which places were compared with. */
	if (!strcmp(key, "argument")) {
		*section = SECTION_ARG;
		return info->args ? -EBADMSG
				  : size_of(line, "size", PFMI_FORMAT_SIZE_MAX,
					    &info->arg_size);
	}
	if (!strcmp(key, "header")) {
		*section = SECTION_HEADER;
		return format->hdr.count
			       ? -EBADMSG
			       : size_of(line, "size", PFMI_FORMAT_SIZE_MAX,
					 &info->hdr_size);
	}
	if (!strcmp(key, "entry")) {
		*section = SECTION_ENTRY;
		return read_entry(format, line);
	}
	return read_head(info, line);
}

static int read_indented(struct pfm_format *format, const struct line *line,
			 enum section section)
{
	const char *key = line->keys[0];
	struct pfmi_entry *entry;

	if (section == SECTION_ARG && !strcmp(key, "arg"))
		return read_arg(format, line);
	if (section == SECTION_HEADER && !strcmp(key, "field"))
		return read_fixed(&format->hdr, line, format->info.hdr_size);
	if (section != SECTION_ENTRY)
		return 0;
	entry = &format->entries[format->info.entries - 1];
	if (!strcmp(key, "field"))
		return read_fixed(&entry->fields, line, entry->head.size);
	if (!strcmp(key, "tail"))
		return read_tail(entry, line);
	return 0;
}

static int read_lines(struct pfm_format *format)
{
	enum section section = SECTION_HEAD;
	char *at = format->text, *end;
	struct line line;
	bool indented;
	int ret = 0;

	for (; !ret && at && *at; at = end) {
		end = strchr(at, '\n');
		if (end)
			*end++ = '\0';
		indented = *at == '\t';
		cut_line(at, &line);
		if (!line.count)
			continue;
		if (indented)
			ret = read_indented(format, &line, section);
		else
			ret = read_section(format, &line, &section);
	}
	return ret;
}

static bool is_counted(const struct pfmi_entry *entry,
		       const struct pfm_format_field *tail)
{
	if (!strcmp(tail->count, PFMI_SMPL_PMDS))
		return pfmi_format_kind(&entry->fields, PFM_FORMAT_PMD) &&
		       pfmi_format_kind(&entry->fields, PFM_FORMAT_SET);
	return pfmi_format_find(&entry->fields, tail->count);
}

/* Check what several lines say together of an entry. */
static int check_entry(const struct pfm_format *format, unsigned int i)
{
	const struct pfmi_entry *entry = &format->entries[i];
	unsigned int k;

	for (k = 0; k < entry->tails.count; k++)
		if (!is_counted(entry, &entry->tails.list[k]))
			return -EBADMSG;
	if (entry->with) {
		const struct pfm_format_arg *arg =
			pfmi_format_arg(format, entry->with);

		if (!arg || !arg->mask)
			return -EBADMSG;
	}
	if (entry->when && !pfmi_format_find(&entry->fields, entry->when))
		return -EBADMSG;
	if (format->info.entries > 1 && !entry->when && !entry->with)
		return -EBADMSG;
	return 0;
}

static int check(struct pfm_format *format)
{
	struct pfm_format_info *info = &format->info;
	unsigned int i;

	if (!info->name || !*info->name)
		return -EBADMSG;
	for (i = 0; i < info->entries; i++)
		if (check_entry(format, i))
			return -EBADMSG;
	if (!info->entries)
		info->layout = PFM_FORMAT_NONE;
	if (info->layout == PFM_FORMAT_ARRAY &&
	    (info->entries != 1 || info->hdr_size % 8 ||
	     format->entries[0].tails.count ||
	     !pfmi_format_kind(&format->hdr, PFM_FORMAT_ENTRIES)))
		return -EBADMSG;
	return 0;
}

/* Fill in the part of the lists that users see. */
static void finish(struct pfm_format *format)
{
	unsigned int i;

	format->info.fields = format->hdr.count;
	for (i = 0; i < format->info.entries; i++) {
		struct pfmi_entry *entry = &format->entries[i];

		entry->head.fields = entry->fields.count;
		entry->head.tails = entry->tails.count;
	}
}

int pfm_format_parse(const char *text, size_t length,
		     struct pfm_format **format)
{
	struct pfm_format *made;
	int ret;

	if (memchr(text, '\0', length))
		return -EBADMSG;
	made = calloc(1, sizeof(*made));
	if (!made)
		return -ENOMEM;
	made->text = strndup(text, length);
	ret = made->text ? read_lines(made) : -ENOMEM;
	if (!ret)
		ret = check(made);
	if (ret) {
		/* The last type is not counted if its line is wrong, and has no lists then. */
		pfm_format_free(made);
		return ret;
	}
	finish(made);
	*format = made;
	return 0;
}

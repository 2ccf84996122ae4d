// SPDX-License-Identifier: GPL-2.0-only
/*
 * Descriptions of sampling formats: checks them, and writes them as text.
 *
 * A format is the code of root, so this is no protection against it: the checks find
 * mistakes, and consumers may rely on what they have found.  They are listed in
 * Documentation/extend/format-descriptions.rst.
 */
#include "core/format_desc.h"

#include <linux/bits.h>
#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/perfmon_default.h>
#include <linux/perfmon_nway.h>
#include <linux/printk.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <perfmon/format.h>

/* The smallest page: what a file of sysfs can have everywhere. */
#define TEXT_MAX 4096

static const char *const layout_names[] = {
	[PFM_LAYOUT_NONE] = "none",
	[PFM_LAYOUT_LINEAR] = "linear",
	[PFM_LAYOUT_PARTS] = "parts",
	[PFM_LAYOUT_ARRAY] = "array",
};

static const char *const use_names[] = {
	[PFM_USE_STREAM] = "stream",
	[PFM_USE_HISTOGRAM] = "histogram",
	[PFM_USE_TABLE] = "table",
};

static const char *const kind_names[] = {
	[PFM_KIND_NUMBER] = "number",	[PFM_KIND_BITS] = "bits",
	[PFM_KIND_CODE] = "code",	[PFM_KIND_STACK] = "stack",
	[PFM_KIND_DATA] = "data",	[PFM_KIND_TIME] = "time",
	[PFM_KIND_PID] = "pid",		[PFM_KIND_TID] = "tid",
	[PFM_KIND_CPU] = "cpu",		[PFM_KIND_SET] = "set",
	[PFM_KIND_PMD] = "pmd",		[PFM_KIND_EVENT] = "event",
	[PFM_KIND_RESET] = "reset",	[PFM_KIND_PERIOD] = "period",
	[PFM_KIND_COUNT] = "count",	[PFM_KIND_VALUE] = "value",
	[PFM_KIND_ENTRIES] = "entries", [PFM_KIND_SEEN] = "seen",
	[PFM_KIND_LOST] = "lost",	[PFM_KIND_BRANCH] = "branch",
};

static_assert(ARRAY_SIZE(layout_names) == PFM_NUM_LAYOUTS);
static_assert(ARRAY_SIZE(use_names) == PFM_NUM_USES);
static_assert(ARRAY_SIZE(kind_names) == PFM_NUM_KINDS);

/**
 * struct field_place - where a field is
 * @offset: its first byte
 * @size: its bytes
 * @mask: its bits, of a flag; 0: all
 */
struct field_place {
	u32 offset;
	u32 size;
	u64 mask;
};

/*
 * Say why a description is refused; @what is a name that may be anything.  Every user who
 * may create a context has the kernel load the module of a format, again and again if the
 * format is refused: hence the limit.
 */
static int refuse(const struct pfm_format *fmt, const char *what,
		  const char *why)
{
	pr_notice_ratelimited("format %s refused: '%.31s' %s\n", fmt->name,
			      what ?: "", why);
	return -EINVAL;
}

/* Of ASCII: islower() takes those of Latin-1 as well. */
static bool is_letter(char c)
{
	return c >= 'a' && c <= 'z';
}

static bool is_name(const char *name)
{
	size_t i;

	if (!name || !is_letter(*name))
		return false;
	for (i = 1; i <= PFM_DESC_NAME_MAX && name[i]; i++) {
		if (!is_letter(name[i]) && (name[i] < '0' || name[i] > '9') &&
		    name[i] != '_' && name[i] != '-')
			return false;
	}
	return i <= PFM_DESC_NAME_MAX;
}

/* Texts are optional. */
static bool is_text(const char *text)
{
	size_t i;

	if (!text)
		return true;
	for (i = 0; i <= PFM_DESC_TEXT_MAX && text[i]; i++) {
		if (text[i] < ' ' || text[i] > '~' || text[i] == ';')
			return false;
	}
	return i <= PFM_DESC_TEXT_MAX;
}

static bool is_size(u32 size)
{
	return size == 1 || size == 2 || size == 4 || size == 8;
}

/* The bits that a number of this size has. */
static u64 size_bits(u32 size)
{
	return GENMASK_ULL(8 * size - 1, 0);
}

static bool is_within(const struct field_place *place, size_t size)
{
	return is_size(place->size) && place->offset % place->size == 0 &&
	       place->offset + place->size <= size;
}

static bool overlap(const struct field_place *a, const struct field_place *b)
{
	if (a->offset + a->size <= b->offset ||
	    b->offset + b->size <= a->offset)
		return false;
	if (a->mask && b->mask && a->offset == b->offset && a->size == b->size)
		return a->mask & b->mask;
	return true;
}

static bool is_less(const struct pfm_arg_field *arg, u64 a, u64 b)
{
	return arg->is_signed ? (s64)a < (s64)b : a < b;
}

/* The largest and the smallest value that fit in the field: an s64 if that has a sign. */
static u64 largest(const struct pfm_arg_field *arg)
{
	return size_bits(arg->size) >> arg->is_signed;
}

static u64 smallest(const struct pfm_arg_field *arg)
{
	return arg->is_signed ? ~largest(arg) : 0;
}

static bool fits(const struct pfm_arg_field *arg, u64 value)
{
	return !is_less(arg, value, smallest(arg)) &&
	       !is_less(arg, largest(arg), value);
}

static bool is_bounded(const struct pfm_arg_field *arg)
{
	return arg->min || arg->max;
}

static int check_flag(const struct pfm_format *fmt,
		      const struct pfm_arg_field *arg)
{
	if (arg->mask & ~size_bits(arg->size))
		return refuse(fmt, arg->name, "has a mask beyond its word");
	if (arg->dfl > 1 || arg->min || arg->max || arg->is_signed)
		return refuse(fmt, arg->name,
			      "is a flag with other values than 0 and 1");
	return 0;
}

static int check_number(const struct pfm_format *fmt,
			const struct pfm_arg_field *arg)
{
	if (!fits(arg, arg->dfl) || !fits(arg, arg->min) ||
	    !fits(arg, arg->max))
		return refuse(fmt, arg->name, "has values that do not fit");
	if (!is_bounded(arg))
		return 0;
	if (is_less(arg, arg->max, arg->min))
		return refuse(fmt, arg->name, "has bounds in wrong order");
	if (!arg->required && (is_less(arg, arg->dfl, arg->min) ||
			       is_less(arg, arg->max, arg->dfl)))
		return refuse(fmt, arg->name, "has a default out of bounds");
	return 0;
}

static struct field_place arg_place(const struct pfm_arg_field *arg)
{
	return (struct field_place){ arg->offset, arg->size, arg->mask };
}

static int check_arg(const struct pfm_format *fmt,
		     const struct pfm_arg_field *args, u16 i)
{
	const struct pfm_arg_field *arg = &args[i];
	const struct field_place place = arg_place(arg);
	u16 k;

	if (!is_name(arg->name))
		return refuse(fmt, arg->name, "is no name of an argument");
	if (!is_text(arg->unit) || !is_text(arg->help))
		return refuse(fmt, arg->name,
			      "has a text that is too long or not plain");
	if (!is_within(&place, fmt->arg_size))
		return refuse(fmt, arg->name,
			      "is not within the argument, or not aligned");
	for (k = 0; k < i; k++) {
		const struct field_place other = arg_place(&args[k]);

		if (!strcmp(args[k].name, arg->name))
			return refuse(fmt, arg->name, "is there twice");
		if (overlap(&place, &other))
			return refuse(fmt, arg->name, "overlaps another field");
	}
	return arg->mask ? check_flag(fmt, arg) : check_number(fmt, arg);
}

static int check_args(const struct pfm_format *fmt,
		      const struct pfm_format_desc *desc)
{
	int ret;
	u16 i;

	if (desc->nargs > PFM_DESC_ARGS_MAX || (desc->nargs && !desc->args))
		return refuse(fmt, "args", "are too many, or none");
	for (i = 0; i < desc->nargs; i++) {
		ret = check_arg(fmt, desc->args, i);
		if (ret)
			return ret;
	}
	return 0;
}

static const struct pfm_field *find_field(const struct pfm_field *fields, u16 n,
					  const char *name)
{
	u16 i;

	for (i = 0; i < n; i++) {
		if (!strcmp(fields[i].name, name))
			return &fields[i];
	}
	return NULL;
}

static u16 count_kind(const struct pfm_field *fields, u16 n, u8 kind)
{
	u16 i, found = 0;

	for (i = 0; i < n; i++)
		found += fields[i].kind == kind;
	return found;
}

static int check_text(const struct pfm_format *fmt,
		      const struct pfm_field *field)
{
	if (!is_name(field->name))
		return refuse(fmt, field->name, "is no name of a field");
	if (!is_text(field->unit))
		return refuse(fmt, field->name,
			      "has a unit that is too long or not plain");
	if (field->kind >= PFM_NUM_KINDS)
		return refuse(fmt, field->name, "is of no kind");
	return 0;
}

static int check_field(const struct pfm_format *fmt,
		       const struct pfm_field *fields, u16 i, size_t size)
{
	const struct pfm_field *field = &fields[i];
	const struct field_place place = { field->offset, field->size, 0 };
	int ret;
	u16 k;

	ret = check_text(fmt, field);
	if (ret)
		return ret;
	if (field->kind == PFM_KIND_STACK || field->kind == PFM_KIND_BRANCH ||
	    field->count)
		return refuse(fmt, field->name, "is a tail among the fields");
	if (!is_within(&place, size))
		return refuse(fmt, field->name,
			      "is not within its structure, or not aligned");
	for (k = 0; k < i; k++) {
		const struct field_place other = { fields[k].offset,
						   fields[k].size, 0 };

		if (!strcmp(fields[k].name, field->name))
			return refuse(fmt, field->name, "is there twice");
		if (overlap(&place, &other))
			return refuse(fmt, field->name,
				      "overlaps another field");
	}
	return 0;
}

static int check_fields(const struct pfm_format *fmt,
			const struct pfm_field *fields, u16 n, size_t size)
{
	int ret;
	u16 i;

	if (n > PFM_DESC_FIELDS_MAX || (n && !fields))
		return refuse(fmt, "fields", "are too many, or none");
	for (i = 0; i < n; i++) {
		ret = check_field(fmt, fields, i, size);
		if (ret)
			return ret;
	}
	return 0;
}

/* True if the entry tells how many elements the tail has. */
static bool is_counted(const struct pfm_entry_desc *entry,
		       const struct pfm_field *tail)
{
	const struct pfm_field *number;

	if (!tail->count)
		return false;
	if (!strcmp(tail->count, PFM_COUNT_SMPL_PMDS))
		return count_kind(entry->fields, entry->nfields,
				  PFM_KIND_PMD) == 1 &&
		       count_kind(entry->fields, entry->nfields,
				  PFM_KIND_SET) == 1;
	number = find_field(entry->fields, entry->nfields, tail->count);
	return number && !number->is_signed;
}

/* True if elements of the tail have a size that its kind may have. */
static bool is_element(const struct pfm_field *tail)
{
	if (tail->kind == PFM_KIND_BRANCH)
		return tail->size == sizeof(struct pfm_branch);
	return is_size(tail->size);
}

static int check_tail(const struct pfm_format *fmt,
		      const struct pfm_entry_desc *entry, u16 i)
{
	const struct pfm_field *tail = &entry->tails[i];
	int ret;

	ret = check_text(fmt, tail);
	if (ret)
		return ret;
	if (tail->offset || !is_element(tail) ||
	    tail->kind >= PFM_KIND_ENTRIES)
		return refuse(fmt, tail->name, "is no tail");
	if (find_field(entry->fields, entry->nfields, tail->name) ||
	    find_field(entry->tails, i, tail->name))
		return refuse(fmt, tail->name, "is there twice");
	if (!is_counted(entry, tail))
		return refuse(fmt, tail->name,
			      "has elements that nothing counts");
	return 0;
}

static int check_entry_body(const struct pfm_format *fmt,
			    const struct pfm_entry_desc *entry)
{
	int ret;
	u16 i;

	if (!is_name(entry->name))
		return refuse(fmt, entry->name, "is no name of an entry");
	if (!entry->size || entry->size % sizeof(u64) ||
	    entry->size > PFM_DESC_ENTRY_SIZE_MAX || entry->use >= PFM_NUM_USES)
		return refuse(fmt, entry->name, "has a wrong size or use");
	ret = check_fields(fmt, entry->fields, entry->nfields, entry->size);
	if (ret)
		return ret;
	for (i = 0; i < entry->nfields; i++) {
		if (entry->fields[i].kind >= PFM_KIND_ENTRIES)
			return refuse(fmt, entry->fields[i].name,
				      "is of a kind for headers");
	}
	if (entry->ntails > PFM_DESC_TAILS_MAX ||
	    (entry->ntails && !entry->tails))
		return refuse(fmt, entry->name, "has too many tails, or none");
	for (i = 0; i < entry->ntails; i++) {
		ret = check_tail(fmt, entry, i);
		if (ret)
			return ret;
	}
	return 0;
}

static const struct pfm_arg_field *find_arg(const struct pfm_format_desc *desc,
					    const char *name)
{
	u16 i;

	for (i = 0; i < desc->nargs; i++) {
		if (!strcmp(desc->args[i].name, name))
			return &desc->args[i];
	}
	return NULL;
}

/*
 * Types that a field of the entry tells apart: it is at the same place in all of them, and
 * can have the value.
 */
static bool same_when(const struct pfm_entry_desc *a,
		      const struct pfm_entry_desc *b)
{
	const struct pfm_field *of_a, *of_b;

	if (!a->when || !b->when || strcmp(a->when, b->when))
		return false;
	of_a = find_field(a->fields, a->nfields, a->when);
	of_b = find_field(b->fields, b->nfields, b->when);
	return of_a && of_b && of_a->offset == of_b->offset &&
	       of_a->size == of_b->size && !of_b->is_signed &&
	       b->is <= size_bits(of_b->size);
}

/* Refuse an entry that cannot be told from those before it, or by other means than they. */
static int check_choice(const struct pfm_format *fmt,
			const struct pfm_format_desc *desc, u16 i)
{
	const struct pfm_entry_desc *entry = &desc->entries[i];
	const struct pfm_entry_desc *first = &desc->entries[0];
	const struct pfm_arg_field *arg;
	bool same;
	u16 k;

	if (desc->nentries == 1)
		return entry->when || entry->with
			       ? refuse(fmt, entry->name, "is the only entry")
			       : 0;
	if (entry->with) {
		arg = find_arg(desc, entry->with);
		same = arg && arg->mask && entry->is <= 1 && !entry->when &&
		       first->with && !strcmp(first->with, entry->with);
	} else {
		same = !first->with && same_when(first, entry);
	}
	if (!same)
		return refuse(fmt, entry->name,
			      "cannot be told from other entries");
	for (k = 0; k < i; k++) {
		if (desc->entries[k].is == entry->is ||
		    !strcmp(desc->entries[k].name, entry->name))
			return refuse(fmt, entry->name, "is there twice");
	}
	return 0;
}

/* Size of the structure that the header of a lane with this layout begins with */
static size_t min_hdr_size(u8 layout)
{
	switch (layout) {
	case PFM_LAYOUT_LINEAR:
		return sizeof(struct pfm_default_hdr);
	case PFM_LAYOUT_PARTS:
		return sizeof(struct pfm_nway_hdr);
	case PFM_LAYOUT_ARRAY:
		return sizeof(u64);
	default:
		return 0;
	}
}

static int check_layout(const struct pfm_format *fmt,
			const struct pfm_format_desc *desc)
{
	const u16 counts = count_kind(desc->hdr, desc->nhdr, PFM_KIND_ENTRIES);
	const bool array = desc->layout == PFM_LAYOUT_ARRAY;
	const bool none = desc->layout == PFM_LAYOUT_NONE;

	if (desc->layout >= PFM_NUM_LAYOUTS)
		return refuse(fmt, "layout", "is none that there is");
	if (none == !!desc->nentries)
		return refuse(fmt, "entries", "do not go with the layout");
	if ((!none || desc->hdr_size) && !fmt->getsize)
		return refuse(fmt, "layout", "is that of no memory");
	if (desc->hdr_size < min_hdr_size(desc->layout) ||
	    desc->hdr_size % sizeof(u64))
		return refuse(fmt, "header", "has a wrong size");
	if (counts != array)
		return refuse(fmt, "entries", "are counted in arrays, once");
	if (array && (desc->nentries != 1 || desc->entries[0].ntails))
		return refuse(fmt, "layout", "is an array of unlike entries");
	return 0;
}

static int check_desc(const struct pfm_format *fmt,
		      const struct pfm_format_desc *desc)
{
	int ret;
	u16 i;

	if (!is_name(fmt->name))
		return refuse(fmt, fmt->name, "is no name of a format");
	if (!is_text(desc->help) || (desc->pmu && !is_name(desc->pmu)))
		return refuse(fmt, desc->pmu,
			      "or the help is too long or not plain");
	ret = check_args(fmt, desc);
	if (ret)
		return ret;
	ret = check_fields(fmt, desc->hdr, desc->nhdr, desc->hdr_size);
	if (ret)
		return ret;
	if (desc->nentries > PFM_DESC_ENTRIES_MAX ||
	    (desc->nentries && !desc->entries))
		return refuse(fmt, "entries", "are too many, or none");
	for (i = 0; i < desc->nentries; i++) {
		ret = check_entry_body(fmt, &desc->entries[i]);
		if (!ret)
			ret = check_choice(fmt, desc, i);
		if (ret)
			return ret;
	}
	return check_layout(fmt, desc);
}

/**
 * struct writer - a text that grows
 * @text: the text
 * @at: its length; TEXT_MAX - 1 if it was cut off
 */
struct writer {
	char *text;
	int at;
};

static __printf(2, 3) void add(struct writer *to, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	to->at +=
		vscnprintf(to->text + to->at, TEXT_MAX - to->at, format, args);
	va_end(args);
}

static void add_text(struct writer *to, const char *key, const char *text)
{
	if (text)
		add(to, "\t%s:%s;", key, text);
}

static void add_place(struct writer *to, const char *what, const char *name,
		      u32 offset, u32 size)
{
	add(to, "\t%s:%s;\toffset:%u;\tsize:%u;", what, name, offset, size);
}

static void add_number(struct writer *to, const char *key, u64 value,
		       bool is_signed)
{
	if (is_signed)
		add(to, "\t%s:%lld;", key, value);
	else
		add(to, "\t%s:%llu;", key, value);
}

static void add_arg(struct writer *to, const struct pfm_arg_field *arg)
{
	add_place(to, "arg", arg->name, arg->offset, arg->size);
	if (arg->is_signed)
		add(to, "\tsigned:1;");
	if (arg->mask)
		add(to, "\tmask:0x%llx;", arg->mask);
	if (arg->required)
		add(to, "\trequired:1;");
	else
		add_number(to, "default", arg->dfl, arg->is_signed);
	/* A bound that follows from the type is left out. */
	if (is_bounded(arg) && arg->min != smallest(arg))
		add_number(to, "min", arg->min, arg->is_signed);
	if (is_bounded(arg) && arg->max != largest(arg))
		add_number(to, "max", arg->max, arg->is_signed);
	add_text(to, "unit", arg->unit);
	add_text(to, "help", arg->help);
	add(to, "\n");
}

static void add_fields(struct writer *to, const struct pfm_field *fields, u16 n)
{
	u16 i;

	for (i = 0; i < n; i++) {
		add_place(to, "field", fields[i].name, fields[i].offset,
			  fields[i].size);
		if (fields[i].is_signed)
			add(to, "\tsigned:1;");
		add(to, "\tkind:%s;", kind_names[fields[i].kind]);
		add_text(to, "unit", fields[i].unit);
		add(to, "\n");
	}
}

static void add_tails(struct writer *to, const struct pfm_field *tails, u16 n)
{
	u16 i;

	for (i = 0; i < n; i++) {
		add(to, "\ttail:%s;\tsize:%u;", tails[i].name, tails[i].size);
		if (tails[i].is_signed)
			add(to, "\tsigned:1;");
		add(to, "\tkind:%s;\tcount:%s;", kind_names[tails[i].kind],
		    tails[i].count);
		add_text(to, "unit", tails[i].unit);
		add(to, "\n");
	}
}

static void add_entry(struct writer *to, const struct pfm_entry_desc *entry)
{
	add(to, "entry:%s;\tuse:%s;\tsize:%u;", entry->name,
	    use_names[entry->use], entry->size);
	add_text(to, "when", entry->when);
	add_text(to, "with", entry->with);
	if (entry->when || entry->with)
		add(to, "\tis:%llu;", entry->is);
	add(to, "\n");
	add_fields(to, entry->fields, entry->nfields);
	add_tails(to, entry->tails, entry->ntails);
}

static void add_desc(struct writer *to, const struct pfm_format *fmt,
		     const struct pfm_format_desc *desc)
{
	u16 i;

	add(to, "format: %s\nuuid: %pUb\nversion: %u.%u\nlayout: %s\n",
	    fmt->name, fmt->uuid, fmt->version >> 16, fmt->version & 0xffff,
	    layout_names[desc->layout]);
	if (desc->pmu)
		add(to, "pmu: %s\n", desc->pmu);
	if (desc->help)
		add(to, "help: %s\n", desc->help);
	add(to, "argument:\tsize:%zu;\n", fmt->arg_size);
	for (i = 0; i < desc->nargs; i++)
		add_arg(to, &desc->args[i]);
	if (desc->hdr_size)
		add(to, "header:\tsize:%u;\n", desc->hdr_size);
	add_fields(to, desc->hdr, desc->nhdr);
	for (i = 0; i < desc->nentries; i++)
		add_entry(to, &desc->entries[i]);
	/* The file in sysfs ends the last line. */
	to->text[--to->at] = '\0';
}

/**
 * pfm_format_desc_text - check the description of a format, and write it as text
 * @fmt: the format
 *
 * Context: process; may sleep.
 * Return: the text, without the end of its last line, for kfree(); NULL if the format has
 * no description; error pointer -EINVAL if it is wrong, which is logged, -ENOMEM.
 */
char *pfm_format_desc_text(const struct pfm_format *fmt)
{
	struct writer to = { 0 };
	int ret;

	if (!fmt->desc)
		return NULL;
	ret = check_desc(fmt, fmt->desc);
	if (ret)
		return ERR_PTR(ret);
	to.text = kmalloc(TEXT_MAX, GFP_KERNEL);
	if (!to.text)
		return ERR_PTR(-ENOMEM);
	add_desc(&to, fmt, fmt->desc);
	if (to.at < TEXT_MAX - 2)
		return to.text;
	kfree(to.text);
	return ERR_PTR(refuse(fmt, "desc", "does not fit in a page as text"));
}

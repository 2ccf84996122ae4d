// SPDX-License-Identifier: GPL-2.0-only
/*
 * A sampling format with a description that a test has changed for the worse.
 *
 * A word written to /sys/module/desc_test/parameters/command says what is wrong; the write
 * gives the error that the registry gave.  "good" stays registered until "remove".
 */
#include <linux/kernel.h>
#include <linux/limits.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/string.h>
#include <perfmon/format.h>

#include "desc_test.h"

#define UUID                                                                \
	{                                                                   \
		0x7e, 0x57, 0xf0, 0xa7, 0x00, 0x00, 0x40, 0x00, 0x80, 0x00, \
			0x00, 0x00, 0x00, 0x00, 0x00, 0x10                  \
	}

/* One more than each limit, so that a table may be too long. */
static struct pfm_arg_field args[PFM_DESC_ARGS_MAX + 1];
static struct pfm_field hdr[PFM_DESC_FIELDS_MAX + 1];
static struct pfm_field fields[PFM_DESC_FIELDS_MAX + 1];
static struct pfm_field second[PFM_DESC_FIELDS_MAX + 1];
static struct pfm_field tails[PFM_DESC_TAILS_MAX + 1];
static struct pfm_entry_desc entries[PFM_DESC_ENTRIES_MAX + 1];
static struct pfm_format_desc desc;
static struct pfm_format fmt;
/* @fmt is registered, and must not change. */
static bool stays;
static char text[PFM_DESC_TEXT_MAX + 2];

static const struct pfm_arg_field good_args[] = {
	{ PFM_ARG(struct desc_test_arg, size), .dfl = 4096, .min = 64,
	  .max = 1 << 20, .unit = "bytes", .help = "of a lane" },
	{ PFM_ARG(struct desc_test_arg, shift), .dfl = -1, .min = -4,
	  .max = 4 },
	{ PFM_ARG_FLAG("fast", 1, struct desc_test_arg, flags), .dfl = 1 },
	{ PFM_ARG_FLAG("loud", 2, struct desc_test_arg, flags) },
	{ PFM_ARG(struct desc_test_arg, start), .required = true },
	{ PFM_ARG(struct desc_test_arg, below), .dfl = -2, .min = -10,
	  .max = -1 },
	{ PFM_ARG(struct desc_test_arg, above), .max = 7 },
};

static const struct pfm_field good_hdr[] = {
	PFM_FIELD(LOST, struct desc_test_hdr, lost),
	PFM_FIELD(NUMBER, struct desc_test_hdr, fills),
};

static const struct pfm_field good_fields[] = {
	PFM_FIELD(NUMBER, struct desc_test_entry, kind),
	PFM_FIELD(NUMBER, struct desc_test_entry, nr),
	PFM_FIELD(NUMBER, struct desc_test_entry, delta),
	PFM_FIELD(PMD, struct desc_test_entry, pmd),
	PFM_FIELD(SET, struct desc_test_entry, set),
	PFM_FIELD(CODE, struct desc_test_entry, ip),
};

static const struct pfm_field good_tails[] = {
	PFM_TAIL("values", VALUE, PFM_COUNT_SMPL_PMDS),
	PFM_TAIL("frames", STACK, "nr"),
};

static int no_handler(const struct pfm_ovfl *ovfl)
{
	return PFM_CTRL_RESET;
}

static int no_size(u32 flags, const void *arg, size_t *size)
{
	*size = PAGE_SIZE;
	return 0;
}

static void make_good(void)
{
	memcpy(args, good_args, sizeof(good_args));
	memcpy(hdr, good_hdr, sizeof(good_hdr));
	memcpy(fields, good_fields, sizeof(good_fields));
	memcpy(second, good_fields, sizeof(good_fields));
	memcpy(tails, good_tails, sizeof(good_tails));
	memset(entries, 0, sizeof(entries));
	entries[0] = (struct pfm_entry_desc){
		.name = "first",
		.when = "kind",
		.is = 1,
		.fields = fields,
		.nfields = ARRAY_SIZE(good_fields),
		.tails = tails,
		.ntails = ARRAY_SIZE(good_tails),
		.size = sizeof(struct desc_test_entry),
	};
	entries[1] = entries[0];
	entries[1].name = "second";
	entries[1].is = 2;
	entries[1].fields = second;
	desc = (struct pfm_format_desc){
		.help = "a test",
		.pmu = "soft",
		.args = args,
		.nargs = ARRAY_SIZE(good_args),
		.hdr = hdr,
		.nhdr = ARRAY_SIZE(good_hdr),
		.hdr_size = sizeof(struct desc_test_hdr),
		.entries = entries,
		.nentries = 2,
		.layout = PFM_LAYOUT_PARTS,
	};
	fmt = (struct pfm_format){
		.name = "test-desc",
		.uuid = UUID,
		.version = 0x10002,
		.arg_size = sizeof(struct desc_test_arg),
		.getsize = no_size,
		.handler = no_handler,
		.desc = &desc,
		.owner = THIS_MODULE,
	};
	memset(text, 'x', sizeof(text) - 1);
}

/* An array, which is good. */
static void make_array(void)
{
	hdr[1].kind = PFM_KIND_ENTRIES;
	entries[0].when = NULL;
	entries[0].ntails = 0;
	entries[0].use = PFM_USE_TABLE;
	desc.nentries = 1;
	desc.layout = PFM_LAYOUT_ARRAY;
}

/* As many arguments as there may be, each with a text as long as it may be. */
static void make_long(void)
{
	u16 i;

	text[PFM_DESC_TEXT_MAX] = '\0';
	for (i = 0; i < desc.nargs; i++)
		args[i].help = text;
	for (i = 0; i < entries[0].nfields; i++) {
		fields[i].unit = text;
		second[i].unit = text;
		hdr[i % 2].unit = text;
	}
	tails[0].unit = text;
	tails[1].unit = text;
	entries[2] = entries[1];
	entries[2].is = 3;
	entries[2].name = "third";
	desc.nentries = 3;
}

/* The change that a word stands for: an expression for each */
#define WRONG(word, change)                \
	do {                               \
		if (!strcmp(what, word)) { \
			change;            \
			return 0;          \
		}                          \
	} while (0)

static int spoil_args(const char *what)
{
	WRONG("arg-name-null", args[0].name = NULL);
	WRONG("arg-name-empty", args[0].name = "");
	WRONG("arg-name-capital", args[0].name = "Size");
	WRONG("arg-name-latin", args[0].name = "s\344ze");
	WRONG("arg-name-semicolon", args[0].name = "a;b");
	WRONG("arg-name-long",
	      args[0].name = "a2345678901234567890123456789012");
	WRONG("arg-name-twice", args[1].name = args[0].name);
	WRONG("arg-help-newline", args[0].help = "a\nb");
	WRONG("arg-help-semicolon", args[0].help = "a;b");
	WRONG("arg-help-long", args[0].help = text);
	WRONG("arg-unit-tab", args[0].unit = "a\tb");
	WRONG("arg-beyond", args[0].offset = sizeof(struct desc_test_arg));
	WRONG("arg-size-0", args[0].size = 0);
	WRONG("arg-size-3", args[0].size = 3);
	WRONG("arg-size-16", args[0].size = 16);
	WRONG("arg-unaligned", args[0].offset = 4);
	WRONG("arg-overlap", args[4].offset = 0);
	WRONG("arg-overlap-part", args[1].offset = 4);
	WRONG("arg-flag-overlap", args[3].mask = 3);
	WRONG("arg-flag-number", args[2].mask = 0);
	WRONG("arg-flag-wide", args[3].mask = 1ULL << 32);
	WRONG("arg-flag-value", args[2].dfl = 2);
	WRONG("arg-default-small", args[0].dfl = 63);
	WRONG("arg-default-large", args[0].dfl = (1 << 20) + 1);
	WRONG("arg-default-negative", args[1].dfl = -5);
	WRONG("arg-default-wide", args[1].dfl = 1ULL << 40);
	WRONG("arg-bounds", args[0].min = 1 << 21);
	WRONG("arg-bounds-signed", args[6].max = -1);
	WRONG("args-many", desc.nargs = PFM_DESC_ARGS_MAX + 1);
	WRONG("args-null", desc.args = NULL);
	return -ENOTTY;
}

static int spoil_fields(const char *what)
{
	WRONG("field-name", fields[1].name = "a b");
	WRONG("field-name-twice", fields[1].name = fields[0].name);
	WRONG("field-unit", fields[1].unit = "\x7f");
	WRONG("field-beyond",
	      fields[5].offset = sizeof(struct desc_test_entry));
	WRONG("field-far", fields[5].offset = 65528);
	WRONG("field-unaligned", fields[5].offset = 12);
	WRONG("field-overlap", fields[1].offset = fields[0].offset);
	WRONG("field-size", fields[5].size = 5);
	WRONG("field-kind", fields[5].kind = PFM_NUM_KINDS);
	WRONG("field-stack", fields[5].kind = PFM_KIND_STACK);
	WRONG("field-count", fields[5].count = "nr");
	WRONG("field-entries", fields[5].kind = PFM_KIND_ENTRIES);
	WRONG("field-lost", fields[5].kind = PFM_KIND_LOST);
	WRONG("fields-many", entries[0].nfields = PFM_DESC_FIELDS_MAX + 1);
	WRONG("fields-null", entries[0].fields = NULL);
	WRONG("hdr-beyond", hdr[1].offset = sizeof(struct desc_test_hdr));
	WRONG("hdr-many", desc.nhdr = PFM_DESC_FIELDS_MAX + 1);
	WRONG("hdr-null", desc.hdr = NULL);
	WRONG("hdr-odd", desc.hdr_size += 4);
	WRONG("hdr-short-parts", desc.hdr_size -= 8);
	WRONG("hdr-short-linear", desc.layout = PFM_LAYOUT_LINEAR;
	      desc.hdr_size -= 8);
	WRONG("hdr-no-memory", fmt.getsize = NULL; desc.nentries = 0;
	      desc.layout = PFM_LAYOUT_NONE);
	WRONG("tail-name-twice", tails[1].name = tails[0].name);
	WRONG("tail-name-field", tails[1].name = "ip");
	WRONG("tail-offset", tails[1].offset = 8);
	WRONG("tail-size", tails[1].size = 0);
	WRONG("tail-count-null", tails[1].count = NULL);
	WRONG("tail-count-unknown", tails[1].count = "many");
	WRONG("tail-count-signed", tails[1].count = "delta");
	WRONG("tail-no-pmd", fields[3].kind = PFM_KIND_NUMBER);
	WRONG("tail-two-sets", fields[1].kind = PFM_KIND_SET);
	WRONG("tails-many", entries[0].ntails = PFM_DESC_TAILS_MAX + 1);
	return -ENOTTY;
}

static int spoil_entries(const char *what)
{
	WRONG("entry-name", entries[0].name = NULL);
	WRONG("entry-name-twice", entries[1].name = entries[0].name);
	WRONG("entry-size-0", entries[0].size = 0);
	WRONG("entry-size-odd", entries[0].size += 4);
	WRONG("entry-size-large",
	      entries[0].size = PFM_DESC_ENTRY_SIZE_MAX + 8);
	WRONG("entry-use", entries[0].use = PFM_NUM_USES);
	WRONG("entry-alike", entries[1].is = entries[0].is);
	WRONG("entry-untold", entries[1].when = NULL);
	WRONG("entry-when-unknown", entries[1].when = "what");
	WRONG("entry-when-signed", entries[0].when = "delta";
	      entries[1].when = "delta");
	WRONG("entry-when-wide", entries[1].is = 1 << 16);
	WRONG("entry-when-moved", second[0].offset = 24; second[0].size = 1;
	      entries[1].size += 8);
	WRONG("entry-with-unknown", entries[0].with = "what";
	      entries[0].when = NULL);
	WRONG("entry-with-number", entries[0].with = "size";
	      entries[0].when = NULL; entries[1].with = "size";
	      entries[1].when = NULL; entries[0].is = 0; entries[1].is = 1);
	WRONG("entry-only", desc.nentries = 1);
	WRONG("entries-many", desc.nentries = PFM_DESC_ENTRIES_MAX + 1);
	WRONG("entries-none", desc.nentries = 0);
	WRONG("layout", desc.layout = PFM_NUM_LAYOUTS);
	WRONG("layout-none", desc.layout = PFM_LAYOUT_NONE);
	WRONG("layout-no-memory", fmt.getsize = NULL);
	WRONG("layout-entries", hdr[1].kind = PFM_KIND_ENTRIES);
	WRONG("array-uncounted", make_array(); hdr[1].kind = PFM_KIND_NUMBER);
	WRONG("array-twice", make_array(); hdr[0].kind = PFM_KIND_ENTRIES);
	WRONG("array-tails", make_array(); entries[0].ntails = 1);
	WRONG("array-header", make_array(); desc.hdr_size = 20);
	WRONG("name", fmt.name = "test desc");
	WRONG("help", desc.help = text);
	WRONG("pmu", desc.pmu = "a;b");
	WRONG("long", make_long());
	return -ENOTTY;
}

static int spoil(const char *what)
{
	WRONG("nothing", (void)0);
	WRONG("array", make_array());
	WRONG("none", fmt.desc = NULL);
	if (!spoil_args(what) || !spoil_fields(what))
		return 0;
	return spoil_entries(what);
}

static int command_set(const char *val, const struct kernel_param *kp)
{
	char word[32];
	const char *what;
	int ret;

	strscpy(word, val, sizeof(word));
	what = strim(word);
	if (!strcmp(what, "remove")) {
		ret = pfm_unregister_format(&fmt);
		if (!ret)
			stays = false;
		return ret;
	}
	if (stays)
		return -EBUSY;
	make_good();
	if (!strcmp(what, "good")) {
		ret = pfm_register_format(&fmt);
		stays = !ret;
		return ret;
	}
	if (!strcmp(what, "api"))
		return pfm_register_format_api(&fmt, PFM_FORMAT_API - 1);
	ret = spoil(what);
	if (ret)
		return ret;
	ret = pfm_register_format(&fmt);
	if (!ret)
		pfm_unregister_format(&fmt);
	return ret;
}

static const struct kernel_param_ops command_ops = { .set = command_set };
module_param_cb(command, &command_ops, NULL, 0200);
MODULE_PARM_DESC(command, "what is wrong with the description");

static int __init desc_test_init(void)
{
	return 0;
}
module_init(desc_test_init);

static void __exit desc_test_exit(void)
{
	/* -ENOENT unless a test has left it. */
	pfm_unregister_format(&fmt);
}
module_exit(desc_test_exit);

MODULE_DESCRIPTION("perfmon: a description of a format, for its tests");
MODULE_LICENSE("GPL");

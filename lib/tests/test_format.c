// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/*
 * Descriptions of sampling formats: reading them, arguments, and lanes, with valid contents,
 * wrong ones and random bytes.
 */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include <perfmon/perfmon.h>

#include "tap.h"

#define ROOM 8192

/* Like nway, with a signed argument, a required one, and what a later version may have. */
#define HEAD                                                            \
	"format: drawn\n"                                               \
	"uuid: 01234567-89ab-cdef-0011-223344556677\n"                  \
	"version: 2.3\n"                                                \
	"later: a line that nobody knows\n"                             \
	"layout: parts\n"                                               \
	"pmu: soft\n"                                                   \
	"help: entries, drawn: by hand\n"                               \
	"argument:\tsize:32;\n"                                         \
	"\targ:size;\toffset:0;\tsize:8;\tdefault:4096;\tmin:64;"       \
	"\tmax:1048576;\tunit:bytes;\thelp:of a lane: all of it;\n"     \
	"\targ:shift;\toffset:8;\tsize:4;\tsigned:1;\tdefault:-1;"      \
	"\tmin:-4;\tmax:4;\n"                                           \
	"\targ:fast;\toffset:12;\tsize:4;\tmask:0x1;\tdefault:1;\n"     \
	"\targ:loud;\toffset:12;\tsize:4;\tmask:0x6;\tdefault:0;\n"     \
	"\targ:start;\toffset:16;\tsize:8;\trequired:1;\tcolour:red;\n" \
	"\targ:small;\toffset:24;\tsize:1;\tdefault:0;\n"               \
	"header:\tsize:128;\n"                                          \
	"\tfield:lost;\toffset:64;\tsize:8;\tkind:lost;\n"

#define ENTRY_FIELDS                                                    \
	"\tfield:kind;\toffset:0;\tsize:2;\tkind:number;\n"             \
	"\tfield:nr;\toffset:2;\tsize:1;\tkind:colour;\n"               \
	"\tfield:delta;\toffset:4;\tsize:4;\tsigned:1;\tkind:number;\n" \
	"\tfield:pmd;\toffset:8;\tsize:2;\tkind:pmd;\n"                 \
	"\tfield:set;\toffset:10;\tsize:2;\tkind:set;\n"                \
	"\tfield:ip;\toffset:16;\tsize:8;\tkind:code;\tunit:address;\n"

#define DRAWN                                                                      \
	HEAD "entry:one;\tuse:stream;\tsize:24;\twhen:kind;\tis:1;\n" ENTRY_FIELDS \
	     "\ttail:values;\tsize:8;\tkind:value;\tcount:smpl_pmds;\n"            \
	     "\ttail:frames;\tsize:4;\tkind:stack;\tcount:nr;\n"                   \
	     "entry:two;\tuse:histogram;\tsize:32;\twhen:kind;\tis:2;\n" ENTRY_FIELDS

#define CHOSEN                                                                     \
	HEAD "entry:one;\tuse:stream;\tsize:24;\twith:loud;\tis:0;\n" ENTRY_FIELDS \
	     "entry:two;\tuse:stream;\tsize:32;\twith:loud;\tis:1;\n" ENTRY_FIELDS

#define LINEAR                                                 \
	"format: line\nlayout: linear\nargument:\tsize:0;\n"   \
	"header:\tsize:128;\n"                                 \
	"\tfield:hdr_lost;\toffset:48;\tsize:8;\tkind:lost;\n" \
	"entry:sample;\tuse:stream;\tsize:16;\n"               \
	"\tfield:ip;\toffset:8;\tsize:8;\tkind:code;\n"

#define ARRAY                                                \
	"format: array\nlayout: array\nargument:\tsize:0;\n" \
	"header:\tsize:16;\n"                                \
	"\tfield:used;\toffset:0;\tsize:4;\tkind:entries;\n" \
	"\tfield:seen;\toffset:8;\tsize:8;\tkind:seen;\n"    \
	"entry:slot;\tuse:table;\tsize:16;\n"                \
	"\tfield:ip;\toffset:8;\tsize:8;\tkind:code;\n"

static char *page_end;
static _Alignas(8) char lane[ROOM];

/* Two registers sample, with two values and with none. */
static const struct pfm_pmd_attr attrs[] = {
	{ .num = 31, .smpl_pmds = { 0x3 } },
	{ .num = 4 },
};

#define NATTRS 2

/* Memory in front of an inaccessible page: reading one byte too many crashes. */
static void *at_end(const void *data, size_t size)
{
	memcpy(page_end - size, data, size);
	return page_end - size;
}

static struct pfm_format *parse(const char *text)
{
	struct pfm_format *format = NULL;
	const int ret = pfm_format_parse(text, strlen(text), &format);

	if (ret)
		printf("# pfm_format_parse: %d\n", ret);
	return format;
}

static void test_uuid(void)
{
	static const char text[] = "01234567-89ab-cdef-0011-22334455Ee77";
	uint8_t uuid[PFM_UUID_LEN] = { 0 };

	is_num(pfm_format_uuid(text, uuid), 0, "a UUID");
	ok(uuid[0] == 1 && uuid[7] == 0xef && uuid[14] == 0xee, "its bytes");
	is_num(pfm_format_uuid("01234567-89ab-cdef-0011-2233445566", uuid),
	       -EINVAL, "a UUID that is too short");
	is_num(pfm_format_uuid("01234567-89ab-cdef-0011-2233445566778", uuid),
	       -EINVAL, "one that is too long");
	is_num(pfm_format_uuid("0123456789abcdef00112233445566778899", uuid),
	       -EINVAL, "one without dashes");
	is_num(pfm_format_uuid("callstack", uuid), -EINVAL, "a name");
	is_num(pfm_format_uuid("", uuid), -EINVAL, "nothing");
}

static void test_parse(void)
{
	struct pfm_format *format = parse(DRAWN);
	const struct pfm_format_info *info = pfm_format_info(format);
	const struct pfm_format_field *field;
	const struct pfm_format_arg *arg;

	is_text(info->name, "drawn", "name");
	is_text(info->pmu, "soft", "PMU");
	is_text(info->help, "entries, drawn: by hand", "help with a colon");
	is_num(info->uuid[15], 0x77, "UUID");
	is_num(info->version, 0x20003, "version");
	is_num(info->layout, PFM_FORMAT_PARTS, "layout");
	is_num(info->arg_size, 32, "size of the argument");
	is_num(info->args, 6, "fields of the argument");
	is_num(info->hdr_size, 128, "size of the header");
	is_num(info->fields, 1, "fields of the header");
	is_num(info->entries, 2, "types of entries");
	arg = pfm_format_arg(format, 0);
	is_text(arg->unit, "bytes", "unit");
	is_text(arg->help, "of a lane: all of it", "help of an argument");
	is_num(arg->max, 1048576, "largest value");
	arg = pfm_format_arg(format, 1);
	is_num(arg->dfl, -1, "negative default");
	is_num(arg->min, -4, "negative bound");
	is_num(arg->flags, PFM_FORMAT_SIGNED, "signed");
	is_num(pfm_format_arg(format, 3)->mask, 6, "mask");
	arg = pfm_format_arg(format, 4);
	is_num(arg->flags, PFM_FORMAT_REQUIRED, "required");
	is_num(arg->max, UINT64_MAX, "no bound");
	is_num(pfm_format_arg(format, 5)->max, 255, "bound of the type");
	ok(!pfm_format_arg(format, 6), "no further argument");
	is_num(pfm_format_header(format, 0)->kind, PFM_FORMAT_LOST,
	       "field of the header");
	ok(!pfm_format_header(format, 1), "no further one");
	is_num(pfm_format_entry(format, 0)->fields, 6, "fields of an entry");
	is_num(pfm_format_entry(format, 0)->tails, 2, "its tails");
	is_num(pfm_format_entry(format, 1)->use, PFM_FORMAT_HISTOGRAM, "use");
	ok(!pfm_format_entry(format, 2), "no further entry");
	field = pfm_format_field(format, 0, 1);
	is_num(field->kind, PFM_FORMAT_NUMBER, "kind of a later version");
	field = pfm_format_field(format, 0, 5);
	is_num(field->offset, 16, "offset");
	is_text(field->unit, "address", "unit of a field");
	ok(!pfm_format_field(format, 0, 6) && !pfm_format_field(format, 2, 0),
	   "no further field");
	is_text(pfm_format_tail(format, 0, 1)->count, "nr", "count of a tail");
	ok(!pfm_format_tail(format, 0, 2) && !pfm_format_tail(format, 1, 0),
	   "no further tail");
	pfm_format_free(format);
	pfm_format_free(NULL);
	is_num(pfm_format_read("no/such", &format), -ENOENT, "a path");
	is_num(pfm_format_read("no such format", &format), -ENOENT,
	       "a format that is not there");
	is_num(pfm_format_read("fedcba98-0000-0000-0000-000000000000", &format),
	       -ENOENT, "a UUID that is not there");
}

/* Changes that make a description wrong: a text of it, and the text in its place */
static const struct {
	const char *what, *from, *to;
} wrong[] = {
	{ "no name", "format: drawn", "former: drawn" },
	{ "an empty name", "format: drawn", "format: " },
	{ "UUID", "uuid: 01", "uuid: x1" },
	{ "version without minor", "version: 2.3", "version: 2" },
	{ "version that is no number", "version: 2.3", "version: 2.x" },
	{ "size of the argument", "argument:\tsize:32;",
	  "argument:\tsize:-1;" },
	{ "no size of the argument", "argument:\tsize:32;", "argument:\t;" },
	{ "huge argument", "argument:\tsize:32;",
	  "argument:\tsize:4294967328;" },
	{ "argument beyond", "offset:24;\tsize:1;", "offset:32;\tsize:1;" },
	{ "argument far beyond", "offset:24;\tsize:1;",
	  "offset:18446744073709551615;\tsize:1;" },
	{ "argument of 3 bytes", "offset:24;\tsize:1;", "offset:24;\tsize:3;" },
	{ "unaligned argument", "offset:16;\tsize:8;", "offset:12;\tsize:8;" },
	{ "default that is no number", "default:4096", "default:many" },
	{ "header", "header:\tsize:128;", "header:\tsize:71;" },
	{ "size of an entry", "size:24;\twhen", "size:20;\twhen" },
	{ "empty entry", "size:24;\twhen", "size:0;\twhen" },
	{ "field beyond", "size:24;\twhen", "size:16;\twhen" },
	{ "unknown field that tells types apart", "when:kind;\tis:2",
	  "when:kin;\tis:2" },
	{ "unknown flag that tells types apart", "when:kind;\tis:2",
	  "with:kin;\tis:2" },
	{ "number that tells types apart", "when:kind;\tis:2",
	  "with:size;\tis:2" },
	{ "types that nothing tells apart", "when:kind;\tis:2;", "" },
	{ "tail that nothing counts", "count:nr", "count:many" },
	{ "tail without count", "\tcount:nr;", "" },
	{ "tail of 3 bytes", "size:4;\tkind:stack", "size:3;\tkind:stack" },
	{ "values without register", "kind:pmd", "kind:cpu" },
	{ "number of more than 64 bits", "default:4096",
	  "default:18446744073709551616" },
	{ "another size of the argument", "header:\tsize:128;",
	  "argument:\tsize:8;\nheader:\tsize:128;" },
	{ "another size of the header", "entry:one",
	  "header:\tsize:64;\nentry:one" },
};

/* With the first occurrence of a text replaced. */
static char *replaced(const char *text, const char *from, const char *to)
{
	const char *at = strstr(text, from);
	char *made = NULL;

	if (!at || asprintf(&made, "%.*s%s%s", (int)(at - text), text, to,
			    at + strlen(from)) < 0)
		return NULL;
	return made;
}

static void test_wrong(void)
{
	struct pfm_format *format;
	unsigned int i;
	char *text;

	for (i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		format = NULL;
		text = replaced(DRAWN, wrong[i].from, wrong[i].to);
		is_num(text ? pfm_format_parse(text, strlen(text), &format) : 1,
		       -EBADMSG, wrong[i].what);
		pfm_format_free(format);
		free(text);
	}
	is_num(pfm_format_parse("format: a\0b\n", 12, &format), -EBADMSG,
	       "a zero byte");
	is_num(pfm_format_parse("", 0, &format), -EBADMSG, "nothing");
	text = replaced(ARRAY, "kind:entries", "kind:number");
	is_num(pfm_format_parse(text, strlen(text), &format), -EBADMSG,
	       "an array without number of entries");
	free(text);
}

static size_t put_entry(char *to, uint16_t kind, uint8_t nr, uint16_t pmd)
{
	static const uint64_t values[2] = { 100, 200 };
	const int32_t delta = -7;
	const uint64_t ip = 0x1000 + pmd;
	size_t size = kind == 1 ? 24 : 32;
	uint32_t i;

	memset(to, 0, size);
	memcpy(to, &kind, sizeof(kind));
	memcpy(to + 2, &nr, sizeof(nr));
	memcpy(to + 4, &delta, sizeof(delta));
	memcpy(to + 8, &pmd, sizeof(pmd));
	memcpy(to + 16, &ip, sizeof(ip));
	if (kind != 1)
		return size;
	if (pmd == 31) {
		memcpy(to + size, values, sizeof(values));
		size += sizeof(values);
	}
	for (i = 1; i <= nr; i++) {
		memcpy(to + size, &i, sizeof(i));
		size += sizeof(i);
	}
	return (size + 7) & ~7UL;
}

/* Part 1 is full, and has three entries; part 2 has one. */
static size_t make_parts(void)
{
	struct pfm_nway_hdr *hdr = (void *)lane;
	struct pfm_nway_part *part;

	memset(lane, 0, sizeof(lane));
	hdr->version = 0x990000;
	hdr->parts = 2;
	hdr->part_offs = sizeof(*hdr);
	hdr->part_size = 512;
	hdr->part_room = 512;
	hdr->filled = 1;
	hdr->lost = 12;
	part = (void *)(lane + 128);
	part->seq = 1;
	part->count = 3;
	part->cur_offs = 128;
	part->cur_offs += put_entry((char *)part + part->cur_offs, 1, 3, 31);
	part->cur_offs += put_entry((char *)part + part->cur_offs, 2, 0, 31);
	part->cur_offs += put_entry((char *)part + part->cur_offs, 1, 0, 4);
	part = (void *)(lane + 128 + 512);
	part->seq = 2;
	part->count = 1;
	part->cur_offs = 128;
	part->cur_offs += put_entry((char *)part + part->cur_offs, 2, 0, 4);
	return 128 + 2 * 512;
}

/* Reads a lane in front of the inaccessible page, of which the format may say anything. */
static void read_any(const struct pfm_format *format, size_t size)
{
	static char arg[ROOM];
	struct pfm_format_reader reader;
	struct pfm_format_record record;
	uint64_t sum;

	pfm_format_arg_init(format, arg);
	if (pfm_format_begin(&reader, format, arg, attrs, NATTRS,
			     at_end(lane, size), size))
		return;
	while (pfm_format_next(&reader, UINT64_MAX, &record) == 1)
		;
	pfm_format_sum(&reader, PFM_FORMAT_LOST, &sum);
}

/* Descriptions of random changes: nothing crashes, and what is taken can be read. */
static void test_random_text(void)
{
	static const char chars[] = "\t\n:;0189-xkse";
	char text[] = DRAWN;
	struct pfm_format *format;
	const size_t size = make_parts();
	unsigned int round, i, taken = 0;

	srandom(1);
	for (round = 0; round < 20000; round++) {
		strcpy(text, DRAWN);
		for (i = 0; i <= round % 4; i++)
			text[random() % (sizeof(text) - 1)] =
				chars[random() % (sizeof(chars) - 1)];
		if (pfm_format_parse(text, sizeof(text) - 1 - random() % 9,
				     &format))
			continue;
		taken++;
		if (pfm_format_info(format)->arg_size <= ROOM)
			read_any(format, size);
		pfm_format_free(format);
	}
	ok(taken && taken < round, "random descriptions");
}

struct drawn_arg {
	uint64_t size;
	int32_t shift;
	uint32_t flags;
	uint64_t start;
	uint8_t small;
};

static void test_args(void)
{
	struct pfm_format *format = parse(DRAWN);
	struct drawn_arg arg;

	memset(&arg, 0xff, sizeof(arg));
	pfm_format_arg_init(format, &arg);
	ok(arg.size == 4096 && arg.shift == -1 && arg.flags == 1 &&
		   !arg.start && !arg.small,
	   "defaults");
	is_num(pfm_format_arg_set(format, &arg, 0, "0x100"), 0, "hexadecimal");
	is_num(arg.size, 256, "its value");
	is_num(pfm_format_arg_set(format, &arg, 0, "64k"), 0, "suffix");
	is_num(arg.size, 65536, "its value");
	is_num(pfm_format_arg_set(format, &arg, 0, "1M"), 0, "the largest");
	is_num(pfm_format_arg_set(format, &arg, 0, "2M"), -ERANGE, "too large");
	is_num(pfm_format_arg_set(format, &arg, 0, "63"), -ERANGE, "too small");
	is_num(pfm_format_arg_set(format, &arg, 0, "-64"), -ERANGE, "negative");
	is_num(arg.size, 1 << 20, "refused values change nothing");
	is_num(pfm_format_arg_set(format, &arg, 0, ""), -EINVAL, "no value");
	is_num(pfm_format_arg_set(format, &arg, 0, "k"), -EINVAL, "no digits");
	is_num(pfm_format_arg_set(format, &arg, 0, "1 "), -EINVAL, "a blank");
	is_num(pfm_format_arg_set(format, &arg, 0, "many"), -EINVAL, "a word");
	is_num(pfm_format_arg_set(format, &arg, 1, "-4"), 0, "signed");
	is_num(arg.shift, -4, "its value");
	is_num(pfm_format_arg_set(format, &arg, 1, "-5"), -ERANGE,
	       "too small, signed");
	is_num(pfm_format_arg_set(format, &arg, 1, "9223372036854775808"),
	       -ERANGE, "too large for a sign");
	is_num(pfm_format_arg_set(format, &arg, 3, "yes"), 0, "flag");
	is_num(arg.flags, 7, "its bits");
	is_num(pfm_format_arg_set(format, &arg, 2, "no"), 0, "no flag");
	is_num(arg.flags, 6, "the bits of others stay");
	is_num(pfm_format_arg_set(format, &arg, 2, "2"), -EINVAL,
	       "a flag of 2");
	is_num(pfm_format_arg_set(format, &arg, 4, "0xffffffffffffffff"), 0,
	       "the largest number");
	is_num(pfm_format_arg_set(format, &arg, 4, "18446603336221196288"), 0,
	       "a decimal number with the highest bit");
	is_num(arg.start, 0xffff800000000000, "its value");
	is_num(pfm_format_arg_set(format, &arg, 4, "18446744073709551616"),
	       -ERANGE, "more than 64 bits");
	is_num(pfm_format_arg_set(format, &arg, 4, "0x10000000000000000"),
	       -ERANGE, "more than 64 bits, hexadecimal");
	is_num(pfm_format_arg_set(format, &arg, 4, "17179869184G"), -ERANGE,
	       "a suffix too large");
	is_num(pfm_format_arg_set(format, &arg, 5, "256"), -ERANGE,
	       "too large for its bytes");
	is_num(pfm_format_arg_set(format, &arg, 6, "1"), -ENOENT,
	       "no such field");
	pfm_format_free(format);
	format = parse("format: wide\nargument:\tsize:8;\n"
		       "\targ:n;\toffset:0;\tsize:8;\tsigned:1;\tdefault:0;\n");
	is_num(pfm_format_arg_set(format, &arg, 0, "-9223372036854775808"), 0,
	       "the smallest number");
	is_num(arg.size, INT64_MIN, "its value");
	is_num(pfm_format_arg_set(format, &arg, 0, "-9223372036854775809"),
	       -ERANGE, "one that is smaller");
	pfm_format_free(format);
}

static void test_parts(void)
{
	struct pfm_format *format = parse(DRAWN);
	struct pfm_format_reader reader;
	struct pfm_format_record record;
	size_t size = make_parts();
	struct drawn_arg arg;
	uint64_t sum;

	pfm_format_arg_init(format, &arg);
	is_num(pfm_format_begin(&reader, format, &arg, attrs, NATTRS,
				at_end(lane, size), size),
	       0, "parts, of any version");
	is_num(pfm_format_next(&reader, 1, &record), 1, "an entry");
	is_num(record.type, 0, "its type");
	is_num(record.size, 24 + 16 + 16, "its size, which is rounded up");
	is_num(record.elements[0], 2, "its values");
	is_num(pfm_format_value(pfm_format_tail(format, 0, 0),
				(const char *)record.tails[0] + 8),
	       200, "one of them");
	is_num(record.elements[1], 3, "the other tail");
	is_num(pfm_format_value(pfm_format_tail(format, 0, 1),
				(const char *)record.tails[1] + 8),
	       3, "its last element");
	is_num(pfm_format_value(pfm_format_field(format, 0, 2), record.at), -7,
	       "signed field");
	is_num(pfm_format_value(pfm_format_field(format, 0, 5), record.at),
	       0x1000 + 31, "field");
	is_num(pfm_format_next(&reader, 1, &record), 1, "another entry");
	ok(record.type == 1 && record.size == 32, "of the other type");
	is_num(pfm_format_next(&reader, 1, &record), 1, "without values");
	ok(!record.elements[0] && !record.elements[1] && record.size == 24,
	   "no tails");
	is_num(pfm_format_next(&reader, 1, &record), 0, "the part ends");
	is_num(pfm_sample_parts_done(&reader.parts), 1, "it can be released");
	is_num(pfm_format_next(&reader, UINT64_MAX, &record), 1,
	       "the part that is being filled");
	is_num(pfm_format_next(&reader, UINT64_MAX, &record), 0, "the end");
	is_num(pfm_format_sum(&reader, PFM_FORMAT_LOST, &sum), 0, "losses");
	is_num(sum, 12, "how many");
	is_num(pfm_format_sum(&reader, PFM_FORMAT_SEEN, &sum), -ENODATA,
	       "what the header does not have");
	is_num(pfm_format_full(&reader), 0, "not a linear lane");
	pfm_format_free(format);
}

static void test_chosen(void)
{
	struct pfm_format *format = parse(CHOSEN);
	struct pfm_format_reader reader;
	struct pfm_format_record record;
	size_t size = make_parts();
	struct drawn_arg arg;

	pfm_format_arg_init(format, &arg);
	pfm_format_begin(&reader, format, &arg, attrs, NATTRS, lane, size);
	pfm_format_next(&reader, 1, &record);
	is_num(record.type, 0, "the argument says the type");
	arg.flags = 6;
	pfm_format_begin(&reader, format, &arg, attrs, NATTRS, lane, size);
	pfm_format_next(&reader, 1, &record);
	is_num(record.type, 1, "another argument, another type");
	pfm_format_free(format);
}

static void test_linear(void)
{
	struct pfm_format *format = parse(LINEAR);
	struct pfm_default_hdr *hdr = (void *)lane;
	struct pfm_format_reader reader;
	struct pfm_format_record record;

	memset(lane, 0, sizeof(lane));
	hdr->hdr_buf_size = 168;
	hdr->hdr_count = 2;
	hdr->hdr_cur_offs = 160;
	hdr->hdr_min_buf_space = 16;
	lane[128 + 8] = 5;
	is_num(pfm_format_begin(&reader, format, NULL, NULL, 0, lane, 168), 0,
	       "a linear lane");
	is_num(pfm_format_next(&reader, 0, &record), 1, "its first entry");
	is_num(pfm_format_value(pfm_format_field(format, 0, 0), record.at), 5,
	       "a field of it");
	is_num(pfm_format_next(&reader, 0, &record), 1, "its second entry");
	is_num(pfm_format_next(&reader, 0, &record), 0, "no more");
	is_num(pfm_format_full(&reader), 1, "it is full");
	hdr->hdr_cur_offs = 144;
	is_num(pfm_format_full(&reader), 0, "it is not");
	hdr->hdr_count = 1;
	pfm_format_restarted(&reader);
	is_num(pfm_format_next(&reader, 0, &record), 1, "after a restart");
	hdr->hdr_cur_offs = 136;
	pfm_format_restarted(&reader);
	is_num(pfm_format_next(&reader, 0, &record), -EBADMSG, "half an entry");
	hdr->hdr_cur_offs = 1 << 20;
	is_num(pfm_format_next(&reader, 0, &record), -EBADMSG,
	       "entries beyond the lane");
	hdr->hdr_buf_size = 169;
	is_num(pfm_format_begin(&reader, format, NULL, NULL, 0, lane, 168),
	       -EBADMSG, "a lane that is larger than it is");
	is_num(pfm_format_begin(&reader, format, NULL, NULL, 0, lane, 64),
	       -EBADMSG, "a lane without room for its header");
	pfm_format_free(format);
}

static void test_array(void)
{
	struct pfm_format *format = parse(ARRAY);
	struct pfm_format_reader reader;
	struct pfm_format_record record;
	uint64_t sum;

	memset(lane, 0, sizeof(lane));
	lane[0] = 2;
	lane[8] = 77;
	lane[16 + 16 + 8] = 9;
	is_num(pfm_format_begin(&reader, format, NULL, NULL, 0,
				at_end(lane, 48), 48),
	       0, "an array");
	is_num(pfm_format_next(&reader, 0, &record), 1, "its first entry");
	is_num(pfm_format_next(&reader, 0, &record), 1, "its second entry");
	is_num(pfm_format_value(pfm_format_field(format, 0, 0), record.at), 9,
	       "a field of it");
	is_num(pfm_format_next(&reader, 0, &record), 0, "no more");
	pfm_format_sum(&reader, PFM_FORMAT_SEEN, &sum);
	is_num(sum, 77, "samples seen");
	lane[0] = 3;
	pfm_format_begin(&reader, format, NULL, NULL, 0, at_end(lane, 48), 48);
	is_num(pfm_format_next(&reader, 0, &record), -EBADMSG,
	       "entries beyond the lane");
	pfm_format_free(format);
	format = parse("format: none\nlayout: none\nargument:\tsize:0;\n");
	is_num(pfm_format_begin(&reader, format, NULL, NULL, 0, lane, 48),
	       -EOPNOTSUPP, "no layout");
	pfm_format_free(format);
}

/* Lanes of random bytes: nothing beyond them is read. */
static void test_random(const char *text, size_t (*make)(void),
			const char *what)
{
	struct pfm_format *format = parse(text);
	struct pfm_format_reader reader;
	struct pfm_format_record record;
	struct drawn_arg arg;
	unsigned int round, i, n;
	size_t size;
	char *at;

	srandom(2);
	pfm_format_arg_init(format, &arg);
	for (round = 0; round < 20000; round++) {
		size = make();
		for (i = 0; i <= round % 8; i++)
			lane[random() % (random() % 2 ? 256 : size)] = random();
		at = at_end(lane, size);
		if (pfm_format_begin(&reader, format, &arg, attrs, NATTRS, at,
				     size))
			continue;
		for (n = 0; n < 1000 &&
			    pfm_format_next(&reader, UINT64_MAX, &record) == 1;
		     n++)
			if ((const char *)record.at < at ||
			    (const char *)record.at + record.size > page_end)
				break;
		if (n == 1000)
			break;
		pfm_format_full(&reader);
	}
	is_num(round, 20000, what);
	pfm_format_free(format);
}

static size_t make_array(void)
{
	memset(lane, 0, 48);
	lane[0] = 2;
	return 48;
}

static size_t make_linear(void)
{
	struct pfm_default_hdr *hdr = (void *)lane;

	memset(lane, 0, 256);
	hdr->hdr_buf_size = 168;
	hdr->hdr_count = 2;
	hdr->hdr_cur_offs = 160;
	return 168;
}

int main(void)
{
	const size_t page = sysconf(_SC_PAGESIZE);
	const size_t room = (ROOM + page - 1) / page * page;

	page_end = mmap(NULL, room + page, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (page_end == MAP_FAILED)
		return 1;
	page_end += room;
	mprotect(page_end, page, PROT_NONE);
	test_uuid();
	test_parse();
	test_wrong();
	test_random_text();
	test_args();
	test_parts();
	test_chosen();
	test_linear();
	test_array();
	test_random(DRAWN, make_parts, "random lanes in parts");
	test_random(LINEAR, make_linear, "random linear lanes");
	test_random(ARRAY, make_array, "random arrays");
	return tap_end();
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Descriptions of sampling formats: each says what the headers say, and wrong ones are
 * refused.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <linux/perfmon_callstack.h>
#include <linux/perfmon_default.h>
#include <linux/perfmon_ibs.h>
#include <linux/perfmon_nway.h>

#include "kselftest_harness.h"
#include "module.h"
#include "modules/desc_test.h"
#include "sysfs.h"

#define TEXT_ROOM 8192
#define COMMAND	  "/sys/module/desc_test/parameters/command"

static char text[TEXT_ROOM];

static int read_desc(const char *format)
{
	char name[128];

	snprintf(name, sizeof(name), "formats/%s/format", format);
	return sysfs_text(name, text, sizeof(text));
}

/*
 * The number of lines with this text in the section, which begins with a line that has no
 * indentation.
 */
static int count_lines(const char *section, const char *line)
{
	const char *at, *end;
	bool inside = false;
	int found = 0;

	for (at = text; *at; at = end + 1) {
		end = strchr(at, '\n');
		if (!end)
			return -1;
		if (*at != '\t')
			inside = !strncmp(at, section, strlen(section));
		else if (inside && !strncmp(at, line, strlen(line)))
			found++;
	}
	return found;
}

/* Bytes that the fields of a section cover. */
static size_t covered(const char *section)
{
	bool inside = false;
	const char *at, *end;
	char name[64];
	unsigned int offset, size;
	size_t sum = 0;

	for (at = text; *at; at = end + 1) {
		end = strchr(at, '\n');
		if (!end)
			return 0;
		if (*at != '\t')
			inside = !strncmp(at, section, strlen(section));
		else if (inside &&
			 sscanf(at, "\tfield:%63[^;];\toffset:%u;\tsize:%u;",
				name, &offset, &size) == 3)
			sum += size;
	}
	return sum;
}

/* A member of a structure is a field of that section, at its place, and of its kind. */
#define EXPECT_FIELD(section, type, member, kind)                         \
	do {                                                              \
		char line[192];                                           \
		snprintf(line, sizeof(line),                              \
			 "\tfield:%s;\toffset:%zu;\tsize:%zu;\tkind:%s;", \
			 #member, offsetof(type, member),                 \
			 sizeof(((type *)0)->member), kind);              \
		EXPECT_EQ(1, count_lines(section, line))                  \
		{                                                         \
			TH_LOG("%s: not there: %s", section, line);       \
		}                                                         \
	} while (0)

#define EXPECT_ARG(name, type, member)                                         \
	do {                                                                   \
		char line[192];                                                \
		snprintf(line, sizeof(line),                                   \
			 "\targ:%s;\toffset:%zu;\tsize:%zu;", name,            \
			 offsetof(type, member), sizeof(((type *)0)->member)); \
		EXPECT_EQ(1, count_lines("argument:", line))                   \
		{                                                              \
			TH_LOG("argument: not there: %s", line);               \
		}                                                              \
	} while (0)

#define EXPECT_HAS(what)                               \
	do {                                           \
		EXPECT_NE(NULL, strstr(text, what))    \
		{                                      \
			TH_LOG("not there: %s", what); \
		}                                      \
	} while (0)

#define EXPECT_TAIL(section, name, kind, count)                            \
	do {                                                               \
		EXPECT_EQ(1, count_lines(section, "\ttail:" name           \
						  ";\tsize:8;\tkind:" kind \
						  ";\tcount:" count ";")); \
	} while (0)

/* The fields with which entries of several formats begin */
#define EXPECT_SAMPLE(section, type)                                  \
	do {                                                          \
		EXPECT_FIELD(section, type, tid, "tid");              \
		EXPECT_FIELD(section, type, ovfl_pmd, "pmd");         \
		EXPECT_FIELD(section, type, last_reset_val, "reset"); \
		EXPECT_FIELD(section, type, ip, "code");              \
		EXPECT_FIELD(section, type, tstamp, "time");          \
		EXPECT_FIELD(section, type, cpu, "cpu");              \
		EXPECT_FIELD(section, type, set, "set");              \
		EXPECT_FIELD(section, type, pid, "pid");              \
	} while (0)

#define EXPECT_PARTS()                                                      \
	do {                                                                \
		EXPECT_FIELD("header:", struct pfm_nway_hdr, filled,        \
			     "number");                                     \
		EXPECT_FIELD("header:", struct pfm_nway_hdr, released,      \
			     "number");                                     \
		EXPECT_FIELD("header:", struct pfm_nway_hdr, samples,       \
			     "number");                                     \
		EXPECT_FIELD("header:", struct pfm_nway_hdr, lost, "lost"); \
	} while (0)

TEST(format_default)
{
	char line[64];

	ASSERT_EQ(0, read_desc("default"));
	EXPECT_HAS(
		"format: default\nuuid: 4d72bec0-0664-4143-82b4-d3fd27243c97\nversion: 1.1\n");
	EXPECT_HAS("\nlayout: linear\n");
	snprintf(line, sizeof(line), "\nargument:\tsize:%zu;\n",
		 sizeof(struct pfm_default_arg));
	EXPECT_HAS(line);
	EXPECT_ARG("buf_size", struct pfm_default_arg, buf_size);
	EXPECT_HAS("\nheader:\tsize:128;\n");
	EXPECT_FIELD("header:", struct pfm_default_hdr, hdr_count, "number");
	EXPECT_FIELD("header:", struct pfm_default_hdr, hdr_lost, "lost");
	EXPECT_HAS("\nentry:sample;\tuse:stream;\tsize:40;\n");
	EXPECT_SAMPLE("entry:sample", struct pfm_default_entry);
	EXPECT_TAIL("entry:sample", "values", "value", "smpl_pmds");
	EXPECT_EQ(sizeof(struct pfm_default_entry), covered("entry:sample"));
}

TEST(format_nway)
{
	LOAD_OR_SKIP("perfmon_nway");
	ASSERT_EQ(0, read_desc("nway"));
	EXPECT_HAS("\nlayout: parts\n");
	EXPECT_ARG("part_size", struct pfm_nway_arg, part_size);
	EXPECT_ARG("parts", struct pfm_nway_arg, parts);
	EXPECT_ARG("drop", struct pfm_nway_arg, flags);
	EXPECT_PARTS();
	EXPECT_SAMPLE("entry:sample", struct pfm_default_entry);
	EXPECT_TAIL("entry:sample", "values", "value", "smpl_pmds");
}

TEST(format_callstack)
{
	LOAD_OR_SKIP("perfmon_callstack");
	ASSERT_EQ(0, read_desc("callstack"));
	EXPECT_HAS("\nheader:\tsize:256;\n");
	EXPECT_PARTS();
	EXPECT_FIELD("header:", struct pfm_callstack_hdr, weight, "number");
	EXPECT_ARG("depth", struct pfm_callstack_arg, depth);
	EXPECT_ARG("drop", struct pfm_callstack_arg, flags);
	EXPECT_ARG("aggregate", struct pfm_callstack_arg, flags);
	EXPECT_HAS(
		"\nentry:sample;\tuse:stream;\tsize:48;\twith:aggregate;\tis:0;\n");
	EXPECT_HAS(
		"\nentry:stack;\tuse:histogram;\tsize:64;\twith:aggregate;\tis:1;\n");
	EXPECT_SAMPLE("entry:sample", struct pfm_callstack_entry);
	EXPECT_FIELD("entry:sample", struct pfm_callstack_entry, nr_vals,
		     "number");
	EXPECT_FIELD("entry:sample", struct pfm_callstack_entry, nr_kernel,
		     "number");
	EXPECT_FIELD("entry:sample", struct pfm_callstack_entry, nr_user,
		     "number");
	EXPECT_FIELD("entry:sample", struct pfm_callstack_entry, flags, "bits");
	EXPECT_EQ(sizeof(struct pfm_callstack_entry) - sizeof(uint16_t),
		  covered("entry:sample"));
	EXPECT_TAIL("entry:sample", "values", "value", "nr_vals");
	EXPECT_TAIL("entry:sample", "kernel", "stack", "nr_kernel");
	EXPECT_TAIL("entry:sample", "user", "stack", "nr_user");
	EXPECT_FIELD("entry:stack", struct pfm_callstack_record, count,
		     "count");
	EXPECT_FIELD("entry:stack", struct pfm_callstack_record, weight,
		     "period");
	EXPECT_FIELD("entry:stack", struct pfm_callstack_record, first, "time");
	EXPECT_FIELD("entry:stack", struct pfm_callstack_record, start,
		     "number");
	EXPECT_FIELD("entry:stack", struct pfm_callstack_record, eventid,
		     "event");
	EXPECT_FIELD("entry:stack", struct pfm_callstack_record, pid, "pid");
	EXPECT_FIELD("entry:stack", struct pfm_callstack_record, exec,
		     "number");
	EXPECT_FIELD("entry:stack", struct pfm_callstack_record, pmd, "pmd");
	EXPECT_FIELD("entry:stack", struct pfm_callstack_record, set, "set");
	EXPECT_FIELD("entry:stack", struct pfm_callstack_record, nr_kernel,
		     "number");
	EXPECT_FIELD("entry:stack", struct pfm_callstack_record, nr_user,
		     "number");
	EXPECT_FIELD("entry:stack", struct pfm_callstack_record, flags, "bits");
	EXPECT_EQ(sizeof(struct pfm_callstack_record) - 3 * sizeof(uint16_t),
		  covered("entry:stack"));
	EXPECT_TAIL("entry:stack", "kernel", "stack", "nr_kernel");
	EXPECT_TAIL("entry:stack", "user", "stack", "nr_user");
}

/* The head of an entry of IBS is its first member. */
#define EXPECT_HEAD(section)                                                 \
	do {                                                                 \
		EXPECT_FIELD(section, struct pfm_ibs_entry, kind, "number"); \
		EXPECT_FIELD(section, struct pfm_ibs_entry, flags, "bits");  \
		EXPECT_FIELD(section, struct pfm_ibs_entry, cpu, "cpu");     \
		EXPECT_FIELD(section, struct pfm_ibs_entry, set, "set");     \
		EXPECT_FIELD(section, struct pfm_ibs_entry, pid, "pid");     \
		EXPECT_FIELD(section, struct pfm_ibs_entry, tid, "tid");     \
		EXPECT_FIELD(section, struct pfm_ibs_entry, tstamp, "time"); \
		EXPECT_FIELD(section, struct pfm_ibs_entry, tsc, "number");  \
	} while (0)

TEST(format_ibs)
{
	LOAD_OR_SKIP("perfmon_format_ibs");
	ASSERT_EQ(0, read_desc("ibs"));
	EXPECT_HAS("\npmu: ibs\n");
	EXPECT_PARTS();
	EXPECT_HAS(
		"\nentry:fetch;\tuse:stream;\tsize:64;\twhen:kind;\tis:1;\n");
	EXPECT_HAS("\nentry:op;\tuse:stream;\tsize:96;\twhen:kind;\tis:2;\n");
	EXPECT_HEAD("entry:fetch");
	EXPECT_FIELD("entry:fetch", struct pfm_ibs_fetch, period, "period");
	EXPECT_FIELD("entry:fetch", struct pfm_ibs_fetch, extd, "bits");
	EXPECT_FIELD("entry:fetch", struct pfm_ibs_fetch, ctl, "bits");
	EXPECT_FIELD("entry:fetch", struct pfm_ibs_fetch, linad, "code");
	EXPECT_FIELD("entry:fetch", struct pfm_ibs_fetch, physad, "bits");
	EXPECT_EQ(sizeof(struct pfm_ibs_fetch) - sizeof(uint16_t),
		  covered("entry:fetch"));
	EXPECT_HEAD("entry:op");
	EXPECT_FIELD("entry:op", struct pfm_ibs_op, period, "period");
	EXPECT_FIELD("entry:op", struct pfm_ibs_op, data2, "bits");
	EXPECT_FIELD("entry:op", struct pfm_ibs_op, data4, "bits");
	EXPECT_FIELD("entry:op", struct pfm_ibs_op, ctl, "bits");
	EXPECT_FIELD("entry:op", struct pfm_ibs_op, rip, "code");
	EXPECT_FIELD("entry:op", struct pfm_ibs_op, data, "bits");
	EXPECT_FIELD("entry:op", struct pfm_ibs_op, data3, "bits");
	EXPECT_FIELD("entry:op", struct pfm_ibs_op, dc_linad, "data");
	EXPECT_FIELD("entry:op", struct pfm_ibs_op, dc_physad, "bits");
	EXPECT_FIELD("entry:op", struct pfm_ibs_op, br_target, "code");
	EXPECT_EQ(sizeof(struct pfm_ibs_op) - sizeof(uint16_t),
		  covered("entry:op"));
}

TEST(format_trace)
{
	LOAD_OR_SKIP("perfmon_trace");
	ASSERT_EQ(0, read_desc("trace"));
	EXPECT_HAS("\nlayout: none\n");
	EXPECT_HAS("perfmon:sample");
	EXPECT_EQ(NULL, strstr(text, "entry:"));
}

/* Formats of before have no description, and work. */
TEST(format_without)
{
	LOAD_OR_SKIP("fmt_test");
	EXPECT_EQ(-ENOENT, read_desc("test"));
	EXPECT_EQ(0, access(SYSFS "/formats/test/uuid", R_OK));
}

/* Returns what the registry says of a format of which this is wrong. */
static int command(const char *what)
{
	const int fd = open(COMMAND, O_WRONLY);
	int ret;

	if (fd < 0)
		return -errno;
	ret = write(fd, what, strlen(what)) < 0 ? -errno : 0;
	close(fd);
	return ret;
}

TEST(all_of_a_description)
{
	LOAD_OR_SKIP("desc_test");
	ASSERT_EQ(0, command("good"));
	EXPECT_EQ(0, read_desc("test-desc"));
	EXPECT_EQ(0, command("remove"));
	EXPECT_EQ(-ENOENT, read_desc("test-desc"));
	EXPECT_STREQ(
		"format: test-desc\n"
		"uuid: 7e57f0a7-0000-4000-8000-000000000010\n"
		"version: 1.2\n"
		"layout: parts\n"
		"pmu: soft\n"
		"help: a test\n"
		"argument:\tsize:40;\n"
		"\targ:size;\toffset:0;\tsize:8;\tdefault:4096;\tmin:64;\tmax:1048576;\tunit:bytes;\thelp:of a lane;\n"
		"\targ:shift;\toffset:8;\tsize:4;\tsigned:1;\tdefault:-1;\tmin:-4;\tmax:4;\n"
		"\targ:fast;\toffset:12;\tsize:4;\tmask:0x1;\tdefault:1;\n"
		"\targ:loud;\toffset:12;\tsize:4;\tmask:0x2;\tdefault:0;\n"
		"\targ:start;\toffset:16;\tsize:8;\trequired:1;\n"
		"\targ:below;\toffset:24;\tsize:8;\tsigned:1;\tdefault:-2;\tmin:-10;\tmax:-1;\n"
		"\targ:above;\toffset:32;\tsize:8;\tsigned:1;\tdefault:0;\tmin:0;\tmax:7;\n"
		"header:\tsize:128;\n"
		"\tfield:lost;\toffset:0;\tsize:8;\tkind:lost;\n"
		"\tfield:fills;\toffset:8;\tsize:8;\tkind:number;\n"
		"entry:first;\tuse:stream;\tsize:24;\twhen:kind;\tis:1;\n"
		"\tfield:kind;\toffset:0;\tsize:2;\tkind:number;\n"
		"\tfield:nr;\toffset:2;\tsize:2;\tkind:number;\n"
		"\tfield:delta;\toffset:4;\tsize:4;\tsigned:1;\tkind:number;\n"
		"\tfield:pmd;\toffset:8;\tsize:2;\tkind:pmd;\n"
		"\tfield:set;\toffset:10;\tsize:2;\tkind:set;\n"
		"\tfield:ip;\toffset:16;\tsize:8;\tkind:code;\n"
		"\ttail:values;\tsize:8;\tkind:value;\tcount:smpl_pmds;\n"
		"\ttail:frames;\tsize:8;\tkind:stack;\tcount:nr;\n"
		"entry:second;\tuse:stream;\tsize:24;\twhen:kind;\tis:2;\n"
		"\tfield:kind;\toffset:0;\tsize:2;\tkind:number;\n"
		"\tfield:nr;\toffset:2;\tsize:2;\tkind:number;\n"
		"\tfield:delta;\toffset:4;\tsize:4;\tsigned:1;\tkind:number;\n"
		"\tfield:pmd;\toffset:8;\tsize:2;\tkind:pmd;\n"
		"\tfield:set;\toffset:10;\tsize:2;\tkind:set;\n"
		"\tfield:ip;\toffset:16;\tsize:8;\tkind:code;\n"
		"\ttail:values;\tsize:8;\tkind:value;\tcount:smpl_pmds;\n"
		"\ttail:frames;\tsize:8;\tkind:stack;\tcount:nr;\n",
		text);
}

static const char *const wrong[] = {
	"arg-name-null",
	"arg-name-empty",
	"arg-name-capital",
	"arg-name-latin",
	"arg-name-semicolon",
	"arg-name-long",
	"arg-name-twice",
	"arg-help-newline",
	"arg-help-semicolon",
	"arg-help-long",
	"arg-unit-tab",
	"arg-beyond",
	"arg-size-0",
	"arg-size-3",
	"arg-size-16",
	"arg-unaligned",
	"arg-overlap",
	"arg-overlap-part",
	"arg-flag-overlap",
	"arg-flag-number",
	"arg-flag-wide",
	"arg-flag-value",
	"arg-default-small",
	"arg-default-large",
	"arg-default-negative",
	"arg-default-wide",
	"arg-bounds",
	"arg-bounds-signed",
	"args-many",
	"args-null",
	"field-name",
	"field-name-twice",
	"field-unit",
	"field-beyond",
	"field-far",
	"field-unaligned",
	"field-overlap",
	"field-size",
	"field-kind",
	"field-stack",
	"field-count",
	"field-entries",
	"field-lost",
	"fields-many",
	"fields-null",
	"hdr-beyond",
	"hdr-many",
	"hdr-null",
	"hdr-odd",
	"hdr-short-parts",
	"hdr-short-linear",
	"hdr-no-memory",
	"tail-name-twice",
	"tail-name-field",
	"tail-offset",
	"tail-size",
	"tail-count-null",
	"tail-count-unknown",
	"tail-count-signed",
	"tail-no-pmd",
	"tail-two-sets",
	"tails-many",
	"entry-name",
	"entry-name-twice",
	"entry-size-0",
	"entry-size-odd",
	"entry-size-large",
	"entry-use",
	"entry-alike",
	"entry-untold",
	"entry-when-unknown",
	"entry-when-signed",
	"entry-when-wide",
	"entry-when-moved",
	"entry-with-unknown",
	"entry-with-number",
	"entry-only",
	"entries-many",
	"entries-none",
	"layout",
	"layout-none",
	"layout-no-memory",
	"layout-entries",
	"array-uncounted",
	"array-twice",
	"array-tails",
	"array-header",
	"name",
	"help",
	"pmu",
	"long",
};

TEST(wrong_descriptions)
{
	size_t i;

	LOAD_OR_SKIP("desc_test");
	for (i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		EXPECT_EQ(-EINVAL, command(wrong[i]))
		{
			TH_LOG("%s", wrong[i]);
		}
	}
	EXPECT_EQ(-EPROTO, command("api"));
	/* Without these changes it is taken. */
	EXPECT_EQ(0, command("nothing"));
	EXPECT_EQ(0, command("array"));
	EXPECT_EQ(0, command("none"));
	EXPECT_EQ(-1, access(SYSFS "/formats/test-desc", F_OK));
}

TEST_HARNESS_MAIN

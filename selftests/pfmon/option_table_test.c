// SPDX-License-Identifier: GPL-2.0-only
/*
 * The option table of pfmon: that its rows are complete, that no two of them collide,
 * and that the setters which only use the row keep to it.
 */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "../../lib/tests/tap.h"
#include "cli/option_table.h"
#include "cli/setters.h"
#include "options/options.h"

#define ROWS_MIN 70

static char label_room[64];

static const char *label(const struct option_row *row)
{
	if (row->name)
		snprintf(label_room, sizeof(label_room), "--%s", row->name);
	else
		snprintf(label_room, sizeof(label_room), "-%s",
			 row->letters ? row->letters : "?");
	return label_room;
}

static bool is_name(const char *name)
{
	return *name && *name != '-' &&
	       !name[strspn(name, "abcdefghijklmnopqrstuvwxyz-")];
}

/* The mistake that keeps a row from being used or shown; NULL if there is none. */
static const char *fault_of(const struct option_row *row)
{
	static const char letters[] =
		"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

	if (!row->name && !row->letters)
		return "it has neither name nor letter";
	if (row->name && !is_name(row->name))
		return "its name is not of lower case letters and dashes";
	if (!row->name && (row->argument || strlen(row->letters) != 1))
		return "without a name it may have one letter and no argument";
	if (row->letters &&
	    (!*row->letters || row->letters[strspn(row->letters, letters)]))
		return "its letters are none";
	if (!row->help || !*row->help ||
	    row->help[strlen(row->help) - 1] == '.')
		return "it has no help, or a sentence";
	if (row->group >= NUM_GROUPS || !option_group_title(row->group))
		return "its group has no title";
	if (!row->set)
		return "it has no setter";
	if (row->optional && !row->argument)
		return "its argument may be missing, but it has none";
	if (row->argument && strchr(row->argument, ' '))
		return "its argument has a blank";
	if (row->offset >= sizeof(struct options))
		return "its member is not in the options";
	return NULL;
}

/* The mistake that keeps a row from working with its setter; NULL if there is none. */
static const char *setter_fault(const struct option_row *row)
{
	bool plain = row->set == set_flag || row->set == set_bits ||
		     row->set == set_one_of;
	bool takes = row->set == set_text || row->set == set_text_once ||
		     row->set == set_number || row->set == set_choice ||
		     row->set == set_duration;

	if (plain && row->argument)
		return "its setter takes no argument";
	if (takes && (!row->argument || row->optional))
		return "its setter needs an argument";
	if ((row->set == set_bits || row->set == set_one_of) && !row->value)
		return "it has no value";
	if ((row->set == set_number) != (row->max > 0))
		return "a number has a largest one, others have none";
	if ((row->set == set_choice || row->set == set_smpl_module) !=
	    (row->num_choices > 0))
		return "a choice has choices, others have none";
	return NULL;
}

static void test_rows(void)
{
	const struct option_row *row;
	const char *fault;

	ok(option_num_rows >= ROWS_MIN, "the table has %u rows",
	   option_num_rows);
	for (row = option_rows; row < option_rows + option_num_rows; row++) {
		fault = fault_of(row);
		if (!fault)
			fault = setter_fault(row);
		ok(!fault, "%s is complete", label(row));
		if (fault)
			printf("# %s\n", fault);
	}
}

static bool share_letter(const struct option_row *a, const struct option_row *b)
{
	return a->letters && b->letters && strpbrk(a->letters, b->letters);
}

static bool share_name(const struct option_row *a, const struct option_row *b)
{
	return a->name && b->name && !strcmp(a->name, b->name);
}

static void test_unique(void)
{
	const struct option_row *end = option_rows + option_num_rows;
	const struct option_row *a, *b;
	int names = 0, letters = 0;

	for (a = option_rows; a < end; a++) {
		for (b = a + 1; b < end; b++) {
			if (share_name(a, b))
				printf("# %s twice\n", label(a));
			if (share_letter(a, b))
				printf("# %s shares a letter\n", label(a));
			names += share_name(a, b);
			letters += share_letter(a, b);
		}
	}
	is_num(names, 0, "no name twice");
	is_num(letters, 0, "no letter twice");
}

static void test_order(void)
{
	bool seen[NUM_GROUPS] = { false };
	unsigned int i, misplaced = 0, empty = 0;

	for (i = 0; i < option_num_rows; i++) {
		seen[option_rows[i].group] = true;
		if (i && option_rows[i].group < option_rows[i - 1].group) {
			printf("# %s\n", label(&option_rows[i]));
			misplaced++;
		}
	}
	for (i = 0; i < NUM_GROUPS; i++)
		empty += !seen[i];
	is_num(misplaced, 0, "rows are in the order of the groups");
	is_num(empty, 0, "no group is empty");
}

static bool takes_number(const struct option_row *row, uint64_t number)
{
	struct options options = { 0 };
	char text[32], why[OPTION_WHY_ROOM];
	uint64_t stored;

	snprintf(text, sizeof(text), "%llu", (unsigned long long)number);
	if (row->set(&options, row, text, why))
		return false;
	memcpy(&stored, (char *)&options + row->offset, sizeof(stored));
	return stored == number;
}

static bool takes_text(const struct option_row *row, const char *text)
{
	struct options options = { 0 };
	char why[OPTION_WHY_ROOM];

	return !row->set(&options, row, text, why);
}

static void test_numbers(void)
{
	static const char *const wrong[] = {
		"", "-1", "+1", " 1", "1x", "1.5", "18446744073709551616"
	};
	const struct option_row *row;
	unsigned int i, taken;

	for (row = option_rows; row < option_rows + option_num_rows; row++) {
		if (row->set != set_number)
			continue;
		ok(!takes_number(row, 0) && takes_number(row, 1) &&
			   takes_number(row, row->max) &&
			   (row->max == UINT64_MAX ||
			    !takes_number(row, row->max + 1)),
		   "%s takes 1 to %llu", label(row),
		   (unsigned long long)row->max);
		for (i = taken = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
			taken += takes_text(row, wrong[i]);
		is_num(taken, 0, "and nothing else");
	}
}

static void test_choices(void)
{
	const struct option_row *row;
	unsigned int i, stored;
	char why[OPTION_WHY_ROOM];

	for (row = option_rows; row < option_rows + option_num_rows; row++) {
		bool right = true;

		for (i = 0; i < row->num_choices; i++) {
			struct options options = { 0 };

			if (!row->choices[i])
				continue;
			if (row->set(&options, row, row->choices[i], why))
				right = false;
			memcpy(&stored, (char *)&options + row->offset,
			       sizeof(stored));
			right = right && stored == i;
		}
		/* A single word could be the name of a sampling format. */
		if (row->num_choices)
			ok(right && !takes_text(row, "") &&
				   !takes_text(row, "no thing"),
			   "%s takes its choices only", label(row));
	}
}

int main(void)
{
	test_rows();
	test_unique();
	test_order();
	test_numbers();
	test_choices();
	return tap_end();
}

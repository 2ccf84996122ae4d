// SPDX-License-Identifier: GPL-2.0-only
/*
 * The ranges of --irange, and that of --trigger-code-...: finds the functions, has the kernel count in
 * them only, and reads what was counted there.
 */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <perfmon/perfmon.h>

#include "base/message.h"
#include "check/remedies.h"
#include "events/event_list.h"
#include "events/sets.h"
#include "options/options.h"
#include "session/range_files.h"
#include "session/range_probes.h"
#include "session/ranges.h"
#include "session/session.h"
#include "symbols/functions.h"
#include "symbols/symbols.h"

/**
 * struct search - what is asked of the kernel, while it is put together
 * @ranges: the ranges
 * @files: files in which functions are looked for
 * @asked: for the kernel
 * @count: elements of @asked: the ranges, each with its ends, and then the places where frames are
 *	dropped
 */
struct search {
	struct ranges *ranges;
	struct range_files files;
	struct pfm_range asked[PFM_RANGE_POINTS_MAX];
	size_t count;
};

static int add_asked(struct search *search, uint32_t number, uint32_t flags,
		     uint64_t start, uint64_t end)
{
	struct pfm_range *asked = &search->asked[search->count];

	if (search->count == PFM_RANGE_POINTS_MAX) {
		say_error(
			"--irange: these functions have more than %d returns: name fewer of them",
			PFM_RANGE_POINTS_MAX);
		return -1;
	}
	*asked = (struct pfm_range){
		.fd = range_files_open(&search->files, number),
		.flags = flags,
		.start = start,
		.end = end,
	};
	if (asked->fd < 0)
		return -1;
	search->count++;
	return 0;
}

static int add_range(struct search *search, uint32_t number, char *name,
		     uint32_t flags, uint64_t start, uint64_t end)
{
	struct ranges *ranges = search->ranges;
	struct range *range = &ranges->list[ranges->count];

	if (ranges->count == PFM_RANGES_MAX) {
		say_error("--irange: more than %d functions", PFM_RANGES_MAX);
		free(name);
		return -1;
	}
	range->name = name;
	range->file = strdup(images_name(search->files.images, number));
	if (!name || !range->file) {
		say_error("out of memory for --irange");
		free(name);
		free(range->file);
		return -1;
	}
	ranges->count++;
	return add_asked(search, number, flags, start, end);
}

/*
 * Where a function ends.  If that is not known, the kernel finds its return in another way, which some
 * programs do not survive.
 */
static int add_exits(struct search *search, uint32_t number, const char *name,
		     const struct function *function)
{
	uint64_t exits[PFM_RANGE_POINTS_MAX];
	size_t count, i;

	count = functions_exits(search->files.images, number, function->address,
				exits, PFM_RANGE_POINTS_MAX);
	if (!count)
		say_note(
			"--irange=%s: not all places are known at which the function ends, so the kernel changes its return address; a program that switches stacks itself, or has a signal stack above the other one, would be ended by SIGILL",
			name);
	for (i = 0; i < count; i++)
		if (add_asked(search, number, PFM_RANGE_EXIT, exits[i], 0))
			return -1;
	return 0;
}

/* Several functions of one name, as static ones of several source files: all of them. */
static int add_functions(struct search *search, uint32_t number,
			 const char *name, const struct function *list,
			 size_t count)
{
	char *own;
	size_t i;

	for (i = 0; i < count; i++) {
		if (count == 1)
			own = strdup(name);
		else if (asprintf(&own, "%s@0x%" PRIx64, name,
				  list[i].address) < 0)
			own = NULL;
		if (add_range(search, number, own, 0, list[i].offset, 0) ||
		    add_exits(search, number, name, &list[i]))
			return -1;
	}
	return 0;
}

/* True if a file is the one that a part of the option names, by its path or the end of that. */
static bool is_named(const struct range_files *files, uint32_t number,
		     const char *name, size_t length)
{
	const char *path = images_name(files->images, number);
	const size_t whole = strlen(path);

	if (!length)
		return true;
	return whole >= length &&
	       !memcmp(path + whole - length, name, length) &&
	       (whole == length || path[whole - length - 1] == '/' ||
		*name == '/');
}

/* Length of FILE in FILE:REST; 0 if there is none.  Names of C++ have two colons. */
static size_t file_length(const char *item)
{
	const char *at = item;

	while ((at = strchr(at, ':'))) {
		if (at[1] != ':')
			return at - item;
		at += 2;
	}
	return 0;
}

static bool parse_number(const char *text, const char *end, uint64_t *value)
{
	char *stop;

	if (!isdigit((unsigned char)*text))
		return false;
	errno = 0;
	*value = strtoull(text, &stop, 0);
	return !errno && stop == end;
}

/* START-END.  Returns false if it is a name. */
static bool parse_span(const char *text, uint64_t *start, uint64_t *end)
{
	const char *dash = strchr(text, '-');

	return dash && parse_number(text, dash, start) &&
	       parse_number(dash + 1, dash + 1 + strlen(dash + 1), end);
}

static int add_span(struct search *search, const char *item, size_t file,
		    uint64_t start, uint64_t end)
{
	struct images *images = search->files.images;
	uint64_t from, to;
	size_t i;

	if (start >= end) {
		say_error("--irange=%s: the range ends before it begins", item);
		return -1;
	}
	for (i = 0; i < search->files.count; i++) {
		const uint32_t number = search->files.list[i];

		if (!is_named(&search->files, number, item, file))
			continue;
		if (functions_offset(images, number, start, &from) &&
		    functions_offset(images, number, end, &to))
			return add_range(search, number, strdup(item),
					 PFM_RANGE_SPAN, from, to);
		say_error(
			"--irange=%s: '%s' has no code at one of these addresses; they are those that 'objdump -d' shows",
			item, images_name(images, number));
		return -1;
	}
	say_error("--irange=%s: the program has no such library", item);
	return -1;
}

/* Says why a function was not found. */
static void tell_missing(const struct search *search, const char *item,
			 const char *like, bool chosen)
{
	const char *program =
		images_name(search->files.images, search->files.list[0]);

	if (chosen)
		say_error(
			"--irange=%s: which function this is, is chosen when the program starts; name the one that is chosen ('nm -D' lists them)",
			item);
	else if (like)
		say_error(
			"--irange=%s: the compiler has left parts of it only, such as '%s'; name those",
			item, like);
	else
		say_error(
			"--irange=%s: there is no such function in '%s' and the %zu libraries that it is linked with, or the compiler has put it into its callers; 'nm' lists the functions, FILE:FUNCTION names one of a file",
			item, program, search->files.count - 1);
}

#define SAME_NAME_MAX 16

static int add_named(struct search *search, const char *item, size_t file)
{
	const char *name = file ? item + file + 1 : item, *like, *any = NULL;
	struct function list[SAME_NAME_MAX];
	bool chosen, some_chosen = false;
	size_t count, i;

	for (i = 0; i < search->files.count; i++) {
		const uint32_t number = search->files.list[i];

		if (!is_named(&search->files, number, item, file))
			continue;
		count = functions_find(search->files.images, number, name, list,
				       SAME_NAME_MAX, &like, &chosen);
		if (count > SAME_NAME_MAX)
			count = SAME_NAME_MAX;
		if (count)
			return add_functions(search, number, item, list, count);
		any = any ? any : like;
		some_chosen = some_chosen || chosen;
	}
	tell_missing(search, item, any, some_chosen);
	return -1;
}

static int add_item(struct search *search, const char *item)
{
	const size_t file = file_length(item);
	uint64_t start, end;

	if (!*item) {
		say_error("--irange: a name is empty");
		return -1;
	}
	if (parse_span(file ? item + file + 1 : item, &start, &end))
		return add_span(search, item, file, start, end);
	return add_named(search, item, file);
}

static int add_items(struct search *search, const char *text)
{
	char *copy = strdup(text), *rest = copy, *item;
	int err = copy ? 0 : -1;

	if (err)
		say_error("out of memory for --irange");
	while (!err && (item = strsep(&rest, ",")))
		err = add_item(search, item);
	free(copy);
	return err;
}

/* The place of a trigger in a file: a function, or an address.  False if the file does not have it. */
static bool find_place(struct images *images, uint32_t number, const char *name,
		       uint64_t *offset)
{
	struct function function;
	const char *like;
	uint64_t address;
	bool chosen;

	if (parse_number(name, name + strlen(name), &address))
		return functions_offset(images, number, address, offset);
	if (!functions_find(images, number, name, &function, 1, &like, &chosen))
		return false;
	*offset = function.offset;
	return true;
}

/* Finds the file of a trigger, and the place in it. */
static int find_trigger(struct search *search, const char *option,
			const char *item, uint32_t *number, uint64_t *offset)
{
	const size_t file = file_length(item);
	const char *name = file ? item + file + 1 : item;
	size_t i;

	for (i = 0; i < search->files.count; i++) {
		*number = search->files.list[i];
		if (is_named(&search->files, *number, item, file) &&
		    find_place(search->files.images, *number, name, offset))
			return 0;
	}
	say_error(
		"--trigger-code-%s-addresses=%s: the program and its libraries have no such function or address; 'nm' lists the functions, 'objdump -d' shows addresses",
		option, item);
	return -1;
}

/* The one range of a trigger. */
static int add_trigger(struct search *search,
		       const struct trigger_options *trigger)
{
	const uint32_t once = trigger->repeat ? 0 : PFM_RANGE_ONCE;
	uint32_t number, other;
	uint64_t start, stop = 0;

	search->ranges->trigger = true;
	if (find_trigger(search, "start", trigger->start, &number, &start))
		return -1;
	other = number;
	if (trigger->stop &&
	    find_trigger(search, "stop", trigger->stop, &other, &stop))
		return -1;
	if (other != number || start == stop) {
		say_error(
			"--trigger-code-...: start and stop are to be two addresses of one file");
		return -1;
	}
	return add_range(search, number, strdup(trigger->start),
			 PFM_RANGE_TRIGGER | once, start, stop);
}

static int check_program(const struct search *search)
{
	const uint32_t number = search->files.list[0];
	const char *name = images_name(search->files.images, number);

	switch (functions_kind(search->files.images, number)) {
	case FILE_PROGRAM:
		return 0;
	case FILE_SHORT:
		say_error(
			"--irange: '%s' is a program of 32 bits, whose functions are not counted",
			name);
		return -1;
	default:
		say_error(
			"--irange: '%s' is no program but a script, or cannot be read; name the program that executes it as COMMAND",
			name);
		return -1;
	}
}

/* Places in a file where frames are dropped; few have more than one. */
#define UNWIND_MAX 8

/* Where frames of the stack are dropped, in all files. */
static int add_unwind(struct search *search)
{
	uint64_t offsets[UNWIND_MAX];
	size_t i, j, count;

	for (i = 0; i < search->files.count; i++) {
		const uint32_t number = search->files.list[i];

		count = functions_unwind(search->files.images, number, offsets,
					 UNWIND_MAX);
		for (j = 0; j < count; j++)
			if (add_asked(search, number, PFM_RANGE_UNWIND,
				      offsets[j], 0))
				return -1;
	}
	return 0;
}

static int set(struct search *search, int fd)
{
	int err = pfm_ctx_set_ranges(fd, search->asked, search->count, NULL);

	if (!err)
		return 0;
	if (err == -EPERM)
		say_error(
			"--irange and --trigger-code-... set probes in programs, which takes CAP_PERFMON: %s",
			policy_remedy());
	else
		say_error("--irange: %s",
			  pfm_ctx_strerror(PFM_IOC_SET_RANGES, err));
	return -1;
}

static bool is_counted(const struct events *events, size_t event)
{
	return !events->list[event].gauge && !events->list[event].absent &&
	       events->list[event].pmd != PFM_REG_NONE &&
	       sets_count(events, event);
}

/* Room for what will be counted; the register tells what is. */
static int make_info(struct ranges *ranges, const struct events *events)
{
	size_t i, j;

	ranges->num_events = events->count;
	ranges->info = calloc(ranges->count * events->count + 1,
			      sizeof(*ranges->info));
	if (!ranges->info) {
		say_error("out of memory for --irange");
		return -1;
	}
	for (i = 0; i < ranges->count; i++) {
		for (j = 0; j < events->count; j++) {
			struct pfm_range_info *info =
				&ranges->info[i * events->count + j];

			info->range = i;
			info->num = is_counted(events, j) ? events->list[j].pmd
							  : PFM_REG_NONE;
		}
	}
	return 0;
}

/* The kernel's own set is one, and those of a run are alone. */
static int check_sets(const struct events *events)
{
	if (events->num_sets == 1)
		return 0;
	say_error(
		"--irange counts events that fit the counters together, and these do not: count fewer events");
	return -1;
}

/* Finds all, and tells the context. */
static int find(struct search *search, const struct session *session)
{
	const struct options *options = session->options;
	int err;

	if (range_files_find(&search->files, session) || check_program(search))
		return -1;
	if (options->trigger.start)
		err = add_trigger(search, &options->trigger);
	else if (add_items(search, options->irange))
		err = -1;
	else
		err = add_unwind(search);
	if (err || make_info(search->ranges, session->events))
		return -1;
	return set(search, session->fd);
}

int range_probes_set(struct session *session)
{
	struct ranges *ranges;
	struct search *search;
	int err = -1;

	if (!session->options->irange && !session->options->trigger.start)
		return 0;
	if (check_sets(session->events))
		return -1;
	ranges = calloc(1, sizeof(*ranges));
	search = calloc(1, sizeof(*search));
	session->ranges = ranges;
	if (ranges && search) {
		search->ranges = ranges;
		err = find(search, session);
		range_files_free(&search->files);
	} else {
		say_error("out of memory for --irange");
	}
	free(search);
	if (!err && ranges_shown(ranges))
		range_cost_measure(ranges, session->events);
	return err;
}

int range_probes_load(const struct session *session)
{
	const char *command = session->options->command[0];
	PFM_OPTS(pfm_load_opts, opts,
		 .flags = session->options->take ? PFM_LOAD_TAKE : 0);
	int err = pfm_ctx_load(session->fd, session->child.pid, &opts);

	if (!err)
		return 0;
	if (err == -EIO || err == -EINVAL || err == -EOPNOTSUPP)
		say_error(
			"--irange: the kernel cannot have a probe at one of the functions: %s",
			err == -EIO
				? "their file is in a file system that has none"
				: "its first instruction cannot be executed elsewhere");
	else
		rights_tell_command(command, err);
	return -1;
}

/* True if anything was counted in the first range. */
static bool was_entered(const struct ranges *ranges)
{
	size_t i;

	for (i = 0; i < ranges->num_events; i++) {
		if (ranges->info[i].num != PFM_REG_NONE)
			return ranges->info[i].calls;
	}
	return true;
}

int range_probes_read(struct session *session)
{
	struct ranges *ranges = session->ranges;
	size_t i;
	int err;

	if (!ranges)
		return 0;
	for (i = 0; i < ranges->count * ranges->num_events; i++) {
		if (ranges->info[i].num == PFM_REG_NONE)
			continue;
		err = pfm_ctx_getinfo_ranges(session->fd, &ranges->info[i], 1,
					     NULL);
		if (!err)
			continue;
		say_error("cannot read what was counted in functions: %s",
			  pfm_ctx_strerror(PFM_IOC_GETINFO_RANGES, err));
		return -1;
	}
	if (ranges->trigger && !was_entered(ranges))
		say_note(
			"--trigger-code-start-addresses=%s: nothing was executed there, so nothing was counted",
			session->options->trigger.start);
	return 0;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Turns the records of perf into those of pfmon.data, one after the other in the order of their times.
 */
#include <inttypes.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

#include "base/message.h"
#include "data/perf_fields.h"
#include "data/perf_kernel.h"
#include "data/perf_reader.h"

/* Lengths of the kernel's records without their heads; bytes. */
#define MMAP_SIZE  40
#define MMAP2_SIZE 72
#define COMM_SIZE  16
#define FORK_SIZE  32
#define LOST_SIZE  24

#define MISC_DATA     (1U << 13) /* MMAP: no code; COMM: a program was executed */
#define MISC_BUILD_ID (1U << 14)

/* Addresses of a chain from here on are marks: whose frames follow. */
#define CHAIN_MARKS ((uint64_t)-4095)

static int damaged(struct perf_reader *reader, uint64_t at, const char *why)
{
	return perf_file_damaged(&reader->file, at, why);
}

/* perf would not know the sampled task 0 either, unless it named it. */
static void name_idle(struct perf_reader *reader)
{
	struct perf_task *task = perf_tasks_get(&reader->tasks, 0);

	if (task)
		memcpy(task->name, "swapper", sizeof("swapper"));
}

/* A thread has no longer its name: the name was that of its samples until then. */
static void close_phase(struct perf_reader *reader,
			const struct perf_task *task, uint64_t end)
{
	struct phase *phase = &reader->phase;

	if (!*task->name)
		return;
	memset(phase, 0, sizeof(*phase));
	phase->pid = task->pid;
	phase->ppid = task->ppid;
	phase->end = end;
	phase->path = reader->path;
	memcpy(phase->comm, task->name, PERF_TASK_NAME);
	reader->tid = task->tid;
	reader->has_phase = true;
}

static int return_phase(struct perf_reader *reader, struct data_record *record)
{
	reader->has_phase = false;
	record->kind = DATA_TASK;
	record->tid = reader->tid;
	record->phase = reader->phase;
	*record->path = '\0';
	return 1;
}

/* Closes the names of threads that have one to the end. */
static int end_tasks(struct perf_reader *reader, struct data_record *record)
{
	while (reader->ended < reader->tasks.count) {
		close_phase(reader, &reader->tasks.list[reader->ended++],
			    UINT64_MAX);
		if (reader->has_phase)
			return return_phase(reader, record);
	}
	return 0;
}

/* A time that is earlier than @time, but than no record before that. */
static uint64_t before(uint64_t time)
{
	return time ? time - 1 : 0;
}

/* Returns 1 with an EXEC record, else 0. */
static int take_comm(struct perf_reader *reader, const uint8_t *bytes,
		     size_t size, uint64_t time, struct data_record *record)
{
	uint32_t pid = data_get32(bytes + 8), tid = data_get32(bytes + 12);
	struct perf_task *task = perf_tasks_get(&reader->tasks, tid);
	size_t length = size - COMM_SIZE;

	if (!task) {
		say_error("out of memory for the names of the threads");
		return -1;
	}
	if (time)
		close_phase(reader, task, before(time));
	if (length > PERF_TASK_NAME - 1)
		length = PERF_TASK_NAME - 1;
	task->pid = pid;
	memset(task->name, 0, sizeof(task->name));
	memcpy(task->name, bytes + COMM_SIZE,
	       strnlen((const char *)bytes + COMM_SIZE, length));
	if (!(data_get16(bytes + 4) & MISC_DATA))
		return 0;
	memset(&record->change, 0, sizeof(record->change));
	record->kind = DATA_EXEC;
	record->pid = pid;
	record->parent = 0;
	record->change.kind = CHANGE_EXEC;
	record->change.time = time;
	return 1;
}

/* Returns 1 with a FORK record; 0 for a thread, which has the mappings of its process. */
static int take_fork(struct perf_reader *reader, const uint8_t *bytes,
		     uint64_t time, struct data_record *record)
{
	uint32_t pid = data_get32(bytes + 8), ppid = data_get32(bytes + 12);
	uint32_t tid = data_get32(bytes + 16), ptid = data_get32(bytes + 20);
	struct perf_task *task = perf_tasks_get(&reader->tasks, tid);
	const struct perf_task *parent;
	char name[PERF_TASK_NAME];

	/* The second call may move what the first one returned. */
	parent = task ? perf_tasks_get(&reader->tasks, ptid) : NULL;
	if (!parent) {
		say_error("out of memory for the names of the threads");
		return -1;
	}
	memcpy(name, parent->name, sizeof(name));
	task = perf_tasks_get(&reader->tasks, tid);
	if (time)
		close_phase(reader, task, before(time));
	task->pid = pid;
	task->ppid = pid == ppid ? 0 : ppid;
	memcpy(task->name, name, sizeof(name));
	if (pid == ppid)
		return 0;
	memset(&record->change, 0, sizeof(record->change));
	record->kind = DATA_FORK;
	record->pid = pid;
	record->parent = ppid;
	record->change.kind = CHANGE_EXEC;
	record->change.time = time;
	return 1;
}

/* The mapping of the kernel tells whether its symbols are those of the running one. */
static void take_kernel(struct perf_reader *reader, const char *path,
			uint64_t offset)
{
	struct perf_features *features = &reader->features;
	const char *symbol = strchr(path, ']');
	static char boot[64];

	if (reader->kernel || strncmp(path, "[kernel.kallsyms]", 17))
		return;
	reader->kernel = true;
	if (!perf_kernel_is_here(features->kernel_id, features->kernel_id_size,
				 features->release, symbol + 1, offset))
		return;
	reader->info.boot = data_info_boot(boot);
}

static int is_of_kernel(const uint8_t *bytes)
{
	uint16_t mode = data_get16(bytes + 4) & PERF_RECORD_MISC_CPUMODE_MASK;

	return mode == PERF_RECORD_MISC_KERNEL ||
	       data_get32(bytes + 8) == UINT32_MAX;
}

static bool is_of_guest(const uint8_t *bytes)
{
	uint16_t mode = data_get16(bytes + 4) & PERF_RECORD_MISC_CPUMODE_MASK;

	return mode == PERF_RECORD_MISC_GUEST_KERNEL ||
	       mode == PERF_RECORD_MISC_GUEST_USER ||
	       mode == PERF_RECORD_MISC_HYPERVISOR;
}

/* The build id of the record, or that of the file if perf has listed it. */
static void take_build(struct perf_reader *reader, const uint8_t *bytes,
		       bool second, struct data_record *record)
{
	const struct perf_build *build;

	record->inode = 0;
	record->id_size = 0;
	if (second && data_get16(bytes + 4) & MISC_BUILD_ID) {
		record->id_size = bytes[40];
		if (record->id_size > IMAGES_ID_MAX)
			record->id_size = 0;
		memcpy(record->id, bytes + 44, record->id_size);
		return;
	}
	build = perf_features_build(&reader->features, record->path);
	if (build) {
		record->id_size = build->size;
		memcpy(record->id, build->id, build->size);
	} else if (second) {
		record->inode = data_get64(bytes + 48);
	}
}

static uint32_t access_of(const uint8_t *bytes, bool second)
{
	uint32_t protection;

	if (!second)
		return data_get16(bytes + 4) & MISC_DATA ? MAP_READ
							 : MAP_READ | MAP_EXEC;
	/* Bits as those of mmap(2). */
	protection = data_get32(bytes + 64);
	return (protection & 1 ? MAP_READ : 0) |
	       (protection & 2 ? MAP_WRITE : 0) |
	       (protection & 4 ? MAP_EXEC : 0);
}

/* Returns 1 with a MAP record; 0 for a mapping of the kernel. */
static int take_map(struct perf_reader *reader, const uint8_t *bytes,
		    size_t size, uint64_t time, bool second,
		    struct data_record *record)
{
	size_t at = second ? MMAP2_SIZE : MMAP_SIZE;
	size_t length = strnlen((const char *)bytes + at, size - at);
	struct change *change = &record->change;

	if (length > sizeof(record->path) - 1)
		length = sizeof(record->path) - 1;
	memcpy(record->path, bytes + at, length);
	record->path[length] = '\0';
	if (is_of_kernel(bytes)) {
		take_kernel(reader, record->path, data_get64(bytes + 32));
		return 0;
	}
	if (is_of_guest(bytes))
		return 0;
	memset(change, 0, sizeof(*change));
	record->kind = DATA_MAP;
	record->pid = data_get32(bytes + 8);
	change->kind = CHANGE_MAP;
	change->time = time;
	change->start = data_get64(bytes + 16);
	change->end = change->start + data_get64(bytes + 24);
	change->offset = data_get64(bytes + 32);
	change->access = access_of(bytes, second);
	if (change->end < change->start)
		change->end = UINT64_MAX;
	take_build(reader, bytes, second, record);
	/* The kernel's word for memory without a file. */
	if (!strcmp(record->path, "//anon"))
		*record->path = '\0';
	return 1;
}

/**
 * struct frames - frames of a sample
 * @list: those of the kernel, or those of the user
 * @count: elements of @list
 * @cut: there were more
 */
struct frames {
	uint64_t list[PFM_CALLSTACK_DEPTH_MAX];
	uint16_t count;
	bool cut;
};

static void push(struct frames *stack, uint64_t frame)
{
	if (stack->count < PFM_CALLSTACK_DEPTH_MAX)
		stack->list[stack->count++] = frame;
	else
		stack->cut = true;
}

static void split_chain(struct perf_reader *reader,
			const struct perf_fields *fields, bool kernel,
			struct data_record *record)
{
	static struct frames stacks[2];
	struct frames *user = &stacks[0], *system = &stacks[1];
	struct frames *to = kernel ? system : user;
	struct sample *sample = &record->sample;
	bool begun = false;
	uint64_t frame;
	size_t i;

	user->count = 0;
	user->cut = false;
	system->count = 0;
	system->cut = false;
	for (i = 0; i < fields->length; i++) {
		frame = data_get64(fields->chain + 8 * i);
		if (frame >= CHAIN_MARKS) {
			to = frame == (uint64_t)PERF_CONTEXT_KERNEL ? system
								    : user;
			continue;
		}
		/*
		 * Where only callers are recorded, as with a stack of the user that the kernel was called from,
		 * the instruction itself comes first.
		 */
		if (!begun && frame != fields->ip)
			push(kernel ? system : user, fields->ip);
		begun = true;
		push(to, frame);
	}
	if (!begun)
		push(kernel ? system : user, fields->ip);
	reader->cut += user->cut || system->cut;
	sample->nkernel = system->count;
	sample->nuser = user->count;
	memcpy(record->words, system->list, 8 * system->count);
	memcpy(record->words + system->count, user->list, 8 * user->count);
	sample->frames = record->words;
}

/* Returns 1 with a SAMPLE record; 0 for one that is not served; or -1. */
static int take_sample(struct perf_reader *reader, const uint8_t *bytes,
		       const struct perf_fields *fields, uint64_t time,
		       struct data_record *record)
{
	struct sample *sample = &record->sample;
	uint32_t index = UINT32_MAX;
	bool kernel;

	if (fields->attr)
		index = reader->index[fields->attr - reader->attrs.list];
	if (index == UINT32_MAX) {
		reader->strange++;
		return 0;
	}
	memset(sample, 0, sizeof(*sample));
	record->kind = DATA_SAMPLE;
	sample->tstamp = time;
	sample->count = 1;
	sample->weight = fields->period;
	sample->ip = fields->ip;
	sample->pid = fields->pid;
	sample->tid = fields->tid;
	sample->cpu = fields->attr->sample_type & PERF_SAMPLE_CPU
			      ? fields->cpu
			      : SAMPLE_CPU_NONE;
	sample->index = index;
	sample->pmd = index;
	kernel = (data_get16(bytes + 4) & PERF_RECORD_MISC_CPUMODE_MASK) ==
		 PERF_RECORD_MISC_KERNEL;
	if (is_of_guest(bytes)) {
		reader->guests++;
		sample->ip = 0;
	} else if (fields->attr->sample_type & PERF_SAMPLE_CALLCHAIN) {
		split_chain(reader, fields, kernel, record);
	}
	reader->file.samples++;
	reader->info.periods.list[index].exact +=
		!!(data_get16(bytes + 4) & PERF_RECORD_MISC_EXACT_IP);
	return 1;
}

/* Bytes that a record of the kernel has at least. */
static size_t least(uint32_t type)
{
	switch (type) {
	case PERF_RECORD_MMAP:
		return MMAP_SIZE;
	case PERF_RECORD_MMAP2:
		return MMAP2_SIZE;
	case PERF_RECORD_COMM:
		return COMM_SIZE;
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT:
		return FORK_SIZE;
	case PERF_RECORD_LOST:
		return LOST_SIZE;
	case PERF_RECORD_LOST_SAMPLES:
		return PERF_FILE_HEAD + 8;
	default:
		return PERF_FILE_HEAD;
	}
}

/* Takes a record whose turn it is.  Returns 1 with what it becomes, 0 if that is nothing, or -1. */
static int take(struct perf_reader *reader, const struct perf_waiting *waiting,
		const uint8_t *bytes, struct data_record *record)
{
	struct losses *losses = &reader->totals.losses;
	uint32_t type = data_get32(bytes);
	size_t size = waiting->size;
	struct perf_fields fields;
	long end;

	if (type == PERF_RECORD_SAMPLE) {
		if (perf_fields_of_sample(&fields, &reader->attrs, bytes, size))
			return damaged(reader, waiting->at,
				       "a sample is too short for its fields");
		return take_sample(reader, bytes, &fields, waiting->time,
				   record);
	}
	end = perf_fields_of_end(&fields, &reader->attrs, bytes, size);
	if (end < 0 || size - end < least(type))
		return damaged(reader, waiting->at,
			       "a record is too short for its kind");
	size -= end;
	switch (type) {
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
		return take_map(reader, bytes, size, waiting->time,
				type == PERF_RECORD_MMAP2, record);
	case PERF_RECORD_COMM:
		return take_comm(reader, bytes, size, waiting->time, record);
	case PERF_RECORD_FORK:
		return take_fork(reader, bytes, waiting->time, record);
	case PERF_RECORD_LOST:
		losses->lost += data_get64(bytes + 16);
		return 0;
	case PERF_RECORD_LOST_SAMPLES:
		losses->lost += data_get64(bytes + 8);
		return 0;
	case PERF_RECORD_THROTTLE:
		losses->throttled++;
		return 0;
	default:
		return 0;
	}
}

/* The time of a record that was just read; 0 if it has none.  Returns 0, or -1 if it is malformed. */
static int time_of(struct perf_reader *reader, uint64_t *time)
{
	const uint8_t *bytes = reader->file.record;
	size_t size = reader->file.record_size;
	struct perf_fields fields;
	bool wrong;

	if (data_get32(bytes) == PERF_RECORD_SAMPLE)
		wrong = perf_fields_of_sample(&fields, &reader->attrs, bytes,
					      size);
	else
		wrong = perf_fields_of_end(&fields, &reader->attrs, bytes,
					   size) < 0;
	*time = fields.time == UINT64_MAX ? 0 : fields.time;
	if (!(reader->attrs.list[0].sample_type & PERF_SAMPLE_TIME))
		*time = ++reader->clock;
	return wrong ? -1 : 0;
}

/* Reads a record of the file.  Returns 1; 0 at the end; or -1 after a message. */
static int read_one(struct perf_reader *reader)
{
	struct perf_file *file = &reader->file;
	int ret = perf_file_next(file);
	uint64_t time;
	uint32_t type;

	if (ret <= 0)
		return ret;
	type = data_get32(file->record);
	if (type == PERF_FILE_ROUND)
		perf_queue_round(&reader->order);
	if (type == PERF_FILE_BUILD_ID)
		perf_features_take_build(&reader->features, file->record,
					 file->record_size);
	if (type >= PERF_FILE_USER)
		return 1;
	if (time_of(reader, &time))
		return damaged(reader, file->at,
			       "a record is too short for its fields");
	if (!perf_queue_add(&reader->order, file->record, file->record_size,
			    time, file->at))
		return 1;
	say_error("out of memory for the records of '%s'", file->name);
	return -1;
}

/* Tell which contents of the file have no place in a profile. */
static void tell_left_out(const struct perf_reader *reader)
{
	const char *name = reader->file.name;

	if (reader->strange)
		say_note(
			"'%s' has %" PRIu64
			" samples of events that it does not describe; they are left out",
			name, reader->strange);
	if (reader->guests)
		say_note(
			"'%s' has %" PRIu64
			" samples of virtual machines; their functions are not known",
			name, reader->guests);
	if (reader->cut)
		say_note(
			"'%s' has %" PRIu64
			" samples with more than %u frames; the outermost are left out",
			name, reader->cut, PFM_CALLSTACK_DEPTH_MAX);
	if (reader->file.traced)
		say_note(
			"'%s' has an AUX trace (Intel PT, Arm SPE or CoreSight), which is not decoded; 'perf script' decodes it",
			name);
	if (reader->order.early)
		say_note(
			"'%s' has too many records that are not in the order of time; some mappings may be taken for later ones",
			name);
}

int perf_reader_next(struct perf_reader *reader, struct data_record *record)
{
	const struct perf_waiting *waiting;
	const uint8_t *bytes;
	int ret;

	for (;;) {
		if (reader->has_phase)
			return return_phase(reader, record);
		waiting = perf_queue_take(&reader->order, &bytes);
		if (waiting) {
			ret = take(reader, waiting, bytes, record);
			if (ret)
				return ret;
			continue;
		}
		if (reader->over)
			return end_tasks(reader, record);
		ret = read_one(reader);
		if (ret < 0)
			return -1;
		if (ret)
			continue;
		reader->over = true;
		perf_queue_end(&reader->order);
		tell_left_out(reader);
	}
}

/* Adds an event as the file has it: attributes, and the place of its numbers. */
static const char *add_attr(struct perf_reader *reader, const uint8_t *bytes,
			    size_t size)
{
	struct perf_section ids = {
		.offset = data_get64(bytes + size),
		.size = data_get64(bytes + size + 8),
	};
	const char *wrong;
	uint8_t *numbers;

	numbers = perf_file_section(&reader->file, &ids,
				    "the numbers of an event");
	if (!numbers)
		return "";
	wrong = perf_attrs_add(&reader->attrs, bytes, size, numbers,
			       ids.size / 8);
	free(numbers);
	return wrong;
}

static int malformed(const struct perf_reader *reader, uint64_t at,
		     const char *why)
{
	if (*why)
		say_error("'%s' cannot be read, at byte %" PRIu64 ": %s",
			  reader->file.name, at, why);
	return -1;
}

static int read_attrs(struct perf_reader *reader)
{
	struct perf_file *file = &reader->file;
	uint64_t size = file->attr_size, at;
	const char *wrong = NULL;
	uint8_t *bytes;

	if (size < PERF_ATTR_SIZE_VER0 + 16 || size > file->attrs.size)
		return malformed(reader, 16,
				 "the attributes of the events are too short");
	bytes = perf_file_section(file, &file->attrs,
				  "the attributes of the events");
	if (!bytes)
		return -1;
	for (at = 0; !wrong && file->attrs.size - at >= size; at += size)
		wrong = add_attr(reader, bytes + at, size - 16);
	free(bytes);
	return wrong ? malformed(reader, file->attrs.offset + at - size, wrong)
		     : 0;
}

/* The features are behind the records, and their places in the order of their bits come first. */
static int read_features(struct perf_reader *reader)
{
	struct perf_file *file = &reader->file;
	struct perf_section table = {
		.offset = file->records.offset + file->records.size,
	}, section;
	unsigned int i, n = 0;
	uint8_t *places, *bytes;

	for (i = 0; i < PERF_FILE_NUM_FEATURES; i++)
		table.size += 16 * (file->features[i / 64] >> i % 64 & 1);
	/* A file that was cut has no features. */
	if (table.offset > file->size || table.size > file->size - table.offset)
		return 0;
	places = perf_file_section(file, &table, "the features");
	if (!places)
		return -1;
	for (i = 0; i < PERF_FILE_NUM_FEATURES; i++) {
		if (!(file->features[i / 64] >> i % 64 & 1))
			continue;
		section.offset = data_get64(places + 16 * n);
		section.size = data_get64(places + 16 * n + 8);
		n++;
		if (i != PERF_FILE_BUILD_IDS && i != PERF_FILE_HOST &&
		    i != PERF_FILE_RELEASE && i != PERF_FILE_MACHINE &&
		    i != PERF_FILE_COMMAND && i != PERF_FILE_EVENTS)
			continue;
		bytes = perf_file_section(file, &section, "the features");
		if (!bytes)
			break;
		perf_features_take(&reader->features, &reader->attrs, i, bytes,
				   section.size);
		free(bytes);
	}
	free(places);
	return i < PERF_FILE_NUM_FEATURES ? -1 : 0;
}

/* In the form of a pipe, descriptions are records; they come before those of the kernel. */
static int read_first(struct perf_reader *reader)
{
	struct perf_file *file = &reader->file;
	const uint8_t *bytes;
	const char *wrong;
	size_t size, attr;
	int ret;

	while ((ret = perf_file_next(file)) > 0) {
		bytes = file->record + PERF_FILE_HEAD;
		size = file->record_size - PERF_FILE_HEAD;
		switch (data_get32(file->record)) {
		case PERF_FILE_ATTR:
			attr = size < 8 ? SIZE_MAX : data_get32(bytes + 4);
			/* Attributes of the first version have no size. */
			if (!attr)
				attr = PERF_ATTR_SIZE_VER0;
			wrong = attr > size
					? "the attributes of an event are too short"
					: perf_attrs_add(&reader->attrs, bytes,
							 attr, bytes + attr,
							 (size - attr) / 8);
			if (wrong)
				return malformed(reader, file->at, wrong);
			break;
		case PERF_FILE_FEATURE:
			if (size >= 8 &&
			    data_get64(bytes) < PERF_FILE_NUM_FEATURES)
				perf_features_take(&reader->features,
						   &reader->attrs,
						   data_get64(bytes), bytes + 8,
						   size - 8);
			break;
		case PERF_FILE_BUILD_ID:
			perf_features_take_build(&reader->features,
						 file->record,
						 file->record_size);
			break;
		default:
			if (data_get32(file->record) >= PERF_FILE_USER)
				break;
			file->again = true;
			return 0;
		}
	}
	return ret;
}

static const char *or_unknown(const char *text)
{
	return text && *text ? text : "unknown";
}

static int describe_event(struct perf_reader *reader, size_t i)
{
	const struct perf_attr *attr = &reader->attrs.list[i];
	struct data_info *info = &reader->info;
	struct event *event = &info->events.list[info->events.count];
	struct period *period = &info->periods.list[info->periods.count];
	char text[256];

	reader->index[i] = UINT32_MAX;
	if (perf_attr_is_dummy(attr))
		return 0;
	event->name = strdup(perf_attr_name(attr, text, sizeof(text)));
	if (!event->name)
		return -1;
	reader->texts[info->events.count] = event->name;
	event->label = event->name;
	event->canonical = event->name;
	event->pmd = info->events.count;
	period->event = info->events.count;
	period->pmd = event->pmd;
	period->between = attr->flags & PERF_ATTR_FREQUENCY ? 0 : attr->period;
	period->first = period->between;
	if (attr->flags & PERF_ATTR_FREQUENCY) {
		info->frequency = attr->period;
		period->frequency = attr->period;
	}
	info->stacks |= !!(attr->sample_type & PERF_SAMPLE_CALLCHAIN);
	info->events.count++;
	reader->index[i] = info->periods.count++;
	return 0;
}

static int describe_events(struct perf_reader *reader)
{
	struct data_info *info = &reader->info;
	size_t count = reader->attrs.count, i;

	reader->index = calloc(count + 1, sizeof(*reader->index));
	reader->texts = calloc(count + 1, sizeof(*reader->texts));
	info->events.list = calloc(count + 1, sizeof(*info->events.list));
	info->periods.list = calloc(count + 1, sizeof(*info->periods.list));
	if (!reader->index || !reader->texts || !info->events.list ||
	    !info->periods.list)
		return -1;
	info->events.num_sets = 1;
	for (i = 0; i < count; i++)
		if (describe_event(reader, i))
			return -1;
	return 0;
}

static int describe(struct perf_reader *reader)
{
	static char program[] = "perf";
	struct perf_features *features = &reader->features;
	struct data_info *info = &reader->info;
	size_t i;

	info->host = or_unknown(features->host);
	info->machine = or_unknown(features->machine);
	info->kernel = or_unknown(features->release);
	info->boot = "";
	info->pfmon = "";
	info->began = reader->file.written;
	info->parts = 1;
	info->follow = true;
	info->exact = true;
	info->scope = reader->attrs.list[0].flags & PERF_ATTR_INHERIT
			      ? SCOPE_COMMAND
			      : SCOPE_SYSTEM;
	info->argv = calloc(features->num_words + 2, sizeof(*info->argv));
	if (!info->argv || describe_events(reader)) {
		say_error("out of memory for reading '%s'", reader->file.name);
		return -1;
	}
	info->argv[0] = program;
	for (i = 0; i < features->num_words; i++)
		info->argv[i] = features->words[i];
	if (info->periods.count)
		return 0;
	say_error("'%s' has no event that samples", reader->file.name);
	return -1;
}

/* Fields of samples that a profile cannot show. */
static void tell_fields(const struct perf_reader *reader)
{
	uint64_t types = 0;
	size_t i;

	for (i = 0; i < reader->attrs.count; i++)
		types |= reader->attrs.list[i].sample_type;
	if (types & PERF_SAMPLE_BRANCH_STACK)
		say_note(
			"'%s' has branch stacks, which are not read; 'perf report' shows them",
			reader->file.name);
	if (types & PERF_SAMPLE_STACK_USER)
		say_note(
			"'%s' has copies of stacks (--call-graph=dwarf), which are not unwound: stacks of users have one frame; 'perf script' unwinds them",
			reader->file.name);
}

int perf_reader_open(struct perf_reader *reader, const char *name, FILE *in,
		     bool force)
{
	struct perf_file *file = &reader->file;
	const char *wrong;

	memset(reader, 0, sizeof(*reader));
	if (perf_file_open(file, name, in, force))
		return -1;
	if (!file->pipe && (read_attrs(reader) || read_features(reader)))
		return -1;
	if (perf_file_begin(file) || (file->pipe && read_first(reader)))
		return -1;
	wrong = perf_attrs_check(&reader->attrs);
	if (wrong)
		return malformed(reader, file->at, wrong);
	if (describe(reader))
		return -1;
	name_idle(reader);
	tell_fields(reader);
	return 0;
}

void perf_reader_close(struct perf_reader *reader)
{
	size_t i;

	for (i = 0; reader->texts && i < reader->attrs.count; i++)
		free(reader->texts[i]);
	free(reader->texts);
	free(reader->index);
	data_info_free(&reader->info);
	perf_queue_free(&reader->order);
	perf_tasks_free(&reader->tasks);
	perf_features_free(&reader->features);
	perf_attrs_free(&reader->attrs);
	perf_file_close(&reader->file);
	memset(reader, 0, sizeof(*reader));
}

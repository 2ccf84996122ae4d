// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/*
 * The event tables of processors, made from files of their vendors.
 *
 * Tables are read when an event string or a list needs them: generic names, raw codes and virtual
 * registers cost nothing more.
 */
#include "pmu/vendor.h"

#include "base/text.h"
#include "pmu/arch_x86.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __aarch64__
#include <sys/auxv.h>
#ifndef HWCAP_CPUID
#define HWCAP_CPUID (1 << 11)
#endif
#endif

/* A folder that replaces all others, and the name of a table that replaces the processor's. */
#define FOLDER_VARIABLE "PERFMON_EVENTS"
#define TABLE_VARIABLE	"PERFMON_EVENT_TABLE"

/* pfmon-update-events puts tables for all users here. */
#define SYSTEM_FOLDER "/var/lib/perfmon/events"
#define USER_FOLDER   "perfmon/events"

#ifndef EVENTS_FOLDER
#define EVENTS_FOLDER "/usr/share/perfmon/events"
#endif

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct pfmi_vendor_table tables[PFMI_VENDOR_TABLES];
static unsigned int num_tables;
static char user_folder[512];

/* A program that runs with the rights of another user takes nothing from its environment. */
static const char *variable(const char *name)
{
	const char *value = secure_getenv(name);

	return value && *value ? value : NULL;
}

const char *pfmi_vendor_forced(void)
{
	return variable(TABLE_VARIABLE);
}

static uint64_t midr(void)
{
	uint64_t value = 0;

	/* The kernel answers for the register. */
#ifdef __aarch64__
	if (getauxval(AT_HWCAP) & HWCAP_CPUID)
		__asm__("mrs %0, MIDR_EL1" : "=r"(value));
#endif
	return value;
}

static bool set_user_folder(void)
{
	const char *data = variable("XDG_DATA_HOME");
	const char *home = variable("HOME");
	size_t pos = 0;

	if (data)
		return pfmi_text_add(user_folder, sizeof(user_folder), &pos,
				     "%s/" USER_FOLDER, data);
	return home && pfmi_text_add(user_folder, sizeof(user_folder), &pos,
				     "%s/.local/share/" USER_FOLDER, home);
}

/* The folders, the first one that has a table counts; returns their number. */
static unsigned int list_folders(const char *folders[3])
{
	unsigned int count = 0;

	folders[count] = variable(FOLDER_VARIABLE);
	if (folders[count])
		return 1;
	if (set_user_folder())
		folders[count++] = user_folder;
	folders[count++] = SYSTEM_FOLDER;
	folders[count++] = EVENTS_FOLDER;
	return count;
}

/* A table that is named is that of the first folder with such a file. */
static void find_named(const char *name, const char *const folders[3],
		       unsigned int count)
{
	unsigned int i;

	if (strlen(name) >= sizeof(tables[0].name) || strchr(name, '/'))
		return;
	for (i = 0; i < count; i++) {
		memset(&tables[0], 0, sizeof(tables[0]));
		memcpy(tables[0].name, name, strlen(name) + 1);
		tables[0].folder = folders[i];
		if (pfmi_vendor_file_load(&tables[0]) == -ENOENT)
			continue;
		num_tables = 1;
		return;
	}
}

/*
 * A user who tells libpfm4 which processor to assume does not want the events of this one.
 */
static void find_tables(void)
{
	const char *name = pfmi_vendor_forced(), *folders[3];
	struct pfmi_vendor_cpu cpu = { 0 };
	struct pfmi_x86_cpu x86;
	unsigned int i, count;

	if (!name && variable("LIBPFM_FORCE_PMU"))
		return;
	count = list_folders(folders);
	if (name) {
		find_named(name, folders, count);
		return;
	}
	pfmi_x86_cpu(&x86);
	memcpy(cpu.vendor, x86.vendor, sizeof(cpu.vendor));
	cpu.family = x86.family;
	cpu.model = x86.model;
	cpu.midr = midr();
	for (i = 0; i < count; i++)
		pfmi_vendor_file_find(folders[i], &cpu, tables, &num_tables);
}

/* Table number @i, which has been read; NULL: there are fewer.  *@err is that of reading it. */
static const struct pfmi_vendor_table *get_table(unsigned int i, int *err)
{
	pthread_once(&once, find_tables);
	if (i >= num_tables)
		return NULL;
	pthread_mutex_lock(&lock);
	*err = pfmi_vendor_file_load(&tables[i]);
	pthread_mutex_unlock(&lock);
	return &tables[i];
}

static bool is_perf(const struct pfm_arch_ops *ops)
{
	return ops == &pfmi_arch_perf;
}

/*
 * True if the PMU counts events of the table.  perf has a PMU for each kind of cores, and raw codes
 * are those of the first one.
 */
static bool suits(const struct pfm_arch_ops *ops,
		  const struct pfmi_vendor_table *table, unsigned int i)
{
	if (!ops)
		return true;
	return is_perf(ops) ? !i : !strcmp(ops->name, table->arch);
}

const char *pfmi_vendor_name(const struct pfm_arch_ops *ops)
{
	const struct pfmi_vendor_table *table;
	int err = 0;

	table = get_table(0, &err);
	return table && !err && suits(ops, table, 0) ? table->name : NULL;
}

static const struct pfmi_vendor_table *find_table(const char *name)
{
	const struct pfmi_vendor_table *table;
	unsigned int i;
	int err = 0;

	for (i = 0; (table = get_table(i, &err)); i++)
		if (!err && pfmi_text_equal(table->name, name))
			return table;
	return NULL;
}

const char *pfmi_vendor_source(const char *name)
{
	const struct pfmi_vendor_table *table = find_table(name);

	return table ? table->source : NULL;
}

void pfmi_vendor_damage(char *buf, size_t size)
{
	const struct pfmi_vendor_table *table;
	unsigned int i;
	int err = 0;

	snprintf(buf, size, "an event table is damaged");
	for (i = 0; (table = get_table(i, &err)); i++) {
		if (err != -EBADMSG)
			continue;
		snprintf(
			buf, size,
			"the event table %s/%s.events is damaged in line %u; remove it, or make it anew by pfmon-update-events",
			table->folder, table->name, table->line);
		return;
	}
}

/*
 * The event whose name has the most of the words; *@fields is the number of fields that belong
 * to it.
 */
static const struct pfmi_vendor_event *
find_event(const struct pfmi_vendor_table *table,
	   const struct pfmi_words *words, unsigned int *fields)
{
	const struct pfmi_vendor_event *found = NULL;
	size_t i;

	for (i = 0; i < table->count; i++) {
		int count = pfmi_words_match(words, table->events[i].name);

		if (count < 0 || (found && (unsigned int)count <= *fields))
			continue;
		found = &table->events[i];
		*fields = count;
	}
	return found;
}

/*
 * perf's codes have the modifiers of the processor's own PMU at the same place.
 */
static bool take_modifier(const struct pfm_arch_ops *ops,
			  const struct pfmi_vendor_table *table,
			  struct pfm_event *event, const char *field)
{
	if (ops && is_perf(ops))
		ops = pfmi_arch_find(table->arch);
	return ops && ops->modifier && ops->modifier(event, field);
}

/* Write the canonical name of the event, without levels. */
static int write_name(const struct pfmi_vendor_table *table,
		      const struct pfmi_vendor_event *known,
		      const struct pfmi_words *words, unsigned int first,
		      struct pfm_event *event)
{
	size_t pos = 0;
	unsigned int i;
	const char *at;
	bool fits;

	fits = pfmi_text_add(event->name, sizeof(event->name), &pos, "%s::%s",
			     table->name, known->name);
	for (i = first; i < words->num_fields; i++) {
		fits &= pfmi_text_add(event->name, sizeof(event->name), &pos,
				      ":");
		for (at = words->fields[i]; *at; at++)
			fits &= pfmi_text_add(event->name, sizeof(event->name),
					      &pos, "%c", pfmi_text_lower(*at));
	}
	return fits ? 0 : -ENAMETOOLONG;
}

static int encode(const struct pfm_arch_ops *ops,
		  const struct pfmi_vendor_table *table,
		  const struct pfmi_words *words, struct pfm_event *event)
{
	const struct pfmi_vendor_event *known;
	unsigned int fields = 0, i;
	uint64_t codes[2];

	known = find_event(table, words, &fields);
	if (!known)
		return -ENOENT;
	codes[0] = known->code;
	codes[1] = known->extra;
	if (ops)
		ops->take_encoding(event, codes, known->has_extra ? 2 : 1,
				   known->name);
	else
		event->code = known->code;
	/* Without its second register it would count something else. */
	if (ops && known->has_extra && !(event->flags & PFM_EVENTF_EXTRA))
		return -EOPNOTSUPP;
	for (i = fields; ops && i < words->num_fields; i++)
		if (!take_modifier(ops, table, event, words->fields[i]))
			return -EINVAL;
	return write_name(table, known, words, fields, event);
}

int pfmi_vendor_encode(const struct pfm_arch_ops *ops,
		       const struct pfmi_words *words, struct pfm_event *event)
{
	const struct pfmi_vendor_table *table;
	unsigned int i;
	int err = 0;

	for (i = 0; (words->table || !i) && (table = get_table(i, &err)); i++) {
		if (words->table && !pfmi_text_equal(words->table, table->name))
			continue;
		if (err)
			return err;
		if (!suits(ops, table, i))
			continue;
		return encode(ops, table, words, event);
	}
	return -ENOENT;
}

bool pfmi_vendor_wrong_field(const struct pfm_arch_ops *ops,
			     const struct pfmi_words *words, const char **field)
{
	const struct pfmi_vendor_event *known = NULL;
	const struct pfmi_vendor_table *table;
	struct pfm_event event = { 0 };
	unsigned int fields = 0, i;
	char name[PFM_EVENT_NAME_LEN];
	int err = 0;

	table = words->table ? find_table(words->table) : get_table(0, &err);
	if (table && !err)
		known = find_event(table, words, &fields);
	if (!known)
		return false;
	*field = NULL;
	for (i = fields; i < words->num_fields && !*field; i++) {
		event.code = known->code;
		snprintf(name, sizeof(name), "%.*s=1",
			 (int)strcspn(words->fields[i], "="), words->fields[i]);
		if (!take_modifier(ops, table, &event, words->fields[i]) &&
		    !take_modifier(ops, table, &event, name))
			*field = words->fields[i];
	}
	return true;
}

/* The library's description of an event that the architecture defines; "" if it has none. */
static const char *own_desc(const struct pfmi_vendor_table *table,
			    const struct pfmi_vendor_event *event)
{
	const struct pfm_arch_ops *ops = pfmi_arch_find(table->arch);
	const struct pfm_arch_event *known;

	for (known = ops ? ops->events : NULL; known && known->name; known++)
		if (known->code == event->code &&
		    pfmi_text_equal(known->name, event->name))
			return known->desc;
	return "";
}

static int visit_event(const struct pfm_arch_ops *ops,
		       const struct pfmi_vendor_table *table,
		       const struct pfmi_vendor_event *event,
		       int (*visit)(const struct pfm_event_desc *desc,
				    void *arg),
		       void *arg)
{
	char text[PFM_EVENT_NAME_LEN];
	struct pfm_event_desc desc = {
		.pmu = table->name,
		.name = event->name,
		.desc = *event->desc ? event->desc : own_desc(table, event),
		.code = event->code,
		.kind = PFM_EVENT_HARDWARE,
		.plm = ops ? ops->levels : PFM_PLM_USER | PFM_PLM_KERNEL,
	};

	if (event->deprecated && !*event->desc) {
		if (*event->instead)
			snprintf(text, sizeof(text), "Deprecated: use %s",
				 event->instead);
		else
			snprintf(text, sizeof(text), "Deprecated");
		desc.desc = text;
	}
	if (ops && pfmi_arch_cycles(ops) == event->code)
		desc.flags |= PFM_EVENTF_CYCLES;
	return visit(&desc, arg);
}

int pfmi_vendor_for_each(const struct pfm_arch_ops *ops,
			 int (*visit)(const struct pfm_event_desc *desc,
				      void *arg),
			 void *arg)
{
	const struct pfmi_vendor_table *table;
	unsigned int i;
	size_t k;
	int ret = 0;

	for (i = 0; (table = get_table(i, &ret)); i++) {
		if (ret == -ENOENT) {
			ret = 0;
			continue;
		}
		if (ret)
			return ret;
		for (k = 0; suits(ops, table, i) && k < table->count && !ret;
		     k++)
			ret = visit_event(ops, table, &table->events[k],
					  visit, arg);
		if (ret)
			return ret;
	}
	return 0;
}

int pfmi_vendor_visit(const char *name,
		      int (*visit)(const struct pfmi_vendor_event *event,
				   void *arg),
		      void *arg)
{
	const struct pfmi_vendor_table *table = find_table(name);
	int ret = 0;
	size_t i;

	if (!table)
		return -ENOENT;
	for (i = 0; i < table->count && !ret; i++)
		ret = visit(&table->events[i], arg);
	return ret;
}

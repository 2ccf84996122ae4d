// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/*
 * The event tables of libpfm4.
 */
#include "pmu/tables.h"

#include "base/text.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef __GLIBC__
#include <sys/single_threaded.h>
#endif

#include <perfmon/pfmlib.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static bool ready;

#define DISABLED "LIBPFM_DISABLED_PMUS"

/*
 * The environment must not change while another thread reads it.
 */
static bool may_set_environment(void)
{
#ifdef __GLIBC__
	return __libc_single_threaded;
#else
	return false;
#endif
}

/*
 * Initializes libpfm4 without its PMUs "perf" and "perf_raw", which no event comes from: for the
 * first one libpfm4 reads the number of each tracepoint of the kernel, by thousands of system calls.
 * It takes from the environment what to leave out; a program with threads gets all PMUs.
 */
static void initialize(void)
{
	/* libpfm4 keeps a pointer to the value. */
	static char setting[512];
	const char *old = getenv(DISABLED);
	char *copy = old ? strdup(old) : NULL;
	int length;
	bool set;

	length = snprintf(setting, sizeof(setting), DISABLED "=%s%sperf",
			  old ? old : "", old ? "," : "");
	set = may_set_environment() && length < (int)sizeof(setting) &&
	      !old == !copy && !putenv(setting);
	ready = pfm_initialize() == PFM_SUCCESS;
	if (set && copy)
		setenv(DISABLED, copy, 1);
	else if (set)
		unsetenv(DISABLED);
	free(copy);
}

/*
 * Returns true if table number @id describes a processor core of this machine.  libpfm4 also
 * has tables for perf_event's names and for units outside of the core, whose codes have
 * no meaning for the PMU of a core.
 */
static bool table_get(const struct pfm_arch_ops *ops, int id,
		      pfm_pmu_info_t *info)
{
	memset(info, 0, sizeof(*info));
	info->size = sizeof(*info);
	if (pfm_get_pmu_info(id, info) != PFM_SUCCESS || !info->is_present)
		return false;
	if (info->type != PFM_PMU_TYPE_CORE)
		return false;
	return !ops || ops->owns_table(info->name);
}

/*
 * Place of the first table from @place on; PLACES when there is none.  ix86arch, the table of
 * the events that all models of Intel have, is present beside that of the model and has a lower
 * number.  It comes last, as the model's table is the one that names this machine.
 */
#define PLACES	(2 * PFM_PMU_MAX)

static int table_next(const struct pfm_arch_ops *ops, int place,
		      pfm_pmu_info_t *info)
{
	pthread_once(&once, initialize);
	if (!ready)
		return PLACES;
	for (; place < PLACES; place++)
		if (table_get(ops, place % PFM_PMU_MAX, info) &&
		    info->is_dfl == (place >= PFM_PMU_MAX))
			break;
	return place;
}

const char *pfmi_tables_name(const struct pfm_arch_ops *ops)
{
	pfm_pmu_info_t info;

	return table_next(ops, 0, &info) < PLACES ? info.name : NULL;
}

static int error_of(int ret)
{
	switch (ret) {
	case PFM_SUCCESS:
		return 0;
	case PFM_ERR_NOMEM:
		return -ENOMEM;
	case PFM_ERR_FEATCOMB:
	case PFM_ERR_UMASK:
	case PFM_ERR_ATTR:
	case PFM_ERR_ATTR_VAL:
	case PFM_ERR_ATTR_SET:
	case PFM_ERR_TOOMANY:
		return -EINVAL;
	default:
		return -ENOENT;
	}
}

static bool get_attr(int event, int attr, pfm_event_attr_info_t *info)
{
	memset(info, 0, sizeof(*info));
	info->size = sizeof(*info);
	return pfm_get_event_attr_info(event, attr, PFM_OS_NONE, info) ==
	       PFM_SUCCESS;
}

/* A unit mask as the table spells it. */
static const char *field_spelling(int event, int num_attrs, const char *field)
{
	pfm_event_attr_info_t attr;
	int i;

	for (i = 0; i < num_attrs; i++)
		if (get_attr(event, i, &attr) &&
		    pfmi_text_equal(attr.name, field))
			return attr.name;
	return field;
}

static bool get_event(int index, pfm_event_info_t *info)
{
	memset(info, 0, sizeof(*info));
	info->size = sizeof(*info);
	return pfm_get_event_info(index, PFM_OS_NONE, info) == PFM_SUCCESS;
}

/*
 * Number of the event with that name.  @index, from the encoding, is another one when the
 * name is an alias: an alias can stand for an event with a unit mask, so the name of that
 * event would not be the name of the same encoding.
 */
static int find_event(const pfm_pmu_info_t *table, int index, const char *name)
{
	pfm_event_info_t info;
	int i;

	if (get_event(index, &info) && pfmi_text_equal(info.name, name))
		return index;
	for (i = table->first_event; i >= 0; i = pfm_get_event_next(i))
		if (get_event(i, &info) && pfmi_text_equal(info.name, name))
			return i;
	return index;
}

/* Write the canonical name of the event, without levels. */
static int write_name(const pfm_pmu_info_t *table, int index,
		      const struct pfmi_words *words, struct pfm_event *event)
{
	pfm_event_info_t info;
	size_t pos = 0;
	unsigned int i;
	bool fits;

	index = find_event(table, index, words->name);
	if (!get_event(index, &info))
		return -ENOENT;
	fits = pfmi_text_add(event->name, sizeof(event->name), &pos, "%s::%s",
			     table->name, info.name);
	for (i = 0; i < words->num_fields; i++)
		fits = pfmi_text_add(event->name, sizeof(event->name), &pos,
				     ":%s",
				     field_spelling(index, info.nattrs,
						    words->fields[i]));
	return fits ? 0 : -ENAMETOOLONG;
}

/* Apply a field that libpfm4 does not know; false: libpfm4 has to know it. */
static bool own_field(const struct pfm_arch_ops *ops, const char *field,
		      struct pfm_event *event)
{
	return ops && ops->table_modifier && ops->table_modifier(event, field);
}

static int encode(const struct pfm_arch_ops *ops, const pfm_pmu_info_t *table,
		  const struct pfmi_words *words, struct pfm_event *event)
{
	char text[2 * PFM_EVENT_NAME_LEN];
	pfm_pmu_encode_arg_t arg;
	char *full = NULL;
	size_t pos = 0;
	unsigned int i;
	int ret;

	pfmi_text_add(text, sizeof(text), &pos, "%s::%s", table->name,
		      words->name);
	for (i = 0; i < words->num_fields; i++)
		if (!own_field(ops, words->fields[i], event))
			pfmi_text_add(text, sizeof(text), &pos, ":%s",
				      words->fields[i]);
	if (pos >= sizeof(text))
		return -ENAMETOOLONG;

	memset(&arg, 0, sizeof(arg));
	arg.size = sizeof(arg);
	arg.fstr = &full;
	ret = error_of(pfm_get_os_event_encoding(text, PFM_PLM0 | PFM_PLM3,
						 PFM_OS_NONE, &arg));
	if (ret)
		return ret;
	if (arg.count < 1) {
		ret = -ENOENT;
	} else {
		if (ops)
			ops->take_encoding(event, arg.codes, arg.count, full);
		else
			event->code = arg.codes[0];
		for (i = 0; i < words->num_fields; i++)
			own_field(ops, words->fields[i], event);
		ret = write_name(table, arg.idx, words, event);
	}
	free(full);
	free(arg.codes);
	return ret;
}

int pfmi_tables_encode(const struct pfm_arch_ops *ops,
		       const struct pfmi_words *words, struct pfm_event *event)
{
	pfm_pmu_info_t info;
	int ret = -ENOENT;
	int place;

	for (place = table_next(ops, 0, &info); place < PLACES && ret == -ENOENT;
	     place = table_next(ops, place + 1, &info)) {
		if (words->table && !pfmi_text_equal(words->table, info.name))
			continue;
		ret = encode(ops, &info, words, event);
	}
	return ret;
}

/* Read the unit masks of event number @index; the caller frees them. */
static int read_umasks(int index, int count, struct pfm_event_umask **result,
		       uint32_t *num)
{
	struct pfm_event_umask *umasks;
	pfm_event_attr_info_t attr;
	int i;

	*result = NULL;
	*num = 0;
	if (count <= 0)
		return 0;
	umasks = calloc(count, sizeof(*umasks));
	if (!umasks)
		return -ENOMEM;
	for (i = 0; i < count; i++) {
		struct pfm_event_umask *umask = &umasks[*num];

		if (!get_attr(index, i, &attr) || attr.type == PFM_ATTR_RAW_UMASK)
			continue;
		/* The library handles levels itself, alike for every event. */
		if (attr.type != PFM_ATTR_UMASK && pfmi_levels(attr.name))
			continue;
		umask->name = attr.name;
		umask->desc = attr.desc ? attr.desc : "";
		umask->code = attr.code;
		umask->is_default = attr.is_dfl;
		umask->is_modifier = attr.type != PFM_ATTR_UMASK;
		umask->takes_value = attr.type == PFM_ATTR_MOD_INTEGER;
		++*num;
	}
	*result = umasks;
	return 0;
}

static int visit_event(const struct pfm_arch_ops *ops, const char *table,
		       int index,
		       int (*visit)(const struct pfm_event_desc *desc, void *arg),
		       void *arg)
{
	struct pfm_event_desc desc = { .kind = PFM_EVENT_HARDWARE, .pmu = table };
	struct pfm_event_umask *umasks;
	pfm_event_info_t info;
	int ret;

	if (!get_event(index, &info))
		return 0;
	desc.name = info.name;
	desc.desc = info.desc ? info.desc : "";
	desc.equiv = info.equiv;
	desc.code = info.code;
	desc.plm = ops ? ops->levels : PFM_PLM_USER | PFM_PLM_KERNEL;
	if (ops && pfmi_arch_cycles(ops) == info.code)
		desc.flags |= PFM_EVENTF_CYCLES;
	ret = read_umasks(index, info.nattrs, &umasks, &desc.num_umasks);
	if (ret)
		return ret;
	desc.umasks = umasks;
	ret = visit(&desc, arg);
	free(umasks);
	return ret;
}

int pfmi_tables_for_each(const struct pfm_arch_ops *ops,
			 int (*visit)(const struct pfm_event_desc *desc,
				      void *arg),
			 void *arg)
{
	pfm_pmu_info_t info;
	int place, index, ret;

	for (place = table_next(ops, 0, &info); place < PLACES;
	     place = table_next(ops, place + 1, &info)) {
		for (index = info.first_event; index >= 0;
		     index = pfm_get_event_next(index)) {
			ret = visit_event(ops, info.name, index, visit, arg);
			if (ret)
				return ret;
		}
	}
	return 0;
}

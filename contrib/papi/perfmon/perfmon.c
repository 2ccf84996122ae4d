// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/*
 * A component of PAPI that counts with perfmon: events of the calling thread, or of a thread that
 * the event set is attached to.
 *
 * Event strings are those of libperfmon: cycles, CPU_TIME_NS,
 * amd64_fam17h_zen1::RETIRED_INSTRUCTIONS.  The framework of PAPI declares the functions, in
 * papi_vector.h; an event set is one context.
 */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#include "papi.h"
#include "papi_internal.h"
#include "papi_memory.h"
#include "papi_vector.h"
#include "threads.h"
#include "extras.h"

#include <perfmon/perfmon.h>

/* Most events of an event set. */
#define EVENTS_MAX 64

#define DOMAINS (PAPI_DOM_USER | PAPI_DOM_KERNEL | PAPI_DOM_SUPERVISOR)

papi_vector_t _perfmon_vector;

/**
 * enum kind - how PAPI finds an event
 * @EVENT: by walking all events
 * @UMASK: by walking the unit masks of the event before it that is an EVENT
 * @NAMED: by its name only
 */
enum kind {
	EVENT,
	UMASK,
	NAMED,
};

/**
 * struct native - an event that has a number
 * @name: event string
 * @desc: what it counts
 * @kind: how PAPI finds it
 */
struct native {
	char *name;
	char *desc;
	enum kind kind;
};

/* The registers of the machine; read once, and not changed after that. */
static struct pfm_reg_map *map;

/*
 * The number of an event is its index.  Events that no walk finds, such as those with levels, get
 * a number when their names are first asked for, so the table grows.
 */
static struct native *natives;
static unsigned int num_natives;
static pthread_mutex_t natives_lock = PTHREAD_MUTEX_INITIALIZER;

/**
 * struct control - state of an event set
 * @fd: context; -1 while the event set does not count
 * @plm: PFM_PLM_* of events that name none
 * @tid: thread to count; 0: the one that starts the event set
 * @count: number of events
 * @numbers: their numbers
 * @regs: their registers
 * @values: what they have counted; what read returned last
 */
struct control {
	int fd;
	uint32_t plm;
	uint32_t tid;
	unsigned int count;
	unsigned int numbers[EVENTS_MAX];
	struct pfm_assignment regs;
	long long values[EVENTS_MAX];
};

/* The framework keeps one for each thread; a context is found by the event set. */
struct thread {
	int unused;
};

static int result(int err)
{
	switch (err) {
	case -EACCES:
	case -EPERM:
		return PAPI_EPERM;
	case -ENOMEM:
		return PAPI_ENOMEM;
	case -EBUSY:
	case -ENOSPC:
		return PAPI_ECNFLCT;
	case -EINVAL:
	case -ENOENT:
		return PAPI_EINVAL;
	default:
		return err < 0 ? PAPI_ESYS : PAPI_OK;
	}
}

static int find(const char *name)
{
	unsigned int i;

	for (i = 0; i < num_natives; i++)
		if (!strcasecmp(natives[i].name, name))
			return i;
	return -1;
}

/* With natives_lock.  Returns the number of the event or a negative errno value. */
static int add(const char *name, const char *desc, enum kind kind)
{
	struct native *grown;
	struct native *native;

	grown = realloc(natives, (num_natives + 1) * sizeof(*natives));
	if (!grown)
		return -ENOMEM;
	natives = grown;
	native = &natives[num_natives];
	native->name = strdup(name);
	native->desc = strdup(desc);
	if (!native->name || !native->desc) {
		free(native->name);
		free(native->desc);
		return -ENOMEM;
	}
	native->kind = kind;
	return num_natives++;
}

/* The tools of PAPI look for "masks:" in the description. */
static int add_umasks(const struct pfm_event_desc *event, const char *name)
{
	const struct pfm_event_umask *umask = event->umasks;
	char full[PFM_EVENT_NAME_LEN], desc[PAPI_HUGE_STR_LEN];
	unsigned int i;
	int ret = 0;

	for (i = 0; ret >= 0 && i < event->num_umasks; i++, umask++) {
		if (umask->is_modifier)
			continue;
		ret = snprintf(full, sizeof(full), "%s:%s", name, umask->name);
		if (ret >= (int)sizeof(full))
			continue;
		snprintf(desc, sizeof(desc), "%s, masks:%s", event->desc,
			 umask->desc ? umask->desc : "");
		ret = add(full, desc, UMASK);
	}
	return ret;
}

/* PAPI finds skl::UOPS_ISSUED, without the name of the component, by the names of tables. */
static int add_table(const char *name)
{
	char **names = _perfmon_vector.cmp_info.pmu_names;
	unsigned int i;

	for (i = 0; i < PAPI_PMU_MAX && names[i]; i++)
		if (!strcmp(names[i], name))
			return 0;
	if (i == PAPI_PMU_MAX)
		return 0;
	names[i] = strdup(name);
	return names[i] ? 0 : -ENOMEM;
}

/*
 * Presets are events of the first component.  The first table is that of the processor's model, if
 * there is one.  Otherwise PAPI has no presets for it.
 *
 * PAPI notes in the structure of the thread which event it looks for, and makes that structure after
 * it has initialized the components.
 */
static void load_presets(int index)
{
	char *table = _perfmon_vector.cmp_info.pmu_names[0];
	ThreadInfo_t *thread = _papi_hwi_my_thread;
	ThreadInfo_t none;

	if (index || !table)
		return;
	if (!thread) {
		memset(&none, 0, sizeof(none));
		_papi_hwi_my_thread = &none;
	}
	_papi_load_preset_table(table, 0, index);
	_papi_hwi_my_thread = thread;
}

/* PAPI_DOM_ALL of a user becomes what is available, so levels that no counter has are left out. */
static int domains_of(uint32_t plm)
{
	int domains = 0;

	if (plm & PFM_PLM_USER)
		domains |= PAPI_DOM_USER;
	if (plm & PFM_PLM_KERNEL)
		domains |= PAPI_DOM_KERNEL;
	if (plm & PFM_PLM_HYP)
		domains |= PAPI_DOM_SUPERVISOR;
	return domains;
}

static int visit(const struct pfm_event_desc *desc, void *plm)
{
	char name[PFM_EVENT_NAME_LEN];
	int ret;

	if (desc->kind == PFM_EVENT_HARDWARE)
		*(uint32_t *)plm |= desc->plm;
	snprintf(name, sizeof(name), "%s%s%s", desc->pmu,
		 desc->pmu[0] ? "::" : "", desc->name);
	/* Only names without a table can come twice. */
	if (!desc->pmu[0] && find(name) >= 0)
		return 0;
	ret = add(name, desc->desc, EVENT);
	if (ret >= 0 && desc->pmu[0])
		ret = add_table(desc->pmu);
	if (ret >= 0)
		ret = add_umasks(desc, name);
	_perfmon_vector.cmp_info.num_native_events++;
	return ret < 0 ? ret : 0;
}

static int describe(const struct pfm_event_desc *desc, void *arg)
{
	snprintf(arg, PAPI_HUGE_STR_LEN, "%s", desc->desc);
	return 1;
}

static int disable(int err, const char *fmt, ...)
{
	PAPI_component_info_t *info = &_perfmon_vector.cmp_info;
	va_list args;

	va_start(args, fmt);
	vsnprintf(info->disabled_reason, sizeof(info->disabled_reason), fmt,
		  args);
	va_end(args);
	info->disabled = err;
	return err;
}

static int init_component(int index)
{
	PAPI_component_info_t *info = &_perfmon_vector.cmp_info;
	uint32_t plm = PFM_PLM_USER;
	struct pfm_config config;
	int fd, ret;

	info->CmpIdx = index;
	info->num_native_events = 0;
	fd = pfm_ctx_create(NULL);
	if (fd < 0)
		return disable(result(fd), "perfmon: %s",
			       pfm_ctx_strerror(PFM_IOC_CREATE_CONTEXT, fd));
	ret = pfm_ctx_get_config(fd, &config);
	if (!ret)
		ret = pfm_reg_map_from_ctx(fd, &map);
	close(fd);
	if (ret < 0)
		return disable(result(ret), "perfmon: registers: %s",
			       pfm_ctx_strerror(PFM_IOC_GET_CONFIG, ret));
	ret = pfm_event_for_each(map, visit, &plm);
	if (ret < 0)
		return disable(result(ret), "perfmon: events: %s",
			       strerror(-ret));
	snprintf(info->kernel_version, sizeof(info->kernel_version), "%u.%u",
		 config.abi_version >> 16, config.abi_version & 0xffff);
	info->num_cntrs = pfm_reg_map_counters(map, NULL);
	info->available_domains = domains_of(plm);
	info->disabled = PAPI_OK;
	load_presets(index);
	return PAPI_OK;
}

static int shutdown_component(void)
{
	unsigned int i;

	for (i = 0; i < num_natives; i++) {
		free(natives[i].name);
		free(natives[i].desc);
	}
	for (i = 0; i < PAPI_PMU_MAX; i++) {
		free(_perfmon_vector.cmp_info.pmu_names[i]);
		_perfmon_vector.cmp_info.pmu_names[i] = NULL;
	}
	free(natives);
	natives = NULL;
	num_natives = 0;
	pfm_reg_map_free(map);
	map = NULL;
	return PAPI_OK;
}

static int init_thread(hwd_context_t *thread)
{
	(void)thread;
	return PAPI_OK;
}

static int shutdown_thread(hwd_context_t *thread)
{
	(void)thread;
	return PAPI_OK;
}

static int init_control(hwd_control_state_t *state)
{
	struct control *control = state;

	memset(control, 0, sizeof(*control));
	control->fd = -1;
	control->plm = PFM_PLM_USER;
	return PAPI_OK;
}

static int cleanup(hwd_control_state_t *state)
{
	struct control *control = state;

	if (control->fd >= 0)
		close(control->fd);
	control->fd = -1;
	control->count = 0;
	return PAPI_OK;
}

/* Choose registers for the events, for the levels as of now. */
static int choose(struct control *control)
{
	struct pfm_event events[EVENTS_MAX];
	unsigned int i;
	int ret = 0;

	pthread_mutex_lock(&natives_lock);
	for (i = 0; !ret && i < control->count; i++)
		ret = pfm_event_parse(map, natives[control->numbers[i]].name,
				      control->plm, &events[i]);
	pthread_mutex_unlock(&natives_lock);
	/* Levels that the event cannot have were chosen for the whole event set. */
	if (ret == -EDOM)
		return PAPI_EINVAL_DOM;
	if (ret < 0)
		return PAPI_ENOEVNT;
	if (pfm_assign_registers(map, events, control->count, &control->regs) <
	    0)
		return PAPI_ECNFLCT;
	return PAPI_OK;
}

static int update(hwd_control_state_t *state, NativeInfo_t *native, int count,
		  hwd_context_t *thread)
{
	struct control *control = state;
	int i;

	(void)thread;
	if (count > EVENTS_MAX)
		return PAPI_ECOUNT;
	for (i = 0; i < count; i++) {
		control->numbers[i] = native[i].ni_event;
		native[i].ni_position = i;
	}
	control->count = count;
	return count ? choose(control) : PAPI_OK;
}

/*
 * The signal of a timer may read an event set while its thread reads or writes it, so both have
 * arrays of their own.
 */
static int read_values(struct control *control)
{
	const struct pfm_assignment *regs = &control->regs;
	struct pfm_reg pmds[PFM_ASSIGN_MAX];
	unsigned int i;
	int ret;

	memcpy(pmds, regs->pmds, regs->num_pmds * sizeof(*pmds));
	ret = pfm_ctx_read_pmds(control->fd, pmds, regs->num_pmds, NULL);
	if (ret < 0)
		return result(ret);
	for (i = 0; i < control->count; i++)
		control->values[i] = pmds[regs->index[i]].value;
	return PAPI_OK;
}

/* Give all registers the same value, or each event that of @values. */
static int write_values(struct control *control, const long long *values)
{
	const struct pfm_assignment *regs = &control->regs;
	struct pfm_reg pmds[PFM_ASSIGN_MAX];
	unsigned int i;

	memcpy(pmds, regs->pmds, regs->num_pmds * sizeof(*pmds));
	for (i = 0; values && i < control->count; i++)
		pmds[regs->index[i]].value = values[i];
	return pfm_ctx_write_pmds(control->fd, pmds, regs->num_writable, NULL);
}

static int begin(struct control *control)
{
	struct pfm_assignment *regs = &control->regs;
	int ret;

	ret = pfm_ctx_write_pmcs(control->fd, regs->pmcs, regs->num_pmcs, NULL);
	if (ret >= 0)
		ret = write_values(control, NULL);
	if (ret >= 0)
		ret = pfm_ctx_load(control->fd, control->tid, NULL);
	if (ret >= 0)
		ret = pfm_ctx_start(control->fd, NULL);
	return ret;
}

static int start(hwd_context_t *thread, hwd_control_state_t *state)
{
	struct control *control = state;
	int ret;

	(void)thread;
	control->fd = pfm_ctx_create(NULL);
	if (control->fd < 0)
		return result(control->fd);
	ret = begin(control);
	if (ret >= 0)
		return PAPI_OK;
	close(control->fd);
	control->fd = -1;
	return result(ret);
}

static int stop(hwd_context_t *thread, hwd_control_state_t *state)
{
	struct control *control = state;
	int ret;

	(void)thread;
	if (control->fd < 0)
		return PAPI_ENOTRUN;
	/* A thread that has ended has stopped it: the counts are there. */
	pfm_ctx_stop(control->fd);
	ret = read_values(control);
	close(control->fd);
	control->fd = -1;
	return ret;
}

/* The framework reads the values of an event set that has stopped, too. */
static int read_counts(hwd_context_t *thread, hwd_control_state_t *state,
		       long long **values, int flags)
{
	struct control *control = state;
	int ret = PAPI_OK;

	(void)thread;
	(void)flags;
	if (control->fd >= 0)
		ret = read_values(control);
	*values = control->values;
	return ret;
}

static int write_counts(hwd_context_t *thread, hwd_control_state_t *state,
			long long *values)
{
	struct control *control = state;

	(void)thread;
	if (control->fd < 0)
		return PAPI_ENOTRUN;
	return result(write_values(control, values));
}

static int reset(hwd_context_t *thread, hwd_control_state_t *state)
{
	return write_counts(thread, state, NULL);
}

/* The timer of PAPI by which it notices overflows, and takes samples for profiles. */
static void dispatch(int signal, hwd_siginfo_t *info, void *ucontext)
{
	_papi_hwi_context_t context = { .si = info, .ucontext = ucontext };
	ThreadInfo_t *thread = NULL;

	(void)signal;
	_papi_hwi_dispatch_overflow_signal(&context,
					   GET_OVERFLOW_ADDRESS(context), NULL,
					   0, 0, &thread,
					   _perfmon_vector.cmp_info.CmpIdx);
}

static int set_domain(hwd_control_state_t *state, int domain)
{
	struct control *control = state;
	uint32_t plm = 0;

	if (!domain || domain & ~DOMAINS)
		return PAPI_EINVAL;
	if (domain & PAPI_DOM_USER)
		plm |= PFM_PLM_USER;
	if (domain & PAPI_DOM_KERNEL)
		plm |= PFM_PLM_KERNEL;
	if (domain & PAPI_DOM_SUPERVISOR)
		plm |= PFM_PLM_HYP;
	control->plm = plm;
	return control->count ? choose(control) : PAPI_OK;
}

/* The timer by which PAPI itself finds overflows has to send the signal that belongs to it. */
static int check_timer(const _papi_int_itimer_t *timer)
{
	switch (timer->itimer_num) {
	case ITIMER_REAL:
		return timer->itimer_sig == SIGALRM ? PAPI_OK : PAPI_EINVAL;
	case ITIMER_VIRTUAL:
		return timer->itimer_sig == SIGVTALRM ? PAPI_OK : PAPI_EINVAL;
	case ITIMER_PROF:
		return timer->itimer_sig == SIGPROF ? PAPI_OK : PAPI_EINVAL;
	default:
		return PAPI_EINVAL;
	}
}

static int ctl(hwd_context_t *thread, int code, _papi_int_option_t *option)
{
	struct control *control;

	(void)thread;
	switch (code) {
	case PAPI_ATTACH:
	case PAPI_DETACH:
		control = option->attach.ESI->ctl_state;
		control->tid = code == PAPI_ATTACH ? option->attach.tid : 0;
		return PAPI_OK;
	case PAPI_DOMAIN:
		return set_domain(option->domain.ESI->ctl_state,
				  option->domain.domain);
	case PAPI_DEFDOM:
		return PAPI_OK;
	case PAPI_DEF_ITIMER:
		return check_timer(&option->itimer);
	case PAPI_DEF_MPX_NS:
		/* PAPI multiplexes by itself; any time will do. */
		return PAPI_OK;
	case PAPI_GRANUL:
	case PAPI_DEFGRN:
		return option->granularity.granularity == PAPI_GRN_THR
			       ? PAPI_OK
			       : PAPI_ECMP;
	default:
		return PAPI_ECMP;
	}
}

/* With natives_lock.  Number of the next event, num_natives if there is none. */
static unsigned int next_event(unsigned int number)
{
	while (number < num_natives && natives[number].kind != EVENT)
		number++;
	return number;
}

/* With natives_lock.  The same for the unit masks of an event. */
static unsigned int next_umask(unsigned int number)
{
	return number < num_natives && natives[number].kind == UMASK
		       ? number
		       : num_natives;
}

static int enumerate(unsigned int *code, int modifier)
{
	unsigned int number;
	int ret = PAPI_OK;

	pthread_mutex_lock(&natives_lock);
	switch (modifier) {
	case PAPI_ENUM_FIRST:
		number = next_event(0);
		break;
	case PAPI_ENUM_EVENTS:
		number = next_event(*code + 1);
		break;
	case PAPI_NTV_ENUM_UMASKS:
		number = next_umask(*code + 1);
		break;
	default:
		number = num_natives;
		ret = PAPI_EINVAL;
	}
	if (number < num_natives)
		*code = number;
	else if (ret == PAPI_OK)
		ret = PAPI_ENOEVNT;
	pthread_mutex_unlock(&natives_lock);
	return ret;
}

/* Events that no walk finds, such as those with levels, get a number here. */
static int name_to_code(const char *name, unsigned int *code)
{
	char desc[PAPI_HUGE_STR_LEN] = "";
	struct pfm_event event;
	int ret;

	pthread_mutex_lock(&natives_lock);
	ret = find(name);
	if (ret < 0 && !pfm_event_parse(map, name, PFM_PLM_USER, &event)) {
		pfm_event_describe(map, name, describe, desc);
		ret = add(name, desc, NAMED);
	}
	pthread_mutex_unlock(&natives_lock);
	if (ret < 0)
		return PAPI_ENOEVNT;
	*code = ret;
	return PAPI_OK;
}

static int text_of(unsigned int code, bool desc, char *text, int len)
{
	int ret = PAPI_ENOEVNT;

	pthread_mutex_lock(&natives_lock);
	if (code < num_natives) {
		snprintf(text, len, "%s",
			 desc ? natives[code].desc : natives[code].name);
		ret = PAPI_OK;
	}
	pthread_mutex_unlock(&natives_lock);
	return ret;
}

static int code_to_name(unsigned int code, char *name, int len)
{
	return text_of(code, false, name, len);
}

static int code_to_descr(unsigned int code, char *desc, int len)
{
	return text_of(code, true, desc, len);
}

papi_vector_t _perfmon_vector = {
	.cmp_info = {
		.name = "perfmon",
		.short_name = "perfmon",
		.description = "Counters of threads, by the kernel modules of perfmon",
		.version = "1.0",
		.support_version = "libperfmon",
		.num_mpx_cntrs = EVENTS_MAX,
		.default_domain = PAPI_DOM_USER,
		.available_domains = DOMAINS,
		.default_granularity = PAPI_GRN_THR,
		.available_granularities = PAPI_GRN_THR,
		.hardware_intr_sig = PAPI_INT_SIGNAL,
		.attach = 1,
		.cntr_umasks = 1,
	},
	.size = {
		.context = sizeof(struct thread),
		.control_state = sizeof(struct control),
		.reg_value = sizeof(int),
		.reg_alloc = sizeof(int),
	},
	.init_component = init_component,
	.shutdown_component = shutdown_component,
	.init_thread = init_thread,
	.shutdown_thread = shutdown_thread,
	.init_control_state = init_control,
	.update_control_state = update,
	.cleanup_eventset = cleanup,
	.start = start,
	.stop = stop,
	.read = read_counts,
	.write = write_counts,
	.reset = reset,
	.dispatch_timer = dispatch,
	.set_domain = set_domain,
	.ctl = ctl,
	.ntv_enum_events = enumerate,
	.ntv_name_to_code = name_to_code,
	.ntv_code_to_name = code_to_name,
	.ntv_code_to_descr = code_to_descr,
};

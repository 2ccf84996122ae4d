/* SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause) */
/*
 * libperfmon: counts in regions of a program that its source marks.
 *
 *	PFM_REGION_BEGIN(solve);
 *	...
 *	PFM_REGION_END(solve);
 *
 * or, for the rest of a block, however that is left:
 *
 *	PFM_REGION(solve);
 *
 * A program that was compiled with PFM_REGIONS_OFF defined has none of it: the macros are empty,
 * and it needs no library.  Otherwise the environment decides when the first region begins:
 *
 *	PFM_REGION_EVENTS	events, separated by commas; not set or empty: the regions
 *				are off, and each macro executes one branch
 *	PFM_REGION_FORMAT	"text" (the default) or "json"
 *	PFM_REGION_OUTPUT	file for the table at exit; the default is stderr
 *
 * Each thread counts for itself.  Regions may be nested, also in themselves: then the outermost
 * call counts.  The functions are not for signal handlers: a region that a handler begins in the
 * middle of another begin or end is not counted (column "missed").
 *
 * Unlike the rest of the library these functions print: the table at exit, and one line on stderr
 * if nothing can be measured.
 */
#ifndef PERFMON_REGION_H
#define PERFMON_REGION_H

#ifdef PFM_REGIONS_OFF

#define PFM_REGION_BEGIN(name) ((void)0)
#define PFM_REGION_END(name)   ((void)0)
#define PFM_REGION(name)       ((void)0)

#else

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* As in <perfmon/perfmon.h>, which has PFM_OPTS() as well. */
#ifndef PFM_API
#define PFM_API __attribute__((visibility("default")))
#endif

/**
 * struct pfm_region - a place that begins or ends a region
 * @on: 0 there if nothing is measured
 * @name: name of the region; places with the same name are of the same region
 * @empty: two functions that execute empty regions, compiled as the place is: one region, and one
 *	in another; NULL: the cost of the region is not known
 * @number: for the library
 * @cost: for the library
 *
 * PFM_REGION_INIT() makes one; it must live as long as the program.  The macros below have
 * one for each place.
 */
struct pfm_region {
	const uint32_t *on;
	const char *name;
	void (*const *empty)(void);
	uint32_t number;
	uint32_t cost;
};

/**
 * pfm_region_begin - begin a region in the calling thread
 * @region: the place
 *
 *   -ENODATA	nothing is measured: it is switched off, or there was an error, which was said
 *	on stderr
 *   -EBUSY	called by a signal handler in the middle of another call
 *   -ENOMEM
 */
PFM_API int pfm_region_begin(struct pfm_region *region);

/**
 * pfm_region_end - end a region in the calling thread
 * @region: the place
 *
 * Regions that began later and did not end are left with it.
 *
 *   -ENODATA, -EBUSY	as for pfm_region_begin()
 *   -ENOENT	the region did not begin in this thread
 */
PFM_API int pfm_region_end(struct pfm_region *region);

/* Flags of regions. */
#define PFM_REGION_JSON	      0x1 /* the table is JSON */
#define PFM_REGION_NO_TABLE   0x2 /* no table at exit */

/**
 * struct pfm_region_opts - options of pfm_region_start()
 * @sz: bytes of this structure
 * @events: events, separated by commas; NULL: "cycles,instructions"
 * @output: file for the table at exit; NULL: stderr.  A child of fork adds a dot and its process id
 * @flags: PFM_REGION_*
 * @reserved: zero
 */
struct pfm_region_opts {
	size_t sz;
	const char *events;
	const char *output;
	uint32_t flags;
	uint32_t reserved;
};

/**
 * pfm_region_start - switch regions on
 * @opts: options; NULL: the defaults
 *
 * Regions that are begun later count.  This is for programs that do not leave it to the environment.
 *
 *   -EBUSY	the regions are on
 *   -EINVAL	also: an event that is none, or events that do not fit
 *   -E2BIG	also: too many events
 *   -ENAMETOOLONG	@output
 *   the errors of pfm_ctx_create() and pfm_event_parse(); the reason is said on stderr
 */
PFM_API int pfm_region_start(const struct pfm_region_opts *opts);

/**
 * pfm_region_print - write the table as it is now
 * @fd: a descriptor
 * @flags: PFM_REGION_JSON or 0
 *
 * Regions that other threads are in count as calls, without what they have counted.
 *
 *   -ENODATA	nothing is measured
 *   -EINVAL	@flags
 *   -ENOMEM, errors of write(2)
 */
PFM_API int pfm_region_print(int fd, uint32_t flags);

/* Not 0, until the library is asked whether the regions are on. */
static const uint32_t pfm_region_ask __attribute__((unused)) = 1;

/* Names that begin so are regions of which the cost is measured; no table has them. */
#define PFM_REGION_HIDDEN     "\1"
#define PFM_REGION_NAME_EMPTY PFM_REGION_HIDDEN "empty"
#define PFM_REGION_NAME_INNER PFM_REGION_HIDDEN "inner"

#define PFM_REGION_INIT_(text, functions)                  \
	{                                                  \
		&pfm_region_ask, (text), (functions), 0, 0 \
	}
#define PFM_REGION_INIT(text) PFM_REGION_INIT_(text, pfm_region_empty)

/* The address of a place, computed at each place with the same instructions. */
#if defined(__aarch64__) && defined(__OPTIMIZE__) && !defined(__ILP32__) && \
	!defined(__AARCH64_CMODEL_LARGE__)
#define PFM_REGION_ADDRESS(to, place)                          \
	__asm__ volatile("adrp %0, %1\n\tadd %0, %0, :lo12:%1" \
			 : "=r"(to)                            \
			 : "S"(&(place)))
#else
#define PFM_REGION_ADDRESS(to, place) \
	__asm__ volatile("" : "=r"(to) : "0"(&(place)))
#endif

/* A compiler takes this for long code, which it does not copy to the places that jump to it. */
#define PFM_REGION_LONG() __asm__ volatile("\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n")

/*
 * Behind the call there is something, so that it does not become a jump, before which the function
 * would free its frame.
 */
#define PFM_REGION_CALL(function, place)                                       \
	do {                                                                   \
		struct pfm_region *pfm_region_;                                \
                                                                               \
		PFM_REGION_LONG();                                             \
		PFM_REGION_ADDRESS(pfm_region_, place);                        \
		if (__builtin_expect(                                          \
			    *(const volatile uint32_t *)pfm_region_->on, 0)) { \
			function(pfm_region_);                                 \
			__asm__ volatile("");                                  \
		}                                                              \
		PFM_REGION_LONG();                                             \
	} while (0)

static __attribute__((unused, noinline)) void pfm_region_one(void)
{
	static struct pfm_region empty =
		PFM_REGION_INIT_(PFM_REGION_NAME_EMPTY, NULL);

	PFM_REGION_CALL(pfm_region_begin, empty);
	PFM_REGION_CALL(pfm_region_end, empty);
}

static __attribute__((unused, noinline)) void pfm_region_two(void)
{
	static struct pfm_region empty =
		PFM_REGION_INIT_(PFM_REGION_NAME_EMPTY, NULL);
	static struct pfm_region inner =
		PFM_REGION_INIT_(PFM_REGION_NAME_INNER, NULL);

	PFM_REGION_CALL(pfm_region_begin, empty);
	PFM_REGION_CALL(pfm_region_begin, inner);
	PFM_REGION_CALL(pfm_region_end, inner);
	PFM_REGION_CALL(pfm_region_end, empty);
}

static void (*const pfm_region_empty[2])(void)
	__attribute__((unused)) = { pfm_region_one, pfm_region_two };

static inline __attribute__((unused)) void
pfm_region_leave(struct pfm_region **region)
{
	if (__builtin_expect(*(const volatile uint32_t *)(*region)->on, 0)) {
		pfm_region_end(*region);
		__asm__ volatile("");
	}
}

/* @name is a word, not a string. */
#define PFM_REGION_BEGIN(name)                                        \
	do {                                                          \
		static struct pfm_region pfm_region_place_ =          \
			PFM_REGION_INIT(#name);                       \
		PFM_REGION_CALL(pfm_region_begin, pfm_region_place_); \
	} while (0)

#define PFM_REGION_END(name)                                        \
	do {                                                        \
		static struct pfm_region pfm_region_place_ =        \
			PFM_REGION_INIT(#name);                     \
		PFM_REGION_CALL(pfm_region_end, pfm_region_place_); \
	} while (0)

/* Declares variables, so that it is used once in a block for each name. */
#define PFM_REGION(name)                                             \
	static struct pfm_region pfm_region_of_##name =              \
		PFM_REGION_INIT(#name);                              \
	struct pfm_region *pfm_region_at_##name                      \
		__attribute__((cleanup(pfm_region_leave), unused)) = \
			&pfm_region_of_##name;                       \
	PFM_REGION_CALL(pfm_region_begin, pfm_region_of_##name)

#ifdef __cplusplus
}
#endif

#endif /* PFM_REGIONS_OFF */

#endif /* PERFMON_REGION_H */

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Draws what runs now, see top.h.
 *
 * A table is about the time since the one before: its samples are dropped when it is drawn, so that
 * memory does not grow with them.  What is known of tasks and mappings grows with each new process;
 * a new session begins without it.
 */
#include <ctype.h>
#include <errno.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/message.h"
#include "base/screen.h"
#include "live/interval.h"
#include "live/top.h"
#include "options/options.h"
#include "profiles/shares.h"
#include "sampling/sampling.h"
#include "session/context_ioctl.h"
#include "session/intervals.h"
#include "session/session.h"

/* Rows of a table that is not on a terminal. */
#define ROWS_DFL 20

/* Lines of a screen that are no rows: titles, the number of other rows, keys. */
#define OTHER_LINES 5

/* Times between tables that keys can set, ns. */
#define DELAY_MIN (NS_PER_S / 10)
#define DELAY_MAX (60 * NS_PER_S)

/* With more memory than that, bytes, a session that is older than that is renewed. */
#define MEMORY_MAX (256UL << 20)
#define AGE_MIN	   (60 * NS_PER_S)

static uint64_t cpu_time(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ts);
	return ts.tv_sec * NS_PER_S + ts.tv_nsec;
}

static struct top *top_of(struct live *live)
{
	return (struct top *)((char *)live - offsetof(struct top, live));
}

/* The rows that a table may have. */
static size_t rows_of(const struct top *top)
{
	struct screen_size size;

	if (!top->screen)
		return ROWS_DFL;
	size = screen_size();
	return size.lines > OTHER_LINES ? size.lines - OTHER_LINES : 1;
}

/*
 * The figures of the time that is over; the next one begins.  So what drawing costs, and what is lost
 * meanwhile, is in the next table.
 */
static struct top_figures end_time(struct top *top, uint64_t now)
{
	const struct sampling *sampling = top->session->sampling;
	uint64_t lost = sampling ? lanes_lost(&sampling->lanes) : 0;
	uint64_t own_ns = cpu_time();
	const struct top_figures figures = {
		.length_ns = now - top->begin,
		.own_ns = own_ns - top->own_ns,
		.lost = lost - top->lost,
	};

	top->begin = now;
	top->own_ns = own_ns;
	top->lost = lost;
	return figures;
}

/* The text becomes that of the table.  Returns 0, or -1 after a message. */
static int take_text(struct top *top, FILE *out, char **text, int err)
{
	if (fclose(out) && !err) {
		say_error("out of memory for the table");
		err = -1;
	}
	if (err) {
		free(*text);
		return -1;
	}
	free(top->text);
	top->text = *text;
	return 0;
}

static FILE *begin_text(char **text, size_t *size)
{
	FILE *out;

	*text = NULL;
	out = open_memstream(text, size);
	if (!out)
		say_error("out of memory for the table");
	return out;
}

/* The table, and below it the keys, if they can be typed. */
static int show_screen(const struct top *top)
{
	char keys[TOP_KEYS_ROOM] = "";

	if (top->keys >= 0)
		top_table_keys(&top->view, top->session->sampling, keys);
	return screen_draw(top->text, keys);
}

static int show(struct top *top)
{
	if (top->screen)
		return show_screen(top);
	if (top->tables)
		putchar('\n');
	fputs(top->text, stdout);
	if (!fflush(stdout))
		return 0;
	say_error("the table could not be written: %s", strerror(errno));
	return -1;
}

/* Writes the table of samples, of one event or, where no key can ask for the others, of all. */
static int write_samples(struct top *top)
{
	struct sampling *sampling = top->session->sampling;
	struct top_view view = top->view;
	size_t event, size;
	char *text;
	FILE *out = begin_text(&text, &size);
	int err = 0;

	if (!out)
		return -1;
	if (sampling_swap(sampling, &top->shown)) {
		fclose(out);
		free(text);
		return -1;
	}
	for (event = 0; !err && event < sampling->periods.count; event++) {
		if (top->screen && event != top->view.event)
			continue;
		view.event = event;
		err = top_table_samples(out, top->session, &view, &top->figures,
					rows_of(top));
	}
	/* Both are profiles now, so this cannot fail. */
	sampling_swap(sampling, &top->shown);
	return take_text(top, out, &text, err);
}

static int write_metrics(void *arg, const struct outcome *outcome,
			 const struct interval *interval)
{
	struct top *top = arg;
	size_t size;
	char *text;
	FILE *out = begin_text(&text, &size);
	int err;

	top->figures = end_time(top, interval->end);
	if (!out)
		return -1;
	err = top_table_metrics(out, outcome, interval, &top->figures);
	return take_text(top, out, &text, err);
}

/* Ends the session, as ENTER does. */
static void end_session(struct top *top)
{
	top->session->entered = true;
}

/* Large arrays are in mappings of their own, which malloc counts apart. */
static size_t memory_used(void)
{
	const struct mallinfo2 info = mallinfo2();

	return info.uordblks + info.hblkhd;
}

static void check_memory(struct top *top, uint64_t now)
{
	const size_t used = memory_used();

	if (top->over || used < MEMORY_MAX ||
	    now - top->session->start < AGE_MIN)
		return;
	say_verbose(
		"a new session begins: pfmon has %zu MB of tasks, mappings and symbols",
		used >> 20);
	top->renew = true;
	end_session(top);
}

static int finish_table(struct top *top)
{
	if (show(top))
		return -1;
	top->tables++;
	if (top->tables == top->options->top.tables) {
		top->over = true;
		end_session(top);
	}
	return 0;
}

/* While a table is frozen, samples are dropped. */
static int skip_samples(struct top *top, uint64_t now)
{
	struct profile old = { 0 };

	end_time(top, now);
	if (sampling_swap(top->session->sampling, &old))
		return -1;
	profile_free(&old);
	return 0;
}

/* The samples so far become those that are shown. */
static int draw_samples(struct top *top, uint64_t now)
{
	struct session *session = top->session;

	/* The record of a task that has ended since its sample was taken has its name. */
	if (session->options->follow && session->ended == SESSION_RUNS &&
	    context_read_records(session->fd, session->buffer,
				 &session->results))
		return -1;
	profile_free(&top->shown);
	top->figures = end_time(top, now);
	if (sampling_swap(top->session->sampling, &top->shown))
		return -1;
	top->figures.lost += top->shown.failed;
	return write_samples(top) ? -1 : finish_table(top);
}

/* The counts of a frozen time are left out, too. */
static int skip_metrics(void *arg, const struct outcome *outcome,
			const struct interval *interval)
{
	(void)outcome;
	end_time(arg, interval->end);
	return 0;
}

/* @last: counting has ended. */
static int draw_metrics(struct top *top, uint64_t now, bool last)
{
	int ret = interval_take(top->session, now, last,
				top->view.frozen ? skip_metrics : write_metrics,
				top);

	if (ret || top->view.frozen)
		return ret < 0 ? -1 : 0;
	return finish_table(top);
}

static uint64_t draw_due(const void *arg)
{
	const struct top *top = arg;

	if (top->session->end_seen)
		return 0;
	return top->session->sampling ? top->next
				      : top->session->intervals.next;
}

static int draw(void *arg, uint64_t time)
{
	struct top *top = arg;
	uint64_t due = draw_due(arg);
	int err;

	if (!due || time < due)
		return 0;
	top->next = time + top->view.delay_ns;
	if (!top->session->sampling)
		err = draw_metrics(top, time, false);
	else
		err = top->view.frozen ? skip_samples(top, time)
				       : draw_samples(top, time);
	if (!err)
		check_memory(top, time);
	return err;
}

/* The rows that the key g goes through. */
static unsigned int next_keys(unsigned int keys)
{
	static const unsigned int list[] = {
		1U << SHARE_PROGRAM | 1U << SHARE_FUNCTION,
		1U << SHARE_PROGRAM,
		1U << SHARE_PROGRAM | 1U << SHARE_PROCESS,
		1U << SHARE_FILE | 1U << SHARE_FUNCTION,
	};
	const size_t count = sizeof(list) / sizeof(list[0]);
	size_t i;

	for (i = 0; i < count; i++)
		if (list[i] == keys)
			return list[(i + 1) % count];
	return list[0];
}

static void change_delay(struct top *top, bool longer)
{
	uint64_t delay = longer ? 2 * top->view.delay_ns
				: top->view.delay_ns / 2;
	struct intervals *intervals = &top->session->intervals;
	uint64_t start = intervals->start;

	if (longer ? delay > DELAY_MAX : delay < DELAY_MIN)
		return;
	top->view.delay_ns = delay;
	top->next = top->begin + delay;
	if (!intervals->next)
		return;
	/* The present interval becomes shorter or longer. */
	intervals_begin(intervals, clock_now(), delay);
	intervals->start = start;
}

static void take_key(struct top *top, char key)
{
	struct top_view *view = &top->view;

	switch (tolower((unsigned char)key)) {
	case 'q':
		top->over = true;
		end_session(top);
		break;
	case ' ':
		view->frozen = !view->frozen;
		break;
	case 's':
		view->sort = TOP_BY_SHARE;
		break;
	case 'p':
		view->sort = TOP_BY_PROGRAM;
		break;
	case 'f':
		view->sort = TOP_BY_FUNCTION;
		break;
	case 'g':
		view->keys = next_keys(view->keys);
		break;
	case 'e':
		if (top->session->sampling)
			view->event = (view->event + 1) %
				      top->session->sampling->periods.count;
		break;
	case '+':
		change_delay(top, true);
		break;
	case '-':
		change_delay(top, false);
		break;
	}
}

/* The table that is shown, as the user wants it now.  That of a session before stays as it is. */
static int draw_again(struct top *top)
{
	if (!top->text)
		return 0;
	if (top->shown.events && write_samples(top))
		return -1;
	return show(top);
}

static size_t count_keyboard(const void *arg)
{
	(void)arg;
	return 1;
}

static void poll_keyboard(const void *arg, struct pollfd *fds)
{
	const struct top *top = arg;

	fds[0] = (struct pollfd){ top->keys, POLLIN, 0 };
}

static int serve_keyboard(void *arg, const struct pollfd *fds)
{
	struct top *top = arg;
	char keys[64];
	ssize_t count, i;

	if (!fds[0].revents)
		return 0;
	count = screen_has_keys() ? read(top->keys, keys, sizeof(keys)) : 0;
	if (count <= 0) {
		top->keys = -1;
		return 0;
	}
	/* Keys such as arrows send letters behind ESC, which are no keys of their own. */
	for (i = 0; i < count && keys[i] != '\033'; i++)
		take_key(top, keys[i]);
	return draw_again(top);
}

static int open_top(struct live *live, struct session *session)
{
	struct top *top = top_of(live);

	top->session = session;
	/* Its places are those of the session before. */
	profile_free(&top->shown);
	return 0;
}

static void begin(struct live *live)
{
	(void)live;
}

static int title(struct live *live)
{
	(void)live;
	return 0;
}

static void add_sources(struct live *live)
{
	struct top *top = top_of(live);
	struct intervals *intervals = &top->session->intervals;
	uint64_t now = clock_now();

	top->draws = (struct source){
		.due = draw_due,
		.work = draw,
		.arg = top,
	};
	top->typed = (struct source){
		.count = count_keyboard,
		.poll = poll_keyboard,
		.serve = serve_keyboard,
		.arg = top,
	};
	loop_add(top->session, &top->draws);
	loop_add(top->session, &top->typed);
	top->begin = now;
	top->own_ns = cpu_time();
	/* Samples that were lost before the loop belong to the first table. */
	top->lost = 0;
	top->next = now + top->view.delay_ns;
	/* A key in the session before may have changed it. */
	if (intervals->next && intervals->length != top->view.delay_ns)
		intervals_begin(intervals, now, top->view.delay_ns);
	if (top->screen && top->keys < 0)
		top->keys = screen_take_keys();
}

/* The rest is a table of a shorter time, unless the user has seen enough, or a new session goes on. */
static int end(struct live *live)
{
	struct top *top = top_of(live);
	uint64_t now = top->session->end;

	if (top->over || top->renew || top->view.frozen ||
	    (top->screen && top->session->ended == SESSION_SIGNAL))
		return 0;
	if (top->screen) {
		/* It stays on the terminal. */
		screen_end();
		top->screen = false;
		top->tables = 0;
	}
	return top->session->sampling ? draw_samples(top, now)
				      : draw_metrics(top, now, true);
}

static const struct live_ops ops = {
	.open = open_top,
	.begin = begin,
	.title = title,
	.add_sources = add_sources,
	.end = end,
};

void top_init(struct top *top, const struct options *options, unsigned int keys)
{
	*top = (struct top){
		.live.ops = &ops,
		.live.samples = smpl_options_on(&options->smpl),
		.options = options,
		.view.keys = keys,
		.view.delay_ns = options->top.delay_ns,
		.screen = screen_can(),
		.keys = -1,
	};
}

void top_free(struct top *top)
{
	screen_end();
	profile_free(&top->shown);
	free(top->text);
}

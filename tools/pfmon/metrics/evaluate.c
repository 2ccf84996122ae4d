// SPDX-License-Identifier: GPL-2.0-only
/*
 * Evaluates formulas, and carries the error bounds of counts through them.
 *
 * The bound of a value is a first-order propagation: the bound of each count, times the
 * formula's derivative by that count.  Interval arithmetic would take no account of a count
 * that occurs more than once, as the cycles do in nearly every formula of top-down analysis,
 * and its bounds would be several times as wide.  First order suffices for bounds of a few per cent
 * of a count.  Those of short programs are larger, and a formula that divides by such a count
 * is far from straight: so each count adds at least as much as the value changes when this count
 * is off by its bound, in either direction.  If the formula has no value there, it has no bound.
 * At min, max and ?: the side that the counts themselves choose is derived.
 *
 * Errors of counts are not independent:
 *
 * - Events of one set are counted in the same time slices.  When these have more of one phase
 *   of the program than the whole run, all their counts are off together.  How errors depend
 *   on each other is estimated from the time slices (estimate/estimate_pair.c), so what a set
 *   contributes is a quadratic form.  Where nobody has the time slices, as for counts of a
 *   file, absolute contributions are added: no correlation can make the error larger.
 * - Of several sets only one counts at a time.  What one set sees more of, the others see less
 *   of.  So errors of two counts are opposite if both events are frequent in the same phases,
 *   and alike if they are frequent in different ones.  No time slice has counts of both events,
 *   so for short phases nothing tells which of the two it is.  Events are taken to be frequent in
 *   the same phases, but to a small part, so that bounds hold in either case.
 *
 * selftests/pfmon/metrics_drawn_test.c compares the bounds with errors.
 */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "metrics/evaluate.h"
#include "metrics/formula.h"
#include "metrics/model.h"

/* Event that nothing is derived by. */
#define BY_NOTHING UINT_MAX

/*
 * Least part of the squares of a set that remains when its contributions cancel out: correlations
 * are estimates, each of two counts alone.
 */
#define LEAST 0.001

/* Correlation of errors of two sets, as a part of that of an event which both count. */
#define ALIKE 0.2

/**
 * struct evaluation - a formula that is being evaluated
 * @model: the model
 * @counts: one for each event of the model
 * @by: event that is derived by
 * @shift: what is added to the count of @by
 * @alone: neither counts nor other metrics are known
 * @why: why there is no value
 */
struct evaluation {
	const struct metric_model *model;
	const struct metric_count *counts;
	unsigned int by;
	double shift;
	bool alone;
	char *why;
};

/**
 * struct dual - a value and its derivative by one event
 */
struct dual {
	double value;
	double slope;
};

static bool evaluate(const struct evaluation *evaluation,
		     const struct formula *node, struct dual *result);

static bool no_count(const struct evaluation *evaluation, unsigned int event)
{
	const struct metric_count *count = &evaluation->counts[event];

	snprintf(evaluation->why, METRIC_WHY_ROOM, "%s %s",
		 evaluation->model->events[event].name,
		 count->why ? count->why : "was not counted");
	return false;
}

static bool no_constant(const struct evaluation *evaluation,
			const struct metric_constant *constant)
{
	if (evaluation->model->of_file)
		snprintf(
			evaluation->why, METRIC_WHY_ROOM,
			"%s (%s) is not known: the file does not tell it; a row '%s,NUMBER' does",
			constant->name, constant->source, constant->name);
	else
		snprintf(evaluation->why, METRIC_WHY_ROOM,
			 "%s (%s) is not known: this machine does not tell it",
			 constant->name, constant->source);
	return false;
}

/* The value of another metric. */
static bool look_up_metric(const struct evaluation *evaluation,
			   unsigned int number, struct dual *result)
{
	const struct metric_model *model = evaluation->model;
	struct metric_memory *memory = model->memory;

	if (memory->kept[number].turn == memory->turn) {
		*result = (struct dual){ memory->kept[number].value,
					 memory->kept[number].slope };
		return true;
	}
	/* An unknown value ends the whole evaluation, so known ones are kept only. */
	if (!evaluate(evaluation, model->metrics[number].formula, result))
		return false;
	memory->kept[number].turn = memory->turn;
	memory->kept[number].value = result->value;
	memory->kept[number].slope = result->slope;
	return true;
}

static bool look_up(const struct evaluation *evaluation,
		    const struct formula *node, struct dual *result)
{
	const struct metric_model *model = evaluation->model;
	const struct metric_constant *constant;

	result->slope = 0;
	if (evaluation->alone && node->kind != NAME_CONSTANT)
		return false;
	if (node->kind == NAME_METRIC)
		return look_up_metric(evaluation, node->index, result);
	if (node->kind == NAME_EVENT) {
		result->value = evaluation->counts[node->index].value;
		result->slope = node->index == evaluation->by;
		if (result->slope)
			result->value += evaluation->shift;
		return evaluation->counts[node->index].known ||
		       no_count(evaluation, node->index);
	}
	constant = &model->constants[node->index];
	result->value = constant->value;
	return constant->known || no_constant(evaluation, constant);
}

static bool divide(const struct evaluation *evaluation,
		   const struct formula *node, const struct dual *a,
		   const struct dual *b, struct dual *result)
{
	char divisor[METRIC_WHY_ROOM - 32];

	if (b->value) {
		result->value = a->value / b->value;
		result->slope =
			(a->slope - result->value * b->slope) / b->value;
		return true;
	}
	formula_write(node->args[1], divisor, sizeof(divisor));
	snprintf(evaluation->why, METRIC_WHY_ROOM, "division by zero: %s is 0",
		 divisor);
	return false;
}

static bool shift(const struct evaluation *evaluation, const struct dual *a,
		  const struct dual *b, bool left, struct dual *result)
{
	double factor;

	if (b->value < 0 || b->value > 63 || b->value != floor(b->value)) {
		snprintf(evaluation->why, METRIC_WHY_ROOM,
			 "a shift by %g: only 0 to 63 is possible", b->value);
		return false;
	}
	factor = ldexp(1, left ? b->value : -b->value);
	result->value = left ? a->value * factor : floor(a->value * factor);
	result->slope = a->slope * factor;
	return true;
}

static bool both(const struct evaluation *evaluation,
		 const struct formula *node, struct dual *result)
{
	struct dual a, b;

	if (!evaluate(evaluation, node->args[0], &a) ||
	    !evaluate(evaluation, node->args[1], &b))
		return false;
	result->slope = 0;
	switch (node->op) {
	case FORMULA_ADD:
		*result = (struct dual){ a.value + b.value, a.slope + b.slope };
		return true;
	case FORMULA_SUBTRACT:
		*result = (struct dual){ a.value - b.value, a.slope - b.slope };
		return true;
	case FORMULA_MULTIPLY:
		result->value = a.value * b.value;
		result->slope = a.slope * b.value + a.value * b.slope;
		return true;
	case FORMULA_DIVIDE:
		return divide(evaluation, node, &a, &b, result);
	case FORMULA_SHIFT_LEFT:
	case FORMULA_SHIFT_RIGHT:
		return shift(evaluation, &a, &b, node->op == FORMULA_SHIFT_LEFT,
			     result);
	case FORMULA_MIN:
		*result = a.value <= b.value ? a : b;
		return true;
	case FORMULA_MAX:
		*result = a.value >= b.value ? a : b;
		return true;
	case FORMULA_LESS:
		result->value = a.value < b.value;
		return true;
	case FORMULA_LESS_EQUAL:
		result->value = a.value <= b.value;
		return true;
	case FORMULA_GREATER:
		result->value = a.value > b.value;
		return true;
	case FORMULA_GREATER_EQUAL:
		result->value = a.value >= b.value;
		return true;
	case FORMULA_EQUAL:
		result->value = a.value == b.value;
		return true;
	default:
		result->value = a.value != b.value;
		return true;
	}
}

/* && and ||, whose second argument counts only if the first does not decide. */
static bool logical(const struct evaluation *evaluation,
		    const struct formula *node, struct dual *result)
{
	struct dual a, b;

	if (!evaluate(evaluation, node->args[0], &a))
		return false;
	*result = (struct dual){ a.value != 0, 0 };
	if ((node->op == FORMULA_OR) == (a.value != 0))
		return true;
	if (!evaluate(evaluation, node->args[1], &b))
		return false;
	result->value = b.value != 0;
	return true;
}

static bool choose(const struct evaluation *evaluation,
		   const struct formula *node, struct dual *result)
{
	struct dual condition;

	if (!evaluate(evaluation, node->args[0], &condition))
		return false;
	return evaluate(evaluation, node->args[condition.value ? 1 : 2],
			result);
}

static bool unary(const struct evaluation *evaluation,
		  const struct formula *node, struct dual *result)
{
	struct dual a;

	if (!evaluate(evaluation, node->args[0], &a))
		return false;
	if (node->op == FORMULA_NOT)
		*result = (struct dual){ !a.value, 0 };
	else if (node->op == FORMULA_NEGATE || a.value < 0)
		*result = (struct dual){ -a.value, -a.slope };
	else
		*result = a;
	return true;
}

static bool evaluate(const struct evaluation *evaluation,
		     const struct formula *node, struct dual *result)
{
	bool known;

	switch (node->op) {
	case FORMULA_NUMBER:
		*result = (struct dual){ node->number, 0 };
		return true;
	case FORMULA_NAME:
		known = look_up(evaluation, node, result);
		break;
	case FORMULA_NEGATE:
	case FORMULA_NOT:
	case FORMULA_ABS:
		known = unary(evaluation, node, result);
		break;
	case FORMULA_AND:
	case FORMULA_OR:
		known = logical(evaluation, node, result);
		break;
	case FORMULA_CHOOSE:
		known = choose(evaluation, node, result);
		break;
	default:
		known = both(evaluation, node, result);
	}
	if (!known || isfinite(result->value))
		return known;
	snprintf(evaluation->why, METRIC_WHY_ROOM,
		 "overflow: the result is too large");
	return false;
}

/* Begins an evaluation: @by is the event that is derived by. */
static void begin(struct evaluation *evaluation, unsigned int by)
{
	evaluation->by = by;
	if (evaluation->model->memory)
		evaluation->model->memory->turn++;
}

/**
 * struct contribution - what the error of a count adds to that of the value
 * @event: the event
 * @set: event set that counted it
 * @error: bound of the count, times the derivative by it, with its sign
 */
struct contribution {
	unsigned int event;
	unsigned int set;
	double error;
};

/* True if no earlier event that the metric uses was counted in the set of this one. */
static bool first_of_set(const struct metric *metric,
			 const struct metric_count *counts, unsigned int event)
{
	unsigned int i;

	for (i = 0; i < event; i++)
		if (metric->uses[i] && counts[i].known &&
		    counts[i].set == counts[event].set)
			return false;
	return true;
}

/*
 * The error that the event which is derived by adds to a value, with the sign of @slope.  It is no
 * number if the formula has no value for all counts within the bound.
 */
static double find_error(struct evaluation *evaluation,
			 const struct metric *metric, double value,
			 double slope)
{
	const struct metric_count *count = &evaluation->counts[evaluation->by];
	const double shifts[] = { -fmin(count->error, count->value),
				  count->error };
	double error = fabs(slope * count->error);
	struct dual dual;
	unsigned int i;

	for (i = 0; i < 2; i++) {
		evaluation->shift = shifts[i];
		begin(evaluation, evaluation->by);
		if (!evaluate(evaluation, metric->formula, &dual))
			dual.value = NAN;
		evaluation->shift = 0;
		if (isnan(dual.value))
			return NAN;
		error = fmax(error, fabs(dual.value - value));
	}
	return copysign(error, slope);
}

/* Describes the counts that the value depends on.  Returns the length of @list. */
static unsigned int find_contributions(struct evaluation *evaluation,
				       const struct metric *metric,
				       struct contribution *list,
				       struct metric_value *value)
{
	const struct metric_count *counts = evaluation->counts;
	unsigned int i, num = 0;
	struct dual dual;

	for (i = 0; i < evaluation->model->num_events; i++) {
		if (!metric->uses[i] || !counts[i].known)
			continue;
		value->scaled |= counts[i].scaled;
		value->low |= counts[i].low;
		value->sets += first_of_set(metric, counts, i);
		begin(evaluation, i);
		if (!counts[i].scaled ||
		    !evaluate(evaluation, metric->formula, &dual) ||
		    !dual.slope)
			continue;
		value->bounded &= counts[i].bounded;
		list[num++] = (struct contribution){
			.event = i,
			.set = counts[i].set,
			.error = counts[i].bounded
					 ? find_error(evaluation, metric,
						      dual.value, dual.slope)
					 : 0,
		};
	}
	return num;
}

/*
 * Square of what the set of contribution @first adds to the error; 0 if an earlier contribution
 * is of the same set.  *@sign is that of the sum.
 */
static double set_square(const struct metric_counts *counts,
			 const struct contribution *list, unsigned int num,
			 unsigned int first, double *sign)
{
	double sum = 0, squares = 0, products = 0, correlation;
	unsigned int i, k;

	*sign = 0;
	for (i = 0; i < num; i++) {
		if (list[i].set != list[first].set)
			continue;
		if (i < first)
			return 0;
		*sign += list[i].error;
		sum += fabs(list[i].error);
		squares += list[i].error * list[i].error;
		for (k = first; k < i && counts->correlation; k++) {
			if (list[k].set != list[first].set)
				continue;
			correlation = counts->correlation(
				counts->arg, list[i].event, list[k].event);
			products +=
				2 * correlation * list[i].error * list[k].error;
		}
	}
	if (!counts->correlation)
		return sum * sum;
	return fmax(squares + products, LEAST * squares);
}

static void propagate(struct evaluation *evaluation,
		      const struct metric *metric,
		      const struct metric_counts *counts,
		      struct metric_value *value)
{
	double squares = 0, sum = 0, square, sign;
	unsigned int i, num, sets = 0;
	struct contribution *list;

	list = calloc(evaluation->model->num_events + 1, sizeof(*list));
	if (!list)
		return;
	value->bounded = true;
	num = find_contributions(evaluation, metric, list, value);
	value->bounded &= !value->low;
	for (i = 0; i < num && value->bounded; i++) {
		square = set_square(counts, list, num, i, &sign);
		squares += square;
		sum += copysign(sqrt(square), sign);
		sets += square > 0;
	}
	free(list);
	if (sets > 1)
		squares -= ALIKE / (sets - 1) * (sum * sum - squares);
	value->error = sqrt(squares);
	value->bounded &= isfinite(value->error);
}

void metric_evaluate(const struct metric_model *model,
		     const struct metric *metric,
		     const struct metric_counts *counts,
		     struct metric_value *value)
{
	char why[METRIC_WHY_ROOM];
	struct evaluation evaluation = {
		.model = model,
		.counts = counts->list,
		.why = value->why,
	};
	const struct metric *node;
	struct dual dual;

	memset(value, 0, sizeof(*value));
	begin(&evaluation, BY_NOTHING);
	value->known = evaluate(&evaluation, metric->formula, &dual);
	if (!value->known)
		return;
	value->value = dual.value;
	evaluation.why = why;
	value->marked = metric->threshold;
	/* A node deserves a look only if all nodes above it do. */
	for (node = metric; node && value->marked; node = node->parent)
		if (node->threshold)
			value->marked =
				evaluate(&evaluation, node->threshold, &dual) &&
				dual.value;
	propagate(&evaluation, metric, counts, value);
}

bool formula_is_constant(const struct metric_model *model,
			 const struct formula *formula, double *value)
{
	char why[METRIC_WHY_ROOM];
	const struct evaluation evaluation = {
		.model = model,
		.by = BY_NOTHING,
		.alone = true,
		.why = why,
	};
	struct dual dual;

	if (!evaluate(&evaluation, formula, &dual))
		return false;
	*value = dual.value;
	return true;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Evaluates formulas, and carries the error bounds of counts through them.
 *
 * The bound of a value is a first-order propagation: the bound of each count, times the
 * formula's derivative by that count.  Interval arithmetic would take no account of a count
 * that occurs more than once, as the cycles do in nearly every formula of top-down analysis,
 * and its bounds would be several times as wide.  First order suffices, because pfmon's bounds
 * are a few per cent of a count, and formulas are smooth except at min, max and ?:, where the
 * side that the counts themselves choose is taken.
 *
 * Errors of counts are not independent, and nobody measures how they depend on each other:
 *
 * - Events of one set are counted in the same time slices.  When these have more of one phase
 *   of the program than the whole run, all their counts are off together, by amounts whose
 *   signs depend on the phase.  So within a set the absolute contributions are added: no
 *   correlation can make the error larger.
 * - Of k sets only one counts at a time.  What one set sees more of, the k - 1 others see less
 *   of; so errors of two sets have a correlation of at most 1 / (k - 1).  With two sets their
 *   contributions add up as well, with many sets their squares do.
 */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "metrics/evaluate.h"
#include "metrics/formula.h"
#include "metrics/model.h"

/* Event that nothing is derived by. */
#define BY_NOTHING UINT_MAX

/**
 * struct evaluation - a formula that is being evaluated
 * @model: the model
 * @counts: one for each event of the model
 * @by: event that is derived by
 * @alone: neither counts nor other metrics are known
 * @why: why there is no value
 */
struct evaluation {
	const struct metric_model *model;
	const struct metric_count *counts;
	unsigned int by;
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

static bool look_up(const struct evaluation *evaluation,
		    const struct formula *node, struct dual *result)
{
	const struct metric_model *model = evaluation->model;
	const struct metric_constant *constant;

	result->slope = 0;
	if (evaluation->alone && node->kind != NAME_CONSTANT)
		return false;
	if (node->kind == NAME_METRIC)
		return evaluate(evaluation, model->metrics[node->index].formula,
				result);
	if (node->kind == NAME_EVENT) {
		result->value = evaluation->counts[node->index].value;
		result->slope = node->index == evaluation->by;
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

/* Sum of the absolute contributions of the events of a set to the error. */
static double set_error(struct evaluation *evaluation,
			const struct metric *metric, unsigned int set,
			bool *bounded)
{
	const struct metric_model *model = evaluation->model;
	struct dual dual;
	double sum = 0;
	unsigned int i;

	for (i = 0; i < model->num_events; i++) {
		const struct metric_count *count = &evaluation->counts[i];

		if (!metric->uses[i] || !count->known || !count->scaled ||
		    count->set != set)
			continue;
		evaluation->by = i;
		if (!evaluate(evaluation, metric->formula, &dual) ||
		    !dual.slope)
			continue;
		*bounded &= count->bounded;
		sum += fabs(dual.slope) * count->error;
	}
	return sum;
}

static void propagate(struct evaluation *evaluation,
		      const struct metric *metric, unsigned int num_sets,
		      struct metric_value *value)
{
	const struct metric_model *model = evaluation->model;
	double sum = 0, squares = 0, error, correlation;
	unsigned int i;

	value->bounded = true;
	for (i = 0; i < model->num_events; i++) {
		const struct metric_count *count = &evaluation->counts[i];

		if (!metric->uses[i] || !count->known)
			continue;
		value->scaled |= count->scaled;
		value->low |= count->low;
		if (!first_of_set(metric, evaluation->counts, i))
			continue;
		value->sets++;
		error = set_error(evaluation, metric, count->set,
				  &value->bounded);
		sum += error;
		squares += error * error;
	}
	correlation = num_sets > 2 ? 1.0 / (num_sets - 1) : 1;
	value->error = sqrt(squares + (sum * sum - squares) * correlation);
	value->bounded &= !value->low && isfinite(value->error);
}

void metric_evaluate(const struct metric_model *model,
		     const struct metric *metric,
		     const struct metric_count *counts, unsigned int num_sets,
		     struct metric_value *value)
{
	char why[METRIC_WHY_ROOM];
	struct evaluation evaluation = {
		.model = model,
		.counts = counts,
		.by = BY_NOTHING,
		.why = value->why,
	};
	const struct metric *node;
	struct dual dual;

	memset(value, 0, sizeof(*value));
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
	propagate(&evaluation, metric, num_sets, value);
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

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Metric files: what they have is evaluated with counts, and listed.
 */
#include "metrics/evaluate.h"
#include "metrics/metric_needs.h"
#include "metrics/model.h"
#include "metrics/model_find.h"
#include "reader.h"

static void evaluate(const struct metric_model *model)
{
	struct metric_count *list =
		calloc(model->num_events + 1, sizeof(*list));
	const struct metric_counts counts = { .list = list };
	struct metric_value value;
	unsigned int i;

	if (!list)
		abort();
	for (i = 0; i < model->num_events; i++)
		list[i] = (struct metric_count){
			.known = i % 7 != 6,
			.value = 1000.0 * i,
			.set = i % 3,
			.scaled = i % 2,
			.bounded = i % 4,
			.error = i,
			.low = i % 5 == 4,
		};
	for (i = 0; i < model->num_metrics; i++)
		metric_evaluate(model, &model->metrics[i], &counts, &value);
	free(list);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct metric_model *model;
	unsigned int i;

	/* The folder of metric files, which is read as well, is empty. */
	setenv("PFMON_METRICS", "/proc/self/task/none", 1);
	model = model_find(NULL, NULL, input_file(0, data, size), false, NULL);
	if (!model)
		return 0;
	for (i = 0; i < model->num_constants; i++)
		model->constants[i].known = true;
	evaluate(model);
	model_free(model);
	return 0;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Columns about the task and the time of a sample.
 */
#include "ibs/ibs_column.h"

#define PRINT(name, function) IBS_PRINT_COLUMN(name, NULL, function)

static void tsc(struct ibs_row *row, const struct ibs_format *format,
		const struct ibs_sample *sample)
{
	(void)format;
	ibs_row_number(row, sample->tsc);
}

static void cpu(struct ibs_row *row, const struct ibs_format *format,
		const struct ibs_sample *sample)
{
	(void)format;
	ibs_row_signed(row, sample->cpu);
}

static void tid(struct ibs_row *row, const struct ibs_format *format,
		const struct ibs_sample *sample)
{
	(void)format;
	ibs_row_signed(row, sample->tid);
}

static void pid(struct ibs_row *row, const struct ibs_format *format,
		const struct ibs_sample *sample)
{
	(void)format;
	ibs_row_signed(row, sample->pid);
}

static void kernel(struct ibs_row *row, const struct ibs_format *format,
		   const struct ibs_sample *sample)
{
	(void)format;
	ibs_row_number(row, sample->kernel);
}

static void period(struct ibs_row *row, const struct ibs_format *format,
		   const struct ibs_sample *sample)
{
	(void)format;
	if (sample->period)
		ibs_row_number(row, sample->period);
	else
		ibs_row_none(row);
}

static void time_ns(struct ibs_row *row, const struct ibs_format *format,
		    const struct ibs_sample *sample)
{
	(void)format;
	ibs_row_number(row, sample->tstamp);
}

const struct ibs_column ibs_first_columns[] = {
	PRINT("TSC", tsc), PRINT("CPU_Number", cpu),   PRINT("TID", tid),
	PRINT("PID", pid), PRINT("Kern_mode", kernel), {},
};

/* The toolkit's files do not have these. */
const struct ibs_column ibs_last_columns[] = {
	IBS_PRINT_COLUMN("IbsPeriod", ibs_is_perfmon, period),
	IBS_PRINT_COLUMN("Time_ns", ibs_is_perfmon, time_ns),
	{},
};

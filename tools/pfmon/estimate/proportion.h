/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Bounds of a share that is known from a number of samples.
 */
#ifndef PFMON_ESTIMATE_PROPORTION_H
#define PFMON_ESTIMATE_PROPORTION_H

/**
 * struct proportion - bounds of a share, from 0 to 1
 * @low: the lower one
 * @high: the upper one
 */
struct proportion {
	double low;
	double high;
};

/*
 * The score interval of Wilson: shares in it are those with which @share of @samples is within 1.96
 * standard deviations, so that it holds in about 95 of 100 cases.  Unlike share and deviation it
 * has a width where @share is 0 or 1, and stays within these.  Without samples: 0 and 1.
 */
struct proportion proportion_bounds(double share, double samples);

#endif

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Calculates bounds of shares, see proportion.h.
 */
#include <math.h>

#include "estimate/difference.h"
#include "estimate/proportion.h"

struct proportion proportion_bounds(double share, double samples)
{
	const double square = DIFFERENCE_DEVIATIONS * DIFFERENCE_DEVIATIONS;
	double middle, half;

	if (samples <= 0)
		return (struct proportion){ .low = 0, .high = 1 };
	middle = (share + square / (2 * samples)) / (1 + square / samples);
	half = DIFFERENCE_DEVIATIONS / (1 + square / samples) *
	       sqrt(share * (1 - share) / samples +
		    square / (4 * samples * samples));
	return (struct proportion){
		.low = fmax(middle - half, 0),
		.high = fmin(middle + half, 1),
	};
}

# SPDX-License-Identifier: GPL-2.0-only
#
# baseline.awk KERNEL FIGURES...: "KERNEL name value spread" a line, from what each
# printed in several boots: the median, and the largest less the smallest.

BEGIN {
	kernel = ARGV[1]
	ARGV[1] = ""
}

$1 == "kernel" || $1 == "program" || $2 == "skip" || NF < 2 { next }
# How much the compiler's runs differ is no cost of ours.
$1 ~ /(^|\/)make\/spread-ppm$/ { next }

!($1 in times) { order[++n] = $1 }
{ values[$1, ++times[$1]] = $2 + 0 }

END {
	for (i = 1; i <= n; i++) {
		name = order[i]
		delete sorted
		for (k = 1; k <= times[name]; k++) {
			value = values[name, k]
			for (j = k - 1; j > 0 && sorted[j] > value; j--)
				sorted[j + 1] = sorted[j]
			sorted[j + 1] = value
		}
		print kernel, name, sorted[int((times[name] + 1) / 2)],
			sorted[times[name]] - sorted[1]
	}
}

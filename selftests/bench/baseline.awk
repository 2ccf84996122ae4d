# SPDX-License-Identifier: GPL-2.0-only
#
# baseline.awk KERNEL FIGURES...: prints a line "KERNEL name value spread" for each figure.
# FIGURES are outputs of the script each in several boots. The value is the median, the
# spread is the largest value less the smallest.

BEGIN {
	kernel = ARGV[1]
	ARGV[1] = ""
}

$1 == "kernel" || $1 == "program" || $2 == "skip" || NF < 2 { next }
# The spread of the compiler's run times is no cost of perfmon.
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

# SPDX-License-Identifier: GPL-2.0-only
#
# compare.awk BASELINE FIGURES...: prints KTAP results, without numbers, one for each
# figure. A figure fails if it is worse than the baseline by more than 5 %, and also by
# more than 1 % plus 1.25 times its spread, the largest difference between the boots of the
# baseline. The factor is 1.25 because a few boots do not show the largest difference that
# is possible. Of several measurements of a figure the median counts. A figure that was
# not measured, or was skipped, fails as well. So does one that the baseline does not
# have, because otherwise it would never be compared.
#
# Each line of BASELINE has "name value spread"; FIGURES are outputs of the script each.
# With suspects=1 it prints, one on each line, the programs to measure again: those with a
# figure that is worse.

FNR == NR && !compared($1) { next }
FNR == NR {
	order[++n] = $1
	was[$1] = $2
	spread[$1] = $3
	next
}

$1 == "kernel" { next }
$1 == "failed" { next }
$1 == "program" { program = $2; next }
$2 == "skip" {
	name = $1
	sub(/^[^ ]+ skip /, "")
	skipped[name] = $0
	next
}
NF >= 2 {
	if (!($1 in was) && !($1 in times) && compared($1))
		added[++news] = $1
	values[$1, ++times[$1]] = $2
	program_of[$1] = program
}

# The compiler's run times and their spread are no cost of perfmon: what is built grows.
function compared(name) {
	return name !~ /(^|\/)make\/(spread-ppm|none-k)$/
}

function limit(name, part, by) {
	part = was[name] < 0 ? 0 : was[name] / 100
	by = spread[name] * 1.25 + part
	return was[name] + (by > 5 * part ? by : 5 * part)
}

# Of an even number of values, the lower one of the two in the middle.
function median(name, i, j, value, sorted) {
	for (i = 1; i <= times[name]; i++) {
		value = values[name, i] + 0
		for (j = i - 1; j > 0 && sorted[j] > value; j--)
			sorted[j + 1] = sorted[j]
		sorted[j + 1] = value
	}
	return sorted[int((times[name] + 1) / 2)]
}

function worse(name) {
	return times[name] && median(name) > limit(name)
}

function measured(name, i, text) {
	text = median(name)
	if (times[name] == 1)
		return text
	text = text " (of"
	for (i = 1; i <= times[name]; i++)
		text = text " " values[name, i]
	return text ")"
}

function report(name) {
	if (times[name] && worse(name))
		print "not ok " name ": " measured(name) ", was " was[name] \
			", limit " int(limit(name))
	else if (times[name])
		print "ok " name ": " measured(name) ", was " was[name]
	else
		print "not ok " name ": was " was[name] ", not measured now" \
			(name in skipped ? " (" skipped[name] ")" : "")
}

END {
	for (i = 1; i <= n; i++) {
		if (!suspects)
			report(order[i])
		else if (worse(order[i]) && !(program_of[order[i]] in told)) {
			print program_of[order[i]]
			told[program_of[order[i]]] = 1
		}
	}
	for (i = 1; i <= news && !suspects; i++)
		print "not ok " added[i] ": " measured(added[i]) ", not in the baseline"
}

# SPDX-License-Identifier: GPL-2.0-only
#
# compare.awk BASELINE FIGURES...: KTAP that says which figures are worse than they
# were: by more than 5 %, and by 1 % and a quarter more than they differed between the
# boots that the baseline is of, which are too few for the largest difference of all.
# A figure that was measured several times is its median. One that is not measured any
# more, or skipped, is a failure too.
#
# BASELINE has "name value spread" a line; FIGURES what each prints. With suspects=1
# the programs to measure again: those with a figure that is worse, a line each.

FNR == NR {
	order[++n] = $1
	was[$1] = $2
	spread[$1] = $3
	next
}

$1 == "kernel" { next }
$1 == "program" { program = $2; next }
$2 == "skip" {
	name = $1
	sub(/^[^ ]+ skip /, "")
	skipped[name] = $0
	next
}
NF >= 2 {
	values[$1, ++times[$1]] = $2
	program_of[$1] = program
}

function limit(name, part, by) {
	part = was[name] < 0 ? 0 : was[name] / 100
	by = spread[name] * 1.25 + part
	return was[name] + (by > 5 * part ? by : 5 * part)
}

# Of an even number the better one of those in the middle.
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

function report(i, name) {
	if (times[name] && worse(name)) {
		print "not ok " i " " name ": " measured(name) ", was " was[name] \
			", limit " int(limit(name))
		bad = 1
	} else if (times[name]) {
		print "ok " i " " name ": " measured(name) ", was " was[name]
	} else {
		print "not ok " i " " name ": was " was[name] ", not measured now" \
			(name in skipped ? " (" skipped[name] ")" : "")
		bad = 1
	}
}

END {
	if (!suspects)
		print "1.." n
	for (i = 1; i <= n; i++) {
		if (!suspects)
			report(i, order[i])
		else if (worse(order[i]) && !(program_of[order[i]] in told)) {
			print program_of[order[i]]
			told[program_of[order[i]]] = 1
		}
	}
	exit bad
}

# SPDX-License-Identifier: GPL-2.0-only
#
# compare.awk BASELINE FIGURES...: results of KTAP, without numbers, that say which figures are worse than they
# were: by more than 5 %, and by 1 % and a quarter more than they differed between the
# boots that the baseline is of, which are too few for the largest difference of all.
# A figure that was measured several times is its median. One that is not measured any
# more, or skipped, is a failure too, and one that is not in the baseline: it would never
# be compared.
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
	if (!($1 in was) && !($1 in times) && compared($1))
		added[++news] = $1
	values[$1, ++times[$1]] = $2
	program_of[$1] = program
}

# How much the compiler's runs differ is no cost of ours.
function compared(name) {
	return name !~ /(^|\/)make\/spread-ppm$/
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

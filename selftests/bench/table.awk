# SPDX-License-Identifier: GPL-2.0-only
#
# table.awk TARGETS OURS PERF: prints the table, and writes it to the file json= as JSON.
# OURS has the figures of perfmon. "miss" marks a figure that does not meet its target,
# "grows" one that exceeds the figure at another size although both should be equal.
# Figures after a line "guest N" come from another guest and are marked in the table.
# With arm64=FILE, a document with such a table of arm64, the table gets a column with the
# ratios of that one. "worse" marks a ratio that exceeds arm64's by more than a quarter.
# Below the table stand the programs that failed, and the figures with a target that were not
# measured. With check=1 it prints KTAP results, without numbers, in place of the table: a target
# fails if it is missed by more than TARGETS lists as known, and so does a ratio that is
# worse.

BEGIN {
	if (arm64 != "")
		read_arm64()
}

FNR == 1 { file++; guest = 1 }
/^#/ || NF < 2 { next }
file == 1 {
	floor[$1] = $2
	target[$1] = $3
	known[$1] = $4
	listed[++targets] = $1
	next
}
$1 == "kernel" { kernel = $2; next }
$1 == "program" { next }
$1 == "guest" { guest = $2; next }
$1 == "failed" { lost[++losses] = (file == 2 ? "perfmon: " : "perf: ") $2; next }

!($1 in seen) { seen[$1] = 1; order[++n] = $1 }
$2 == "skip" {
	name = $1
	sub(/^[^ ]+ skip /, "")
	why[file, name] = $0
	next
}
file == 2 {
	ours[$1] = $2
	delete why[2, $1]
	without_timer(ours)
	if (guest > 1)
		elsewhere[$1] = guest
}
file == 3 { perf[$1] = $2; without_timer(perf) }

# The cost of a set switch less that of the timer's interrupt, which setswitch.c measures
# with a timerfd.
function without_timer(figures, name) {
	name = $1 "-net"
	if ($1 !~ /^setswitch\// || !("timer/interrupt" in figures))
		return
	figures[name] = $2 - figures["timer/interrupt"]
	if (!(name in seen)) {
		seen[name] = 1
		order[++n] = name
	}
}

# Reads the ratios of arm64. They are computed anew, as the table has them rounded.
function read_arm64(line, field, name) {
	while ((getline line <arm64) > 0) {
		sub(/ \* /, " ", line)
		if (split(line, field) >= 6 && line ~ /^    [a-z]/ && field[4] ~ /^[0-9.]+$/ &&
		    field[2] > 0 && field[3] > 0)
			other_ratio[field[1]] = field[2] / field[3]
		# A table of another architecture may follow.
		if (length(other_ratio) && line !~ /^    /)
			break
	}
	close(arm64)
	if (!length(other_ratio)) {
		print "table.awk: " arm64 " has no table" >"/dev/stderr"
		exit failed = 1
	}
}

# The spread of the compiler's run times is no cost of perfmon.
function worse(name) {
	return name !~ /^make\/spread-ppm$/ && name in other_ratio && ours[name] != "" && perf[name] > 0 &&
		ours[name] / perf[name] > 1.25 * other_ratio[name]
}

function number_or(value, other) {
	return value == "" || value == "-" ? other : value
}

# Returns one part of a target as a number, or "".
function part_of(name, text, other) {
	other = substr(text, 2)
	if (text ~ /^P/)
		return perf[name] == "" ? "" : int(perf[name] / substr(text, 3))
	if (text !~ /^=/)
		return number_or(text, "")
	if (ours[other] == "")
		return ""
	return int(ours[other] + (ours[other] > 400 ? ours[other] / 20 : 20))
}

# Returns the target as a number, the lowest of its parts, or "".
function target_of(name, i, n, parts, part, lowest) {
	n = split(target[name], parts, ",")
	lowest = ""
	for (i = 1; i <= n; i++) {
		part = part_of(name, parts[i])
		if (part != "" && (lowest == "" || part + 0 < lowest + 0))
			lowest = part
	}
	return lowest
}

# Returns "met", "miss" or "grows"; "" for a figure without a target.
function verdict(name, goal) {
	if (goal == "" || ours[name] == "")
		return ""
	if (ours[name] + 0 <= goal + 0)
		return "met"
	return target[name] ~ /^=/ ? "grows" : "miss"
}

# Known misses may exceed the stored figure by 1 %, as figures vary from boot to boot.
function is_known(name) {
	return known[name] != "" && ours[name] + 0 <= int(known[name] * 1.05 + 1)
}

function check_target(name, goal, text) {
	if (verdict(name, goal) == "")
		return
	text = "target of " name ": " ours[name] ", target " goal
	if (verdict(name, goal) == "met")
		print "ok " text (known[name] == "" ? "" : ", met although a miss is known")
	else if (is_known(name))
		print "ok " text ", known miss " known[name]
	else
		print "not ok " text (known[name] == "" ? "" : ", known miss " known[name])
}

function check_measured(name) {
	if (target[name] != "-" && ours[name] == "")
		print "not ok target of " name ": not measured" \
			(reason(name) == "" ? "" : " (" reason(name) ")")
}

# Prints what the table lacks, with a line for each program's figures.
function print_missing(i, name, group, line) {
	for (i = 1; i <= losses; i++)
		print "failed: " lost[i]
	for (i = 1; i <= targets; i++) {
		name = listed[i]
		if (name in seen)
			continue
		if (line != "" && name ~ "^" group "/") {
			line = line ", " name
			continue
		}
		if (line != "")
			print line
		group = name
		sub(/\/.*/, "", group)
		line = "not measured: " name
	}
	if (line != "")
		print line
}

function check_ratio(name, text) {
	if (!(name in other_ratio) || ratio(name) == "-")
		return
	text = sprintf("ratio of %s: %s, arm64 %.2f", name, ratio(name), other_ratio[name])
	if (!worse(name))
		print "ok " text
	else if (is_known(name))
		print "ok " text ", known to be worse"
	else
		print "not ok " text
}

# Returns the reason why a side was not measured, or "".
function reason(name) {
	if ((2, name) in why)
		return why[2, name]
	return (3, name) in why ? "perf: " why[3, name] : ""
}

function ratio(name) {
	if (ours[name] == "" || perf[name] == "" || perf[name] <= 0)
		return "-"
	return sprintf("%.2f", ours[name] / perf[name])
}

function ratio_of_arm64(name) {
	return name in other_ratio ? sprintf("%.2f", other_ratio[name]) : "-"
}

# Returns a JSON string, or null.
function quoted(text) {
	if (text == "")
		return "null"
	gsub(/[\\"]/, "\\\\&", text)
	return "\"" text "\""
}

function json_line(name, goal, line) {
	line = "    {\"name\": " quoted(name)
	line = line ", \"ours\": " number_or(ours[name], "null")
	line = line ", \"perf\": " number_or(perf[name], "null")
	line = line ", \"ratio\": " number_or(ratio(name), "null")
	if (arm64 != "")
		line = line ", \"arm64\": " number_or(ratio_of_arm64(name), "null")
	line = line ", \"floor\": " number_or(floor[name], "null")
	line = line ", \"target\": " number_or(goal, "null")
	line = line ", \"verdict\": " quoted(verdict(name, goal))
	line = line ", \"skip\": " quoted(reason(name))
	line = line ", \"guest\": " (name in elsewhere ? elsewhere[name] : 1)
	return line "}"
}

END {
	if (failed)
		exit 1
	if (check) {
		for (i = 1; i <= n; i++) {
			check_target(order[i], target_of(order[i]))
			check_ratio(order[i])
		}
		for (i = 1; i <= targets; i++)
			check_measured(listed[i])
		exit
	}
	if (!n) {
		print "table.awk: there are no figures" >"/dev/stderr"
		exit 1
	}
	print "kernel " kernel ", instructions"
	form = "%-28s %9s %9s %6s%s %6s %7s  %s\n"
	column = arm64 == "" ? "" : " %6s"
	printf form, "", "ours", "perf", "ratio", sprintf(column, "arm64"), "floor", "target", ""
	lines = ""
	for (i = 1; i <= n; i++) {
		name = order[i]
		goal = target_of(name)
		note = verdict(name, goal)
		if (reason(name) != "")
			note = note (note == "" ? "" : "; ") reason(name)
		if (worse(name))
			note = note (note == "" ? "" : "; ") "worse"
		printf form, name (name in elsewhere ? " *" : ""),
			number_or(ours[name], "-"), number_or(perf[name], "-"),
			ratio(name), sprintf(column, ratio_of_arm64(name)),
			number_or(floor[name], "-"),
			number_or(goal, "-"), note
		marked += name in elsewhere
		lines = lines (i > 1 ? ",\n" : "") json_line(name, goal)
	}
	if (marked)
		print "* ours from a second guest, " (arm64 != "" ? "an AMD processor with IBS" : \
			"of which our module has the PMU from the start")
	print_missing()
	print "{\n  \"kernel\": " quoted(kernel) ",\n  \"results\": [\n" lines \
		"\n  ]\n}" >json
}

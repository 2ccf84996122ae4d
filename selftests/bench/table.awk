# SPDX-License-Identifier: GPL-2.0-only
#
# table.awk TARGETS OURS PERF: the table, and json= as JSON. "miss" is a target
# that is not met.

FNR == 1 { file++ }
/^#/ || NF < 2 { next }
file == 1 { floor[$1] = $2; target[$1] = $3; next }
$1 == "kernel" { kernel = $2; next }

!($1 in seen) { seen[$1] = 1; order[++n] = $1 }
$2 == "skip" {
	sub(/^[^ ]+ skip /, "")
	why[order[n]] = $0
	next
}
file == 2 { ours[$1] = $2 }
file == 3 { perf[$1] = $2 }

function number_or(value, other) {
	return value == "" || value == "-" ? other : value
}

# The target as a number, or nothing.
function target_of(name, text) {
	text = number_or(target[name], "")
	if (text !~ /^P/)
		return text
	if (perf[name] == "")
		return ""
	return int(perf[name] / substr(text, 3))
}

function json_line(name, goal, line) {
	line = "    {\"name\": \"" name "\""
	line = line ", \"ours\": " number_or(ours[name], "null")
	line = line ", \"perf\": " number_or(perf[name], "null")
	line = line ", \"floor\": " number_or(floor[name], "null")
	line = line ", \"target\": " number_or(goal, "null")
	return line "}"
}

function ratio(name) {
	if (ours[name] == "" || perf[name] == "" || perf[name] <= 0)
		return "-"
	return sprintf("%.2f", ours[name] / perf[name])
}

END {
	print "kernel " kernel ", instructions"
	form = "%-26s %9s %9s %6s %6s %7s  %s\n"
	printf form, "", "ours", "perf", "ratio", "floor", "target", ""
	lines = ""
	for (i = 1; i <= n; i++) {
		name = order[i]
		goal = target_of(name)
		note = why[name]
		if (goal != "" && ours[name] != "")
			note = ours[name] + 0 <= goal + 0 ? "met" : "miss"
		printf form, name, number_or(ours[name], "-"),
			number_or(perf[name], "-"), ratio(name),
			number_or(floor[name], "-"), number_or(goal, "-"), note
		lines = lines (i > 1 ? ",\n" : "") json_line(name, goal)
	}
	print "{\n  \"kernel\": \"" kernel "\",\n  \"results\": [\n" lines "\n  ]\n}" >json
}

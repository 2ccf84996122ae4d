# SPDX-License-Identifier: GPL-2.0-only
#
# compare.awk BASELINE FIGURES: KTAP that says which figures are worse than they
# were, by more than 5 % and more than they vary from one boot to the next: the
# difference of two times of fork varies with the state of the allocators, and
# what a record costs with where a timer's tick falls.

function slack(name) {
	return name ~ /^(fork|record)\// ? 400 : 40
}

FNR == NR {
	order[++n] = $1
	was[$1] = $2
	next
}

NF >= 2 { is[$1] = $2 }

END {
	print "1.." n
	for (i = 1; i <= n; i++) {
		name = order[i]
		if (!(name in is)) {
			print "not ok " i " " name ": was " was[name] ", not measured now"
			bad = 1
		} else if (is[name] == "skip") {
			print "ok " i " " name " # SKIP not measured now"
		} else if (is[name] > was[name] * 1.05 && is[name] > was[name] + slack(name)) {
			print "not ok " i " " name ": " is[name] ", was " was[name]
			bad = 1
		} else {
			print "ok " i " " name ": " is[name] ", was " was[name]
		}
	}
	exit bad
}

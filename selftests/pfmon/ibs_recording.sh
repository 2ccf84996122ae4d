# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2016,SC2034
#
# Files of --smpl-module=ibs: what tests that record them share. Needs tap.sh.

FILE=$DIR/samples

# Takes samples into $FILE; counts in $DIR/json, rows in $DIR/ops.csv and $DIR/fetches.csv.
record() { # OPTION... -- COMMAND...
	rm -f "$FILE" "$DIR"/*.csv "$DIR/json"
	run pfmon --smpl-module=ibs --smpl-outfile="$FILE" --json -o "$DIR/json" "$@"
	decode
}

decode() {
	pfmon ibs decode "$FILE" -o "$DIR/ops.csv" -g "$DIR/fetches.csv" 2>"$DIR/decode" || true
}

# Values of columns, a line for each sample: the columns' names say which.
columns() { # CSV NAME...
	awk -F, -v names="${*:2}" '
		NR == 1 {
			for (i = 1; i <= NF; i++)
				at[$i] = i
			count = split(names, name, " ")
			next
		}
		{
			line = ""
			for (i = 1; i <= count; i++)
				line = line (i > 1 ? " " : "") $at[name[i]]
			print line
		}' "$1"
}

rows() { # CSV...
	local csv sum=0
	for csv; do
		[ ! -s "$csv" ] || sum=$((sum + $(wc -l <"$csv") - 1))
	done
	echo $sum
}

# A number of the member "sampling" of the results.
sampled() { # NAME
	sed -n "s/^ *\"$1\": \([0-9]*\),*$/\1/p" "$DIR/json" | head -n 1
}

# The file has each sample that was taken, and there are many.
complete() { # LEAST
	local all
	all=$(rows "$DIR/ops.csv" "$DIR/fetches.csv")
	[ "$all" = "$(sampled samples)" ] && [ "$all" -ge "$1" ]
}

#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Every metric of every file in metrics/, evaluated by pfmon from the counts in
# selftests/pfmon/metrics/, against the values there (values.csv), which were computed by hand from
# the published formulas.  A metric without such a value is a failure, and so is one that a model
# should have (groups.csv) and does not.  Runs on the host.
#
# MODEL.csv has the counts of a model, arm.csv those of all of Neoverse.  Where the model extends
# another, or has much of it, these are only the counts that it has besides, or that differ.  MODEL-WHAT.csv
# has counts that replace those of MODEL.csv, and by which formulas take another way, such as those of a
# processor with PERF_METRICS.  Its values are those of the model, except for those that values.csv
# has for MODEL-WHAT.
# shellcheck disable=SC2016,SC2034 # check() evaluates what is quoted
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tap.sh
. selftests/pfmon/tap.sh

DATA=selftests/pfmon/metrics
export PFMON_METRICS=$PWD/metrics

# A file with the counts of the first one, and those of the second one that it lacks.
joined() { # FIRST SECOND
	awk -F, '!($1 in seen); { seen[$1] = 1 }' "$DATA/$1.csv" "$DATA/$2.csv" >"$DIR/$1.csv"
	echo "$DIR/$1.csv"
}

counts_of() { # MODEL
	case $1 in
	neoverse-*) echo $DATA/arm.csv ;;
	skylakex | cascadelakex) echo $DATA/skylake.csv ;;
	graniterapids | alderlake-p) joined "$1" sapphirerapids ;;
	zen3 | zen5) joined "$1" zen4 ;;
	*) echo "$DATA/$1.csv" ;;
	esac
}

# The names in values.csv that have the values of a model, the model's own last.
names_of() { # MODEL
	case $1 in
	neoverse-* | pmuv3) echo "arm $1" ;;
	skylakex) echo "skylake $1" ;;
	cascadelakex) echo "skylake skylakex $1" ;;
	graniterapids | alderlake-p) echo "sapphirerapids $1" ;;
	zen3 | zen5) echo "zen4 $1" ;;
	*) echo "$1" ;;
	esac
}

# The values of the last of the names that has one.
expected() { # NAMES
	awk -F, -v names="$1" '
		BEGIN { n = split(names, order, " ") }
		{ value[$1, $2] = $3; metrics[$2] = 1 }
		END {
			for (metric in metrics)
				for (i = n; i >= 1; i--)
					if ((order[i], metric) in value) {
						print metric, value[order[i], metric]
						break
					}
		}' $DATA/values.csv
}

# Metrics whose value is another one, or that have none here; and there are any.
differences() { # NAMES
	sed -nE 's/^ *\{"metric": "([^"]+)", "value": ([^,]+),.*/\1 \2/p' "$DIR/out" >"$DIR/got"
	expected "$1" >"$DIR/expected"
	awk 'NR == FNR { want[$1] = $2; next }
		!($1 in want) { print $1 ": is " $2 ", and has no value in values.csv"; next }
		$2 == "null" || ($2 - want[$1])^2 > (1e-6 * (want[$1]^2 + 1)^0.5)^2 {
			print $1 ": is " $2 ", not " want[$1]
		}
		END { if (FNR < 5) print "there are " FNR " metrics" }' "$DIR/expected" "$DIR/got"
}

# "GROUP METRIC" of each metric that the model should have; a metric may be in several groups.
members() { # MODEL
	awk -F, -v model="$1" '
		(" " $1 " ") ~ " " model " " || $1 == "arm" && model ~ /^neoverse|^pmuv3/ {
			n = split($3, names, " ")
			for (i = 1; i <= n; i++) print $2, names[i]
		}' $DATA/groups.csv | sort
}

# The same of what pfmon lists.
listed() { # FILE
	python3 -c 'import json, sys
for metric in json.load(open(sys.argv[1]))["metrics"]:
    for group in metric["groups"]:
        print(group, metric["name"])' "$1" | sort
}

values() { # MODEL COUNTS NAMES
	local model=$1 counts=$2 different
	LD_LIBRARY_PATH=$DIR/lib run "$DIR/pfmon/pfmon" report --from="$counts" --pmu="$model" --json
	different=$(differences "$3")
	[ -z "$different" ] || echo "# ${different//$'\n'/$'\n# '}"
	check "$model, counts of $(basename "$counts" .csv): $(wc -l <"$DIR/got") metrics" 'status 0' \
		'[ -z "$different" ]'
}

build_native || bail_out "pfmon does not build"
[ -s $DATA/groups.csv ] || bail_out "there is no $DATA/groups.csv"
models=$(
	{
		printf '%s\n' metrics/*.json | sed -E 's,.*/,,; s/\.json$//' | grep -vx metrics.schema
		awk -F, 'NR > 1 && $1 != "arm" { print $1 }' $DATA/groups.csv | tr ' ' '\n'
	} | sort -u
)
for model in $models; do
	LD_LIBRARY_PATH=$DIR/lib run "$DIR/pfmon/pfmon" --list-metrics --pmu="$model" --json
	cp "$DIR/out" "$DIR/list.json"
	[ "$STATUS" != 0 ] || diff <(members "$model") <(listed "$DIR/list.json") >"$DIR/lacks"
	check "$model: its groups have the metrics that they should" 'status 0' \
		'[ -s "$DIR/list.json" ]' 'empty lacks || { sed "s/^/# /" "$DIR/lacks"; false; }'
	values "$model" "$(counts_of "$model")" "$(names_of "$model")"
done
for counts in "$DATA"/*-*.csv; do
	[ ! -e "metrics/$(basename "$counts" .csv).json" ] || continue
	model=$(basename "${counts%-*}")
	values "$model" "$(joined "$(basename "$counts" .csv)" "$model")" "$model $(basename "$counts" .csv)"
done

# A value of a metric that no model has is one that nothing is compared with.
unused=$(awk -F, 'NR == FNR { n = split($3, names, " "); for (i = 1; i <= n; i++) has[names[i]] = 1; next }
	FNR > 1 && !($2 in has) { print $1 "," $2 }' $DATA/groups.csv $DATA/values.csv)
check 'each value is of a metric' '[ -z "$unused" ] || { echo "# $unused"; false; }'
finish

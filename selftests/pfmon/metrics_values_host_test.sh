#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Every metric of every file in metrics/, evaluated by pfmon from the counts in
# selftests/pfmon/metrics/, against the values there (values.csv), which were computed by hand from
# the published formulas.  A metric without such a value is a failure.  Runs on the host.
# shellcheck disable=SC2016,SC2034 # check() evaluates what is quoted
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tap.sh
. selftests/pfmon/tap.sh

DATA=selftests/pfmon/metrics
export PFMON_METRICS=$PWD/metrics

counts_of() { # MODEL
	case $1 in
	neoverse-*) echo $DATA/arm.csv ;;
	*) echo "$DATA/$1.csv" ;;
	esac
}

# The values of the model: those of its own come before those of all Arm models.
expected() { # MODEL
	awk -F, -v model="$1" '
		$1 == model { own[$2] = $3 }
		$1 == "arm" && model ~ /^neoverse|^pmuv3/ { common[$2] = $3 }
		END {
			for (name in common) if (!(name in own)) own[name] = common[name]
			for (name in own) print name, own[name]
		}' $DATA/values.csv
}

# Metrics whose value is another one, or that have none here; and there are any.
differences() { # MODEL
	sed -nE 's/^ *\{"metric": "([^"]+)", "value": ([^,]+),.*/\1 \2/p' "$DIR/out" >"$DIR/got"
	expected "$1" >"$DIR/expected"
	awk 'NR == FNR { want[$1] = $2; next }
		!($1 in want) { print $1 ": is " $2 ", and has no value in values.csv"; next }
		$2 == "null" || ($2 - want[$1])^2 > (1e-6 * (want[$1]^2 + 1)^0.5)^2 {
			print $1 ": is " $2 ", not " want[$1]
		}
		END { if (FNR < 5) print "there are " FNR " metrics" }' "$DIR/expected" "$DIR/got"
}

build_native || bail_out "pfmon does not build"
for file in metrics/*.json; do
	[[ $file != *.schema.json ]] || continue
	model=$(basename "$file" .json)
	LD_LIBRARY_PATH=$DIR/lib run "$DIR/pfmon/pfmon" report --from="$(counts_of "$model")" --pmu="$model" --json
	different=$(differences "$model")
	[ -z "$different" ] || echo "# ${different//$'\n'/$'\n# '}"
	check "$model: $(wc -l <"$DIR/got") metrics" 'status 0' '[ -z "$different" ]'
done
finish

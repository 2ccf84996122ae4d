#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# tools/metrics/compare: a metric file beside formulas of Intel, both small and made up.  Runs on the host.
# shellcheck disable=SC2016,SC2034 # check() evaluates what is quoted
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tap.sh
. selftests/pfmon/tap.sh

export PYTHONDONTWRITEBYTECODE=1
build_native >"$DIR/log" 2>&1 || bail_out 'pfmon does not build'
export PFMON=$DIR/pfmon/pfmon LD_LIBRARY_PATH=$DIR/lib
mkdir "$DIR/metrics"
cat >"$DIR/metrics/mine.json" <<-'END'
	{"schema": 1, "model": "mine", "title": "Mine", "source": "S", "match": [], "groups": [],
	 "constants": {"SMT": "smt", "WAIT": 2.5},
	 "events": {"CLK": {"event": "cycles"}, "MISS": {"event": "cpu/event=0xc6,umask=0x03,frontend=0x12/"},
	  "TWO": {"event": "cpu/event=0xa1,umask=0x01,cmask=2,edge/"}, "RETIRING": {"event": "topdown-retiring"}},
	 "metrics": [
	  {"name": "same", "title": "t", "unit": "u", "formula": "SMT ? 100 * WAIT * MISS / CLK : max(0, TWO - MISS)"},
	  {"name": "other", "title": "t", "unit": "u", "formula": "MISS / CLK"},
	  {"name": "share", "title": "t", "unit": "u", "formula": "RETIRING / CLK"},
	  {"name": "own", "title": "t", "unit": "u", "level": 1, "formula": "TWO"}]}
END
cat >"$DIR/intel.json" <<-'END'
	{"Metrics": [
	 {"MetricName": "Same", "LegacyName": "metric_TMA_..Same(%)", "Formula": "100 * a * b / c if smt else max( d - a , 0 )",
	  "Events": [{"Name": "FE.MISS", "Alias": "a"}, {"Name": "FE.MISS:retire_latency", "Alias": "b"},
	   {"Name": "CPU_CLK_UNHALTED.THREAD", "Alias": "c"}, {"Name": "UOPS.TWO:c2:e1", "Alias": "d"}],
	  "Constants": [{"Name": "HYPERTHREADING_ON", "Alias": "smt"}]},
	 {"MetricName": "Other", "LegacyName": "metric_TMA_..Other(%)", "Formula": "2 * a / b", "Constants": [],
	  "Events": [{"Name": "FE.MISS", "Alias": "a"}, {"Name": "CPU_CLK_UNHALTED.THREAD", "Alias": "b"}]},
	 {"MetricName": "Share", "LegacyName": "metric_Share", "Formula": "a / b", "Constants": [],
	  "Events": [{"Name": "PERF_METRICS.RETIRING", "Alias": "a"}, {"Name": "NO.SUCH", "Alias": "b"}]},
	 {"MetricName": "Lacking", "LegacyName": "metric_TMA_..Lacking(%)", "Formula": "1", "Events": [], "Constants": []}]}
END
cat >"$DIR/events.json" <<-'END'
	{"Events": [
	 {"EventName": "FE.MISS", "EventCode": "0xc6", "UMask": "0x03", "MSRIndex": "0x3F7", "MSRValue": "0x12"},
	 {"EventName": "UOPS.TWO", "EventCode": "0xa1", "UMask": "0x01", "CounterMask": "0", "MSRIndex": "0x00"}]}
END
printf '{"Data": {"FE.MISS": {"MEAN": 2.5}}}' >"$DIR/latencies.json"

run tools/metrics/compare --sets 4 --metrics "$DIR/metrics" mine "$DIR"/{intel,events,latencies}.json
check 'a formula that differs' 'status 1' 'empty err' 'lines out 5' 'out "^other: is [0-9.e-]+, and Intel.s [0-9.e-]+$"'
check 'a formula that cannot be computed' 'out "^# share: not compared: the event NO.SUCH$"'
check 'what one of the two lacks' "out \"^# nodes of Intel's tree that the file lacks: lacking$\"" \
	"out \"^# nodes of the file that Intel's lacks: own$\""
check 'how many were compared' 'out "^# 2 metrics compared, 1 differ$"'
sed -i 's,"2 \* a / b","a / b",' "$DIR/intel.json"
run tools/metrics/compare --sets 4 --metrics "$DIR/metrics" mine "$DIR"/{intel,events,latencies}.json
check 'the same formulas' 'status 0' 'empty err' 'lines out 4' 'out "^# 2 metrics compared, 0 differ$"'
run tools/metrics/compare --sets 4 --metrics "$DIR/metrics" mine "$DIR"/{intel,events}.json
check 'without latencies' 'status 0' 'out "^# same: not compared: the latency of FE.MISS$"'
finish

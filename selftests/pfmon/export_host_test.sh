#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Tests of what pfmon exports for Prometheus, without any kernel module.
# shellcheck disable=SC2016,SC2034 # check() evaluates what is quoted
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tap.sh
. selftests/pfmon/tap.sh
# shellcheck source=fake.sh
. selftests/pfmon/fake.sh

# Reads the file with the parser of Prometheus' own client library, which set-up installs
# for Debian's Python.
parse_metrics() { # FILE
	/usr/bin/python3 - "$1" <<-'PYTHON'
		import sys
		from prometheus_client.openmetrics.parser import text_string_to_metric_families as parse
		families = {f.name: f for f in parse(open(sys.argv[1]).read())}
		events = families["pfmon_events"]
		assert events.type == "counter" and events.unit == "events", events
		assert all(s.name == "pfmon_events_total" for s in events.samples)
		assert families["pfmon_counted_seconds"].unit == "seconds"
		assert families["pfmon_build"].type == "info"
		assert families["pfmon_level"].samples[0].value == 123456789
	PYTHON
}

# The text form of old, by Prometheus' own tool, and by its client library.
parse_classic() { # FILE
	[ -z "$TOOLS" ] || "$TOOLS/promtool" check metrics <"$1" || return
	/usr/bin/python3 - "$1" <<-'PYTHON' || return
		import sys
		from prometheus_client.parser import text_string_to_metric_families as parse
		families = {f.name: f for f in parse(open(sys.argv[1]).read())}
		assert families["pfmon_events"].type == "counter"
		assert families["pfmon_counted_seconds"].type == "counter"
		assert families["pfmon_build_info"].type == "gauge"
		assert families["pfmon_level"].samples[0].value == 123456789
	PYTHON
	grep -q '^# TYPE pfmon_events_total counter$' "$1" && ! grep -qE '^# (UNIT|EOF)' "$1"
}

# Prometheus' own tools are needed for this; nothing of them runs but for a test.
find_tools() {
	TOOLS=$(selftests/runner/prometheus-tools 2>"$DIR/tools") && return
	TOOLS=
	sed 's/^/# /' "$DIR/tools"
}

# node_exporter reads the files in a folder, and its output goes to $DIR/node.
ask_node_exporter() { # FOLDER
	local port pid
	"$TOOLS/prometheus-node-exporter" --collector.disable-defaults --collector.textfile \
		--collector.textfile.directory="$1" --web.listen-address=127.0.0.1:0 2>"$DIR/node.log" &
	pid=$!
	until_true 'grep -q "Listening on" "$DIR/node.log" || ! kill -0 '$pid' 2>/dev/null'
	port=$(sed -n 's/.*Listening on.*:\([0-9]*\)$/\1/p' "$DIR/node.log")
	curl -sS "http://127.0.0.1:$port/metrics" >"$DIR/node"
	kill $pid
	wait $pid 2>/dev/null
	sed 's/^/# node_exporter: /' "$DIR/node.log" | grep error
	return 0
}

# Starts pfmon with --listen on a port that is free, leaves URL.
begin_listening() { # OPTION...
	begin --system-wide --cpu-list=0 -e cycles:uk,free-memory --listen=127.0.0.1:0 "$@"
	URL=$(sed -n 's/.*metrics at \(http:[^ ]*\)$/\1/p' "$DIR/err")
	PORT=${URL##*:}
	PORT=${PORT%%/*}
}

# Sends text and prints the answer. A connection that pfmon closes first would
# end the shell, so it has one of its own.
send() ( # TEXT
	exec 9<>"/dev/tcp/127.0.0.1/$PORT" || return
	printf '%b' "$1" >&9
	timeout 60 cat <&9
)

options_tests() {
	local where
	for where in '' x 1 1.2.3.4 : x: :70000 :x 1:2:3 '[::1]' ; do
		run pfmon --system-wide --cpu-list=0 -t 1 --listen="$where"
		check "address '$where'" 'status 125' 'err "is not an address"'
	done
	where=$(printf 'a%.0s' {1..255})
	run pfmon --system-wide --cpu-list=0 -t 1 --listen="$where:9"
	check 'a name of 255 letters' 'status 125' '! err "is not an address"'
	run pfmon --system-wide --cpu-list=0 -t 1 --listen="${where}a:9"
	check 'a name of 256' 'status 125' 'err "is not an address"'
	run pfmon --system-wide --cpu-list=0 -t 1 --listen=203.0.113.1:9
	check 'an address of another machine' 'status 125' 'err "cannot wait for connections"'
	refused 'with sampling' 'export counts' --system-wide --listen=:0 --long-smpl-periods=1
	run pfmon --system-wide --cpu-list=0 -t 1 --textfile=/nowhere/x.prom
	check 'a file that cannot be made' 'status 125' 'err "/nowhere/x.prom"'
}

textfile_tests() {
	run_pfmon --system-wide --cpu-list=0 -t 300ms -e cycles:uk,free-memory \
		--textfile="$DIR/pfmon.prom"
	check '--textfile' 'status 0' 'parse_classic "$DIR/pfmon.prom"' \
		'grep -qE "^pfmon_events_total\{cpu=\"0\",event=\"cycles:uk\",levels=\"uk\",pmd=\"31\"\} [1-9][0-9]*$" "$DIR/pfmon.prom"' \
		'[ "$(stat -c %a "$DIR/pfmon.prom")" = 644 ]' '[ "$(ls "$DIR" | grep -c prom)" = 1 ]'
	local count
	count=$(sed -n 's/^pfmon_events_total.* //p' "$DIR/pfmon.prom")
	check 'the last one has the totals' "results '^TOTAL +$count cycles:uk$'"
	if [ -n "$TOOLS" ] && command -v curl >/dev/null; then
		mkdir "$DIR/collected"
		cp "$DIR/pfmon.prom" "$DIR/collected"
		ask_node_exporter "$DIR/collected"
		check 'node_exporter takes the file' 'grep -q "^node_textfile_scrape_error 0$" "$DIR/node"' \
			'grep -q "^# TYPE pfmon_events_total counter$" "$DIR/node"' \
			'grep -q "^pfmon_events_total{cpu=\"0\",event=\"cycles:uk\",levels=\"uk\",pmd=\"31\"} $count$" <(awk "{ \$NF = sprintf(\"%d\", \$NF); print }" "$DIR/node")'
	else
		skip 'node_exporter takes the file' 'needs prometheus-node-exporter and curl'
	fi
	mkfifo "$DIR/device"
	run pfmon --system-wide --cpu-list=0 -t 100ms --textfile="$DIR/device"
	check 'what is no regular file is not replaced' 'status 125' 'err "not a regular file"' '[ -p "$DIR/device" ]'
	run pfmon --system-wide --cpu-list=0 -t 100ms --textfile="$DIR"
	check 'a folder' 'status 125' 'err "not a regular file"'
	ln -s pfmon.prom "$DIR/link.prom"
	: >"$DIR/pfmon.prom"
	run pfmon --system-wide --cpu-list=0 -t 100ms -e cycles:uk,free-memory \
		--textfile="$DIR/link.prom"
	check 'a link stays one' 'status 0' '[ -L "$DIR/link.prom" ]' 'parse_classic "$DIR/pfmon.prom"'
	rm "$DIR/link.prom"
	# Whoever reads it never sees half of it.
	begin --system-wide --cpu-list=0 --print-interval=1 -e cycles:uk,free-memory \
		--textfile="$DIR/pfmon.prom" -t 2s
	local i bad=0
	for ((i = 0; i < 200; i++)); do
		[[ $(tail -n 1 "$DIR/pfmon.prom") == 'pfmon_build_info{'*'} 1' ]] || bad=$((bad + 1))
	done
	ended
	check 'the file is always whole' 'status 0' "[ $bad = 0 ]"
	mkdir "$DIR/folder"
	begin --system-wide --cpu-list=0 --print-interval=20 --textfile="$DIR/folder/x.prom"
	until_true '[ -e "$DIR/folder/x.prom" ]'
	mv "$DIR/folder" "$DIR/gone"
	until_true 'err "warning: --textfile"'
	# And some intervals more.
	sleep 0.3
	kill -INT $PID
	ended
	check 'a folder that goes away is told once' 'status 0' \
		'[ "$(grep -c "warning: --textfile" "$DIR/err")" = 1 ]' 'results TOTAL'
}

# Metrics of CPUs and of all of them; those of an interval if there are intervals. On the
# made-up kernel each read has the same counts, CPU 1 twice those of CPU 0.
metric() { # CPU METRIC
	sed -nE "s/^pfmon_metric\{cpu=\"$1\",metric=\"$2\",unit=\"[a-z ]*\"\} ([0-9.]+)$/\1/p" "$DIR/pfmon.prom"
}

metric_tests() {
	local own=(--metric-file selftests/pfmon/metrics.json -M 'left,kilo,lost' -e free-memory --system-wide)
	run pfmon "${own[@]}" -t 100ms --textfile="$DIR/pfmon.prom"
	check 'metrics are gauges' 'status 0' 'parse_classic "$DIR/pfmon.prom"' \
		'grep -qx "# TYPE pfmon_metric gauge" "$DIR/pfmon.prom"' '[ "$(metric 0 left)" = 25 ]' \
		'[ "$(metric all left)" = 25 ]' '[ "$(metric 0 kilo)" = 2 ]' \
		'[ "$(metric all kilo)" = "$(sed -n "s/^pfmon_events_total{.*event=\"r8\".* //p" "$DIR/pfmon.prom" | awk "{ sum += \$1 } END { print sum / 1000 }")" ]'
	run pfmon "${own[@]}" -t 200ms --print-interval=20 --textfile="$DIR/pfmon.prom"
	check 'metrics of an interval' 'status 0' 'parse_classic "$DIR/pfmon.prom"' '[ "$(metric 0 kilo)" -le 3 ]' \
		'[ "$(sed -n "s/^pfmon_events_total{cpu=\"0\",event=\"r8\".* //p" "$DIR/pfmon.prom")" -gt 3000 ]'
	FAKE=fewevents run pfmon "${own[@]}" -t 100ms --textfile="$DIR/pfmon.prom"
	check 'a metric without a value has no sample' 'status 0' 'parse_classic "$DIR/pfmon.prom"' \
		'[ "$(metric 0 left)" = 25 ]' '! grep -q "metric=\"lost\"" "$DIR/pfmon.prom"'
	if command -v curl >/dev/null; then
		begin "${own[@]}" --listen=127.0.0.1:0
		URL=$(sed -n 's/.*metrics at \(http:[^ ]*\)$/\1/p' "$DIR/err")
		run curl -sS -H 'Accept: application/openmetrics-text' "$URL"
		check 'metrics over HTTP' 'parse_metrics "$DIR/out"' \
			'out "^pfmon_metric\{cpu=\"all\",metric=\"left\",unit=\"percent of slots\"\} 25$"'
		kill -INT $PID
		ended
	else
		skip 'metrics over HTTP' 'needs curl'
	fi
}

# The form is chosen by what the client says that it prefers.
accept_tests() {
	local accept form
	while read -r form accept; do
		run curl -sS -D "$DIR/head" -H "Accept: $accept" "$URL?application/openmetrics-text"
		if [ "$form" = open ]; then
			check "Accept: $accept" 'parse_metrics "$DIR/out"' \
				'grep -qi "^content-type: application/openmetrics-text; version=1.0.0" "$DIR/head"'
		else
			check "Accept: $accept" 'parse_classic "$DIR/out"' \
				'grep -qi "^content-type: text/plain; version=0.0.4" "$DIR/head"'
		fi
	done <<-LIST
		open application/openmetrics-text
		open APPLICATION/OpenMetrics-Text;version=1.0.0;charset=utf-8;q=0.4,*/*;q=0.1
		open application/openmetrics-text;version=1.0.0,application/openmetrics-text;version=0.0.1;q=0.75,text/plain;version=0.0.4;q=0.5,*/*;q=0.1
		open text/plain ; q=0.3 , application/openmetrics-text; version="1.0.0"; q=0.30
		text text/plain
		text */*
		text text/plain;version=0.0.4;q=1,application/openmetrics-text;version=1.0.0;q=0.9
		text application/openmetrics-text;q=0
		text application/openmetrics-text;q=0.000
		text application/openmetrics-text;version=0.0.1,text/plain;version=0.0.4;q=0.5
		text application/openmetrics-text;version=2.0.0,text/plain;version=0.0.4;q=0.5
		text application/openmetrics-text-of-another-kind
		text ,;,q=1;;
	LIST
	run curl -sS -H 'Accept: text/html' -H 'accept:application/openmetrics-text' "$URL"
	check 'two lines of Accept are one' 'parse_metrics "$DIR/out"'
	run curl -sS -H 'Accept:' -H 'X-Accept: application/openmetrics-text' "$URL"
	check 'no Accept' 'parse_classic "$DIR/out"'
}

listen_tests() {
	if ! command -v curl >/dev/null; then
		skip '--listen' 'needs curl'
		return
	fi
	begin_listening
	check '--listen says where' 'kill -0 $PID' '[ -n "$URL" ]'
	run curl -sS -D "$DIR/head" -H 'Accept: application/openmetrics-text; version=1.0.0' "$URL"
	check 'GET /metrics' 'status 0' 'parse_metrics "$DIR/out"' 'grep -q "200 OK" "$DIR/head"' \
		'grep -qi "^content-type: application/openmetrics-text; version=1.0.0; charset=utf-8" "$DIR/head"'
	local first second
	first=$(sed -n 's/^pfmon_events_total.* //p' "$DIR/out")
	run curl -sS -D "$DIR/head" "$URL"
	check 'without OpenMetrics in Accept: the text form' 'parse_classic "$DIR/out"' \
		'grep -qi "^content-type: text/plain; version=0.0.4" "$DIR/head"'
	second=$(sed -n 's/^pfmon_events_total.* //p' "$DIR/out")
	check 'the next scrape has more' "[ $second -gt $first ]"
	accept_tests
	run curl -sS -o /dev/null -w '%{http_code}' "${URL%metrics}"
	check 'another path' 'out "^404$"'
	run curl -sS -o /dev/null -w '%{http_code}' "${URL}x"
	check 'a longer path' 'out "^404$"'
	run curl -sS -D "$DIR/head" -o /dev/null -w '%{http_code}' -X POST -d x "$URL"
	check 'another method' 'out "^405$"'
	check 'and those that are allowed' 'grep -qi "^allow: GET, HEAD.$" "$DIR/head"'
	run curl -sS -I "$URL"
	check 'HEAD' 'status 0' 'out "^HTTP/1.1 200"' 'out "^Content-Length: [1-9][0-9]+"' \
		'out "^Content-Type: text/plain; version=0.0.4"' '! out "^(#|pfmon)"'
	run send 'HEAD /metrics HTTP/1.1\r\nAccept: application/openmetrics-text\r\n\r\n'
	check 'HEAD has no body' 'out "^Content-Type: application/openmetrics-text"' \
		'[ "$(tail -n 1 "$DIR/out" | tr -d "\r")" = "" ]' '! out "^(#|pfmon)"'
	run curl -sS -I "${URL}x"
	check 'HEAD of another path' 'out "^HTTP/1.1 404"'
	run curl -sS -o /dev/null -w '%{http_code}' "$URL?a=b"
	check 'a query is ignored' 'out "^200$"'
	run send 'rubbish\r\n\r\n'
	check 'rubbish' 'out "^HTTP/1.1 405"'
	run send 'GET /metrics\r\n\r\n'
	check 'no version' 'out "^HTTP/1.1 400"'
	run send "GET /metrics HTTP/1.1\\r\\nX: $(head -c 8000 /dev/zero | tr '\0' x)"
	check 'a request that is too long' 'kill -0 $PID'
	local i
	kill -INT $PID
	ended
	check 'and the session ends as ever' 'status 0' 'results "^CPU0 +[0-9]+ cycles:uk$"'
	begin_listening
	run pfmon --system-wide --cpu-list=0 -t 1 --listen="127.0.0.1:$PORT"
	check 'a port in use' 'status 125' 'err "cannot wait for connections.*in use"'
	kill -INT $PID
	ended
	begin_listening --print-interval=10 --json
	for ((i = 0; i < 20; i++)); do curl -sS "$URL" >/dev/null; done
	kill -INT $PID
	ended
	check 'scrapes leave the intervals right' 'status 0' \
		'json "sum(i[\"totals\"][0][\"value\"] for i in l[:-1]) == l[-1][\"totals\"][0][\"value\"] > 0"'
	begin_listening -- sh -c 'sleep 2; exit 6'
	run curl -sS "$URL"
	check 'while a command runs' 'status 0' 'parse_classic "$DIR/out"'
	ended
	check 'whose status is passed on' 'status 6'
	# pfmon may be asked by name and on IPv6.
	begin --system-wide --cpu-list=0 --listen=:0
	check 'without address it is for this machine only' 'err "http://127.0.0.1:[0-9]+/metrics"'
	kill -INT $PID
	ended
}

# Clients that stay, with a request that never is complete: pfmon's clock stands still, so that
# none of them is ever late. They hold as many connections as there are, and more; then others
# come as fast as they can, each time pfmon has closed their connection.
hold_connections() { # WHAT_THEY_SEND
	python3 - "$PORT" "$1" >"$DIR/held" <<-'PYTHON' &
		import socket, sys, threading
		port, text = int(sys.argv[1]), sys.argv[2].encode().decode("unicode_escape").encode()
		def connect():
		    connection = socket.create_connection(("127.0.0.1", port))
		    connection.sendall(text)
		    return connection
		def again():
		    while True:
		        try:
		            with connect() as connection:
		                connection.recv(1)
		        except OSError:
		            pass
		quiet = [connect() for i in range(200)]
		for i in range(40):
		    threading.Thread(target=again, daemon=True).start()
		print("held", flush=True)
		threading.Event().wait()
	PYTHON
	HOLDER=$!
	until_true 'grep -q held "$DIR/held" || ! kill -0 $HOLDER 2>/dev/null'
}

# Clients that keep others waiting.
rude_tests() {
	local text i
	if ! command -v curl >/dev/null; then
		skip 'rude clients' 'needs curl'
		return
	fi
	for text in '' 'GET /metrics HTTP/1.1\r\n'; do
		FAKE=stopclock begin_listening
		hold_connections "$text"
		for ((i = 0; i < 20; i++)); do
			run curl -sS -m 60 -o /dev/null -w '%{http_code}' "$URL"
			if ! status 0 || ! out '^200$'; then
				break
			fi
		done
		check "clients that send '$text' keep nobody waiting" 'kill -0 $HOLDER' '[ $i = 20 ]'
		kill $HOLDER
		wait $HOLDER 2>/dev/null
		kill -INT $PID
		ended
		check 'and the session ends as ever' 'status 0' 'results "^CPU0 +[0-9]+ cycles:uk$"'
	done
	rm -f "$DIR/log.loads"
	FAKE=stopclock,noaccept begin_listening
	exec 8<>"/dev/tcp/127.0.0.1/$PORT"
	printf 'GET' >&8
	until_true '[ -s "$DIR/log.loads" ]'
	kill -INT $PID
	ended
	exec 8>&-
	check 'without a free descriptor pfmon waits before it tries again' 'status 0' \
		'[ "$(cat "$DIR/log.loads")" = accept ]' \
		'[ "$(grep -c "warning: --listen: cannot accept a client: Too many open files" "$DIR/err")" = 1 ]'
	rm -f "$DIR/log.loads"
	FAKE=noaccept,atfirst begin_listening
	run curl -sS -m 60 -o /dev/null -w '%{http_code}' "$URL"
	check 'until one is free' 'out "^200$"' '[ "$(wc -l <"$DIR/log.loads")" = 3 ]' \
		'[ "$(grep -c "warning: --listen" "$DIR/err")" = 1 ]'
	kill -INT $PID
	ended
}

build_or_bail
find_tools
options_tests
textfile_tests
metric_tests
listen_tests
rude_tests
finish

#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
#
# Checks a file of 'pfmon report --firefox': each column of each table, each index.  Prints the stacks as
# 'pfmon report --folded' does, of each event, so that the two can be compared.
import json
import sys

SHARED = {
    "stackTable": {"frame", "prefix"},
    "frameTable": {"address", "inlineDepth", "category", "subcategory", "func", "nativeSymbol",
                   "innerWindowID", "line", "column"},
    "funcTable": {"name", "isJS", "relevantForJS", "resource", "source", "lineNumber", "columnNumber"},
    "resourceTable": {"lib", "name", "host", "type"},
    "nativeSymbols": {"libIndex", "address", "name", "functionSize"},
    "sources": {"id", "filename", "startLine", "startColumn", "sourceMapURL"},
}
MARKERS = {"data", "name", "startTime", "endTime", "phase", "category"}
THREAD = {"processName", "name", "pid", "tid", "isMainThread", "processType", "processStartupTime",
          "processShutdownTime", "registerTime", "unregisterTime", "pausedRanges", "samples", "markers"}


def check(true, *what):
    if not true:
        sys.exit("firefox_profile: " + " ".join(str(word) for word in what))


def check_columns(name, table, columns):
    check(set(table) == columns | {"length"}, name, "has", sorted(table))
    for column in columns:
        check(len(table[column]) == table["length"], name, column, len(table[column]), table["length"])


def check_numbers(name, numbers, end, other=()):
    for number in numbers:
        check(number in other or (type(number) is int and 0 <= number < end), name, number, "of", end)


def check_shared(shared, categories):
    check(set(shared) == set(SHARED) | {"stringArray"}, "shared has", sorted(shared))
    for name, columns in SHARED.items():
        check_columns(name, shared[name], columns)
    strings = shared["stringArray"]
    check(len(set(strings)) == len(strings), "strings occur twice")
    frames, funcs, files = shared["frameTable"], shared["funcTable"], shared["resourceTable"]
    check_numbers("frame of a stack", shared["stackTable"]["frame"], frames["length"])
    for number, prefix in enumerate(shared["stackTable"]["prefix"]):
        check_numbers("caller", [prefix], number, [None])
    pairs = list(zip(shared["stackTable"]["frame"], shared["stackTable"]["prefix"]))
    check(len(set(pairs)) == len(pairs), "stacks occur twice")
    check_numbers("function of a frame", frames["func"], funcs["length"])
    check_numbers("category", frames["category"], len(categories))
    check(set(frames["address"]) <= {-1} and set(frames["subcategory"]) <= {0}, "frames")
    check_numbers("name of a function", funcs["name"], len(strings))
    check_numbers("file of a function", funcs["resource"], files["length"], [-1])
    triples = list(zip(funcs["name"], funcs["resource"]))
    check(len(set(triples)) == len(triples), "functions occur twice")
    check_numbers("name of a file", files["name"], len(strings))
    check(set(files["type"]) <= {1}, "type of a file")


def check_thread(thread, stacks):
    check(set(thread) == THREAD, "a thread has", sorted(thread))
    check(type(thread["pid"]) is str and type(thread["tid"]) is int, "ids of a thread")
    check_columns("markers", thread["markers"], MARKERS)
    samples = thread["samples"]
    check(samples["weightType"] in ("samples", "tracing-ms"), "type of weights")
    check_columns("samples", {key: value for key, value in samples.items() if key != "weightType"},
                  {"stack", "time", "weight"})
    check_numbers("stack of a sample", samples["stack"], stacks, [None])
    check(samples["time"] == sorted(samples["time"]), "order of samples")
    check(samples["length"] > 0 and min(samples["time"]) >= 0, "samples")
    check(thread["registerTime"] == samples["time"][0], "begin of a thread")


def frames_of(shared, stack):
    names = []
    while stack is not None:
        func = shared["frameTable"]["func"][shared["stackTable"]["frame"][stack]]
        names.insert(0, shared["stringArray"][shared["funcTable"]["name"][func]])
        stack = shared["stackTable"]["prefix"][stack]
    return names


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        profile = json.load(file)
    check(set(profile) == {"meta", "libs", "shared", "threads"}, "the profile has", sorted(profile))
    meta = profile["meta"]
    check(meta["preprocessedProfileVersion"] == 61 and meta["symbolicated"] is True, "head")
    check(meta["interval"] > 0 and meta["startTime"] > 0, "interval", meta["interval"], meta["startTime"])
    check(any(category["color"] == "grey" for category in meta["categories"]), "no default category")
    shared = profile["shared"]
    check_shared(shared, meta["categories"])
    sums = {}
    for thread in profile["threads"]:
        check_thread(thread, shared["stackTable"]["length"])
        event = thread["name"][len(thread["processName"]):].strip(" ()")
        for stack, weight in zip(thread["samples"]["stack"], thread["samples"]["weight"]):
            text = ";".join([thread["processName"]] + frames_of(shared, stack))
            sums[event, text] = sums.get((event, text), 0) + weight
    mains = [thread["pid"] for thread in profile["threads"] if thread["isMainThread"]]
    check(len(set(mains)) == len(mains), "a process has two main threads")
    for (event, text), weight in sorted(sums.items()):
        print(f"{event}\t{text} {weight:g}" if event else f"{text} {weight:g}")


main()

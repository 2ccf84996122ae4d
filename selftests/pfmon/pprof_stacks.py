#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
#
# Prints the stacks of a profile for pprof, as folded stacks without the program: each location has its lines,
# the innermost first.
import gzip
import sys


def number(data, at):
    value = shift = 0
    while True:
        value |= (data[at] & 127) << shift
        shift += 7
        at += 1
        if data[at - 1] < 128:
            return value, at


def fields(data):
    at = 0
    while at < len(data):
        key, at = number(data, at)
        value, at = number(data, at)
        if key & 7 == 2:
            value, at = data[at:at + value], at + value
        yield key >> 3, value


def numbers(values):
    for value in values:
        at = 0
        while isinstance(value, bytes) and at < len(value):
            one, at = number(value, at)
            yield one
        if not isinstance(value, bytes):
            yield value


def member(message, wanted):
    return [value for key, value in fields(message) if key == wanted]


data = gzip.open(sys.argv[1]).read()
strings = [text.decode() for text in member(data, 6)]
functions = {member(one, 1)[0]: strings[member(one, 2)[0]] for one in member(data, 5)}
lines = {member(one, 1)[0]: [functions[member(line, 1)[0]] for line in member(one, 4)] for one in member(data, 4)}
for sample in member(data, 2):
    frames = [name for location in numbers(member(sample, 1)) for name in lines[location]]
    print(";".join(reversed(frames)), next(numbers(member(sample, 2))))

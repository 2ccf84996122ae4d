#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
#
# ibs_notes.py HEADER FILE: makes FILE, samples and notes of a file of perfmon behind HEADER, from
# lines of standard input. Addresses are hexadecimal, times ns.
#
#	op PID TIME ADDRESS COUNT [invalid]	samples of ops
#	fetch PID TIME ADDRESS COUNT		samples of fetches
#	map PID TIME START END OFFSET ACCESS PATH
#	load PID TIME BASE PROGRAM		the maps of an ELF file's segments
#	exec PID TIME
#	task PID TID TIME COMM PATH
#	kernel STEXT BOOT RELEASE
#	unknown SIZE				a note of an unknown type
#	damaged SIZE LENGTH			a map with 16 bytes of text that says SIZE and LENGTH
import struct
import subprocess
import sys

INVALID = 1 << 38


def entry(kind, pid, time):
    return struct.pack("<BBHHHIIQQ", kind, 0, 0, 0, 0, pid, pid, time, 7 * time)


def note(kind, pid=0, tid=0, time=0, start=0, end=0, offset=0, access=0, text=b""):
    padded = text + bytes(-len(text) % 8)
    return struct.pack("<BBHIIIQQQQQII", 240, kind, 0, 64 + len(padded), pid, tid, time, start,
                       end, offset, 0, access, len(text)) + padded


def op(pid, time, address, count, invalid=""):
    data = INVALID if invalid else 0
    return int(count) * (entry(2, int(pid), int(time)) +
                         struct.pack("<IHHQQQQQQQ", 1000, 0, 0, 0, int(address, 16), data,
                                     0, 0, 0, 0))


def fetch(pid, time, address, count):
    return int(count) * (entry(1, int(pid), int(time)) +
                         struct.pack("<IIQQQ", 1000, 0, 0, int(address, 16), 0))


def mapping(pid, time, start, end, offset, access, path):
    bits = sum(1 << "rwx".index(letter) for letter in access if letter != "-")
    return note(1, int(pid), 0, int(time), int(start, 16), int(end, 16), int(offset, 16), bits,
                path.encode())


def load(pid, time, base, program):
    out = b""
    listing = subprocess.run(["readelf", "-lW", program], capture_output=True, text=True,
                             check=True).stdout
    for words in (line.split() for line in listing.splitlines()):
        if not words or words[0] != "LOAD":
            continue
        offset, address, _, size, memory = (int(word, 16) for word in words[1:6])
        access = "".join(words[6:-1])
        skew = address & 0xfff
        start = int(base, 16) + address - skew
        end = start + (size + skew + 0xfff & ~0xfff)
        out += mapping(pid, time, hex(start), hex(end), hex(offset - skew),
                       access.replace("R", "r").replace("W", "w").replace("E", "x"), program)
        # Memory that begins as zero has no file; it is behind the last page of the file.
        last = start + (memory + skew + 0xfff & ~0xfff)
        if last > end:
            out += mapping(pid, time, hex(end), hex(last), "0", "rw-", "[anon]")
    return out


def exec_note(pid, time):
    return note(2, int(pid), 0, int(time))


def task(pid, tid, time, comm, path):
    return note(3, int(pid), int(tid), int(time), text=f"{comm}\n{path}".encode())


def kernel(stext, boot, release):
    return note(4, start=int(stext, 16), text=f"{boot}\n{release}".encode())


def unknown(size):
    return note(99, text=bytes(int(size)))


def damaged(size, length):
    return struct.pack("<BBHIIIQQQQQII", 240, 1, 0, int(size), 10, 0, 50, 0x1000, 0x2000, 0, 0, 0,
                       int(length)) + b"/tmp/sixteen.txt"


LINES = {"op": op, "fetch": fetch, "map": mapping, "load": load, "exec": exec_note,
         "task": task, "kernel": kernel, "unknown": unknown, "damaged": damaged}


def main():
    with open(sys.argv[1], "rb") as header, open(sys.argv[2], "wb") as out:
        out.write(header.read())
        for line in sys.stdin:
            words = line.split()
            out.write(LINES[words[0]](*words[1:]))


main()

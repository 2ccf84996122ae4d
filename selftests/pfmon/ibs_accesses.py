#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
#
# ibs_accesses.py HEADER PROGRAM FILE: makes FILE, ops and mappings of a file of perfmon behind
# HEADER, from lines of standard input. An ADDRESS is hexadecimal, or SYMBOL+OFFSET of PROGRAM, an
# ELF file that is mapped where its addresses say. Mappings are of time 100, samples of 200, if
# nothing else is said.
#
#	op PID TID ADDRESS WORD...	an op at ADDRESS; the words say what it did:
#		load store		which access it has
#		at=ADDRESS width=CODE	its linear address, which is valid; code of its bytes
#		miss l2miss tlb1 tlb2 uc prefetch
#					bits of IBS_OP_DATA3
#		source=CODE latency=N	fields of the data's source and of the miss
#		badrip			the address of the op is not valid
#		times=N			N such samples
#		time=TIME
#	fetch PID TID ADDRESS		a fetch
#	map PID START END NAME [TIME]	memory that is read and written
#	load PID			the segments of PROGRAM
import struct
import subprocess
import sys

DATA3 = {"load": 0, "store": 1, "tlb1": 2, "tlb2": 3, "miss": 7, "uc": 14, "l2miss": 20,
         "prefetch": 21}
LINEAR_VALID, RIP_INVALID, PAGE = 1 << 17, 1 << 38, 0xfff


def listing(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()


def symbols_of(program):
    return {name: int(value, 16) for value, _, name in map(str.split, listing("nm", program))}


def entry(kind, pid, tid, time=200):
    return struct.pack("<BBHHHIIQQ", kind, 0, 0, 0, 0, pid, tid, time, 7)


def note(pid, start, end, offset, access, name, time=100):
    padded = name + bytes(-len(name) % 8)
    return struct.pack("<BBHIIIQQQQQII", 240, 1, 0, 64 + len(padded), pid, 0, time, start, end,
                       offset, 0, access, len(name)) + padded


class Maker:
    def __init__(self, program):
        self.program = program
        self.symbols = symbols_of(program)

    def address(self, text):
        name, _, offset = text.partition("+")
        if name in self.symbols:
            return self.symbols[name] + int(offset or "0", 16)
        return int(text, 16)

    def op(self, pid, tid, address, *words):
        data = data2 = data3 = linear = 0
        times, time = 1, 200
        for word in words:
            key, _, value = word.partition("=")
            if key in DATA3:
                data3 |= 1 << DATA3[key]
            elif key == "at":
                linear = self.address(value)
                data3 |= LINEAR_VALID
            elif key == "width":
                data3 |= int(value) << 22
            elif key == "source":
                data2 = int(value) & 7 | int(value) >> 3 << 6
            elif key == "latency":
                data3 |= int(value) << 32
            elif key == "badrip":
                data = RIP_INVALID
            elif key == "times":
                times = int(value)
            elif key == "time":
                time = int(value)
            else:
                sys.exit(f"no word {word}")
        return times * (entry(2, int(pid), int(tid), time) +
                        struct.pack("<IHHQQQQQQQ", 1000, data2, 0, 0, self.address(address), data,
                                    data3, linear, 0, 0))

    def fetch(self, pid, tid, address):
        return entry(1, int(pid), int(tid)) + struct.pack("<IIQQQ", 1000, 0, 0,
                                                          self.address(address), 0)

    def map(self, pid, start, end, name, time=100):
        return note(int(pid), int(start, 16), int(end, 16), 0, 3, name.encode(), int(time))

    def load(self, pid):
        out = b""
        for words in map(str.split, listing("readelf", "-lW", self.program)):
            if not words or words[0] != "LOAD":
                continue
            offset, start, _, size, memory = (int(word, 16) for word in words[1:6])
            access = sum(bit for bit, letter in ((1, "R"), (2, "W"), (4, "E"))
                         if letter in "".join(words[6:-1]))
            skew = start & PAGE
            end = start + size + PAGE & ~PAGE
            last = start + memory + PAGE & ~PAGE
            out += note(int(pid), start - skew, end, offset - skew, access,
                        self.program.encode())
            # Data that begins as zero is memory without a file, behind the file's last page.
            if last > end:
                out += note(int(pid), end, last, 0, 3, b"[anon]")
        return out


def main():
    maker = Maker(sys.argv[2])
    with open(sys.argv[1], "rb") as header, open(sys.argv[3], "wb") as out:
        out.write(header.read())
        for line in sys.stdin:
            words = line.split()
            if words:
                out.write(getattr(maker, words[0])(*words[1:]))


main()

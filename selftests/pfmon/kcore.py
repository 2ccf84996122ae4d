#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
#
# kcore.py START END: writes the kernel's memory from START to END, hexadecimal addresses, to
# standard output. Reads /proc/kcore without the libraries that pfmon does it with.
import struct
import sys


def main():
    start, end = (int(word, 16) for word in sys.argv[1:])
    with open("/proc/kcore", "rb", buffering=0) as core:
        header = core.read(64)
        table, = struct.unpack_from("<Q", header, 32)
        size, count = struct.unpack_from("<HH", header, 54)
        for i in range(count):
            core.seek(table + i * size)
            kind, _, offset, address, _, length = struct.unpack_from("<IIQQQQ", core.read(size))
            if kind == 1 and address <= start and end <= address + length:
                core.seek(offset + start - address)
                sys.stdout.buffer.write(core.read(end - start))
                return
    sys.exit(f"/proc/kcore has no addresses {start:x} to {end:x}")


main()

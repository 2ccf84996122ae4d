# SPDX-License-Identifier: GPL-2.0-only
"""A table of events, its file, and the index of a folder with such files."""
import json
import os
import re
import tempfile

MAGIC = "@perfmon-events 1"
SUFFIX = ".events"
INDEX = "index"
LICENCE = "# SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)"
INDEX_HEAD = LICENCE + "\n# Which table is for which processor: NAME VENDOR FAMILY MODELS, or NAME midr VALUE MASK.\n"
NAME = re.compile(r"[A-Za-z0-9_.-]{1,79}\Z")
TABLE = re.compile(r"[a-z0-9_]{1,47}\Z")


class InputError(Exception):
    """The input cannot be used; the text says why."""


class LeftOut(Exception):
    """An event that cannot be counted; the text says why."""


def load(path):
    try:
        with open(path, encoding="utf-8") as file:
            return json.load(file)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path}: this is not JSON: {error}") from error


def number(value, what):
    """A number as the vendors write it: 0x1f, 31, 31 as text; nothing is 0."""
    if value in (None, ""):
        return 0
    try:
        result = value if isinstance(value, int) else int(str(value).strip(), 0)
    except ValueError:
        # int() takes no number with leading zeros.
        try:
            result = int(str(value).strip(), 10)
        except ValueError as error:
            raise InputError(f"{what}: '{value}' is not a number") from error
    if result < 0:
        raise InputError(f"{what}: '{value}' is negative")
    return result


def one_line(text):
    return " ".join(str(text or "").split())


class Event:
    def __init__(self, name, code, extra=None, counters=0, deprecated=False, instead="", text=""):
        if not NAME.match(name):
            raise LeftOut("its name has characters that names of events cannot have")
        self.name, self.code, self.extra, self.counters = name, code, extra, counters
        self.deprecated, self.instead = deprecated, instead if NAME.match(instead) else ""
        self.text = one_line(text)

    def line(self, texts):
        words = [self.name, f"{self.code:x}"]
        if self.extra is not None:
            words.append(f"x={self.extra:x}")
        if self.counters:
            words.append(f"c={self.counters:x}")
        if self.deprecated:
            words.append(f"d={self.instead}" if self.instead else "d")
        if texts and self.text:
            words.append(f"; {self.text}")
        return " ".join(words)


class Table:
    def __init__(self, name, arch, source, rows):
        """
        @rows: what the index has of the table, without its name
        """
        if not TABLE.match(name):
            raise InputError(f"'{name}' cannot be the name of a table")
        self.name, self.arch, self.source, self.rows = name, arch, one_line(source), rows
        self.events, self.left_out = {}, []

    def add(self, name, make):
        """Adds the event that @make returns."""
        try:
            event = make()
        except LeftOut as error:
            self.left_out.append((one_line(name), str(error)))
            return
        old = self.events.get(name.lower())
        if old and (old.code, old.extra) != (event.code, event.extra):
            raise InputError(f"{self.name}: the event {name} is there twice, with different codes")
        self.events[name.lower()] = event

    def text(self, texts):
        # Descriptions are the vendor's, who says under which licence.
        lines = [MAGIC] + ([] if texts else [LICENCE])
        lines += [f"@table {self.name}", f"@arch {self.arch}", f"@source {self.source}"]
        lines += [self.events[key].line(texts) for key in sorted(self.events)]
        lines.append(f"@end {len(self.events)}")
        return "\n".join(lines) + "\n"


def write_whole(path, text):
    """Nobody sees a part of the file."""
    folder = os.path.dirname(path) or "."
    handle, temporary = tempfile.mkstemp(dir=folder, prefix=".new-")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as out:
            out.write(text)
            out.flush()
            os.fsync(out.fileno())
        os.chmod(temporary, 0o644)
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise


def write_tables(folder, tables, texts):
    """Writes the tables into @folder; tables of the index that are not among them stay."""
    os.makedirs(folder, exist_ok=True)
    names = {table.name for table in tables}
    index = os.path.join(folder, INDEX)
    rows = []
    if os.path.exists(index):
        with open(index, encoding="utf-8") as file:
            rows = [line for line in file.read().splitlines()
                    if line and not line.startswith("#") and line.split()[0] not in names]
    for table in tables:
        write_whole(os.path.join(folder, table.name + SUFFIX), table.text(texts))
        rows += [f"{table.name} {row}" for row in table.rows]
    # The order of rows tells which kind of cores is the first one of a processor: it stays.
    write_whole(index, INDEX_HEAD + "\n".join(rows) + "\n")

# SPDX-License-Identifier: GPL-2.0-only
"""Intel's event files: a clone of https://github.com/intel/perfmon."""
import csv
import os
import re

from .table import Event, InputError, LeftOut, Table, load, number

# The registers that the kernel module programs: OFFCORE_RSP_0 and 1, PEBS_LD_LAT_THRESHOLD, PEBS_FRONTEND.
REGISTERS = {0x1a6, 0x1a7, 0x3f6, 0x3f7}
# Event 0 with unit mask n + 1 is that of fixed counter n. These two have codes on the other counters.
FIXED_CODES = {"INST_RETIRED.ANY": 0xc0, "CPU_CLK_UNHALTED.THREAD": 0x3c, "CPU_CLK_UNHALTED.CORE": 0x3c}
REPLACED = re.compile(r"[Rr]efer to new event\s+(\S+?)[\s.\]]*(?:$|\s)|alias (?:to|of)\s+(\S+?)[\s.\]]*(?:$|\s)")


def first(value):
    return str(value or "0").split(",")[0]


def counters_of(entry):
    text = entry.get("Counter", "")
    if "fixed" in text.lower():
        return 0
    mask = 0
    for word in text.split(","):
        if word.strip():
            mask |= 1 << number(word, "Counter")
    return mask


def code_of(entry):
    umask = number(first(entry.get("UMask")), "UMask")
    event = number(first(entry.get("EventCode")), "EventCode")
    if number(entry.get("UMaskExt"), "UMaskExt"):
        raise LeftOut("its unit mask has more than eight bits")
    if number(entry.get("Equal"), "Equal"):
        raise LeftOut("it compares the threshold for equality")
    if event > 0xff or umask > 0xff:
        raise LeftOut("its code has more bits than the register")
    if not event and entry["EventName"] in FIXED_CODES:
        return FIXED_CODES[entry["EventName"]]
    code = event | umask << 8
    code |= number(entry.get("EdgeDetect"), "EdgeDetect") << 18
    code |= number(entry.get("AnyThread"), "AnyThread") << 21
    code |= number(entry.get("Invert"), "Invert") << 23
    threshold = number(entry.get("CounterMask"), "CounterMask")
    if threshold > 0xff:
        raise LeftOut("its threshold has more than eight bits")
    return code | threshold << 24


def extra_of(entry):
    register = number(first(entry.get("MSRIndex")), "MSRIndex")
    if not register:
        return None
    if register not in REGISTERS:
        raise LeftOut(f"it needs the register {register:#x}, which the kernel module does not program")
    return number(first(entry.get("MSRValue")), "MSRValue")


def replacement(text):
    found = REPLACED.search(text)
    return (found.group(1) or found.group(2)) if found else ""


def add(table, entry):
    if not isinstance(entry, dict) or not isinstance(entry.get("EventName"), str):
        raise InputError(f"{table.name}: an event has no name")
    brief = entry.get("BriefDescription") or ""
    deprecated = entry.get("Deprecated") == "1"
    name = entry["EventName"].rstrip()
    try:
        table.add(name, lambda: Event(
            name, code_of(entry), extra_of(entry), counters_of(entry), deprecated,
            replacement(brief) if deprecated else "", brief))
    except InputError as error:
        raise InputError(f"{table.name}: event {name}: {error}") from error


def events(path):
    document = load(path)
    if isinstance(document, list):
        return {}, document
    if not isinstance(document, dict) or not isinstance(document.get("Events"), list):
        raise InputError(f"{path}: this is no event file of Intel: it has no list 'Events'")
    return document.get("Header") or {}, document["Events"]


def table_name(path):
    name = re.sub(r"(_core)?\.json$", "", os.path.basename(path)).lower()
    return re.sub(r"[^a-z0-9]+", "_", name)


def convert_file(path, rows, short):
    """@short: the path as the source names it."""
    header, entries = events(path)
    table = Table(table_name(path), "intel",
                  f"Intel, {short} {header.get('Version', '')} of {header.get('DatePublished', 'no date')}",
                  rows)
    for entry in entries:
        add(table, entry)
    # All counters are what an event has that no rule is for.
    masks = [event.counters for event in table.events.values()]
    widest = max(masks, default=0)
    for event in table.events.values():
        if event.counters == widest:
            event.counters = 0
    return table


def read_map(folder):
    """Core tables: path in the folder to its rows of the index, first core kinds first."""
    path = os.path.join(folder, "mapfile.csv")
    found = {}
    try:
        with open(path, encoding="utf-8", newline="") as file:
            lines = list(csv.DictReader(file))
    except (OSError, csv.Error, UnicodeDecodeError) as error:
        raise InputError(f"{path}: {error}") from error
    for line in lines:
        if line.get("EventType") not in ("core", "hybridcore"):
            continue
        ident = re.match(r"(\w+)-(\d+)-([0-9A-F]+)", line.get("Family-model") or "")
        if not ident:
            raise InputError(f"{path}: '{line.get('Family-model')}' is no processor")
        kind = line.get("Core Role Name") or "Core"
        key = (ident.group(1), int(ident.group(2)))
        models = found.setdefault((line["Filename"].lstrip("/"), kind), {}).setdefault(key, [])
        models.append(ident.group(3).lower())
    if not found:
        raise InputError(f"{path}: it names no event file of cores")
    return found


ORDER = {"Core": 0, "Atom": 1, "LowPower_Atom": 2}


def convert(folder, wanted):
    """Tables of the clone in @folder whose names are wanted; all of them if none is."""
    files = {}
    for (path, kind), keys in read_map(folder).items():
        name = table_name(path)
        rows = files.setdefault(path, [name, ORDER.get(kind, 3), []])
        rows[1] = min(rows[1], ORDER.get(kind, 3)) if kind != "Core" else rows[1]
        for (vendor, family), models in keys.items():
            rows[2].append((ORDER.get(kind, 3), f"{vendor} {family:x} {','.join(dict.fromkeys(models))}"))
    unknown = set(wanted) - {rows[0] for rows in files.values()}
    if unknown:
        raise InputError(f"{folder}: it has no event file of {', '.join(sorted(unknown))}")
    tables = []
    for path, (name, order, rows) in files.items():
        if wanted and name not in wanted:
            continue
        full = os.path.join(folder, path)
        if not os.path.exists(full):
            continue
        table = convert_file(full, [row for _, row in rows], path)
        tables.append((order, table))
    # Kinds of cores: those of the first kind come first in the index.
    return [table for _, table in sorted(tables, key=lambda pair: pair[0])]

# SPDX-License-Identifier: GPL-2.0-only
"""A processor's folder of Linux's tools/perf/pmu-events/arch/."""
import csv
import glob
import os
import re

from . import intel
from .table import Event, InputError, LeftOut, Table, load, number

# The models of Zen 5: Linux 6.12, arch/x86/kernel/cpu/amd.c. Its mapfile.csv has all of the family.
MODELS = {"amdzen5": "0-2f,40-4f,60-7f,d0-d7"}
VENDORS = {"AuthenticAMD": "amd", "HygonGenuine": "amd", "GenuineIntel": "intel"}


def map_of(folder):
    """The file mapfile.csv of the folder above, or of the one above that; None: there is none."""
    for up in ("..", "../.."):
        path = os.path.join(os.path.abspath(folder), up, "mapfile.csv")
        if os.path.exists(path):
            return path
    return None


def rows_of(folder, name):
    """Rows of the index, and the PMU description."""
    path = map_of(folder)
    if not path:
        raise InputError(f"{folder}: the folders above have no mapfile.csv, which tells for which processors it is")
    rows, arch = [], None
    try:
        with open(path, encoding="utf-8", newline="") as file:
            lines = list(csv.reader(file))
    except (OSError, csv.Error, UnicodeDecodeError) as error:
        raise InputError(f"{path}: {error}") from error
    for line in lines:
        if len(line) < 4 or line[0].startswith("#") or line[2].split("/")[-1] != name:
            continue
        if line[0].startswith("0x"):
            arch = "armv8_pmuv3"
            rows.append(f"midr {int(line[0], 16) & 0xffffffff:x} ff0ffff0")
        else:
            arch, row = x86_row(line[0])
            rows.append(row if name not in MODELS else re.sub(r" \*$", f" {MODELS[name]}", row))
    if not rows:
        raise InputError(f"{path}: it names no processor for {name}")
    return arch, rows


def x86_row(pattern):
    """GenuineIntel-6-(97|9A) and AuthenticAMD-26-[[:xdigit:]]+: the models that the pattern has."""
    vendor, family, models = pattern.split("-", 2)
    if vendor not in VENDORS:
        raise InputError(f"'{pattern}': processors of this vendor are not known")
    models = re.compile(models.replace("[[:xdigit:]]", "[0-9A-F]"))
    # A pattern that wants the stepping, too, is tried with the first ones.
    found = [model for model in range(256)
             if any(models.fullmatch(f"{model:X}{step}") for step in ("", "-0", "-4", "-A"))]
    if len(found) == 256:
        text = "*"
    else:
        text = ",".join(f"{model:x}" for model in found)
    if not text:
        raise InputError(f"'{pattern}': this fits no model")
    return VENDORS[vendor], f"{vendor} {int(family):x} {text}"


def standard_of(folder):
    """Events that the files of an Arm processor only name, from the folders above."""
    standard = {}
    for up in ("..", "../.."):
        for path in glob.glob(os.path.join(glob.escape(folder), up, "*.json")):
            for entry in load(path):
                if isinstance(entry, dict) and entry.get("EventName"):
                    standard[entry["EventName"]] = entry
    return standard


def amd_code(entry):
    event = number(entry.get("EventCode"), "EventCode")
    umask = number(entry.get("UMask"), "UMask")
    if event > 0xfff or umask > 0xff:
        raise LeftOut("its code has more bits than the register")
    code = event & 0xff | (event >> 8) << 32 | umask << 8
    code |= number(entry.get("EdgeDetect"), "EdgeDetect") << 18
    code |= number(entry.get("Invert"), "Invert") << 23
    return code | number(entry.get("CounterMask"), "CounterMask") << 24


def add_amd(table, entry):
    name = entry["EventName"]
    brief = entry.get("BriefDescription") or ""
    deprecated = entry.get("Deprecated") == "1"
    table.add(name, lambda: Event(name, amd_code(entry), deprecated=deprecated,
                                  instead=intel.replacement(brief) if deprecated else "", text=brief))


def arm_code(entry):
    code = number(entry.get("EventCode"), "EventCode")
    if code > 0xffff:
        raise LeftOut("its code has more bits than the register")
    return code


def convert(folder, version):
    name = os.path.basename(os.path.abspath(folder))
    arch, rows = rows_of(folder, name)
    files = sorted(glob.glob(os.path.join(glob.escape(folder), "*.json")))
    if not files:
        raise InputError(f"{folder}: there is no JSON file in this folder")
    table = Table(re.sub(r"[^a-z0-9]+", "_", name.lower()), arch,
                  f"{version}, tools/perf/pmu-events, {name}", rows)
    standard = standard_of(folder) if arch == "armv8_pmuv3" else {}
    for path in files:
        entries = load(path)
        if isinstance(entries, dict):
            continue  # metricgroups.json
        if not isinstance(entries, list):
            raise InputError(f"{path}: this is no list of events")
        for entry in entries:
            if not isinstance(entry, dict):
                raise InputError(f"{path}: an event is no object")
            entry = dict(standard.get(entry.get("ArchStdEvent"), {}), **entry)
            # Metrics, and units outside of the cores.
            if not entry.get("EventName") or entry.get("Unit"):
                continue
            if arch == "intel":
                intel.add(table, entry)
            elif arch == "amd":
                add_amd(table, entry)
            else:
                table.add(entry["EventName"], lambda entry=entry: Event(
                    entry["EventName"], arm_code(entry), text=entry.get("BriefDescription")
                    or entry.get("PublicDescription")))
    if not table.events:
        raise InputError(f"{folder}: it has no events of cores")
    return table

# SPDX-License-Identifier: GPL-2.0-only
"""Arm's telemetry specifications, and the files pmu/*.json of https://github.com/ARM-software/data."""
import os
import re

from .table import Event, InputError, LeftOut, Table, load, number

MASK = "ff0ffff0"
# More processors with the same core, from the telemetry tool's mapping.json.
MORE = {"neoverse_n2": [(0x6d, 0xd49)], "neoverse_v3": [(0x41, 0xd83)]}
# PMUv3 has sixteen bits for an event.
LARGEST = 0xffff


def event_of(name, code, text):
    if code > LARGEST:
        raise LeftOut("its code has more bits than the register")
    return Event(name, code, text=text)


def midr(implementer, part):
    return f"midr {implementer << 24 | 0xf << 16 | part << 4:x} {MASK}"


def table_name(product):
    return re.sub(r"[^a-z0-9]+", "_", product.lower()).strip("_")


def add(table, name, code, text):
    if not isinstance(name, str):
        raise InputError(f"{table.name}: an event has no name")
    table.add(name, lambda: event_of(name, number(code, f"{table.name}: event {name}"), text))


def convert_telemetry(document, short):
    product = document.get("product_configuration") or {}
    about = document.get("document") or {}
    if not product.get("product_name") or not isinstance(document["events"], dict):
        raise InputError(f"{short}: it does not name a product, or its events have no names")
    table = Table(table_name(product["product_name"]), "armv8_pmuv3",
                  f"Arm, {short} of {about.get('timestamp', 'no date')}",
                  [midr(number(product.get("implementer"), "implementer"),
                        number(product.get("part_num"), "part_num"))])
    for name, entry in document["events"].items():
        if not isinstance(entry, dict) or "code" not in entry:
            raise InputError(f"{short}: event {name} has no code")
        add(table, name, entry["code"], entry.get("title"))
    return table


def convert_data(document, short):
    cpuid = number(document.get("cpuid"), f"{short}: cpuid")
    if not document.get("cpu") or not isinstance(document["events"], list):
        raise InputError(f"{short}: it does not name a processor, or its events are no list")
    table = Table(table_name(document["cpu"]), "armv8_pmuv3",
                  f"Arm, {short} of {document.get('timestamp', 'no date')}",
                  [midr(cpuid >> 12, cpuid & 0xfff)])
    for entry in document["events"]:
        if not isinstance(entry, dict) or "code" not in entry:
            raise InputError(f"{short}: an event has no code")
        add(table, entry.get("name"), entry["code"], entry.get("description"))
    return table


def convert_file(path, short=None):
    short = short or os.path.basename(path)
    document = load(path)
    if not isinstance(document, dict) or not document.get("events"):
        raise InputError(f"{path}: this is no file of Arm: it has no events")
    table = (convert_telemetry if "product_configuration" in document else convert_data)(document, short)
    table.rows += [midr(*core) for core in MORE.get(table.name, ())]
    return table

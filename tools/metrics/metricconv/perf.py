# SPDX-License-Identifier: GPL-2.0-only
"""A processor's folder of Linux's tools/perf/pmu-events/arch/."""
import csv
import glob
import os
import re

from .formula import HAS_EVENT, translate
from .model import InputError, Model, Unsupported, load, metric_name, stem

# The fixed counters of Intel, which perf gives the code 0.
FIXED = {1: "instructions", 2: "cycles", 3: "unhalted_reference_cycles", 4: "slots"}
# The names that perf and pfmon have for the slots and the fields of Intel's PERF_METRICS.
PERF_METRICS = ("slots", "topdown-retiring", "topdown-bad-spec", "topdown-fe-bound", "topdown-be-bound",
                "topdown-heavy-ops", "topdown-br-mispredict", "topdown-fetch-lat", "topdown-mem-bound")
# The codes of the first two on the other counters, which have options.
GENERAL = {1: (0xc0, 0), 2: (0x3c, 0)}
# The names that perf and pfmon have for the second register of an event, by its address.
REGISTERS = {0x1a6: "offcore_rsp", 0x1a7: "offcore_rsp", 0x3f6: "ldlat", 0x3f7: "frontend"}
FIELDS = {"CounterMask": "cmask", "Invert": "inv", "EdgeDetect": "edge", "AnyThread": "any"}
# The literals of perf that pfmon has: what they are in "constants". Counts of pfmon are those of a
# thread or of a CPU, never of all threads of a core: that is perf's "core wide" mode.
CONSTANTS = {"#SMT_on": ("SMT", "smt"), "#smt_on": ("SMT", "smt"), "#core_wide": ("CORE_WIDE", 0)}
# Where what perf measures is not counted by the core's counters.
ELSEWHERE = {"duration_time": "time is no event of the PMU",
             "TSC": "the time stamp counter is no event of the PMU"}


def integer(text):
    return int(str(text or "0").split(",")[0], 0)


def core_unit(entry):
    """The kind of cores that an event or a metric is for, "cpu_core" or "cpu_atom"."""
    unit = entry.get("Unit", "")
    return unit if unit.startswith("cpu_") else None


class Source:
    """
    Events and metrics of a folder. On a hybrid processor both kinds of cores have events and metrics
    with the same names: then only those of one unit are taken.
    """

    def __init__(self, folder, unit=None):
        self.events, self.metrics, self.titles = {}, {}, {}
        self.unit, self.notes = unit, []
        self.is_arm = "arm64" in os.path.abspath(folder).split(os.sep)
        self.standard = self.read_standard(folder) if self.is_arm else {}
        files = sorted(glob.glob(os.path.join(glob.escape(folder), "*.json")))
        if not files:
            raise InputError(f"{folder}: there is no JSON file in this folder")
        entries = []
        for path in files:
            data = load(path)
            if isinstance(data, dict):
                self.titles.update(data)  # metricgroups.json
            else:
                entries += data
        self.check_unit(folder, sorted({core_unit(entry) for entry in entries} - {None}))
        for entry in entries:
            if core_unit(entry) in (None, self.unit):
                self.add(entry)

    def check_unit(self, folder, units):
        if self.unit and self.unit not in units:
            has = f"it has {' and '.join(units)}" if units else "all its cores are of one kind"
            raise InputError(f"{folder}: there are no events of {self.unit}; {has}")
        if not self.unit and len(units) > 1:
            raise InputError(f"{folder}: it has events of {' and '.join(units)}, which count differently: "
                             f"choose one of them, such as --unit {units[-1]}")
        if not self.unit and units:
            self.unit = units[0]

    def read_standard(self, folder):
        """Events that the files of a processor name only, from the folders above."""
        standard = {}
        for up in ("..", "../.."):
            for path in glob.glob(os.path.join(glob.escape(folder), up, "*.json")):
                for entry in load(path):
                    if "EventCode" in entry and "EventName" in entry:
                        standard[entry["EventName"]] = entry
        return standard

    def add(self, entry):
        name = entry.get("EventName") or entry.get("ArchStdEvent")
        if name:
            self.events[name.upper()] = {**self.standard.get(entry.get("ArchStdEvent"), {}), **entry}
        if "MetricName" not in entry or "MetricExpr" not in entry:
            return
        other = self.metrics.setdefault(entry["MetricName"], entry)
        if other["MetricExpr"] != entry["MetricExpr"]:
            self.notes.append(f"{entry['MetricName']} has two formulas, and the first is taken")


class Converter:
    """Converts each metric once, and those that it uses before it."""

    def __init__(self, source, model):
        self.source, self.model = source, model
        self.failed, self.active, self.names = {}, [], {}

    def convert_all(self):
        for name in self.source.metrics:
            try:
                self.convert(name)
            except Unsupported as why:
                self.failed.setdefault(name, why)
        self.drop_constants()
        self.model.left_out = sorted(self.failed.items())
        self.model.rename_groups()
        self.link_tree()

    def drop_constants(self):
        """Of metrics that were left out behind them."""
        for name, value in list(self.model.constants.items()):
            if str(value).startswith("has ") and value[4:] not in self.model.events:
                del self.model.constants[name]

    def convert(self, name):
        """Returns the converted metric, and what its formula is multiplied by."""
        if name in self.failed:
            raise self.failed[name]
        if name in self.names:
            return self.names[name]
        if name in self.active:
            raise Unsupported("it uses itself")
        self.active.append(name)
        try:
            self.names[name] = self.build(name, self.source.metrics[name])
        except Unsupported as why:
            self.failed[name] = why
            raise
        finally:
            self.active.pop()
        return self.names[name]

    def build(self, name, entry):
        wanted = {}
        factor, unit = scale(entry)
        formula = translate(entry["MetricExpr"], lambda word: self.resolve(word, wanted))
        if factor != 1:
            formula = f"{factor:.15g} * ({formula})"
        metric = {
            "name": metric_name(name),
            "title": name,
            "groups": [group for group in entry.get("MetricGroup", "").split(";") if group]
                      or ["Others"],
            "unit": unit,
            "description": entry.get("PublicDescription") or entry.get("BriefDescription") or name,
            "formula": formula,
        }
        if metric["name"] in self.model.metrics:
            raise Unsupported(f"another metric is called {metric['name']}, too")
        for group in metric["groups"]:
            self.model.add_group(group, description=self.source.titles.get(group))
        self.model.events.update(wanted)
        self.model.metrics[metric["name"]] = metric
        return metric, factor

    def resolve(self, word, wanted):
        word = word.replace("\\", "")
        asked = re.fullmatch(HAS_EVENT, word)
        if asked:
            key = self.event(asked[1], wanted)
            constant = "HAS_" + re.sub(r"\W", "_", key)
            self.model.constants[constant] = f"has {key}"
            return constant
        if word in CONSTANTS:
            constant, value = CONSTANTS[word]
            self.model.constants[constant] = value
            return constant
        if word.startswith("#"):
            raise Unsupported(f"pfmon does not know {word}")
        if word in ELSEWHERE:
            raise Unsupported(f"{word}: {ELSEWHERE[word]}")
        if word in self.source.metrics:
            try:
                metric, factor = self.convert(word)
            except Unsupported as why:
                raise Unsupported(f"it uses {word}: {why}") from why
            return metric["name"] if factor == 1 else f"({metric['name']} / {factor:.15g})"
        return self.event(word, wanted)

    def event(self, word, wanted):
        name, terms = split_event(word, self.source.unit)
        if name.lower() in PERF_METRICS and not terms and not self.source.is_arm:
            key = "TOPDOWN." + re.sub("^topdown-", "", name.lower()).upper().replace("-", "_")
            wanted[key] = {"event": name.lower()}
            return key
        entry = (self.source.events.get(name.upper()) or self.source.standard.get(name)) if name else {}
        if entry is None and ":" in name:
            raise Unsupported(f"{word} counts at one privilege level")
        if entry is None:
            raise Unsupported(f"{word} is no event of the folder")
        key = re.sub(r"[^A-Za-z0-9_.]+", "_", ".".join(
            [name or "event"] + [term + value for term, value in terms.items()]))
        if self.source.is_arm:
            code = arm_code(entry, terms)
        else:
            code = x86_code(entry, terms)
        wanted[key] = {"event": code}
        if entry.get("BriefDescription"):
            wanted[key]["description"] = entry["BriefDescription"]
        return key

    def link_tree(self):
        """
        perf's groups have a node's level, "TopdownL2", and its parent, "tma_X_group". Nodes of which
        the parent is left out are metrics outside of the tree.
        """
        for name, (metric, _) in self.names.items():
            level = next((int(group[-1]) for group in metric["groups"]
                          if re.fullmatch(r"(?i)topdownl[1-9]", group)), None)
            if not level:
                continue
            parent = next((metric_name(found[1]) for found in
                           (re.fullmatch(r"(tma_\w+)_group", group) for group in metric["groups"])
                           if found and metric_name(found[1]) in self.model.metrics), None)
            if level > 1 and not parent:
                self.model.notes.append(f"{name} has no parent here, and is not in the tree")
                continue
            metric["level"] = level
            if level > 1:
                metric["parent"] = parent
            self.add_threshold(name, metric)
        drop_orphans(self.model)

    def add_threshold(self, name, metric):
        entry = self.source.metrics[name]
        wanted = {}
        if "MetricThreshold" not in entry:
            return
        try:
            metric["threshold"] = translate(entry["MetricThreshold"],
                                            lambda word: self.resolve(word, wanted))
        except Unsupported as why:
            self.model.notes.append(f"{name} has no threshold here: {why}")
        self.model.events.update(wanted)


def drop_orphans(model):
    """A node is one level below its parent, or it is no node."""
    metrics, changed = model.metrics, True
    while changed:
        changed = False
        for metric in metrics.values():
            if metric.get("level", 1) == 1 or \
                    metrics[metric["parent"]].get("level") == metric["level"] - 1:
                continue
            model.notes.append(f"{metric['title']}: its parent is not the level above, so it is not in the tree")
            for field in ("level", "parent", "threshold"):
                metric.pop(field, None)
            changed = True


def scale(entry):
    """Returns the factor that is part of pfmon's formula, and the unit."""
    found = re.fullmatch(r"([0-9.]+(?:[eE][+-]?[0-9]+)?)\s*(.*)", entry.get("ScaleUnit", ""))
    if not found:
        return 1, "ratio"
    unit = found[2].replace("_", " ").strip()
    if unit == "%":
        groups = entry.get("MetricGroup", "").lower().split(";")
        unit = "percent of slots" if {"topdownl1", "topdownl2"} & set(groups) else "percent"
    return float(found[1]), unit or "ratio"


def split_event(word, unit):
    """The event's name and its terms: of "cpu@NAME,cmask=1@", or of a plain name."""
    found = re.fullmatch(r"(\w+)@([^@]*)@", word)
    if not found:
        return word, {}
    if found[1].startswith("cpu_") and found[1] != unit:
        raise Unsupported(f"{word} is counted by {found[1]}, which is another kind of cores")
    if not re.fullmatch("cpu(_.*)?|armv8_pmuv3.*", found[1]):
        raise Unsupported(f"{word} is not counted by the core's counters")
    name, terms = "", {}
    for part in found[2].split(","):
        term, equals, value = part.partition("=")
        if equals or term in ("inv", "edge", "any"):
            terms[term] = value or "1"
        else:
            name = part
    return name, terms


def arm_code(entry, terms):
    if terms and set(terms) != {"event"}:
        raise Unsupported("events of Arm have no such terms")
    return f"raw:0x{integer(terms.get('event') or entry.get('EventCode')):x}"


def x86_code(entry, terms):
    if entry.get("Unit") and not entry["Unit"].startswith("cpu"):
        raise Unsupported(f"{entry['EventName']} is not counted by the core's counters")
    register = integer(entry.get("MSRIndex"))
    if register and register not in REGISTERS:
        raise Unsupported(f"{entry['EventName']} needs the register 0x{register:x}")
    values = {"event": integer(entry.get("EventCode")), "umask": integer(entry.get("UMask"))}
    for field, term in FIELDS.items():
        values[term] = integer(entry.get(field))
    values.update({term: 0 for term in REGISTERS.values()})
    if register:
        values[REGISTERS[register]] = integer(entry.get("MSRValue"))
    for term, value in terms.items():
        if term not in values:
            raise Unsupported(f"pfmon does not know the term '{term}' of an event")
        values[term] = integer(value)
    if not values["event"]:
        if values["umask"] not in FIXED:
            raise Unsupported(f"{entry.get('EventName', 'code 0')} has no code")
        if not any(values[term] for term in FIELDS.values()):
            return FIXED[values["umask"]]
        if values["umask"] not in GENERAL:
            raise Unsupported(f"{entry['EventName']} is a fixed counter, which has no terms")
        values["event"], values["umask"] = GENERAL[values["umask"]]
    text = f"event=0x{values['event']:02x},umask=0x{values['umask']:02x}"
    for term in FIELDS.values():
        if values[term]:
            text += f",{term}" if term in ("inv", "edge", "any") else f",{term}={values[term]}"
    for term in sorted(set(REGISTERS.values())):
        if values[term]:
            text += f",{term}=0x{values[term]:x}"
    return f"cpu/{text}/"


def x86_matches(pattern):
    """
    What a regular expression of mapfile.csv matches: models of which it takes each stepping, and
    models with some of theirs. perf writes the family in decimal digits, the model and the stepping in
    hexadecimal ones.
    """
    vendor, family = pattern.split("-")[:2]
    cpu, whole, parts = {"vendor": vendor, "family": int(family)}, [], []
    for model in range(256):
        text = f"{vendor}-{family}-{model:X}"
        steppings = [stepping for stepping in range(16) if re.fullmatch(pattern, f"{text}-{stepping:X}")]
        if re.fullmatch(pattern, text) or len(steppings) == 16:
            whole.append(model)
        elif steppings:
            parts.append({**cpu, "models": [model], "steppings": steppings})
    return ([{**cpu, "models": whole}] if whole else []) + parts


def add_matches(model, source, folder):
    mapfile, up = None, os.path.abspath(folder)
    for _ in range(3):
        up = os.path.dirname(up)
        if os.path.exists(os.path.join(up, "mapfile.csv")):
            mapfile = os.path.join(up, "mapfile.csv")
            break
    if not mapfile:
        model.notes.append("there is no mapfile.csv: --pmu selects the model by name")
        return
    with open(mapfile, encoding="utf-8") as file:
        rows = [row for row in csv.reader(file) if len(row) >= 4 and not row[0].startswith("#")]
    here = os.path.relpath(os.path.abspath(folder), os.path.dirname(mapfile))
    for row in rows:
        if row[2] != here or row[3] != "core":
            continue
        if source.is_arm:
            value = int(row[0], 0) & 0xffffffff
            model.match.append({"midr": f"0x{value:08x}", "mask": "0xff0ffff0"})
            continue
        model.match += x86_matches(row[0])


def convert(folder, args):
    if not os.path.isdir(folder):
        raise InputError(f"{folder}: it is no folder")
    source = Source(folder, args.unit)
    if not source.metrics:
        raise InputError(f"{folder}: there is no metric in its files")
    name = stem(folder) + (f"-{args.unit}" if args.unit else "")
    model = Model(args, name, name, f"Linux perf, pmu-events, {name}")
    model.notes += source.notes
    if args.unit:
        model.notes.append("CPUID is the same on all cores of the processor: --pmu selects the model by name")
    else:
        add_matches(model, source, folder)
    Converter(source, model).convert_all()
    return model

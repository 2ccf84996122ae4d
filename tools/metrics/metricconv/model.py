# SPDX-License-Identifier: GPL-2.0-only
"""A metric file of pfmon that is being made."""
import json
import os
import re


class InputError(Exception):
    """The input is not what it should be; nothing can be converted."""


class Unsupported(Exception):
    """A metric that pfmon cannot have, with the reason."""


class Model:
    """
    What a metric file has. left_out has pairs: a metric and why it is left out. notes are
    other things that a user has to know.
    """

    def __init__(self, args, name, title, source):
        self.name = re.sub(r"[^a-z0-9_-]", "-", (args.model or name).lower())
        self.title = args.title or title
        self.pmu = args.pmu
        self.source = source
        self.match = []
        self.constants = {}
        self.events = {}
        self.groups = {}
        self.metrics = {}
        self.left_out = []
        self.notes = []

    def add_group(self, name, title=None, description=None, stage=None):
        group = self.groups.setdefault(name, {"name": name, "title": title or name})
        if description:
            group["description"] = description
        if stage:
            group["stage"] = stage

    def rename_groups(self):
        """In pfmon a group is not called like a metric, whatever the case of the letters."""
        for name in [name for name in self.groups if name.lower() in self.metrics]:
            group = self.groups.pop(name)
            group["name"] = name + "_Group"
            self.groups[group["name"]] = group
            self.notes.append(f"the group {name} is called {group['name']}, as there is a metric {name.lower()}")
            for metric in self.metrics.values():
                metric["groups"] = [group["name"] if one == name else one for one in metric["groups"]]

    def document(self):
        used = {name for metric in self.metrics.values() for name in metric["groups"]}
        document = {
            "schema": 1,
            "model": self.name,
            "title": self.title,
            "source": self.source,
            "match": self.match,
            "events": self.events,
            "groups": [group for group in self.groups.values() if group["name"] in used],
            "metrics": list(self.metrics.values()),
        }
        if self.pmu:
            document["pmu"] = self.pmu
        if self.constants:
            document["constants"] = self.constants
        return document


def metric_name(name):
    """The name that a metric has in pfmon: lower case, digits and "_"."""
    name = re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_")
    return name if name[:1].isalpha() else "m_" + name


def load(path):
    try:
        with open(path, encoding="utf-8") as file:
            return json.load(file)
    except (json.JSONDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: {error}") from error


def stem(path):
    return os.path.splitext(os.path.basename(os.path.normpath(path)))[0]

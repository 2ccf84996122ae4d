# SPDX-License-Identifier: GPL-2.0-only
"""Arm's telemetry specification of a processor (JSON, "_type": PMU or telemetry specification)."""
from .formula import translate
from .model import InputError, Model, Unsupported, load, metric_name, stem


def number(value):
    return value if isinstance(value, int) else int(str(value), 0)


def midr(config):
    """The MIDR_EL1 of all revisions of the product, and its mask; None if it is not told."""
    try:
        implementer, part = number(config["implementer"]), number(config["part_num"])
    except (KeyError, ValueError):
        return None
    return {"midr": f"0x{implementer << 24 | 0xf << 16 | part << 4:08x}", "mask": "0xff0ffff0"}


def convert(path, args):
    data = load(path)
    if not isinstance(data, dict) or not isinstance(data.get("metrics"), dict) or \
            not isinstance(data.get("events"), dict):
        raise InputError(f"{path}: it is no telemetry specification: 'events' and 'metrics' are missing")
    config = data.get("product_configuration", {})
    title = "Arm " + config.get("product_name", stem(path))
    model = Model(args, stem(path), title, f"telemetry specification of {title}")
    match = midr(config)
    if match:
        model.match.append(match)
    else:
        model.notes.append("the product's MIDR is not in the file: --pmu selects the model by name")
    method = data.get("methodologies", {}).get("topdown_methodology", {})
    groups_of = add_groups(model, data, method)
    for name, metric in data["metrics"].items():
        try:
            add_metric(model, data["events"], name, metric, groups_of.get(name, []))
        except Unsupported as why:
            model.left_out.append((name, why))
    add_tree(model, method.get("decision_tree", {}))
    model.rename_groups()
    return model


def add_groups(model, data, method):
    """Returns the groups of each metric."""
    stages = method.get("metric_grouping", {})
    groups_of = {}
    for name, group in data.get("groups", {}).get("metrics", {}).items():
        stage = next((number for number in (1, 2) if name in stages.get(f"stage_{number}", [])), None)
        model.add_group(name, group.get("title"), group.get("description"), stage)
        for metric in group.get("metrics", []):
            groups_of.setdefault(metric, []).append(name)
    return groups_of


def add_metric(model, events, name, metric, groups):
    wanted = {}

    def resolve(token):
        if token not in events:
            raise Unsupported(f"{token} in its formula is no event of the file")
        event = events[token]
        wanted[token] = {"event": f"raw:0x{number(event['code']):x}"}
        if event.get("title"):
            wanted[token]["description"] = event["title"]
        return token

    formula = translate(metric["formula"], resolve)
    converted = {
        "name": metric_name(name),
        "title": metric.get("title") or name,
        "groups": groups or ["Others"],
        "unit": metric.get("units") or "ratio",
        "description": metric.get("description") or metric.get("title") or name,
        "formula": formula,
    }
    if converted["name"] in model.metrics:
        raise Unsupported(f"another metric is called {converted['name']}, too")
    if not groups:
        model.add_group("Others")
    model.metrics[converted["name"]] = converted
    model.events.update(wanted)


def add_tree(model, tree):
    """The roots of the decision tree are level 1; what follows a node is to be looked at next."""
    for root in tree.get("root_nodes", []):
        if metric_name(root) in model.metrics:
            model.metrics[metric_name(root)]["level"] = 1
    for node in tree.get("metrics", []):
        metric = model.metrics.get(metric_name(node["name"]))
        items = [item if item in model.groups else metric_name(item)
                 for item in node.get("next_items", [])]
        items = [item for item in items if item in model.groups or item in model.metrics]
        if metric and items:
            metric["next"] = items

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


def revision(config):
    """The revision that the file was written for, such as r0p3."""
    return f"r{config.get('major_revision', '?')}p{config.get('minor_revision', '?')}"


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
        model.notes.append(f"the file is of {revision(config)} of the product, the result matches all "
                           "revisions: 'min' and 'max' in its 'match' limit them")
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
    """
    The roots of the decision tree are level 1. Of what follows a node, the metrics that are
    nodes themselves are one level below it; the rest is to be looked at next.
    """
    nodes = {metric_name(node["name"]): node for node in tree.get("metrics", [])}
    below = [(metric_name(root), None) for root in tree.get("root_nodes", [])]
    for name, parent in below:
        metric = model.metrics.get(name)
        if not metric or "level" in metric:
            continue
        metric["level"] = model.metrics[parent]["level"] + 1 if parent else 1
        if parent:
            metric["parent"] = parent
        # The loop comes to what is appended, after all nodes of the levels above.
        below += [(metric_name(item), name) for item in nodes.get(name, {}).get("next_items", [])
                  if item not in model.groups and metric_name(item) in nodes]
    for name, node in nodes.items():
        metric = model.metrics.get(name)
        items = [item if item in model.groups else metric_name(item)
                 for item in node.get("next_items", [])]
        items = [item for item in items if item in model.groups or
                 item in model.metrics and model.metrics[item].get("parent") != name]
        if metric and items:
            metric["next"] = items

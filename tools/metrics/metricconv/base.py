# SPDX-License-Identifier: GPL-2.0-only
"""Metric files that extend others, as tools/pfmon/metrics/model_base.c reads them."""
import copy
import glob
import os

from .model import InputError, load

# These keys say which processor a file is for; each file has its own.
OWN = ("schema", "model", "title", "pmu", "source", "match", "generic", "extends")
FILES_MAX = 8


def merge_object(whole, patch):
    for key, value in patch.items():
        if value is None:
            if key not in whole:
                raise InputError(f"it removes '{key}', which its base does not have")
            del whole[key]
        elif isinstance(value, dict) and isinstance(whole.get(key), dict):
            merge_object(whole[key], value)
        else:
            whole[key] = copy.deepcopy(value)


def merge_list(whole, patch):
    for element in patch:
        old = next((i for i, one in enumerate(whole) if one["name"] == element["name"]), None)
        if element.get("removed"):
            if old is None:
                raise InputError(f"it removes '{element['name']}', which its base does not have")
            del whole[old]
        elif old is None:
            whole.append(copy.deepcopy(element))
        else:
            merge_object(whole[old], element)


def merged(base, document):
    """The document with what it has of its base, which is whole."""
    whole = {key: value for key, value in document.items() if key in OWN and key != "extends"}
    whole.update((key, copy.deepcopy(value)) for key, value in base.items() if key not in OWN)
    for key, value in document.items():
        if key in OWN:
            continue
        if value is None:
            merge_object(whole, {key: None})
        elif isinstance(value, dict) and isinstance(whole.get(key), dict):
            merge_object(whole[key], value)
        elif isinstance(value, list) and isinstance(whole.get(key), list):
            merge_list(whole[key], value)
        else:
            whole[key] = copy.deepcopy(value)
    return whole


def load_whole(path):
    """The document of a file with all that it has of its bases, which are in its folder."""
    document = load(path)
    chain = [document]
    while "extends" in chain[-1]:
        name = chain[-1]["extends"]
        files = (load(one) for one in sorted(glob.glob(os.path.join(os.path.dirname(path), "*.json"))))
        base = next((one for one in files if one.get("model") == name), None)
        if base is None:
            raise InputError(f"{path}: there is no metric file of the model '{name}' beside it")
        if base in chain:
            raise InputError(f"{path}: '{name}' extends itself")
        if len(chain) == FILES_MAX:
            raise InputError(f"{path}: more than {FILES_MAX} files extend each other")
        chain.append(base)
    whole = chain.pop()
    while chain:
        whole = merged(whole, chain.pop())
    return whole


def object_difference(base, whole):
    patch = {key: None for key in base if key not in whole}
    for key, value in whole.items():
        old = base.get(key)
        if isinstance(value, dict) and isinstance(old, dict):
            inner = object_difference(old, value)
            if inner:
                patch[key] = inner
        elif key not in base or old != value:
            patch[key] = value
    return patch


def list_difference(base, whole):
    old, new = ({element["name"]: element for element in one} for one in (base, whole))
    patch = [{"name": name, "removed": True} for name in old if name not in new]
    for name, element in new.items():
        change = object_difference(old[name], element) if name in old else element
        if change:
            patch.append({"name": name, **change})
    return patch


def difference(base, whole):
    """What a document needs to have if it extends @base. Both are whole."""
    patch = {}
    for key in ("schema", "model", "title"):
        patch[key] = whole[key]
    patch["extends"] = base["model"]
    for key in OWN:
        if key in whole:
            patch.setdefault(key, whole[key])
    for key, value in whole.items():
        if key in OWN:
            continue
        if isinstance(value, dict) and isinstance(base.get(key), dict):
            value = object_difference(base[key], value)
        elif isinstance(value, list) and isinstance(base.get(key), list):
            value = list_difference(base[key], value)
        if value:
            patch[key] = value
    for key in base:
        if key not in OWN and key not in whole:
            patch[key] = None
    if merged(base, patch) != whole:
        raise InputError(f"its groups or metrics have another order than those of {base['model']}")
    return patch

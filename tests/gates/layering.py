"""Who may include whom: the table of docs/architecture.md, enforced."""

import os
import re

from tree import Fault, SOURCE_SUFFIXES, list_files, read

_INCLUDE = re.compile(r'^\s*#\s*include\s*(["<])([^">]+)[">]')

# Layer of a path -> layers it may include beside itself. storage/model is a part of storage that
# expressions may know.
_MAY_INCLUDE = {
    "server": ("api",),
    "api": ("expressions", "storage"),
    "expressions": ("storage/model",),
    "storage": (),
}

_PROJECT = ("server", "api", "expressions", "storage", "tests", "bench")

# Inside storage a file includes only what stands to its left; index and stream stand side by side.
_STORAGE_ORDER = {
    "clock": 0,
    "model": 1,
    "encoding": 2,
    "engine": 3,
    "index": 4,
    "stream": 4,
    "table": 5,
    "transaction": 6,
    "background": 7,
    "database": 8,
}

# Include prefix -> the paths (prefixes, after an optional tests/) that may use the library.
_LIBRARIES = {
    "boost/asio": ("server/", "support/", "stress/", "fuzz/", "bench/"),
    "boost/beast": ("server/", "support/", "stress/", "fuzz/", "bench/"),
    "openssl/": ("server/tls", "server/auth", "storage/encoding/partition_hash.cc",
                 "storage/encoding/digest.cc"),
    "simdjson": ("api/json/json_reader.cc",),
    "rocksdb/": (re.compile(r"storage/engine/rocksdb_\w+\.cc$"),),
    "sqlite3": ("server/transfer/sqlite_file.cc", "server/transfer/dynamodb_local_builder.cc"),
    "boost/multiprecision": ("storage/model/number.cc",),
}


def storage_room(path):
    """'model' of storage/model/number.h, 'database' of storage/database.cc and its parts."""
    parts = path.split("/")
    if len(parts) > 2:
        return parts[1]
    stem = os.path.splitext(parts[1])[0]
    return "database" if stem.startswith("database") else stem


def _layer_fault(path, included):
    layer = path.split("/")[0]
    target = included.split("/")[0]
    if layer not in _MAY_INCLUDE or target not in _MAY_INCLUDE or layer == target:
        return None
    for allowed in _MAY_INCLUDE[layer]:
        if included.startswith(allowed + "/"):
            return None
    return f"{layer} may not include {included}"


def _storage_fault(path, included):
    if not (path.startswith("storage/") and included.startswith("storage/")):
        return None
    room, target = storage_room(path), storage_room(included)
    for name in (room, target):
        if name not in _STORAGE_ORDER:
            return f"storage/{name} has no place in the order of the layers"
    if room == target or _STORAGE_ORDER[target] < _STORAGE_ORDER[room]:
        return None
    return f"storage/{room} may not include {included}"


def _library_fault(path, included):
    place = path.removeprefix("tests/")
    for prefix, allowed in _LIBRARIES.items():
        if not included.startswith(prefix):
            continue
        for rule in allowed:
            if rule.match(place) if isinstance(rule, re.Pattern) else place.startswith(rule):
                return None
        return f"{prefix} is not used here"
    return None


def _path_fault(root, included):
    folder, slash, _ = included.partition("/")
    if slash and folder not in _PROJECT:  # "absl/..." and the like
        return None
    if os.path.isfile(os.path.join(root, included)):
        return None
    return f"{included} is no file; includes are written from the root"


def check(root):
    faults = []
    for path in list_files(root, SOURCE_SUFFIXES):
        for number, line in enumerate(read(root, path).splitlines(), 1):
            match = _INCLUDE.match(line)
            if not match:
                continue
            quoted, included = match.group(1) == '"', match.group(2)
            problems = [_library_fault(path, included)]
            if quoted:
                problems += [_layer_fault(path, included), _storage_fault(path, included)]
                problems.append(_path_fault(root, included))
            faults += [Fault(path, number, problem) for problem in problems if problem]
    return faults

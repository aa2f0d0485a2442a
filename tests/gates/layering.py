"""Which folders may include and name which others: the table of docs/architecture.md, enforced."""

import os
import re

from cpp_functions import strip
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

# Files and rooms that may include a layer more than theirs.
_MAY_INCLUDE_TOO = {
    "server/main/main.cc": ("storage",),  # wires everything
    "server/main/store_access.h": ("storage",),  # the options of a store
    "server/main/store_access.cc": ("storage",),
    "server/main/store_wait.h": ("storage",),  # opens it
    "server/main/store_wait.cc": ("storage",),
    "server/bulk/": ("storage",),  # whole tables at a time
    "server/feeds/": ("storage",),
}

# Headers of storage that all of server may include, and the names that it may use: those in the interfaces of api,
# and the number of processors.
_OPEN_TO_SERVER = {
    "storage/clock.h": ("Clock", "ClockOutOfRange"),
    "storage/database_statistics.h": ("IndexLag", "IndexStatistics", "StoreStatistics", "TableStatistics"),
    "storage/databases.h": ("Databases",),
    "storage/engine/engine_statistics.h": ("EngineStatistics", "SharedStoreStatistics"),
    "storage/engine/processors.h": ("processor_count",),
    "storage/model/effort.h": ("Effort",),
    "storage/notes.h": ("Notes",),
    "storage/table/memory_budget.h": ("MemoryBudget",),
    "storage/table/stale_reads.h": ("StaleReads",),
}
_OPEN_NAMES = {name for names in _OPEN_TO_SERVER.values() for name in names}


def _allowed_layers(path):
    found = _MAY_INCLUDE[path.split("/")[0]]
    for place, layers in _MAY_INCLUDE_TOO.items():
        if path == place or place.endswith("/") and path.startswith(place):
            found += layers
    return found


# Namespace -> where what is in it is declared. A header brings names of layers that its includer may
# not know; that it does not use them is seen by their namespaces.
_NAMESPACES = {"server": "server", "api": "api", "expressions": "expressions", "storage": "storage",
               "json": "api/json"}
_QUALIFIED_NAME = re.compile(r"(?<![\w:])\w+(?:::\w+)+")

_PROJECT = ("server", "api", "expressions", "storage", "tests", "bench")

# Inside api, storage and server a file includes only rooms of a smaller number; those of the same one stand
# side by side. A file of api or storage that lies in no folder is a room of its own.
_API_ORDER = {
    "times": -1,
    "control_error": 0,
    "error": 0,
    "index_lists": 0,
    "isolation": 0,
    "java_hash_order": 0,
    "messages": 0,
    "nearest_name": 0,
    "profile": 0,
    "side_memory": 0,
    "access": 2,
    "fault_verdict": 1,
    "json": 1,
    "storage_refusal": 1,
    "call_report": 2,
    "validation": 2,
    "operation": 3,
    "caller_databases": 4,
    "insights": 4,
    "request": 5,
    "capacity": 6,
    "reads": 7,
    "writes": 7,
    "tables": 7,
    "streams": 7,
    "jobs": 7,
    "deliveries": 8,
    "statements": 8,
    "transactions": 8,
    "operation_table": 9,
    "subjects": 9,
    "authorization": 10,
    "faults": 10,
    "journal": 10,
    "operations": 10,
    "costs": 11,
    "instrumented_call": 11,
    "service": 12,
    "namespaces": 13,
}

_STORAGE_ORDER = {
    "clock": 0,
    "forward_time": 1,
    "messages": 0,
    "model": 1,
    "encoding": 2,
    "engine": 3,
    "index": 4,
    "stream": 4,
    "history": 4,
    "notes": 4,
    "table": 5,
    "transaction": 6,
    "background": 7,
    "backup": 8,
    "store_snapshot": 9,
    "database": 10,
    "saved_snapshots": 11,
}

_SERVER_ORDER = {
    "system": 0,
    "formats": 1,
    "client": 2,
    "bulk": 3,
    "feeds": 3,
    "tools": 4,
    "http": 4,
    "admin": 5,
    "browser": 5,
    "main": 6,
}

_ORDERS = {"api": _API_ORDER, "storage": _STORAGE_ORDER, "server": _SERVER_ORDER}

# Rooms of storage that api reaches through storage/database.h and the rooms of tables, streams and
# transactions alone.
_BELOW_THE_FACADE = ("storage/encoding/", "storage/engine/", "storage/index/", "storage/background/")

# Header of those -> the files of api that may include it all the same: for the key of one item, and
# for the numbers and digests in tokens. What a read walks is a storage/table/read_range.h.
_FACADE_EXCEPTIONS = {
    "storage/encoding/digest.h": ("api/deliveries/change_feed.cc", "api/transactions/request_digest.h"),
    "storage/encoding/item_encoding.h": ("api/statements/statement_token.cc",),
    "storage/encoding/key_encoding.h": (
        "api/operations/batch_write_item.cc", "api/operations/put_item.cc",
        "api/operations/transact_write_items.cc", "api/reads/page.cc",
        "api/statements/statement_read.cc", "api/statements/statement_write.cc",
        "api/validation/key_checks.cc"),
    "storage/encoding/keyspace.h": (
        "api/statements/statement_token.cc", "api/streams/shard_iterator.cc",
        "api/transactions/request_digest.cc", "api/transactions/transaction_capacity.cc"),
    "storage/encoding/partition_hash.h": (
        "api/operations/execute_statement.cc", "api/statements/statement_input.cc",
        "api/statements/statement_token.cc", "api/streams/shard_iterator.cc",
        "api/transactions/transaction.cc"),
}

# Include prefix -> the paths (prefixes, after an optional tests/) that may use the library.
_LIBRARIES = {
    "boost/asio": ("server/", "support/", "fuzz/", "bench/"),
    "boost/beast": ("server/", "support/", "fuzz/", "bench/"),
    "CLI/": ("server/system/command_line_", "server/main/command_line", "bench/main.cc",
             re.compile(r"server/tools/(\w+/)?\w+_command(_line)?\.cc$")),
    "spdlog/": ("server/system/log.cc",),
    "fmt/": ("server/main/main.cc", re.compile(r"server/(\w+/)+(\w+_)?messages\.cc$"), "api/messages/",
             "storage/messages/", "api/json/json_buffer_test.cc", "expressions/messages.cc",
             "expressions/partiql/messages.cc"),
    "zlib": ("server/formats/body_encoding", "server/formats/byte_source", "server/http/session_test.cc"),
    "zstd": ("server/formats/byte_source", "server/formats/record_blocks_test.cc"),
    "libdeflate": ("server/formats/body_encoding.cc",),
    "openssl/": ("bench/http_load.cc", "storage/encoding/partition_hash.cc", "storage/encoding/digest.cc",
                 "server/client/signing/sha256.cc", "server/http/tls/", "server/system/openssl_pointers.h", "server/client/endpoint/outgoing_tls.cc",
                 "server/formats/md5.cc",
                 "support/http_client.cc"),
    "prometheus/": ("server/admin/metrics/metric_families",),
    "simdjson": ("api/json/json_reader.cc",),
    "hwy/": ("storage/index/vector/vector_kernels.cc",),
    "faiss/": ("bench/vectors/",),
    "rocksdb/": (re.compile(r"storage/engine/rocksdb/\w+\.cc$"),),
    "sqlite3": ("server/tools/dynamodb_local/sqlite_file.cc", "server/tools/dynamodb_local/dynamodb_local_builder.cc"),
    "yaml-cpp/": ("server/tools/schema/yaml_tree.cc",),
    "boost/multiprecision": ("storage/model/number.cc",),
}


def room_of(path):
    """'model' of storage/model/number.h, 'database' of storage/database.cc and its parts."""
    parts = path.split("/")
    if len(parts) > 2:
        return parts[1]
    stem = os.path.splitext(parts[1])[0]
    return "database" if path.startswith("storage/database") else stem


def _may_reach(path, included):
    layer, target = path.split("/")[0], included.split("/")[0]
    if layer not in _MAY_INCLUDE or target not in _MAY_INCLUDE or layer == target:
        return True
    if layer == "server" and included in _OPEN_TO_SERVER:
        return True
    allowed = _allowed_layers(path)
    return any(included.startswith(prefix + "/") for prefix in allowed)


def _layer_fault(path, included):
    return None if _may_reach(path, included) else f"{path.split('/')[0]} may not include {included}"


def _order_fault(path, included):
    layer = path.split("/")[0]
    order = _ORDERS.get(layer)
    if order is None or not included.startswith(layer + "/"):
        return None
    room, target = room_of(path), room_of(included)
    for name in (room, target):
        if name not in order:
            return f"{layer}/{name} has no place in the order of the layers"
    if room == target or order[target] < order[room]:
        return None
    return f"{layer}/{room} may not include {included}"


def _facade_fault(path, included):
    if not path.startswith("api/") or not included.startswith(_BELOW_THE_FACADE):
        return None
    if path in _FACADE_EXCEPTIONS.get(included, ()):
        return None
    return f"{included} lies below the facade of storage"


def _may_name(path, namespace, name):
    if path.startswith("server/") and namespace == "storage" and name in _OPEN_NAMES:
        return True
    layer, home = path.split("/")[0], _NAMESPACES[namespace]
    target, _, room = home.partition("/")
    if layer == target:
        return not room or _ORDERS[layer].get(room_of(path), -1) >= _ORDERS[layer][room]
    allowed = _allowed_layers(path)
    return any(prefix.split("/")[0] == target for prefix in allowed)


def _named_namespaces(line):
    """Those of the project that qualified names on a line of code begin with, and the names behind them."""
    for match in _QUALIFIED_NAME.finditer(line):
        parts = match.group().split("::")
        if parts[0] == "magneto":
            del parts[0]
        if parts[0] in _NAMESPACES:
            yield parts[0], parts[1] if len(parts) > 1 else ""
        if parts[:2] == ["api", "json"]:
            yield "json", parts[-1]


def _name_faults(path, code):
    if path.split("/")[0] not in _MAY_INCLUDE:
        return
    for number, line in enumerate(code.splitlines(), 1):
        for namespace, name in sorted(set(_named_namespaces(line))):
            if not _may_name(path, namespace, name):
                yield Fault(path, number, f"{namespace}:: may not be used here")


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


def _folder_of(path):
    """The folder of a file; a file of api or storage in no folder is one of its own."""
    folder = os.path.dirname(path)
    return folder if "/" in folder or folder not in _ORDERS else f"{folder}/{room_of(path)}"


def _circle(edges):
    """Folders of which each includes the next. The first one is also at the end. Empty if there is no circle."""
    done, way = set(), []

    def walk(folder):
        if folder in way:
            return way[way.index(folder):] + [folder]
        if folder in done:
            return []
        way.append(folder)
        for target in sorted(edges.get(folder, ())):
            found = walk(target)
            if found:
                return found
        done.add(way.pop())
        return []

    for folder in sorted(edges):
        found = walk(folder)
        if found:
            return found
    return []


def check(root):
    faults = []
    edges, includes = {}, {}
    for path in list_files(root, SOURCE_SUFFIXES):
        text = read(root, path)
        for number, line in enumerate(text.splitlines(), 1):
            match = _INCLUDE.match(line)
            if not match:
                continue
            quoted, included = match.group(1) == '"', match.group(2)
            problems = [_library_fault(path, included)]
            if quoted:
                problems += [_layer_fault(path, included), _order_fault(path, included)]
                problems.append(_facade_fault(path, included))
                problems.append(_path_fault(root, included))
                if path.split("/")[0] == included.split("/")[0] in _MAY_INCLUDE:
                    source, target = _folder_of(path), _folder_of(included)
                    if source != target:
                        edges.setdefault(source, set()).add(target)
                        includes.setdefault((source, target), (path, number))
            faults += [Fault(path, number, problem) for problem in problems if problem]
        faults += _name_faults(path, strip(text))
    circle = _circle(edges)
    if circle:
        faults.append(Fault(*includes[circle[0], circle[1]], "folders include each other: " + " -> ".join(circle)))
    return faults

"""Linked and used: a layer links a library only when one of its sources includes a header of it."""

import re

from tree import Fault, SOURCE_SUFFIXES, list_files, read

# Names of libraries in CMakeLists.txt -> how includes of their headers begin.
_HEADERS = {
    "${ABSL_LIBRARIES}": ("absl/",),
    "${CRYPTO_LIBRARY}": ("openssl/",),
    "${DEFERRED_ROCKSDB}": ("rocksdb/",),
    "${DEFLATE_LIBRARY}": ("libdeflate.h",),
    "${PROMETHEUS_LIBRARY}": ("prometheus/",),
    "${SIMDJSON_LIBRARY}": ("simdjson.h",),
    "${SQLITE_LIBRARY}": ("sqlite3.h",),
    "${SSL_LIBRARY}": ("openssl/ssl", "boost/asio/ssl"),
    "${YAML_LIBRARY}": ("yaml-cpp/",),
    "${Z_LIBRARY}": ("zlib.h",),
    "GTest::gtest": ("gtest/",),
    "GTest::gtest_main": ("gtest/",),
    "Threads::Threads": ("thread", "mutex", "condition_variable", "pthread.h"),
}
# The libraries that RocksDB's archive needs: used with RocksDB.
_NEEDS_OF_ROCKSDB = ("${BZIP2_LIBRARY}", "${CMAKE_DL_LIBS}", "${GFLAGS_LIBRARY}", "${LZ4_LIBRARY}",
                     "${SNAPPY_LIBRARY}", "${Z_LIBRARY}", "${ZSTD_LIBRARY}")

_LAYER = re.compile(r"\bmagneto_layer\(\w+\s+(\w+)([^)]*)\)")
_LINKED = re.compile(r"\$\{\w+\}|\w+::\w+")
_FOUND = re.compile(r"\bfind_(package|library)\((\w+)[\s)]")
_INCLUDE = re.compile(r'^\s*#\s*include\s*["<]([^">]+)[">]', re.M)


def _includes(root, folder):
    found = set()
    for path in list_files(root, SOURCE_SUFFIXES):
        if path.startswith(folder + "/"):
            found.update(_INCLUDE.findall(read(root, path)))
    return found


def _link_problem(library, folder, includes):
    prefixes = _HEADERS.get(library, ())
    if library in _NEEDS_OF_ROCKSDB:
        prefixes += _HEADERS["${DEFERRED_ROCKSDB}"]
    if not prefixes:
        return f"{library} has no row in tests/gates/libraries.py"
    if any(included.startswith(prefixes) for included in includes):
        return None
    return f"nothing in {folder} includes {' or '.join(prefixes)}: do not link {library}"


def _link_faults(root, path, text):
    for layer in _LAYER.finditer(text):
        folder = layer.group(1)
        includes = _includes(root, folder)
        for linked in _LINKED.finditer(layer.group(2)):
            if linked.group() == "${ARGN}":
                continue
            problem = _link_problem(linked.group(), folder, includes)
            if problem:
                yield Fault(path, text.count("\n", 0, layer.start(2) + linked.start()) + 1, problem)


def _find_faults(path, text, everything):
    for found in _FOUND.finditer(text):
        kind, name = found.groups()
        use = f"{name}::" if kind == "package" else f"${{{name}}}"
        if use not in everything:
            yield Fault(path, text.count("\n", 0, found.start()) + 1, f"nothing uses {use}")


def check(root):
    texts = {path: re.sub(r"#.*", "", read(root, path))
             for path in list_files(root, ("CMakeLists.txt",))}
    everything = "\n".join(texts.values())
    faults = []
    for path, text in texts.items():
        faults += _link_faults(root, path, text)
        faults += _find_faults(path, text, everything)
    return faults

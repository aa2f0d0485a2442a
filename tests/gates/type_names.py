"""Type names: no two types have the same qualified name.

The linker does not notice two classes of one name in different files: it takes the members of one of them. Types
in unnamed namespaces and in functions are private to their file and may share names.
"""

import collections
import re

from cpp_functions import strip
from tree import Fault, SOURCE_SUFFIXES, list_files, read

_LAYERS = ("server/", "api/", "storage/", "expressions/")
_SCOPE = re.compile(
    r"\bnamespace\s*(?P<namespace>[\w:]*)\s*\{"
    r"|\b(?:class|struct|union|enum(?:\s+(?:class|struct))?)\s+(?:\[\[[^\]]*\]\]\s*|alignas\([^()]*\)\s*)*"
    r"(?P<type>\w+(?:::\w+)*)(?:\s+final)?\s*(?::(?!:)[^;{}()]*)?\{"
    r"|[{}]")
_PRIVATE = ""


def _types(text):
    """Qualified name and offset of each type that a file defines for others."""
    scopes = []
    for match in _SCOPE.finditer(text):
        if match.group() == "}":
            if scopes:
                scopes.pop()
            continue
        name = match.group("namespace") or match.group("type") or _PRIVATE
        if match.group("type") and _PRIVATE not in scopes:
            yield "::".join([*scopes, name]), match.start("type")
        scopes.append(name)


def check(root):
    places = collections.defaultdict(list)
    for path in list_files(root, SOURCE_SUFFIXES):
        if not path.startswith(_LAYERS):
            continue
        text = strip(read(root, path))
        for name, offset in _types(text):
            places[name].append((path, text.count("\n", 0, offset) + 1))
    faults = []
    for name, found in sorted(places.items()):
        # One file has a type several times for different systems.
        first, number = found[0]
        faults += [Fault(path, line, f"the type {name} is also in {first}:{number}")
                   for path, line in found if path != first]
    return faults

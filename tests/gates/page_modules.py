"""Page modules: the modules of the data browser import each other in no circle, and export only names that are used.

A name is used where another module of the page or a test of it imports the name. It is exported where it is declared.
"""

import posixpath
import re

from tree import Fault, list_files, read

_PAGE = "server/browser/page/"
_TESTS = "conformance/browser/"
_STATIC = re.compile(r"""(?:\bfrom|^import)\s*['"](\.[^'"]+)['"]""", re.MULTILINE)
_DYNAMIC = re.compile(r"""\bimport\(\s*['"](\.[^'"]+)['"]\s*\)""")
_NAMES = re.compile(r"""import\s*\{([^{}]*)\}\s*from\s*['"]([^'"]+)['"]""")
_TAKEN = re.compile(r"""\{([^{}]*)\}\s*=\s*await\s+import\(\s*[`'"]([^`'"]+)[`'"]""")
_LIST = re.compile(r"^export\s*(?:\{|\*|default\b)", re.MULTILINE)
_EXPORT = re.compile(r"^export\s+(?:async\s+)?(?:function\*?|class|const|let)\s+(\w+)", re.MULTILINE)
# The export of each room that app.js uses; rooms.js names the rooms.
_OF_ROOMS = "room"


def _imports(path, text):
    folder = posixpath.dirname(path)
    for name in _STATIC.findall(text) + _DYNAMIC.findall(text):
        yield posixpath.normpath(posixpath.join(folder, name))


def _circle(modules):
    """The paths of one circle, beginning with the first one; empty if there is none."""
    done = set()
    for start in sorted(modules):
        way, steps = [start], [iter(modules[start])]
        while steps:
            target = next(steps[-1], None)
            if target is None:
                done.add(way.pop())
                steps.pop()
            elif target in way:
                return way[way.index(target):]
            elif target in modules and target not in done:
                way.append(target)
                steps.append(iter(modules[target]))
    return []


def _names(given):
    return {part.split(" as ")[0].split(":")[0].strip() for part in given.split(",")} - {""}


def _line(text, match):
    return text.count("\n", 0, match.start()) + 1


def check(root):
    texts = {path: read(root, path) for path in list_files(root, (".js",)) if path.startswith(_PAGE)}
    tests = {path: read(root, path) for path in list_files(root, (".mjs",)) if path.startswith(_TESTS)}
    modules = {path: list(_imports(path, text)) for path, text in texts.items()}
    faults = []
    for path, targets in sorted(modules.items()):
        faults += [Fault(path, 1, f"imports {target}, which is not there") for target in targets if target not in texts]
    circle = _circle(modules)
    if circle:
        shown = " -> ".join(path.removeprefix(_PAGE) for path in [*circle, circle[0]])
        faults.append(Fault(circle[0], 1, f"imports itself: {shown}"))
    used = set()
    for path, text in [*texts.items(), *tests.items()]:
        for given, module in _NAMES.findall(text) + _TAKEN.findall(text):
            target = posixpath.normpath(posixpath.join(posixpath.dirname(path), module))
            used |= {(target, name) for name in _names(given)}
    for path, text in sorted(texts.items()):
        for match in _LIST.finditer(text):
            faults.append(Fault(path, _line(text, match), "exports apart from a declaration"))
        for match in _EXPORT.finditer(text):
            name = match.group(1)
            if name != _OF_ROOMS and (path, name) not in used:
                faults.append(Fault(path, _line(text, match), f"exports {name}, which no module or test imports"))
    return faults

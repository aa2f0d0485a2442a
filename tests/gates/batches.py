"""Batches: files of one folder are compiled together, so their private names must differ.

The build joins several files of a folder into one translation unit. Two equal names in unnamed namespaces
would collide there, or one file would silently call the other's overload. The gate asks for different
names in the whole folder, so that the build may share out its files freely. CMakeLists.txt lists small
folders that share batches (COMPILED_TOGETHER): their names differ too. The gate also refuses what leaks
from a file into the next one: macros that stay defined, and using-directives. CMakeLists.txt lists the
files that are compiled alone (COMPILED_ALONE); they are exempt.
"""

import collections
import os
import re

from cpp_functions import strip
from tree import Fault, list_files, read

_LAYERS = ("server/", "api/", "storage/", "expressions/", "tests/")
_NAMESPACE = re.compile(r"^(?:inline\s+)?namespace\b\s*([\w:]*)\s*$")
_TYPE = re.compile(r"^(?:template\s*<.*>\s*)?(?:class|struct|union|enum(?:\s+(?:class|struct))?)\s+(?:\[\[.*?\]\]\s*)?"
                   r"(?:alignas\(.*?\)\s*)?(\w+)", re.S)
_NAMESPACE_ALIAS = re.compile(r"^namespace\s+(\w+)\s*=")
_ALIAS = re.compile(r"^(?:template\s*<.*>\s*)?using\s+(\w+)\s*=", re.S)
_USING = re.compile(r"^using\s+(?!namespace\b|enum\b)[\w:]*?(\w+)$")
# Literals and the tests' own support may stay open: they hold no names that a file could define.
_DIRECTIVE = re.compile(r"^using\s+namespace\s+(?!std::\w+_literals;|magneto::testing;)", re.M)
_TEMPLATE = re.compile(r"^template\s*<[^(]*?>\s*(?=[\w:\[])", re.S)
_MACRO = re.compile(r"^[ \t]*#[ \t]*(define|undef)[ \t]+(\w+)", re.M)
_REPEATABLE = ("using ", "namespace ")
# Code of tests: each makes classes of its own, named after its arguments.
_TEST_MACROS = re.compile(r"^(?:TYPED_)?(?:TEST(?:_P|_F)?|INSTANTIATE_\w+)\s*\(")


def _list_in_cmake(root, name):
    match = re.search(rf"set\({name}([^)]*)\)", read(root, "CMakeLists.txt"))
    return match.group(1) if match else ""


def _groups_of_folders(root):
    """Folder -> the first of the folders that it shares batches with."""
    groups = {}
    for line in re.findall(r'"([^"]*)"', _list_in_cmake(root, "COMPILED_TOGETHER")):
        folders = line.split()
        groups.update(dict.fromkeys(folders, folders[0]))
    return groups


def _without_template_arguments(text):
    """The text without the parts between < and >, as far as these are brackets."""
    text = re.sub(r"->|<<|>>=|<=|>=|operator\s*\(\s*\)|operator\s*[<>=!+*/-]+", " ", text)
    while True:
        shorter = re.sub(r"<[^<>;{}]*>", " ", text)
        if shorter == text:
            return text
        text = shorter


def _declared_name(head):
    """The name that a declaration makes, from its text before the body or the semicolon; None: none."""
    head = head.strip()
    if not head or head.startswith(("static_assert", "friend ", "extern ", "template class")):
        return None
    for pattern in (_ALIAS, _USING, _NAMESPACE_ALIAS):
        match = pattern.match(head)
        if match:
            return match.group(1)
    match = _TYPE.match(head)
    if match and "(" not in _without_template_arguments(head):
        return match.group(1)
    if _TEST_MACROS.match(head):
        return None
    head = _without_template_arguments(re.sub(r"\[\[.*?\]\]", " ", _TEMPLATE.sub("", head)))
    head = re.sub(r"\b(?:alignas|decltype|requires|noexcept|explicit)\s*\([^()]*\)", " ", head)
    before = re.split(r"[=(]", head, 1)[0]
    before = re.sub(r"\[[^\]]*\]\s*$", "", before.strip())
    match = re.search(r"([\w:]+)\s*$", before)
    if not match or "::" in match.group(1):  # a member's definition belongs to its class
        return None
    return match.group(1)


def private_names(text):
    """(name, line, text) of each declaration of a source in unnamed namespaces or as static.

    The text is that of a using-declaration or an alias, which files may repeat, and None for other declarations.
    """
    code = strip(text)
    names = []
    scopes = []  # of each open namespace: whether it is unnamed
    boundary = position = 0
    while position < len(code):
        letter = code[position]
        if letter == "{":
            head = code[boundary:position].strip()
            match = _NAMESPACE.match(head)
            if match:
                scopes.append(not match.group(1))
                boundary = position = position + 1
                continue
            position = _behind_block(code, position)
            # A declaration after a block ends there, unless the block is an initialiser or a type.
            if "(" in _without_template_arguments(head) and "=" not in head.split("(", 1)[0]:
                _note(names, scopes, code, boundary, head)
                boundary = position
            continue
        if letter == "}":
            if scopes:
                scopes.pop()
            boundary = position + 1
        elif letter == "(":
            position = _behind_block(code, position)
            continue
        elif letter == ";":
            _note(names, scopes, code, boundary, code[boundary:position].strip())
            boundary = position + 1
        position += 1
    return names


def _note(names, scopes, code, boundary, head):
    head = re.split(r"\{", head, 1)[0].strip()
    is_static = re.match(r"^static\b", head)
    if is_static or any(scopes) or head.startswith(_REPEATABLE):
        name = _declared_name(re.sub(r"^static\s+", "", head))
        if name and name not in ("if", "for", "while", "return"):
            start = boundary + len(code[boundary:]) - len(code[boundary:].lstrip())
            repeatable = " ".join(head.split()) if head.startswith(_REPEATABLE) else None
            names.append((name, code.count("\n", 0, start) + 1, repeatable))


def _behind_block(code, position):
    pairs = {"{": 1, "}": -1, "(": 1, ")": -1}
    depth = 0
    while position < len(code):
        depth += pairs.get(code[position], 0)
        position += 1
        if depth == 0:
            break
    return position


def _left_macros(text):
    defined = {}
    for match in _MACRO.finditer(text):
        if match.group(1) == "define":
            defined[match.group(2)] = text.count("\n", 0, match.start()) + 1
        else:
            defined.pop(match.group(2), None)
    return defined


def check(root):
    faults = []
    first = collections.defaultdict(dict)  # group of folders -> name -> (path, text that may be repeated)
    alone = _list_in_cmake(root, "COMPILED_ALONE").split()
    groups = _groups_of_folders(root)
    for path in list_files(root, (".cc",)):
        if not path.startswith(_LAYERS) or path in alone:
            continue
        text = read(root, path)
        folder = os.path.dirname(path)
        known = first[groups.get(folder, folder)]
        for name, line, repeatable in private_names(text):
            other, same = known.setdefault(name, (path, repeatable))
            if other != path and (repeatable is None or repeatable != same):
                faults.append(Fault(path, line, f"{name} is a private name of {other} too, and both files are compiled "
                                                "together: give it another one"))
        for name, line in _left_macros(text).items():
            faults.append(Fault(path, line, f"{name} stays defined in the files behind it: add #undef {name}"))
        for match in re.finditer(_DIRECTIVE, strip(text)):
            faults.append(Fault(path, text.count("\n", 0, match.start()) + 1,
                                "a using-directive holds for the files behind it too"))
    return faults

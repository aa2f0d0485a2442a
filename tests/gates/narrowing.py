"""Narrowing: a size or count reaches a narrower integer type by storage/model/narrow.h alone.

The compiler refuses implicit narrowings (-Wconversion). What a cast makes explicit is looked at here: a
cast to an integer type of 32 bits or less of something that is named a size, unless the cast says which
of its bits it takes (>>, &, |, %).
"""

import re

from cpp_functions import strip
from tree import Fault, SOURCE_SUFFIXES, list_files, read

_NARROW = (r"(?:std::)?(?:u?int(?:_least|_fast)?(?:8|16|32)_t)|(?:un)?signed(?:\s+(?:int|char|short))?"
           r"|int|short|char|NodeIndex|TermIndex")
_CAST = re.compile(r"\bstatic_cast<\s*(" + _NARROW + r")\s*>\s*\(|(?<![\w:<])(" + _NARROW + r")\(")
_SIZE = re.compile(r"(?:^|[^a-zA-Z])\w*?(?:size|length|count|offset|capacity|distance|depth|total"
                   r"|position|index|sum)(?![a-z])", re.I)

_BITS = re.compile(r">>|&|\||%|\bnarrow<")
_SUBSCRIPT = re.compile(r"\[[^\[\]]*\]")

_LAYERS = ("server/", "api/", "storage/", "expressions/")

# Path -> why its casts lose nothing.
_EXCEPTIONS = {
    "storage/model/narrow.h": "the function itself",
    "storage/model/number.cc": "counts of a number's digits and bytes, at most 40",
    "storage/model/number_text.cc": "the same",
    "server/main/command_line.cc": "milliseconds and ports of flags, limited by the checks of the flags",
}


def _argument(text, start):
    """The text between the bracket before `start` and the closing one."""
    depth = 1
    for end in range(start, len(text)):
        depth += {"(": 1, ")": -1}.get(text[end], 0)
        if depth == 0:
            return text[start:end]
    return text[start:]


def check(root):
    faults = []
    for path in list_files(root, SOURCE_SUFFIXES):
        if not path.startswith(_LAYERS) or path in _EXCEPTIONS:
            continue
        text = strip(read(root, path))
        for match in _CAST.finditer(text):
            argument = _SUBSCRIPT.sub("", _argument(text, match.end()))
            if _SIZE.search(argument) and not _BITS.search(argument):
                line = text.count("\n", 0, match.start()) + 1
                faults.append(Fault(path, line, "a size is cast to a narrower type: use "
                                                "narrow<T>() of storage/model/narrow.h"))
    return faults

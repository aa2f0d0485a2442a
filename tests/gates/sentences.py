"""Texts that clients and users see are whole sentences, and each is in one place.

Those of api, expressions and storage are among the messages. A sentence of server may also be in the code, if it is
only in one place.
"""

import re

from tree import Fault, list_files, read

_LAYERS = ("api/", "expressions/", "server/", "storage/")
_HOMES = re.compile(r"(api|storage)/messages/|expressions/(partiql/)?messages\.|server/(\w+/)*(\w+_)?messages\.")

_PIECES = re.compile(
    r'(?P<comment>//[^\n]*|/\*.*?\*/)|(?P<raw>R"([^()\\ ]{0,16})\(.*?\)\3")|'
    r'"(?P<literal>(?:\\.|[^"\\\n])*)"|(?P<letter>\'(?:\\.|[^\'\\\n])\')', re.S)
_ARGUMENT = re.compile(r"\{\w+\}")
# Two words, one of them in small letters: names, tables of words and JSON have none such.
_PROSE = re.compile(r"\b[a-z]+ [\w(]|\w,? [a-z]+\b")
_MAY_END = re.compile(r"(^|[.!?]\s*|\\n)$")
# Functions and types that throw, answer, warn or log. Of the standard's exceptions only two, since the others report
# bugs.
_REFUSALS = re.compile(
    r"\b(fail\w*|throw_\w+|refuse\w*|incomplete|invalid|MissingTable|ForeignFile|[A-Z]\w*Error|"
    r"runtime_error|system_error|log|report\w*|warning|progress)\s*[({]")


def _pieces(text):
    """(literal, start, end) of each string literal; raw ones have none, comments are no gap."""
    code = list(text)
    found = []
    for match in _PIECES.finditer(text):
        if match.group("comment") is not None:
            code[match.start():match.end()] = re.sub(r"[^\n]", " ", match.group())
        elif match.group("literal") is not None:
            found.append((match.group("literal"), match.start(), match.end()))
            code[match.start():match.end()] = '"' * (match.end() - match.start())
        else:
            code[match.start():match.end()] = "'" * (match.end() - match.start())
    return "".join(code), found


def _cut_faults(path, text, code, pieces):
    for (literal, start, end), (_, following, _) in zip(pieces, pieces[1:]):
        if code[end:following].strip() or not _PROSE.search(literal) or _MAY_END.search(literal):
            continue
        yield Fault(path, text.count("\n", 0, start) + 1, "a literal is cut in mid-sentence")


def _end_of_call(code, position):
    depth = 0
    for at in range(position, len(code)):
        depth += (code[at] in "({") - (code[at] in ")}")
        if depth == 0:
            return at
    return len(code)


def _refusals(code, pieces):
    """(match, pieces) of each call that refuses, warns or logs with literals of several words."""
    for match in _REFUSALS.finditer(code):
        end = _end_of_call(code, match.end() - 1)
        said = [piece for piece in pieces if " " in piece[0] and match.end() <= piece[1] < end]
        if said:
            yield match, said


def _pieces_of(refusals):
    return sorted({piece for _, said in refusals for piece in said}, key=lambda piece: piece[1])


def _home_faults(path, text, refusals):
    for match, _ in refusals:
        yield Fault(path, text.count("\n", 0, match.start()) + 1,
                    f"what {match.group(1)} says belongs to the messages")


def _repeated_faults(path, text, pieces, homes):
    for literal, start, _ in pieces:
        if not _PROSE.search(literal):
            continue
        literal = _ARGUMENT.sub("{}", literal)
        if literal in homes:
            yield Fault(path, text.count("\n", 0, start) + 1, f"{homes[literal]} has this sentence")
        homes.setdefault(literal, path)


def check(root):
    faults = []
    homes = {}  # sentence -> where it is written
    for path in list_files(root, (".h", ".cc")):
        if not path.startswith(_LAYERS):
            continue
        text = read(root, path)
        code, pieces = _pieces(text)
        faults += _cut_faults(path, text, code, pieces)
        if _HOMES.match(path):
            faults += _repeated_faults(path, text, pieces, homes)
            continue
        refusals = list(_refusals(code, pieces))
        if path.startswith("server/"):
            faults += _repeated_faults(path, text, _pieces_of(refusals), homes)
        else:
            faults += _home_faults(path, text, refusals)
    return faults

"""Finds the functions of a C++ file by its braces: exact for code that clang-format wrote."""

import re

_RAW_STRING = re.compile(r'R"([^()\\ ]{0,16})\(.*?\)\1"', re.S)
_TOKEN = re.compile(r"""//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])+'""", re.S)
_DIRECTIVE = re.compile(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", re.M)
_TYPE = re.compile(r"\b(?:class|struct|union|enum)\b[^()=]*$")
_INITIALISERS = re.compile(r"\)[\s\w]*:(?!:)[^;]*[\w>]\s*$", re.S)
_LEAD = re.compile(r"(?:\s|(?:public|protected|private)\s*:)*")
_OPERATOR = re.compile(r"\boperator\s*(?:\(\s*\)|[^\s\w(]+)")


def _blank(match):
    return re.sub(r"[^\n]", " ", match.group())


def strip(text):
    """The text with comments, literals and directives blanked; every line stays where it is."""
    text = re.sub(r"(?<=[0-9a-fA-F])'(?=[0-9a-fA-F])", " ", text)  # 1'000
    text = _RAW_STRING.sub(_blank, text)
    text = _TOKEN.sub(_blank, text)
    return _DIRECTIVE.sub(_blank, text)


def _is_function(head):
    """Whether the text before a brace, back to the last boundary, is the head of a function."""
    head = _OPERATOR.sub("operator", head)
    opening = head.find("(")
    if opening < 0 or _TYPE.search(head) or re.search(r"\bnamespace\b", head):
        return False
    return "=" not in head[:opening]


def find_functions(text):
    """(name, first line, last line) of each function with a body; lambdas count to their function."""
    code = strip(text)
    found = []
    open_braces = []  # (kind of block: 'scope', 'function' or 'plain', head of the function, line)
    boundary = 0
    in_function = 0
    position = 0
    while position < len(code):
        letter = code[position]
        if letter == "{":
            head = code[boundary:position]
            if in_function:
                kind = "plain"
            elif _INITIALISERS.search(head):  # a_{1} in a constructor's list: the body comes yet
                open_braces.append(("initialiser", None, None))
                position += 1
                continue
            elif _is_function(head):
                kind = "function"
                in_function = 1
            else:
                kind = "scope"
            start = boundary + _LEAD.match(head).end()
            open_braces.append((kind, code[start:position], code.count("\n", 0, start) + 1))
            boundary = position + 1
        elif letter == "}" and open_braces:
            kind, head, line = open_braces.pop()
            if kind == "function":
                in_function = 0
                found.append((_name(head), line, code.count("\n", 0, position) + 1))
            if kind != "initialiser":
                boundary = position + 1
        elif letter == ";":
            boundary = position + 1
        position += 1
    return found


def _name(head):
    match = re.search(r"([\w:~]+)\s*\(", _OPERATOR.sub("operator", head))
    return match.group(1) if match else head.split("\n")[0]

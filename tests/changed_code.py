#!/usr/bin/env python3
"""changed_code.py COMMIT: of the C++ files on standard input, one a line, those whose code differs from the commit.

Comments and layout do not count, unless a comment speaks to clang-tidy (NOLINT). ./dev lint --changed asks this, so that
a change of comments alone costs no clang-tidy.
"""

import re
import subprocess
import sys

_TOKEN = re.compile(r'(?P<raw>R"(?P<mark>[^(\s]*)\(.*?\)(?P=mark)")|"(?:[^"\\\n]|\\.)*"'
                    r"|'(?:[^'\\\n]|\\.)+'|(?P<comment>//[^\n]*|/\*.*?\*/)|\s+|\w+|.", re.S)


def code_of(text):
    """The tokens of a C++ text, without comments; a comment with NOLINT is one of them."""
    matches = [match for match in _TOKEN.finditer(text) if not match.group().isspace()]
    return [match.group() for match in matches if not match.group("comment") or "NOLINT" in match.group()]


def is_changed(commit, path):
    before = subprocess.run(["git", "show", f"{commit}:{path}"], capture_output=True, check=False)
    with open(path, encoding="utf-8") as now:
        return before.returncode != 0 or code_of(before.stdout.decode()) != code_of(now.read())


if __name__ == "__main__":
    for line in sys.stdin:
        if is_changed(sys.argv[1], line.rstrip("\n")):
            print(line, end="")

"""needed_programs.py <build folder> <what ctest -N printed: names the programs that these tests run.

One target of ninja a line. A test names its programs in its command, as paths into the build folder.
Fails when no test was printed.
"""

import pathlib
import re
import subprocess
import sys

_LISTED = re.compile(r"^\s*Test\s+#\d+: (.*)$", re.M)
_FOLDER = re.compile(r'^subdirs\("([^"]+)"\)', re.M)
_ADDED = re.compile(r"^add_test\(\[=\[([^\n]*?)\]=\] (.*?)\)\n(?=set_tests_properties\(|add_test\(|subdirs\(|\Z)", re.M | re.S)


def list_commands(folder):
    """The command of each test, as text, by the test's name."""
    file = folder / "CTestTestfile.cmake"
    if not file.exists():  # no test is made there
        return {}
    text = file.read_text(encoding="utf-8")
    commands = dict(_ADDED.findall(text))
    # Not of other build folders, which may lie in this one.
    for name in _FOLDER.findall(text):
        commands.update(list_commands(folder / name))
    return commands


def list_names(printed):
    """The tests that ctest -N printed."""
    return _LISTED.findall(printed)


def needed_programs(folder, names, targets):
    commands = list_commands(folder)
    paths = re.compile(r'"' + re.escape(str(folder)) + r'/([^"]+)"')
    needed = {path for name in names for path in paths.findall(commands[name])}
    return sorted(needed & targets)


def main(arguments):
    if len(arguments) != 1:
        print(__doc__, file=sys.stderr)
        return 2
    names = list_names(sys.stdin.read())
    if not names:
        print("no test is chosen", file=sys.stderr)
        return 1
    folder = pathlib.Path(arguments[0]).resolve()
    listed = subprocess.run(["ninja", "-C", folder, "-t", "targets", "all"], check=True, capture_output=True, text=True)
    targets = {line.split(": ")[0] for line in listed.stdout.splitlines()}
    print("\n".join(needed_programs(folder, names, targets)))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

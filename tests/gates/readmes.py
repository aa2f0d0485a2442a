"""Each folder lists its files on one page, under its name."""

import os

from tree import Fault, list_files, read

MAX_LINES = 60
MAX_BYTES = 4800

# Folders whose subfolders have a README of their own too.
_EXPLAINED = ("storage", "api", "expressions", "server")


def _folders(root):
    found = set()
    for path in list_files(root):
        parts = path.split("/")[:-1]
        if not parts or parts[0].startswith("."):
            continue
        found.add(parts[0])
        if len(parts) > 1 and parts[0] in _EXPLAINED:
            found.add("/".join(parts[:2]))
    return sorted(found)


def check(root):
    faults = []
    for folder in _folders(root):
        path = f"{folder}/README.md"
        if not os.path.isfile(os.path.join(root, path)):
            faults.append(Fault(path, None, "missing: say on a page what the folder holds"))
            continue
        text = read(root, path)
        if text.count("\n") > MAX_LINES or len(text) > MAX_BYTES:
            faults.append(
                Fault(path, None, f"longer than a page ({MAX_LINES} lines, {MAX_BYTES} bytes)"))
    for path in list_files(root):
        folder, _, name = path.rpartition("/")
        if name == "README.md" and folder and read(root, path).partition("\n")[0] != f"# {folder}":
            faults.append(Fault(path, 1, f"the first line is not '# {folder}'"))
    return faults

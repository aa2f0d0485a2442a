"""The files a gate looks at, and how it reports what it finds."""

import os

SOURCE_SUFFIXES = (".cc", ".h")
SCRIPT_SUFFIXES = (".py", ".js", ".mjs", ".sh")

# Of other people, or made by a build.
_SKIPPED_FOLDERS = {".git", ".venv", "node_modules", "__pycache__"}


class Fault:
    """One breach of a rule: its place, and the remedy."""

    def __init__(self, path, line, text):
        self.path, self.line, self.text = path, line, text

    def __str__(self):
        place = self.path if self.line is None else f"{self.path}:{self.line}"
        return f"{place}: {self.text}"


def _is_skipped(name):
    return name in _SKIPPED_FOLDERS or name == "build" or name.startswith("build-")


def list_files(root, suffixes=None):
    """Paths relative to root with forward slashes, in order; all, or those with one of the suffixes."""
    found = []
    for folder, folders, names in os.walk(root):
        folders[:] = [name for name in folders if not _is_skipped(name)]
        for name in names:
            if suffixes is None or name.endswith(tuple(suffixes)):
                found.append(os.path.relpath(os.path.join(folder, name), root).replace(os.sep, "/"))
    return sorted(found)


def read(root, path):
    with open(os.path.join(root, path), encoding="utf-8", errors="replace") as file:
        return file.read()

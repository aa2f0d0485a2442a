"""Sizes: a file is read in one sitting, a function on one screen."""

from cpp_functions import find_functions
from tree import Fault, SCRIPT_SUFFIXES, SOURCE_SUFFIXES, list_files, read

MAX_FILE_LINES = 450
MAX_FUNCTION_LINES = 60


def check(root):
    faults = []
    for path in list_files(root, SOURCE_SUFFIXES + SCRIPT_SUFFIXES):
        text = read(root, path)
        lines = text.count("\n")
        if lines > MAX_FILE_LINES:
            faults.append(
                Fault(path, None, f"{lines} lines, more than {MAX_FILE_LINES}: split it by concept"))
        if not path.endswith(SOURCE_SUFFIXES):
            continue
        for name, first, last in find_functions(text):
            if last - first + 1 > MAX_FUNCTION_LINES:
                faults.append(
                    Fault(path, first,
                          f"{name} has {last - first + 1} lines, more than {MAX_FUNCTION_LINES}"))
    return faults

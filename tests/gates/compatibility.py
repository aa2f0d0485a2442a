"""docs/compatibility.md says of each operation whether it is supported, and says the truth."""

import os
import re

from tree import Fault, read

_DOCUMENT = "docs/compatibility.md"
_OPERATIONS = "api/operation_table.h"
_ROW = re.compile(r"^\| `(\w+)` \| ([^|]*) \|")
_STATES = ("supported", "not supported")
_ENTRY = re.compile(r"^ +OPERATION\((\w+)\)", re.M)


def _rows(text):
    """(line, operation, state) of each row of the tables."""
    for number, line in enumerate(text.splitlines(), 1):
        match = _ROW.match(line)
        if match:
            yield number, match.group(1), match.group(2).strip()


def check(root):
    missing = [path for path in (_DOCUMENT, _OPERATIONS) if not os.path.isfile(os.path.join(root, path))]
    if missing:
        return [Fault(path, None, "missing") for path in missing]
    built = _ENTRY.findall(read(root, _OPERATIONS))
    faults = []
    seen = set()
    for line, operation, state in _rows(read(root, _DOCUMENT)):
        if operation in seen:
            faults.append(Fault(_DOCUMENT, line, f"{operation} has a row already"))
        seen.add(operation)
        if state not in _STATES:
            faults.append(Fault(_DOCUMENT, line, f"{operation} is neither {' nor '.join(_STATES)}"))
        elif (state == "supported") != (operation in built):
            truth = "is" if operation in built else "is not"
            faults.append(Fault(_DOCUMENT, line, f"{operation} {truth} in {_OPERATIONS}"))
    faults += [Fault(_OPERATIONS, None, f"{operation} has no row in {_DOCUMENT}")
               for operation in built if operation not in seen]
    return faults

"""run.py <gate> <root>: prints the faults of one gate and ends with 1 when there is any."""

import sys

import batches
import compatibility
import layering
import libraries
import narrowing
import page_modules
import plain_english
import readmes
import sentences
import sizes
import type_names
import wording

GATES = {"batches": batches, "layering": layering, "libraries": libraries, "sizes": sizes, "wording": wording,
         "readmes": readmes, "compatibility": compatibility, "narrowing": narrowing,
         "sentences": sentences, "page_modules": page_modules, "type_names": type_names, "plain_english": plain_english}


def main(arguments):
    if len(arguments) != 2 or arguments[0] not in GATES:
        print(__doc__, "Gates:", ", ".join(GATES), file=sys.stderr)
        return 2
    faults = GATES[arguments[0]].check(arguments[1])
    for fault in faults:
        print(fault)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

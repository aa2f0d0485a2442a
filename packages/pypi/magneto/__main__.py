"""python -m magneto [flags]: the server itself takes the place of this process, so signals and its status are its own."""

import os
import sys

from magneto.program import StartError, find_program, why_it_cannot_run


def main():
    try:
        program = find_program()
        os.execv(program, ["magneto", *sys.argv[1:]])
    except StartError as problem:
        sys.exit(f"magneto: {problem}")
    except OSError as error:
        sys.exit(f"magneto: {why_it_cannot_run(program, error)}")


if __name__ == "__main__":
    main()

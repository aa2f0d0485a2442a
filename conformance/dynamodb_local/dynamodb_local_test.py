"""dynamodb_local_test.py <binary> [--local FOLDER] [--only local|magneto] [file of cases...]

Plays the cases of cases/ against DynamoDB Local and against Magneto, started by the same command lines.
FOLDER has DynamoDB Local's jars and its library of SQLite (default: where bench fetches them to). Without
them, or without java, DynamoDB Local is left out, which is said.
"""

import argparse
import glob
import json
import os
import sys
import tempfile

import player
import servers

_CASES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "cases")


def note(text):
    print(f"==> Note: {text}", flush=True)


def products(arguments, folder):
    """(product, whether it is ours) of those that can be run."""
    missing = servers.missing_for_local(arguments.local)
    if arguments.only != "magneto":
        if missing:
            note(f"DynamoDB Local is left out, since {missing}")
        else:
            yield servers.dynamodb_local(arguments.local), False
    if arguments.only != "local":
        yield servers.magneto(arguments.binary), True
        yield servers.magneto_as_java(arguments.binary, folder), True


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary")
    parser.add_argument("--local", default=servers.default_local_folder())
    parser.add_argument("--only", choices=("local", "magneto"))
    parser.add_argument("files", nargs="*")
    arguments = parser.parse_intermixed_args()
    files = arguments.files or sorted(glob.glob(os.path.join(_CASES, "*.json")))
    played = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for product, is_ours in products(arguments, folder):
            as_java = os.path.basename(product.command[0]) == "java" and is_ours
            for path in files:
                with open(path, encoding="utf-8") as file:
                    content = json.load(file)
                if as_java and "server" in content:
                    continue  # only the command line differs, and start cases have it
                for name, problems in player.play_file(content, product, is_ours, note):
                    played += 1
                    failed += bool(problems)
                    for problem in problems:
                        print(f"{product.name}, {os.path.basename(path)}, {name}: {problem}")
    print(f"{played} cases, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

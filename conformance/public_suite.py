"""public_suite.py <binary> <checkout of the suite> [memory|disk]

Runs the public suite dynamodb-conformance (`npm install` in its checkout first) against a server of
its own and compares the tests that fail with expected_failures/dynamodb_conformance.json. Ends with
1 when a test fails that is not listed, or a listed one does not fail.
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

from with_server import Server, client_environment

LIST = pathlib.Path(__file__).resolve().parent / "expected_failures" / "dynamodb_conformance.json"

# The suite considers an ARN in us-east-1 another account's table.
REGION = "eu-west-2"


def run_suite(binary, checkout, engine):
    """The suite's report, as vitest writes it."""
    server = Server(binary, engine)
    with tempfile.TemporaryDirectory() as folder:
        report = os.path.join(folder, "report.json")
        try:
            server.start()
            environment = client_environment(server.endpoint) | {
                "DYNAMODB_ENDPOINT": server.endpoint, "AWS_REGION": REGION}
            subprocess.run(["npx", "vitest", "run", "--reporter=json", f"--outputFile={report}"],
                           cwd=checkout, env=environment, stdout=subprocess.DEVNULL, check=False)
            server.stop()
        finally:
            server.remove()
        with open(report, encoding="utf-8") as file:
            return json.load(file)


def read_outcomes(report, checkout):
    """Status of each test by its name: file > suites > test."""
    outcomes = {}
    for file in report["testResults"]:
        path = os.path.relpath(file["name"], os.path.abspath(checkout)).removeprefix("tests/")
        if not file["assertionResults"]:
            outcomes[path] = file["status"]  # a file that could not be loaded
        for test in file["assertionResults"]:
            name = " > ".join([path, *test["ancestorTitles"], test["title"]])
            outcomes[name] = test["status"]
    return outcomes


def print_score(outcomes):
    tiers = sorted({name.split("/")[0] for name in outcomes})
    for tier in tiers:
        statuses = [status for name, status in outcomes.items() if name.startswith(f"{tier}/")]
        print(f"{tier}: {statuses.count('passed')} of {len(statuses)} passed")


def compare(outcomes, expected):
    """Sentences about what differs from the list."""
    failed = {name for name, status in outcomes.items() if status != "passed"}
    yield from (f"fails unexpectedly: {name}" for name in sorted(failed - set(expected)))
    yield from (f"is listed but does not fail: {name}" for name in sorted(set(expected) - failed))


def main(arguments):
    if len(arguments) not in (2, 3):
        print(__doc__, file=sys.stderr)
        return 2
    binary, checkout, *engine = arguments
    expected = json.loads(LIST.read_text(encoding="utf-8"))
    commit = subprocess.run(["git", "rev-parse", "HEAD"], cwd=checkout, capture_output=True, text=True, check=False)
    if commit.stdout.strip() != expected["commit"]:
        print(f"note: the list is of commit {expected['commit']}, the checkout is at {commit.stdout.strip()}")
    outcomes = read_outcomes(run_suite(os.path.abspath(binary), checkout, *(engine or ["memory"])), checkout)
    print_score(outcomes)
    listed = {test: group["fact"] for group in expected["failures"] for test in group["tests"]}
    differences = list(compare(outcomes, listed))
    for difference in differences:
        print(difference)
    print(f"{len(listed)} failures are expected, {len(differences)} tests differ from that")
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

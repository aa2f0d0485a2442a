"""failures.py <log of ctest>: lists what failed and why.

The log is the one that `ctest --output-on-failure --output-log FILE` writes. For each test that failed, the list
has its name, its result (Failed, Timeout, SEGFAULT ...) and the telling lines of its output: the failed test cases
with their assertions, as GoogleTest, Python's unittest and Node.js print them; else the last lines. Exit code 0
when nothing failed, 1 when something did, 2 when the log is absent or ends early.
"""

import itertools
import re
import sys

MOST_CASES = 12  # of one test
MOST_LINES = 6  # of one case
LONGEST_LINE = 300
LAST_LINES = 12  # of an output in no known form

_RESULT = re.compile(r"^ *\d+/\d+ Test +#\d+: (?P<name>\S+) \.*(?P<rest>.*)$")
_REFUSAL = re.compile(r"^ *\*\*\*(?P<result>.*?) +[\d.]+ sec *$")
_START = re.compile(r"^ +Start +\d+: \S+$")
_NOT_OUTPUT = re.compile(r"^(Could not find executable .*|\[(OUTPUT|HANDLER_OUTPUT|ERROR_MESSAGE)\] *)$")
_END = re.compile(r"^\d+% tests passed, \d+ tests? failed out of \d+$")
_CONTROL = re.compile(r"\x1b\[[0-9;]*[A-Za-z]|[\x00-\x08\x0b-\x1f\x7f]")


class Log:
    """The output of a run of ctest: failed tests as (name, result, lines of output), and whether it ended."""

    def __init__(self, text):
        self.failed = []
        self.ended = False
        lines = [_CONTROL.sub("", line) for line in text.splitlines()]
        output = None
        for line, following in itertools.zip_longest(lines, lines[1:], fillvalue=""):
            found = _RESULT.match(line)
            if found:
                # CTest breaks the line of a test whose program is absent.
                refusal = _REFUSAL.match(found["rest"]) or (not found["rest"].strip() and _REFUSAL.match(following))
                output = None
                if refusal and refusal["result"] != "Skipped":
                    output = []
                    self.failed.append((found["name"], refusal["result"].removeprefix("Exception: "), output))
            elif _END.match(line):
                self.ended = True
                output = None
            elif _NOT_OUTPUT.match(line):
                output = None
            elif output is not None and not _START.match(line) and not _REFUSAL.match(line):
                output.append(line)


def telling_lines(lines):
    """Lines of a failed test's output that say why: each failed case of it, else its last lines."""
    cases = [case for find in (_google_test_cases, _unittest_cases, _tap_cases) for case in find(lines)]
    cases = list(dict.fromkeys(tuple(case) for case in cases))
    if cases:
        told = [line for case in cases[:MOST_CASES] for line in case]
        if len(cases) > MOST_CASES:
            told.append(f"... and {len(cases) - MOST_CASES} more")
    else:
        told = [line for line in lines if line.strip()][-LAST_LINES:]
    return [line if len(line) <= LONGEST_LINE else line[:LONGEST_LINE] + "..." for line in told]


def _google_test_cases(lines):
    """Each "FILE:LINE: Failure" with its expectation; then the names of the failed cases, and the cause of a crash."""
    for at, line in enumerate(lines):
        if line.endswith(": Failure") or line == "unknown file: Failure":
            block = itertools.takewhile(lambda each: each.strip() and not each.startswith("[ "), lines[at + 1:])
            yield [line, *("  " + each for each in itertools.islice(block, MOST_LINES - 1))]
        elif re.match(r"\[  FAILED  \] \S+\.\S+", line):
            yield [re.sub(r" \(\d+ ms\)$", "", line)]
        elif line.startswith(("[  ENDED   ]", "[ RUNNING  ]")) or re.search(r"(ERROR|WARNING): \w+Sanitizer: ", line):
            yield [line]


def _unittest_cases(lines):
    """Each "FAIL: case (class)" with the last place of its traceback and the error."""
    for at, line in enumerate(lines):
        if re.match(r"(FAIL|ERROR): \S+ \(", line):
            block = list(itertools.takewhile(lambda each: each != "=" * 70 and not each.startswith("Ran "), lines[at + 1:]))
            places = [number for number, each in enumerate(block) if each.startswith('  File "')]
            place = [block[places[-1]]] if places else []
            error = list(itertools.dropwhile(lambda each: not each or each[0] in " -", block[places[-1] if places else 0:]))
            yield [line, *place, *("  " + each for each in error if each.strip(" -"))][:MOST_LINES]


def _tap_cases(lines):
    """Each "not ok" that is not only that of a case within it, with place and error."""
    for at, line in enumerate(lines):
        if re.match(r" *not ok \d+", line) and " # " not in line:  # an expected failure has a remark
            block = list(itertools.takewhile(lambda each: each.strip() != "...", lines[at + 1:]))
            if any(re.match(r" *failureType: 'subtestsFailed'", each) for each in block):
                continue
            place = [each.strip() for each in block if re.match(r" *location: ", each)]
            first = next((number for number, each in enumerate(block) if re.match(r" *error: ", each)), len(block))
            error = itertools.takewhile(lambda each: not re.match(r" *(code|name|stack|expected): ", each), block[first:])
            yield [line.strip(), *("  " + each for each in place), *("  " + each.strip() for each in error)][:MOST_LINES]


def report(log):
    """The list, as text."""
    if not log.failed:
        return "Nothing failed" if log.ended else "Nothing failed so far"
    parts = [f"What failed and why ({len(log.failed)}):"]
    for name, result, lines in log.failed:
        parts.append(f"\n  {name} ({result})")
        parts.extend("    " + line for line in telling_lines(lines) or ["it printed nothing"])
    return "\n".join(parts)


def main(arguments):
    if len(arguments) != 1 or arguments[0].startswith("-"):
        print(__doc__, file=sys.stderr)
        return 2
    try:
        with open(arguments[0], encoding="utf-8", errors="replace") as file:
            log = Log(file.read())
    except OSError as error:
        print(f"There is no log of ctest to read: {error}", file=sys.stderr)
        return 2
    print(report(log))
    if not log.ended:
        print("The run of ctest did not end: its log has no closing lines", file=sys.stderr)
        return 2
    return 1 if log.failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

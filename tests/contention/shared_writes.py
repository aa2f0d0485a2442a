#!/usr/bin/env python3
"""shared_writes.py <contention> [operations]: the cache lines that the threads of one server write in common.

Runs `contention --in-turn` in valgrind's lackey, which prints each store and the instruction of it. A line that several
threads write, each in its own turn, would go from processor to processor if they ran together. Prints the functions
that write such lines for each operation, and how often an operation does.
"""

import bisect
import collections
import os
import re
import subprocess
import sys

LINE = 64


class Functions:
    """The functions of the program, by address."""

    def __init__(self, program):
        listed = subprocess.run(["nm", "-C", "--defined-only", program], capture_output=True, text=True, check=True)
        symbols = [(int(line[:16], 16), line[17], line[19:]) for line in listed.stdout.splitlines()]
        self.mark = next(address for address, _, name in symbols if name.endswith("contention::(anonymous namespace)::mark"))
        found = sorted((address, name) for address, kind, name in symbols if kind in "tTwWi")
        self.starts = [start for start, _ in found]
        self.names = [name for _, name in found]

    def name(self, address):
        place = bisect.bisect_right(self.starts, address) - 1
        if not 0 <= place < len(self.starts) - 1:
            return "a library"
        return re.sub(r"[(<].*", "", self.names[place].replace("(anonymous namespace)::", "").replace("magneto::", ""))


def main():
    program = os.path.abspath(sys.argv[1])
    operations = int(sys.argv[2]) if len(sys.argv) > 2 else 20
    functions = Functions(program)
    command = ["valgrind", "--tool=lackey", "--trace-mem=yes", "--log-fd=1", program,
               "--in-turn", "--operations", str(operations)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, errors="replace") as running:
        names, mark, base, turn, instruction = {}, None, 0, 0, 0
        threads = collections.defaultdict(lambda: collections.defaultdict(set))
        writes = collections.defaultdict(lambda: collections.defaultdict(collections.Counter))
        for line in running.stdout:
            kind = line[:3]
            if kind == "I  ":
                instruction = line[3:]
            elif kind in {" S ", " M "}:
                address = int(line[3:].partition(",")[0], 16)
                if address == mark:
                    turn = None
                elif turn:
                    operation, thread = turn
                    threads[operation][address // LINE].add(thread)
                    writes[operation][address // LINE][int(instruction.partition(",")[0], 16)] += 1
            elif found := re.match(r"mark (0x[0-9a-f]+)$", line):
                mark = int(found[1], 16)
                base = mark - functions.mark
            elif found := re.match(r"(\d+) (\w+)$", line):
                names[int(found[1])] = found[2]
            elif found := re.match(r"turn (\d+) (\d+)$", line):
                turn = (int(found[1]), int(found[2]))
    for operation, lines in sorted(threads.items()):
        shared = collections.Counter()
        for line, of in lines.items():
            if len(of) < 2:
                continue
            for address, count in writes[operation][line].items():
                shared[functions.name(address - base), len(of)] += count
        calls = operations * max(len(of) for of in lines.values())
        print(names[operation])
        for (name, count_of_threads), count in shared.most_common():
            if count / calls >= 0.05:
                print(f"  {count / calls:6.2f} writes of lines of {count_of_threads} threads in {name}")


if __name__ == "__main__":
    main()

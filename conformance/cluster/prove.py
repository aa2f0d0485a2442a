"""prove.py <binary> <URL of a store> --drop-schema: the proof of a store, in a database of yours.

Runs the tests of this folder that need nothing but the database's URL: two servers over it are killed, ended, and stopped for
longer than their lease; three servers share it, while tables and indexes are made and dropped, and are killed and ended;
items stay registers, transactions stay serial, streams, indexes and tokens stay whole. For
CockroachDB, YugabyteDB and other databases that speak PostgreSQL's protocol. Needs psql and boto3.

The schema "magneto" of the database is dropped, before each test and at the end.
"""

import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))

from cluster.postgres import GIVEN_STORE, GivenStore  # noqa: E402

FOLDER = os.path.dirname(os.path.abspath(__file__))
TESTS = (["take_overs_test.py", "{binary}", "ClusterTest.test_the_active_server_is_killed",
          "ClusterTest.test_the_active_server_ends", "ClusterTest.test_the_active_server_is_stopped_and_wakes_up"],
         ["transactions_test.py", "{binary}"],
         ["shared_tables_test.py", "{binary}"],
         ["../crash/crash_test.py", "{binary}", "--store"])


def main():
    if len(sys.argv) != 4 or sys.argv[3] != "--drop-schema":
        print(__doc__, file=sys.stderr)
        return 2
    binary, url = os.path.abspath(sys.argv[1]), sys.argv[2]
    failed = []
    for script, *arguments in TESTS:
        command = [sys.executable, os.path.join(FOLDER, script), *(part.format(binary=binary) for part in arguments)]
        if subprocess.run(command, env=os.environ | {GIVEN_STORE: url}, check=False).returncode != 0:
            failed.append(script)
    GivenStore(url).drop()
    print(f"failed: {', '.join(failed)}" if failed else f"all tests passed over {url.partition('?')[0]}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

"""old_directories_test.py <binary>: data directories that older binaries wrote are read, whole, and written."""

import json
import pathlib
import sys
import tarfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from contents import Caller, INDEXED, LAGGING, item, lagging_entries, read, scan
from with_server import Server


def by_key(items):
    return sorted(items, key=lambda found: json.dumps(found, sort_keys=True))


class OldDirectoriesTest(unittest.TestCase):
    def setUp(self):
        self.maxDiff = None

    def open(self, name):
        kept = json.loads((HERE / f"{name}.json").read_text(encoding="utf-8"))
        server = Server(BINARY, "disk", *kept["flags"])
        self.addCleanup(server.remove)
        with tarfile.open(HERE / f"{name}.tar.gz") as archive:
            archive.extractall(server.data_folder)
        pathlib.Path(server.data_folder).chmod(0o700)
        server.start()
        return server, kept

    def check(self, name):
        server, contents = self.open(name)
        callers = contents["callers"]
        for _ in range(2):  # as it was left, and as this binary leaves it
            for kept in callers:
                caller = Caller(server, kept["key"], kept["region"])
                self.assertEqual(read(caller), kept["contents"], kept["key"])
                if "lagging" in contents:
                    self.expect_whole(caller, contents["lagging"])
            server.kill()
            server.start()
        for kept in callers:
            self.change(Caller(server, kept["key"], kept["region"]))
        server.stop()
        server.start()
        for kept in callers:
            caller = Caller(server, kept["key"], kept["region"])
            self.assertEqual(len(scan(caller, INDEXED)), 100)
            self.expect_indexes_to_follow(caller)

    def expect_whole(self, caller, items):
        self.assertEqual(scan(caller, LAGGING), items)
        for index, (entries, wanted) in lagging_entries(caller, items).items():
            self.assertEqual(entries, wanted, index)

    def change(self, caller):
        """Rewrites, adds and removes, so that 100 items remain."""
        for number in range(100):
            caller.send("PutItem", TableName=INDEXED, Item=item(number) | {"Owner": {"S": f"owner {number % 2}"}})
        for number in range(100, 120):
            caller.send("DeleteItem", TableName=INDEXED, Key={name: item(number)[name] for name in ("Film", "Year")})
        self.expect_indexes_to_follow(caller)

    def expect_indexes_to_follow(self, caller):
        items = scan(caller, INDEXED)
        whole = [found for found in items if "Owner" in found and "Rank" in found]
        self.assertEqual(by_key(scan(caller, INDEXED, IndexName="ByOwner")), by_key(whole))
        self.assertEqual(len(scan(caller, INDEXED, IndexName="OfOwner")), sum("Owner" in found for found in items))
        self.assertEqual(len(scan(caller, INDEXED, IndexName="ByRank")), sum("Rank" in found for found in items))


def add_tests():
    names = [path.name.removesuffix(".tar.gz") for path in sorted(HERE.glob("*.tar.gz"))]
    assert names, "there is no directory to open"
    for name in names:
        setattr(OldDirectoriesTest, f"test_{name}", lambda self, name=name: self.check(name))


if __name__ == "__main__":
    BINARY = sys.argv.pop(1)
    add_tests()
    unittest.main(verbosity=2)

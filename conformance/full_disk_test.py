"""full_disk_test.py <server whose disk can be filled>: a full disk fails writes, clearly, and loses nothing.

The server is the product with the C library's write() and fallocate() replaced: tests/full_disk_server.
"""

import http.client
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "crash"))

from checks import Index, check_index, check_items
from tables import LEDGER, LEDGER_REQUEST, key_of, where
from wire import Connection, Lost, Refused, all_pages
from with_server import Server

PATIENCE_SECONDS = 120
BODY = "x" * 20_000


def new_item(number, version):
    return {"Pk": {"S": f"p{number % 7}"}, "Sk": {"N": str(number)}, "V": {"S": version}, "Body": {"S": BODY},
            "G": {"S": f"g{number % 5}"}, "Grade": {"N": str(number % 11)}}


class FullDiskTest(unittest.TestCase):
    def setUp(self):
        # Small buffers, so that tables are written as well as logs.
        self.server = Server(BINARY, "disk", "--auth", "off", "--memory-budget-mb", "8")
        self.addCleanup(self.server.remove)
        os.environ["FULL_DISK_DIRECTORY"] = self.server.data_folder
        self.server.errors = tempfile.TemporaryFile("w+")
        self.addCleanup(self.server.errors.close)
        self.items = {}
        self.start()
        self.connection.send("CreateTable", **LEDGER_REQUEST)

    def start(self):
        self.server.start()
        self.connection = Connection(self.server.port)
        self.addCleanup(self.connection.close)

    def set_disk(self, full):
        os.kill(self.server.process_id, signal.SIGUSR1 if full else signal.SIGUSR2)

    def log(self):
        self.server.errors.seek(0)
        return self.server.errors.read()

    def put(self, version):
        item = new_item(len(self.items), version)
        self.connection.send("PutItem", TableName=LEDGER, Item=item)
        self.items[key_of(LEDGER, item)] = item

    def put_until_refused(self, version):
        """The global index has some of the items then."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while not all_pages(self.connection, "Scan", TableName=LEDGER, IndexName="ByGroup"):
            self.assertLess(time.monotonic(), deadline, "nothing is indexed")
            self.put(version)
            time.sleep(0.01)
        self.set_disk(full=True)
        with self.assertRaises(Refused) as refusal:
            for _ in range(4000):
                self.put(version)
        self.expect_fault(refusal.exception)

    def expect_fault(self, error):
        self.assertEqual((error.status, error.type), (500, "InternalServerError"), error)

    def put_until_accepted(self, version):
        deadline = time.monotonic() + PATIENCE_SECONDS
        while True:
            try:
                self.put(version)
                return
            except Refused as error:
                self.expect_fault(error)
                self.assertLess(time.monotonic(), deadline, "writes go on failing")
                time.sleep(0.05)

    def expect_all_refused(self):
        """Writes of every kind, as long as the one that was refused."""
        first, *others = self.items.values()
        larger = first | {"Body": {"S": BODY + BODY}, "V": {"S": "refused"}}
        fresh = [new_item(100_000 + number, "refused") for number in range(10)]
        for operation, request in (
                ("PutItem", {"TableName": LEDGER, "Item": larger}),
                ("UpdateItem", where(key_of(LEDGER, first)) | {
                    "UpdateExpression": "SET Body = :b", "ExpressionAttributeValues": {":b": {"S": BODY + BODY}}}),
                ("BatchWriteItem", {"RequestItems": {LEDGER: [{"PutRequest": {"Item": item}} for item in fresh]}}),
                ("TransactWriteItems", {"ClientRequestToken": "refused", "TransactItems": [
                    {"Put": {"TableName": LEDGER, "Item": item}} for item in [*fresh, larger]]})):
            with self.subTest(operation):
                with self.assertRaises(Refused) as refusal:
                    self.connection.send(operation, **request)
                self.expect_fault(refusal.exception)
                self.assertIn(f"internal error in {operation} (request ", self.log())

    def expect_readiness(self, status, text):
        """Soon: nothing is written to make it so."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while True:
            client = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=PATIENCE_SECONDS)
            client.request("GET", "/_/ready")
            answer = client.getresponse()
            found = answer.status, answer.read().decode()
            client.close()
            if found[0] == status or time.monotonic() > deadline:
                break
            time.sleep(0.05)
        self.assertEqual(found[0], status, found[1])
        self.assertTrue(found[1].startswith(text), found[1])

    def test_deletes_go_on(self):
        """With buffers of the usual size: while RocksDB can write no table it takes no write at all."""
        self.assertEqual(self.server.stop(), 0)
        self.server.flags = ["--auth", "off"]
        self.start()
        self.connection.send("CreateTable", **(LEDGER_REQUEST | {"TableName": "Other"}))
        for number in range(50):
            self.connection.send("PutItem", TableName="Other", Item=new_item(number, "other"))
        self.put_until_refused("before")
        self.connection.send("DeleteTable", TableName="Other")
        key, item = self.items.popitem()
        self.connection.send("DeleteItem", **where(key))
        with self.assertRaises(Refused) as refusal:
            self.connection.send("PutItem", TableName=LEDGER, Item=item)
        self.expect_fault(refusal.exception)
        self.assertEqual(self.connection.send("ListTables")["TableNames"], [LEDGER])
        self.expect_exactly_what_was_acknowledged(lagging=True)
        self.server.kill()
        self.start()
        self.assertEqual(self.connection.send("ListTables")["TableNames"], [LEDGER])
        self.expect_exactly_what_was_acknowledged()

    def expect_exactly_what_was_acknowledged(self, lagging=False):
        """`lagging`: the global index may lack entries, since there is no space to apply them."""
        found = all_pages(self.connection, "Scan", TableName=LEDGER)
        check_items(self.items, {key_of(LEDGER, item): item for item in found})
        for index in (Index("ByGrade", "Pk", "Grade"), Index("ByGroup", "G", "Grade")):
            entries = all_pages(self.connection, "Scan", TableName=LEDGER, IndexName=index.name)
            applied = {key_of(LEDGER, entry) for entry in entries}
            if lagging and index.name == "ByGroup":
                self.assertTrue(applied)
                check_index([item for item in found if key_of(LEDGER, item) in applied], entries, index)
            else:
                check_index(found, entries, index)
        key, item = next(iter(self.items.items()))
        self.assertEqual(self.connection.send("GetItem", ConsistentRead=True, **where(key))["Item"], item)

    def test_writes_fail_while_it_lasts_and_recover(self):
        for turn in range(2):
            self.expect_readiness(200, "ready")
            self.put_until_refused(f"turn {turn}")
            self.expect_readiness(503, "not ready: the disk of the data directory is full")
            self.expect_all_refused()
            self.expect_exactly_what_was_acknowledged(lagging=True)
            self.set_disk(full=False)
            self.expect_readiness(200, "ready")
            self.put_until_accepted(f"after turn {turn}")
            self.expect_exactly_what_was_acknowledged()
        line = next(line for line in self.log().splitlines() if "internal error in PutItem (request " in line)
        self.assertIn("No space left on device", line)
        self.assertIn(self.server.data_folder, line)
        self.assertEqual(self.server.stop(), 0)
        self.start()
        self.expect_exactly_what_was_acknowledged()

    def test_a_start_without_space_says_so_and_loses_nothing(self):
        for number in range(200):
            self.put(f"{number}")
        self.server.kill()
        os.remove(os.path.join(self.server.data_folder, "reserve"))  # which would do for a start
        ended = subprocess.run(self.server.command, env=os.environ | {"FULL_DISK_AT_START": "yes"},
                               capture_output=True, text=True, timeout=120, check=False)
        self.assertEqual(ended.returncode, 1, ended.stderr)
        self.assertEqual(ended.stderr.count("\n"), 1, ended.stderr)
        self.assertTrue(ended.stderr.startswith("magneto: "), ended.stderr)
        self.assertIn("No space left on device", ended.stderr)
        self.assertIn(self.server.data_folder, ended.stderr)
        self.start()
        self.expect_exactly_what_was_acknowledged()

    def test_a_process_killed_meanwhile_loses_nothing(self):
        self.put_until_refused("before")
        self.server.kill()
        self.start()
        self.expect_exactly_what_was_acknowledged()
        self.put_until_accepted("after")
        self.server.kill()
        with self.assertRaises(Lost):
            self.connection.send("ListTables")
        self.start()
        self.expect_exactly_what_was_acknowledged()


if __name__ == "__main__":
    BINARY = sys.argv.pop(1)
    unittest.main(verbosity=2)

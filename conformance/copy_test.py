"""copy_test.py <binary> [seed]: magneto copy between two servers, also while clients write and the copy is killed.

The copy that follows is killed by SIGKILL twenty times, at random moments, while clients put, change and delete
items of tables with one and with three shards; the one that is not killed ends with equal tables. Digests are not
believed here: all items are read from both servers and compared.
"""

import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest

from wire import Connection, all_pages
from with_server import Server

KILLS = 20
WRITERS = 3
KEYS = 400
PATIENCE_SECONDS = 120
STOPPED = 130
DIFFERS = 3


def table(name, sort_key=False, **more):
    keys = ["pk", "sk"] if sort_key else ["pk"]
    return {"TableName": name, "BillingMode": "PAY_PER_REQUEST",
            "KeySchema": [{"AttributeName": key, "KeyType": kind} for key, kind in zip(keys, ("HASH", "RANGE"))],
            "AttributeDefinitions": [{"AttributeName": key, "AttributeType": "S"} for key in keys]} | more


STREAM = {"StreamSpecification": {"StreamEnabled": True, "StreamViewType": "NEW_IMAGE"}}


def canonical(value):
    """The value with sets in order."""
    if isinstance(value, dict):
        return tuple(sorted((key, tuple(sorted(inner)) if key in ("SS", "NS", "BS") else canonical(inner))
                            for key, inner in value.items()))
    if isinstance(value, list):
        return tuple(canonical(inner) for inner in value)
    return value


def items(server, name):
    connection = Connection(server.port)
    found = all_pages(connection, "Scan", TableName=name, ConsistentRead=True)
    connection.close()
    return sorted(canonical(item) for item in found)


class Writer(threading.Thread):
    """Changes items of the tables until it is stopped."""

    def __init__(self, server, tables, seed):
        super().__init__(daemon=True)
        self._connection = Connection(server.port)
        self._tables = tables
        self._random = random.Random(seed)
        self.ended = threading.Event()
        self.writes = 0
        self.fault = None

    def run(self):
        try:
            while not self.ended.is_set():
                self.write()
                self.writes += 1
                time.sleep(0.0005)
        except Exception as error:  # told by the test
            self.fault = error
        self._connection.close()

    def write(self):
        name = self._random.choice(self._tables)
        key = {"pk": {"S": f"key-{self._random.randrange(KEYS)}"}}
        choice = self._random.random()
        if choice < 0.5:
            item = key | {"n": {"N": str(self._random.randrange(10 ** 9))}, "s": {"SS": ["a", f"b{self.writes % 5}"]}}
            self._connection.send("PutItem", TableName=name, Item=item)
        elif choice < 0.75:
            self._connection.send("UpdateItem", TableName=name, Key=key, UpdateExpression="ADD c :one",
                                  ExpressionAttributeValues={":one": {"N": "1"}})
        else:
            self._connection.send("DeleteItem", TableName=name, Key=key)


class CopyCase(unittest.TestCase):
    binary = None

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.state = os.path.join(folder.name, "state")

    def start(self, engine, *flags):
        server = Server(self.binary, engine, "--auth", "off", *flags)
        self.addCleanup(server.remove)
        server.start()
        connection = Connection(server.port)
        self.addCleanup(connection.close)
        return server, connection

    def command(self, source, target, *flags):
        return [self.binary, "copy", "--from", source.endpoint, "--to", target.endpoint, "--segments", "3", *flags]

    def copy(self, source, target, *flags, status=0):
        done = subprocess.run(self.command(source, target, *flags), capture_output=True, text=True,
                              timeout=PATIENCE_SECONDS, check=False)
        self.assertEqual(done.returncode, status, done.stderr)
        return done.stderr

    def fill(self, connection, name, count):
        for start in range(0, count, 25):
            puts = [{"PutRequest": {"Item": {"pk": {"S": f"key-{number}"}, "text": {"S": "x" * 1000}}}}
                    for number in range(start, min(count, start + 25))]
            connection.send("BatchWriteItem", RequestItems={name: puts})

    def assert_equal_tables(self, source, target, *names):
        for name in names:
            self.assertEqual(items(source, name), items(target, name), name)

    def kill_while_clients_write(self, source, connection, target, kills, seed):
        """The copy that follows is killed so many times; the one that is not ends with equal tables."""
        names = ["changed", "filled"]
        for name in names:
            connection.send("CreateTable", **table(name, **STREAM))
        self.fill(connection, "filled", 3000)
        writers = [Writer(source, names, f"{seed}-{number}") for number in range(WRITERS)]
        for writer in writers:
            writer.start()
        chosen = random.Random(seed)
        command = self.command(source, target, "--follow", "--state", self.state)
        early = 0
        for kill in range(kills):
            # The first half while the items are copied: some 8 s at this limit.
            slow = ["--write-limit", "400"] if kill < kills // 2 else []
            with subprocess.Popen(command + slow, stderr=subprocess.PIPE, text=True) as copying:
                time.sleep(chosen.uniform(0.02, 1.2))
                early += copying.poll() is not None
                copying.kill()
                told = copying.stderr.read()
            self.assertEqual(copying.returncode, -signal.SIGKILL, told)
        for writer in writers:
            writer.ended.set()
        for writer in writers:
            writer.join()
            self.assertIsNone(writer.fault)
        told = self.copy(source, target, "--follow", "--until-caught-up", "--verify", "--state", self.state)
        print(f"{sum(writer.writes for writer in writers)} writes, {kills} kills, seed {seed}; at last:\n{told}")
        self.assertEqual(early, 0)
        self.assert_equal_tables(source, target, *names)


class CopyTest(CopyCase):
    def setUp(self):
        self.binary = BINARY
        super().setUp()

    def test_kills_while_clients_write(self):
        source, connection = self.start("memory", "--partitions", "3")
        target, _ = self.start("disk")
        self.kill_while_clients_write(source, connection, target, KILLS, SEED)

    def test_follows_until_it_is_interrupted(self):
        source, connection = self.start("disk")
        target, watching = self.start("memory")
        connection.send("CreateTable", **table("followed"))
        self.fill(connection, "followed", 50)
        self.assertIn("--enable-stream", self.copy(source, target, "--follow", status=1))
        with subprocess.Popen(self.command(source, target, "--follow", "--enable-stream"), stderr=subprocess.PIPE,
                              text=True) as following:
            deadline = time.monotonic() + PATIENCE_SECONDS
            connection.send("PutItem", TableName="followed", Item={"pk": {"S": "late"}})
            connection.send("DeleteItem", TableName="followed", Key={"pk": {"S": "key-7"}})
            while time.monotonic() < deadline:
                names = watching.send("ListTables")["TableNames"]
                if names and items(source, "followed") == items(target, "followed"):
                    break
                time.sleep(0.1)
            # The copy continues after that.
            time.sleep(2)
            connection.send("PutItem", TableName="followed", Item={"pk": {"S": "later"}})
            while time.monotonic() < deadline and items(source, "followed") != items(target, "followed"):
                time.sleep(0.1)
            following.send_signal(signal.SIGINT)
            told = following.communicate(timeout=PATIENCE_SECONDS)[1]
        self.assertEqual(following.returncode, 0, told)
        self.assert_equal_tables(source, target, "followed")
        self.assertNotIn("StreamSpecification", watching.send("DescribeTable", TableName="followed")["Table"])

    def test_an_interrupted_copy_goes_on(self):
        source, connection = self.start("disk")
        target, to = self.start("memory")
        connection.send("CreateTable", **table("big", **STREAM))
        self.fill(connection, "big", 3000)
        flags = ["--state", self.state, "--write-limit", "100"]
        with subprocess.Popen(self.command(source, target, *flags), stderr=subprocess.PIPE, text=True) as copying:
            deadline = time.monotonic() + PATIENCE_SECONDS
            while "big" not in to.send("ListTables")["TableNames"] or not items(target, "big"):
                self.assertLess(time.monotonic(), deadline, "nothing is copied")
                time.sleep(0.01)
            copying.send_signal(signal.SIGTERM)
            told = copying.communicate(timeout=PATIENCE_SECONDS)[1]
        self.assertEqual(copying.returncode, STOPPED, told)
        # Without its state, a copy does not know where to continue.
        self.assertIn("has items already", self.copy(source, target, status=1))
        told = self.copy(source, target, "--state", self.state, "--verify")
        self.assertIn("3000 items", told)
        self.assert_equal_tables(source, target, "big")
        described = to.send("DescribeTable", TableName="big")["Table"]
        self.assertEqual(described["StreamSpecification"]["StreamViewType"], "NEW_IMAGE")
        to.send("DeleteItem", TableName="big", Key={"pk": {"S": "key-5"}})
        self.assertIn("key-5", self.copy(source, target, "--state", self.state, "--verify", status=DIFFERS))

    def test_dry_run_and_data_directories(self):
        source, connection = self.start("disk")
        target, _ = self.start("disk")
        connection.send("CreateTable", **table("a-1", sort_key=True, DeletionProtectionEnabled=True))
        connection.send("CreateTable", **table("b-1"))
        connection.send("PutItem", TableName="a-1", Item={"pk": {"S": "p"}, "sk": {"S": "s"}, "b": {"B": "AAEC"}})
        self.assertIn("a-1 would be made", self.copy(source, target, "--only", "a-*", "--dry-run"))
        source.stop()
        target.stop()
        done = subprocess.run([BINARY, "copy", "--from-data-dir", source.data_folder, "--to-data-dir",
                               target.data_folder, "--only", "a-*", "--verify"], capture_output=True, text=True,
                              timeout=PATIENCE_SECONDS, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        source.start()
        target.start()
        self.assert_equal_tables(source, target, "a-1")
        to = Connection(target.port)
        self.addCleanup(to.close)
        self.assertEqual(to.send("ListTables")["TableNames"], ["a-1"])
        self.assertTrue(to.send("DescribeTable", TableName="a-1")["Table"]["DeletionProtectionEnabled"])

    def test_accounts_of_one_server(self):
        source, connection = self.start("memory")
        isolated, _ = self.start("memory", "--isolate", "region")
        last, _ = self.start("memory")
        connection.send("CreateTable", **table("moved"))
        self.fill(connection, "moved", 100)
        self.copy(source, isolated, "--to-region", "us-east-1")
        self.copy(isolated, isolated, "--from-region", "us-east-1", "--to-region", "eu-west-1", "--verify")
        self.copy(isolated, last, "--from-region", "eu-west-1")
        self.assert_equal_tables(source, last, "moved")
        told = subprocess.run([BINARY, "copy", "--from", source.endpoint, "--to", f"http://localhost:{source.port}"],
                              capture_output=True, text=True, timeout=PATIENCE_SECONDS, check=False)
        self.assertEqual(told.returncode, 1, told.stderr)
        self.assertIn("are the same server: table moved", told.stderr)

    def test_usage_errors(self):
        for flags in (["--from", "http://127.0.0.1:1"], ["--to", "http://127.0.0.1:1"],
                      ["--from", "http://a", "--to", "http://b", "--until-caught-up"],
                      ["--from", "http://a", "--to", "http://b", "--follow", "--filter", "x"],
                      ["--from", "http://a", "--to", "http://b", "--filter-values", "{}"],
                      ["--from", "http://a", "--to", "http://b", "--filter", "x", "--filter-values", "[]"],
                      ["--from", "http://a", "--to", "http://b", "--follow", "--verify"],
                      ["--from", "http://a", "--to", "http://b", "--segments", "0"]):
            done = subprocess.run([BINARY, "copy", *flags], capture_output=True, text=True, timeout=60, check=False)
            self.assertEqual((done.returncode, done.stderr.count("\n")), (2, 1), done.stderr)


if __name__ == "__main__":
    BINARY = os.path.abspath(sys.argv.pop(1))
    SEED = int(sys.argv.pop(1)) if len(sys.argv) > 1 and sys.argv[1].isdigit() else 1
    unittest.main(verbosity=2)

"""point_in_time_test.py <binary>: a table is restored to a past state, also after changes of the clock and kill -9,
and its history is bounded.
"""

import gzip
import json
import math
import os
import pathlib
import random
import shutil
import sys
import tempfile
import time
import unittest
import urllib.request

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "python"))

from botocore.exceptions import ClientError, EndpointConnectionError, HTTPClientError
from side_by_side import side_by_side
from table_case import connect
from wire import PATIENCE_SECONDS
from with_server import Server, client_environment

ACCOUNTS = 200
UNITS = 100  # of each account at first
MOVERS = 4
TOKEN = "a-token-of-the-tests-of-restores"
TABLE = {
    "BillingMode": "PAY_PER_REQUEST",
    "AttributeDefinitions": [{"AttributeName": name, "AttributeType": "S"} for name in ("pk", "kind")],
    "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
    "GlobalSecondaryIndexes": [{"IndexName": "ByKind", "KeySchema": [{"AttributeName": "kind", "KeyType": "HASH"}],
                                "Projection": {"ProjectionType": "KEYS_ONLY"}}],
}


class PointInTimeCase(unittest.TestCase):
    def serve(self, engine, *flags):
        self.server = Server(BINARY, engine, "--control-token", TOKEN, *flags)
        self.addCleanup(self.server.remove)
        self.server.errors = tempfile.TemporaryFile()
        self.addCleanup(self.server.errors.close)
        self.start()
        self.restored = 0

    def start(self):
        self.server.start()
        os.environ.update(client_environment(self.server.endpoint))
        self.client = connect()
        self.addCleanup(self.client.close)

    def said(self):
        self.server.errors.seek(0)
        return self.server.errors.read().decode()

    def change_clock(self, **how):
        request = urllib.request.Request(f"{self.server.endpoint}/_/namespaces/main/clock", json.dumps(how).encode(),
                                         {"Authorization": f"Bearer {TOKEN}"}, method="PUT")
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer)

    def make(self, table):
        self.client.create_table(TableName=table, **TABLE)
        self.client.update_continuous_backups(
            TableName=table, PointInTimeRecoverySpecification={"PointInTimeRecoveryEnabled": True})

    def window(self, table):
        """The earliest and the latest time, seconds."""
        described = self.client.describe_continuous_backups(TableName=table)["ContinuousBackupsDescription"]
        recovery = described["PointInTimeRecoveryDescription"]
        return (recovery["EarliestRestorableDateTime"].timestamp(), recovery["LatestRestorableDateTime"].timestamp())

    def read(self, table):
        """All items: the key and the number of each."""
        found, start = {}, {}
        while True:
            page = self.client.scan(TableName=table, ConsistentRead=True, **start)
            found.update({item["pk"]: int(item["n"]) for item in page["Items"]})
            if "LastEvaluatedKey" not in page:
                return found
            start = {"ExclusiveStartKey": page["LastEvaluatedKey"]}

    def count_by_index(self, table):
        count, start = 0, {}
        while True:
            page = self.client.query(TableName=table, IndexName="ByKind", KeyConditionExpression="kind = :k", Select="COUNT",
                                     ExpressionAttributeValues={":k": "account"}, **start)
            count += page["Count"]
            if "LastEvaluatedKey" not in page:
                return count
            start = {"ExclusiveStartKey": page["LastEvaluatedKey"]}

    def wait_for_table(self, table):
        deadline = time.monotonic() + PATIENCE_SECONDS
        while self.client.describe_table(TableName=table)["Table"]["TableStatus"] != "ACTIVE":
            self.assertLess(time.monotonic(), deadline, f"{table} does not become ACTIVE")
            time.sleep(0.005)

    def restore(self, table, when=None):
        """Begins a restore to that second, or to the latest; the name of the new table."""
        self.restored += 1
        name = f"Restored{self.restored}"
        to = {"UseLatestRestorableTime": True} if when is None else {"RestoreDateTime": when}
        made = self.client.restore_table_to_point_in_time(SourceTableName=table, TargetTableName=name, **to)["TableDescription"]
        self.assertEqual((made["TableStatus"], made["RestoreSummary"]["RestoreInProgress"]), ("CREATING", True))
        return name

    def state_at(self, table, when=None):
        name = self.restore(table, when)
        self.wait_for_table(name)
        state = self.read(name)
        self.assertEqual(self.count_by_index(name), sum(1 for key in state if key.isdigit()))
        self.client.delete_table(TableName=name)
        return state

    def require_no_restore(self, table, when):
        with self.assertRaises(ClientError) as raised:
            self.restore(table, when)
        self.assertEqual(raised.exception.response["Error"]["Code"], "InvalidRestoreTimeException")

    def put(self, table, number, n):
        self.client.put_item(TableName=table, Item={"pk": f"{number:06d}", "kind": "account", "n": n})


class ClockTest(PointInTimeCase):
    def play(self, engine):
        self.serve(engine)
        self.change_clock(now="2031-02-03T12:00:00Z", frozen=True)
        self.make("Tab")
        begun = int(self.window("Tab")[0])
        choice = random.Random(5)
        states = {begun: {}}
        for hour in range(1, 60):
            self.change_clock(advance="1h")
            for _ in range(choice.randrange(6)):
                if choice.random() < 0.3:
                    self.client.delete_item(TableName="Tab", Key={"pk": f"{choice.randrange(12):06d}"})
                else:
                    self.put("Tab", choice.randrange(12), choice.randrange(1000))
            states[begun + 3600 * hour] = self.read("Tab")
            if engine == "disk" and hour % 20 == 0:
                self.server.kill()
                self.start()
                self.change_clock(now=time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(begun + 3600 * hour)), frozen=True)
        for when, state in states.items():
            self.assertEqual(self.state_at("Tab", when), state, when - begun)
            self.assertEqual(self.state_at("Tab", min(when + 1800, begun + 59 * 3600)), state, when - begun)
        self.assertEqual(self.state_at("Tab"), self.read("Tab"))
        self.assertEqual(self.window("Tab"), (begun, begun + 59 * 3600))
        self.require_no_restore("Tab", begun - 1)
        self.require_no_restore("Tab", begun + 59 * 3600 + 1)
        # Set back, time comes again: the second one counts, also where the clock is turned on over it.
        self.change_clock(now=time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(begun + 10 * 3600)), frozen=True)
        self.put("Tab", 99, 99)
        self.assertEqual(self.state_at("Tab", begun + 10 * 3600), self.read("Tab"))
        self.assertEqual(self.state_at("Tab", begun + 9 * 3600), states[begun + 9 * 3600])
        self.change_clock(advance="840h")
        self.assertEqual(self.window("Tab")[0], begun + 10 * 3600)
        self.require_no_restore("Tab", begun + 9 * 3600)
        self.assertEqual(self.state_at("Tab", begun + 10 * 3600 + 60), self.read("Tab"))

    def test_in_memory(self):
        self.play("memory")

    def test_on_disk(self):
        self.play("disk")

    def test_a_small_turn_back_hides_no_write(self):
        self.serve("memory")
        self.change_clock(now="2031-02-03T12:00:00Z", frozen=True)
        self.make("Tab")
        self.change_clock(advance="1500ms")
        for number in range(20):
            self.put("Tab", number, 0)
        self.change_clock(advance="-500ms")
        when = self.window("Tab")[1]
        self.change_clock(advance="2s")
        self.put("Tab", 99, 0)
        self.assertEqual(len(self.state_at("Tab", when)), 20)
        self.assertEqual(len(self.state_at("Tab")), 21)


class RestartTest(PointInTimeCase):
    """The clock was an hour ahead. After a restart it shows real time, and all that was acknowledged is there."""

    def play(self, end, frozen):
        folder = pathlib.Path(tempfile.mkdtemp(prefix="magneto-past-"))
        self.addCleanup(shutil.rmtree, folder, ignore_errors=True)
        self.bucket = folder / "bucket"
        self.bucket.mkdir()
        self.serve("disk", f"--s3-dir={folder}")
        self.make("Tab")
        arn = self.client.describe_table(TableName="Tab")["Table"]["TableArn"]
        self.put("Tab", 1, 1)
        self.change_clock(advance="1h", frozen=frozen)
        self.put("Tab", 1, 2)
        end()
        self.start()
        second = {"000001": 2}
        self.assertEqual(self.state_at("Tab"), second)
        since = math.ceil(self.window("Tab")[1])
        self.change_clock(advance="2s")
        self.assertEqual(self.state_at("Tab", since), second)
        self.assertEqual(self.state_at("Tab"), second)
        self.assertEqual(self.exported(arn, since), second)
        self.put("Tab", 1, 3)
        self.change_clock(advance="2s")
        self.assertEqual(self.state_at("Tab", since), second)
        self.assertEqual(self.exported(arn, since), second)
        self.assertEqual(self.state_at("Tab"), {"000001": 3})

    def exported(self, arn, when):
        job = self.client.export_table_to_point_in_time(TableArn=arn, S3Bucket="bucket", ExportTime=when)["ExportDescription"]
        deadline = time.monotonic() + PATIENCE_SECONDS
        while job["ExportStatus"] == "IN_PROGRESS":
            self.assertLess(time.monotonic(), deadline, job)
            time.sleep(0.005)
            job = self.client.describe_export(ExportArn=job["ExportArn"])["ExportDescription"]
        self.assertEqual(job["ExportStatus"], "COMPLETED", job)
        items = {}
        for data in self.bucket.glob(f"AWSDynamoDB/{job['ExportArn'].rpartition('/')[2]}/data/*"):
            for line in gzip.decompress(data.read_bytes()).decode().splitlines():
                item = json.loads(line)["Item"]
                items[item["pk"]["S"]] = int(item["n"]["N"])
        return items

    def test_killed(self):
        self.play(lambda: self.server.kill(), False)

    def test_stopped(self):
        self.play(lambda: self.assertEqual(self.server.stop(), 0), False)

    def test_killed_while_the_clock_stood(self):
        self.play(lambda: self.server.kill(), True)

    def test_started_several_times_without_a_write(self):
        self.serve("disk")
        self.change_clock(now="2031-02-03T12:00:00Z", frozen=True)
        self.make("Tab")
        begun = int(self.window("Tab")[0])
        for hour in range(3):
            self.put("Tab", 1, hour)
            self.change_clock(advance="1h")
        for _ in range(3):
            self.server.kill()
            self.start()
        self.change_clock(now="2031-02-01T00:00:00Z")
        self.server.kill()
        self.start()
        self.change_clock(now="2031-02-03T15:00:00Z", frozen=True)
        for hour in range(3):
            self.assertEqual(self.state_at("Tab", begun + 3600 * hour + 60), {"000001": hour})


class WhileClientsWriteTest(PointInTimeCase):
    """Transactions move units between accounts: at each moment the accounts have the same sum."""

    def move(self, stop, seed):
        choice = random.Random(seed)
        client = connect()
        while not stop.is_set():
            taken, given = choice.sample(range(ACCOUNTS), 2)
            try:
                client.transact_write_items(TransactItems=[
                    {"Update": {"TableName": "Accounts", "Key": {"pk": f"{number:06d}"}, "UpdateExpression": "ADD n :by",
                                "ExpressionAttributeValues": {":by": by}}}
                    for number, by in ((taken, -1), (given, 1))])
            except ClientError as error:  # another one has one of both
                self.assertEqual(error.response["Error"]["Code"], "TransactionCanceledException")
            except (EndpointConnectionError, HTTPClientError):  # killed
                if not self.may_be_killed:
                    raise
                time.sleep(0.01)
        client.close()

    def count(self, stop, number):
        """Puts 1, 2, 3 ... under one key, and notes when each was begun and answered."""
        client = connect()
        n = 0
        while not stop.is_set():
            n += 1
            at = len(self.counted[number])
            begun = time.time()
            # Noted before it is sent: others look while it is under way.
            self.counted[number].append((n, begun, float("inf")))
            try:
                client.put_item(TableName="Accounts", Item={"pk": f"counter{number}", "kind": "counter", "n": n})
                self.counted[number][at] = (n, begun, time.time())
            except (EndpointConnectionError, HTTPClientError):
                if not self.may_be_killed:
                    raise
                time.sleep(0.01)
        client.close()

    def next_second(self, after):
        """A whole second behind that time, once it has come."""
        wanted = math.floor(after) + 1
        deadline = time.monotonic() + PATIENCE_SECONDS
        while self.window("Accounts")[1] < wanted:
            self.assertLess(time.monotonic(), deadline, "the latest time stands still")
            time.sleep(0.01)
        return wanted

    def require_state(self, state, when):
        accounts = {key: n for key, n in state.items() if key.isdigit()}
        self.assertEqual((len(accounts), sum(accounts.values())), (ACCOUNTS, ACCOUNTS * UNITS), when)
        for number, puts in self.counted.items():
            answered = max((n for n, _, end in list(puts) if end < when), default=0)
            begun = max((n for n, start, _ in list(puts) if start <= when), default=0)
            n = state.get(f"counter{number}", 0)
            self.assertTrue(answered <= n <= begun, (when, answered, n, begun))

    def play(self, engine, kills):
        self.serve(engine)
        self.may_be_killed = kills > 0
        self.counted = {0: [], 1: []}
        self.make("Accounts")
        for number in range(ACCOUNTS):
            self.put("Accounts", number, UNITS)
        times = []
        filled = self.window("Accounts")[1]
        movers = [lambda stop, seed=seed: self.move(stop, seed) for seed in range(MOVERS)]
        counters = [lambda stop, number=number: self.count(stop, number) for number in self.counted]
        with side_by_side([*movers, *counters]):
            for turn in range(max(kills, 3)):
                times.append(self.next_second(max([filled, *times])))
                if turn < kills:
                    self.server.kill()
                    self.start()
            self.require_state(self.state_at("Accounts", times[0]), times[0])
            name = self.restore("Accounts", times[-1])
            if kills:
                self.server.kill()
                self.start()
            self.wait_for_table(name)
            self.require_state(self.read(name), times[-1])
        states = []
        for when in sorted(set(times)):
            states.append(self.state_at("Accounts", when))
            self.require_state(states[-1], when)
        self.assertGreater(len({tuple(sorted(state.items())) for state in states}), 1)
        self.require_state(self.state_at("Accounts"), time.time())

    def test_in_memory(self):
        self.play("memory", 0)

    def test_on_disk(self):
        self.play("disk", 0)

    def test_killed(self):
        self.play("disk", 4)


class BoundedTest(PointInTimeCase):
    def write(self, stop, number):
        client = connect()
        body = "b" * 8_000
        while not stop.is_set():
            self.written[number] += 1
            client.put_item(TableName="Tab", Item={"pk": f"{number:06d}", "kind": "account", "n": self.written[number], "body": body})
        client.close()

    def play(self, engine):
        self.serve(engine, "--pitr-max-mb", "1")
        self.make("Tab")
        self.written = [0] * 3
        first = self.window("Tab")[0]
        with side_by_side([lambda stop, number=number: self.write(stop, number) for number in range(3)]):
            deadline = time.monotonic() + PATIENCE_SECONDS
            moved = first
            while sum(self.written) < 1_000 or moved < first + 2:
                self.assertLess(time.monotonic(), deadline, "the window does not shrink")
                time.sleep(0.05)
                moved = self.window("Tab")[0]
        earliest, latest = self.window("Tab")
        self.assertGreater(earliest, first)
        self.require_no_restore("Tab", first - 1)
        self.require_no_restore("Tab", int(earliest) - 2)
        if earliest == int(earliest):
            self.assertEqual(len(self.state_at("Tab", int(earliest))), 3)
        self.assertEqual(list(self.state_at("Tab").values()), list(self.read("Tab").values()))
        self.assertEqual(self.said().count("point-in-time recovery has used its memory (--pitr-max-mb): from now on, table Tab"), 1)
        if engine == "disk":
            self.server.kill()
            self.start()
            self.assertGreaterEqual(self.window("Tab")[0], earliest)
            self.assertEqual(self.state_at("Tab"), self.read("Tab"))

    def test_in_memory(self):
        self.play("memory")

    def test_on_disk(self):
        self.play("disk")


if __name__ == "__main__":
    BINARY = sys.argv.pop(1)
    unittest.main(verbosity=2)

"""backups_test.py <binary>: backups are of one moment and whole, and so are the tables restored from them, over kill -9 too."""

import os
import pathlib
import random
import sys
import tempfile
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "python"))

from botocore.exceptions import ClientError
from side_by_side import side_by_side
from table_case import connect
from wire import PATIENCE_SECONDS
from with_server import Server, client_environment

ACCOUNTS = 400
UNITS = 100  # of each account at first
MOVERS = 6
LARGE_ITEMS = 20_000
TABLE = {
    "BillingMode": "PAY_PER_REQUEST",
    "AttributeDefinitions": [{"AttributeName": name, "AttributeType": "S"} for name in ("pk", "kind")],
    "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
    "GlobalSecondaryIndexes": [{"IndexName": "ByKind", "KeySchema": [{"AttributeName": "kind", "KeyType": "HASH"}],
                                "Projection": {"ProjectionType": "KEYS_ONLY"}}],
}


class BackupsCase(unittest.TestCase):
    def serve(self, engine):
        self.server = Server(BINARY, engine)
        self.addCleanup(self.server.remove)
        self.server.errors = tempfile.TemporaryFile()
        self.addCleanup(self.server.errors.close)
        self.start()

    def start(self):
        self.server.start()
        os.environ.update(client_environment(self.server.endpoint))
        self.client = connect()
        self.addCleanup(self.client.close)

    def kill_and_start(self):
        self.server.kill()
        self.start()

    def said(self):
        self.server.errors.seek(0)
        return self.server.errors.read().decode()

    def fill(self, table, count, kind="account"):
        for first in range(0, count, 25):
            items = [{"pk": f"{number:06d}", "kind": kind, "n": UNITS, "body": f"{number}." * 100}
                     for number in range(first, min(first + 25, count))]
            self.client.batch_write_item(RequestItems={table: [{"PutRequest": {"Item": item}} for item in items]})

    def read(self, table):
        """All items: the key and the number of each."""
        found, start = {}, {}
        while True:
            page = self.client.scan(TableName=table, ConsistentRead=True, **start)
            found.update({item["pk"]: int(item["n"]) for item in page["Items"]})
            if "LastEvaluatedKey" not in page:
                return found
            start = {"ExclusiveStartKey": page["LastEvaluatedKey"]}

    def count_by_index(self, table, kind="account"):
        count, start = 0, {}
        while True:
            page = self.client.query(TableName=table, IndexName="ByKind", KeyConditionExpression="kind = :k", Select="COUNT",
                                     ExpressionAttributeValues={":k": kind}, **start)
            count += page["Count"]
            if "LastEvaluatedKey" not in page:
                return count
            start = {"ExclusiveStartKey": page["LastEvaluatedKey"]}

    def back_up(self, table, name="nightly"):
        details = self.client.create_backup(TableName=table, BackupName=name)["BackupDetails"]
        self.assertEqual((details["BackupName"], details["BackupType"]), (name, "USER"))
        return details["BackupArn"]

    def status(self, arn):
        return self.client.describe_backup(BackupArn=arn)["BackupDescription"]["BackupDetails"]["BackupStatus"]

    def wait_until(self, holds, what):
        deadline = time.monotonic() + PATIENCE_SECONDS
        while not holds():
            self.assertLess(time.monotonic(), deadline, what)
            time.sleep(0.005)

    def wait_for_backup(self, arn):
        self.wait_until(lambda: self.status(arn) == "AVAILABLE", f"{arn} does not become AVAILABLE")

    def describe(self, table):
        return self.client.describe_table(TableName=table)["Table"]

    def wait_for_table(self, table):
        self.wait_until(lambda: self.describe(table)["TableStatus"] == "ACTIVE", f"{table} does not become ACTIVE")
        self.assertNotIn("RestoreSummary", self.describe(table))

    def restore(self, arn, table):
        made = self.client.restore_table_from_backup(TargetTableName=table, BackupArn=arn)["TableDescription"]
        self.assertEqual((made["TableStatus"], made["RestoreSummary"]["RestoreInProgress"]), ("CREATING", True))
        self.assertEqual(made["RestoreSummary"]["SourceBackupArn"], arn)

    def require_error(self, name, call, **request):
        with self.assertRaises(ClientError) as raised:
            call(**request)
        self.assertEqual(raised.exception.response["Error"]["Code"], name)


class WhileClientsWriteTest(BackupsCase):
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
        client.close()

    def play(self, engine):
        self.serve(engine)
        self.client.create_table(TableName="Accounts", **TABLE)
        self.fill("Accounts", ACCOUNTS)
        backups = []
        with side_by_side([lambda stop, seed=seed: self.move(stop, seed) for seed in range(MOVERS)]):
            for turn in range(8):
                backups.append(self.back_up("Accounts", f"turn-{turn}"))
                self.wait_for_backup(backups[-1])
        self.client.delete_table(TableName="Accounts")
        states = []
        for turn, arn in enumerate(backups):
            self.restore(arn, f"Restored{turn}")
            self.wait_for_table(f"Restored{turn}")
            states.append(self.read(f"Restored{turn}"))
            self.assertEqual((len(states[-1]), sum(states[-1].values())), (ACCOUNTS, ACCOUNTS * UNITS))
            self.assertEqual(self.count_by_index(f"Restored{turn}"), ACCOUNTS)
        self.assertGreater(len({tuple(sorted(state.items())) for state in states}), 1)
        self.list_and_delete(backups)

    def list_and_delete(self, backups):
        self.require_error("TableAlreadyExistsException", self.client.restore_table_from_backup,
                           TargetTableName="Restored0", BackupArn=backups[0])
        found, start = [], {}
        while True:
            page = self.client.list_backups(TableName="Accounts", Limit=3, **start)
            found += [summary["BackupArn"] for summary in page["BackupSummaries"]]
            if "LastEvaluatedBackupArn" not in page:
                break
            start = {"ExclusiveStartBackupArn": page["LastEvaluatedBackupArn"]}
            self.client.delete_backup(BackupArn=page["LastEvaluatedBackupArn"])
        self.assertEqual(found, backups)
        for summary in self.client.list_backups()["BackupSummaries"]:
            deleted = self.client.delete_backup(BackupArn=summary["BackupArn"])["BackupDescription"]
            self.assertEqual(deleted["BackupDetails"]["BackupStatus"], "DELETED")
        for arn in backups:
            self.require_error("BackupNotFoundException", self.client.describe_backup, BackupArn=arn)
        self.assertEqual(self.client.list_backups()["BackupSummaries"], [])

    def test_in_memory(self):
        self.play("memory")

    def test_on_disk(self):
        self.play("disk")


class KilledTest(BackupsCase):
    def setUp(self):
        self.serve("disk")
        self.client.create_table(TableName="Large", **TABLE)
        self.fill("Large", LARGE_ITEMS)
        self.state = self.read("Large")
        self.assertEqual(len(self.state), LARGE_ITEMS)

    def require_whole(self, table):
        self.assertEqual(self.read(table), self.state)
        self.assertEqual(self.count_by_index(table), LARGE_ITEMS)
        self.assertEqual(self.describe(table)["ItemCount"], LARGE_ITEMS)

    def test_a_backup_that_is_cut_off_is_gone(self):
        whole, cut_off = [], 0
        for turn in range(6):
            arn = self.back_up("Large", f"turn-{turn}")
            time.sleep(0.02 * turn)  # some end before it
            self.kill_and_start()
            self.wait_until(lambda: not self.is_being_made(arn), f"{arn} stays CREATING")
            if arn in self.listed():
                self.assertEqual(self.status(arn), "AVAILABLE")
                whole.append(arn)
            else:
                self.require_error("BackupNotFoundException", self.client.describe_backup, BackupArn=arn)
                # It is gone a moment before the line about it is written.
                line = f"the backup turn-{turn} of table Large was removed"
                self.wait_until(lambda: line in self.said(), f"no line says: {line}")
                cut_off += 1
        self.assertGreater(cut_off, 0)
        last = self.back_up("Large")
        self.wait_for_backup(last)
        self.kill_and_start()
        self.assertEqual(self.listed(), [*whole, last])
        for turn, arn in enumerate([*whole[:1], last]):
            self.restore(arn, f"Restored{turn}")
            self.wait_for_table(f"Restored{turn}")
            self.require_whole(f"Restored{turn}")
        print(f"{cut_off} of 6 backups were cut off", flush=True)

    def listed(self):
        return [summary["BackupArn"] for summary in self.client.list_backups()["BackupSummaries"]]

    def is_being_made(self, arn):
        return any(summary["BackupArn"] == arn and summary["BackupStatus"] == "CREATING"
                   for summary in self.client.list_backups()["BackupSummaries"])

    def test_a_restore_that_is_cut_off_goes_on(self):
        arn = self.back_up("Large")
        self.wait_for_backup(arn)
        cut_off = 0
        for turn in range(4):
            table = f"Restored{turn}"
            self.restore(arn, table)
            for _ in range(3):
                time.sleep(0.02 * turn)
                self.kill_and_start()
                described = self.describe(table)
                in_progress = "RestoreSummary" in described
                self.assertEqual(described["TableStatus"], "CREATING" if in_progress else "ACTIVE")
                if in_progress:
                    cut_off += 1
                    self.require_refusals(arn, table)
                else:
                    self.require_whole(table)
            self.wait_for_table(table)
            self.require_whole(table)
        self.assertGreater(cut_off, 0)
        print(f"restores were cut off {cut_off} times", flush=True)
        self.client.delete_backup(BackupArn=arn)
        self.kill_and_start()
        self.require_error("BackupNotFoundException", self.client.describe_backup, BackupArn=arn)
        self.require_whole("Restored0")

    def require_refusals(self, arn, table):
        """Calls during the restore of a table, unless the table is ready by then."""
        for code, call in (
                ("ResourceNotFoundException", lambda: self.client.get_item(TableName=table, Key={"pk": "000001"})),
                ("TableInUseException", lambda: self.client.restore_table_from_backup(TargetTableName=table, BackupArn=arn)),
                ("ResourceNotFoundException", lambda: self.client.tag_resource(
                    ResourceArn=self.describe(table)["TableArn"], Tags=[{"Key": "k", "Value": "v"}]))):
            try:
                call()
                answered = "success"
            except ClientError as error:
                answered = error.response["Error"]["Code"]
            if self.describe(table)["TableStatus"] == "ACTIVE":
                return
            self.assertEqual(answered, code)


if __name__ == "__main__":
    BINARY = os.path.abspath(sys.argv[1])
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]], verbosity=2)

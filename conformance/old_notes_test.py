"""old_notes_test.py <binary>: jobs, positions and unfinished work that older binaries kept in files move into the store."""

import json
import os
import pathlib
import sys
import tempfile
import unittest

from wire import Connection, Refused
from with_server import Server

KEY = {"AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
       "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}], "BillingMode": "PAY_PER_REQUEST"}
TABLE_ARN = "arn:aws:dynamodb:us-east-1:000000000000:table/Notes"
JOBS = 400  # more than are written between two looks of this program


def job_name(number):
    return f"{1795858502201 + number:014d}-263fc4cc"


def arn_of(number):
    return f"{TABLE_ARN}/export/{job_name(number)}"


def job(number):
    """The file of an export, as 18ddf033 wrote it."""
    return json.dumps({
        "kind": "export", "status": "completed", "database": "", "begun": 1795858502.201, "arn": arn_of(number),
        "name": job_name(number), "tableName": "Notes", "tableArn": TABLE_ARN,
        "tableId": "13fe84a1-bf62-4fe4-aebc-09e36b2943b2", "clientToken": "",
        "request": '{"S3Bucket":"bucket","ExportFormat":"DYNAMODB_JSON"}', "failureCode": "", "failureMessage": "",
        "manifest": f"AWSDynamoDB/{job_name(number)}/manifest-summary.json", "items": number, "errors": 0, "bytes": 3,
        "totalBytes": 0, "startTime": 1795858502.200, "endTime": 1795858502.656, "exportTime": 1795858502.2})


class OldNotesTest(unittest.TestCase):
    def setUp(self):
        self.server = Server(BINARY, "disk", "--auth=off", "--own-bucket")
        self.addCleanup(self.server.remove)
        self.start()
        for table in ("Kept", "Unfinished"):
            self.connection.send("CreateTable", TableName=table, **KEY)
        self.server.stop()
        self.folder = pathlib.Path(self.server.data_folder)
        self.assertEqual(self.format(), 3)
        self.write("schema-tables.begun", "everybody\nUnfinished\n")
        self.write("deliveries/00ff.position", "17\n")
        self.write("event-sources/m-00ff-1.position", "18 3\n")
        self.write("event-sources/m-00ff-2.position.new", "1")
        self.write("dynamodb-local/shared-local-instance.db.imported", "Kept\n")
        for number in range(JOBS):
            self.write(f"jobs/{job_name(number)}.json", job(number) + "\n")

    def start(self):
        self.server.start()
        self.connection = Connection(self.server.port)
        self.addCleanup(self.connection.close)

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def format(self):
        return int((self.folder / "MAGNETO").read_text(encoding="ascii").split()[-1])

    def old_files(self):
        """A running server may delete files and folders meanwhile."""
        suffixes = (".begun", ".json", ".position", ".new", ".imported", ".importing")
        return [name for _, _, names in os.walk(self.folder) for name in names if name.endswith(suffixes)]

    def expect_all(self):
        self.assertEqual(self.connection.send("ListTables")["TableNames"], ["Kept"])
        for number in range(JOBS):
            found = self.connection.send("DescribeExport", ExportArn=arn_of(number))["ExportDescription"]
            self.assertEqual((found["ExportStatus"], found["ItemCount"]), ("COMPLETED", number))
        self.assertEqual(self.old_files(), [])
        self.assertEqual(self.format(), 7)

    def kill_once(self, condition):
        """Kills a start as soon as the condition holds."""
        self.server.launch()
        while not condition() and not self.server.is_ready():
            pass
        self.server.kill()

    def test_a_start_moves_them(self):
        self.start()
        self.expect_all()
        for folder in ("deliveries", "event-sources", "dynamodb-local"):
            self.assertFalse((self.folder / folder).exists(), folder)
        self.server.kill()
        self.start()
        self.expect_all()

    def test_killed_starts_lose_nothing(self):
        self.kill_once(lambda: self.format() == 7)
        files = len(self.old_files())
        self.kill_once(lambda: len(self.old_files()) < files)
        self.kill_once(lambda: not self.old_files())
        self.start()
        self.expect_all()

    def test_a_damaged_file_ends_the_start(self):
        path = self.folder / f"jobs/{job_name(7)}.json"
        text = path.read_text(encoding="utf-8")
        path.write_text(text[:100], encoding="utf-8")
        with tempfile.TemporaryFile() as self.server.errors:
            with self.assertRaises(RuntimeError):
                self.server.start()
            self.server.errors.seek(0)
            told = self.server.errors.read().decode()
        self.server.errors = None
        self.assertIn(f"{os.fspath(path)}, which an earlier version wrote, is damaged: repair it, or delete it, and the "
                      "server forgets this export or import", told)
        self.assertEqual(self.format(), 3)
        path.write_text(text, encoding="utf-8")
        self.start()
        self.expect_all()

    def test_a_deleted_damaged_file_is_forgotten_alone(self):
        path = self.folder / f"jobs/{job_name(7)}.json"
        path.unlink()
        self.start()
        with self.assertRaises(Refused):
            self.connection.send("DescribeExport", ExportArn=arn_of(7))
        self.connection.send("DescribeExport", ExportArn=arn_of(8))


if __name__ == "__main__":
    BINARY = sys.argv.pop(1)
    unittest.main(verbosity=2)

"""ExportTableToPointInTime and ImportTable against the binary: under load, by kill -9, with hostile names.

bulk_jobs_test.py <magneto> [test ...]
"""

import collections
import contextlib
import gzip
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import unittest

from bulk_jobs_case import BINARY, KEY, PATIENCE_SECONDS, Jobs, Signed, arn_of
from wire import Connection, Lost, Refused
from with_server import Server


class MomentTest(Jobs):
    ACCOUNTS = 200
    WRITERS = 4
    EXPORTS = 6

    def test_export_is_one_moment_in_memory(self):
        self.keeps_the_sum("memory")

    def test_export_is_one_moment_on_disk(self):
        self.keeps_the_sum("disk")

    def keeps_the_sum(self, engine):
        self.begin(engine)
        self.make_table("bank")
        for number in range(self.ACCOUNTS):
            self.send("PutItem", TableName="bank", Item={"pk": {"S": f"a{number}"}, "n": {"N": "100"}})
        stop = threading.Event()
        transfers = [0] * self.WRITERS
        faults = []
        writers = [threading.Thread(target=self.transfer, args=(number, stop, transfers, faults))
                   for number in range(self.WRITERS)]
        for writer in writers:
            writer.start()
        try:
            jobs = []
            for _ in range(self.EXPORTS):
                before = sum(transfers)
                jobs.append(self.wait(self.export("bank", S3Prefix="moments")))
                while sum(transfers) < before + 50 and not faults:
                    time.sleep(0.005)
        finally:
            stop.set()
            for writer in writers:
                writer.join()
        self.assertEqual(faults, [])
        states = set()
        for job in jobs:
            items = self.read_export(job)
            self.assertEqual(len(items), self.ACCOUNTS)
            self.assertEqual(sum(int(item["n"]["N"]) for item in items), 100 * self.ACCOUNTS)
            states.add(tuple(sorted((item["pk"]["S"], item["n"]["N"]) for item in items)))
        self.assertGreater(len(states), 1)
        listed = self.send("ListExports", TableArn=arn_of("bank"))["ExportSummaries"]
        self.assertEqual([job["ExportArn"] for job in listed], [job["ExportArn"] for job in reversed(jobs)])
        self.reads_what_was_exported(jobs[-1])

    def transfer(self, number, stop, transfers, faults):
        numbers = random.Random(number)
        try:
            with contextlib.closing(Connection(self.server.port)) as connection:
                self.move(connection, number, numbers, stop, transfers)
        except (Lost, Refused, OSError) as fault:
            faults.append(str(fault))

    def move(self, connection, number, numbers, stop, transfers):
        while not stop.is_set():
            one, other = numbers.sample(range(self.ACCOUNTS), 2)
            amount = str(numbers.randint(1, 9))
            updates = [{"Update": {"TableName": "bank", "Key": {"pk": {"S": f"a{account}"}},
                                   "UpdateExpression": f"SET n = n {sign} :a",
                                   "ExpressionAttributeValues": {":a": {"N": amount}}}}
                       for account, sign in ((one, "-"), (other, "+"))]
            try:
                connection.send("TransactWriteItems", TransactItems=updates)
                transfers[number] += 1
            except Refused as refused:
                if refused.type != "TransactionCanceledException":
                    raise

    def reads_what_was_exported(self, job):
        """Both ways: magneto import, and ImportTable."""
        self.make_table("copied", recoverable=False)
        folder = self.folder_of(job, "moments")
        subprocess.run([BINARY, "import", "--table", "copied", "--to", self.server.endpoint, "--format", "aws",
                        str(folder)], check=True, capture_output=True)
        back = self.import_table("imported", f"moments/AWSDynamoDB/{folder.name}/data/", InputCompressionType="GZIP")
        back = self.wait(back)
        self.assertEqual((back["ImportedItemCount"], back["ErrorCount"]), (self.ACCOUNTS, 0))
        expected = sorted(json.dumps(item, sort_keys=True) for item in self.read_export(job))
        for table in ("copied", "imported"):
            items = self.send("Scan", TableName=table)["Items"]
            self.assertEqual(sorted(json.dumps(item, sort_keys=True) for item in items), expected)


class ImportTest(Jobs):
    def test_errors_are_counted_and_told(self):
        self.begin("disk")
        lines = [json.dumps({"Item": {"pk": {"S": f"k{number}"}}}) for number in range(1000)]
        lines[10] = "no json"
        lines[20] = json.dumps({"Item": {"other": {"S": "x"}}})
        with gzip.open(self.bucket / "lines.json.gz", "wt") as file:
            file.write("\n".join(lines))
        done = self.wait(self.import_table("made", "lines", InputCompressionType="GZIP", ClientToken="t"), "FAILED")
        self.assertEqual(done["FailureCode"], "ItemValidationError")
        self.assertEqual((done["ImportedItemCount"], done["ErrorCount"], done["ProcessedItemCount"]), (998, 2, 1000))
        self.assertEqual(done["ProcessedSizeBytes"], (self.bucket / "lines.json.gz").stat().st_size)
        name = done["ImportArn"].rpartition("/")[2]
        told = pathlib.Path(self.server.data_folder, "jobs", name + ".errors").read_text().splitlines()
        self.assertEqual(sorted(line.split(":")[1] for line in told), ["11", "21"])
        self.assertEqual(self.send("Scan", TableName="made", Select="COUNT")["Count"], 998)
        self.refused("ResourceInUseException", "ImportTable", S3BucketSource={"S3Bucket": "bucket"},
                     InputFormat="CSV", TableCreationParameters={"TableName": "made"} | KEY)
        self.restart(kill=True)
        self.assertEqual(self.described(done), done)
        same = self.import_table("made", "lines", InputCompressionType="GZIP", ClientToken="t")
        self.assertEqual(same["ImportArn"], done["ImportArn"])

    def test_damaged_gzip_fails(self):
        self.begin("memory")
        whole = gzip.compress(b'{"Item":{"pk":{"S":"a"}}}\n' * 1000)
        (self.bucket / "cut.gz").write_bytes(whole[:len(whole) // 2])
        failed = self.wait(self.import_table("made", "cut", InputCompressionType="GZIP"), "FAILED")
        self.assertEqual(failed["FailureCode"], "ItemValidationError")
        self.assertEqual(failed["ErrorCount"], 1)
        # The readable part is there.
        self.assertGreater(failed["ImportedItemCount"], 0)


class EndTest(Jobs):
    """An interrupted job is FAILED after the restart."""
    ITEMS = 20000
    SIZE = 2000

    def test_export_killed(self):
        self.export_is_cut(kill=True)

    def test_export_stopped(self):
        self.export_is_cut(kill=False)

    def export_is_cut(self, kill):
        self.begin("disk")
        self.make_table("big")
        self.fill("big", self.ITEMS, self.SIZE)
        done = self.wait(self.export("big"))
        cut = [self.export("big") for _ in range(6)]
        second = [job for job in cut if self.status(self.described(job)) == "IN_PROGRESS"]
        self.assertGreater(len(second), 1)
        self.restart(kill)
        self.assertEqual(self.described(done), done)
        failed = [job for job in map(self.ended, cut) if job["ExportStatus"] == "FAILED"]
        self.assertGreater(len(failed), 1)
        for job in failed:
            self.assertEqual(job["FailureCode"], "ServerEnded")
            self.assertFalse((self.folder_of(job) / "manifest-summary.json").exists())
            if not kill:
                self.assertFalse(self.folder_of(job).exists())
        self.assertEqual(len(self.read_export(self.wait(self.export("big")))), self.ITEMS)

    def ended(self, job):
        """One that the kill met at its end is looked at by the next process."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while self.status(job := self.described(job)) == "IN_PROGRESS":
            self.assertLess(time.monotonic(), deadline, job)
            time.sleep(0.005)
        return job

    def test_killed_around_the_end_of_exports(self):
        """A summary is there of those that are COMPLETED, and of no other."""
        self.begin("disk")
        self.make_table("small")
        self.fill("small", 25, 10)
        choice = random.Random(3)
        statuses = collections.Counter()
        for _ in range(25):
            jobs = [self.export("small") for _ in range(8)]
            deadline = time.monotonic() + PATIENCE_SECONDS
            folders, wanted = [self.folder_of(job) for job in jobs], choice.randrange(1, 8)
            while sum((folder / "manifest-summary.md5").exists() for folder in folders) < wanted:
                self.assertLess(time.monotonic(), deadline)
            self.restart(kill=True)
            for job in map(self.ended, jobs):
                statuses[job["ExportStatus"]] += 1
                has_summary = (self.folder_of(job) / "manifest-summary.json").exists()
                self.assertEqual(job["ExportStatus"], "COMPLETED" if has_summary else "FAILED", job)
                if has_summary:
                    self.assertEqual(len(self.read_export(job)), 25)
                else:
                    self.assertEqual(job["FailureCode"], "ServerEnded")
        self.assertEqual(set(statuses), {"COMPLETED", "FAILED"})

    def test_import_killed(self):
        self.import_is_cut(kill=True)

    def test_import_stopped(self):
        self.import_is_cut(kill=False)

    def import_is_cut(self, kill):
        self.begin("disk")
        with open(self.bucket / "many.json", "w", encoding="ascii") as file:
            for number in range(5 * self.ITEMS):
                file.write(json.dumps({"Item": {"pk": {"S": f"k{number}"}, "v": {"S": "x" * 500}}}) + "\n")
        job = self.import_table("made", "many")
        waiting = [self.import_table(f"made{number}", "many") for number in range(3)]
        deadline = time.monotonic() + PATIENCE_SECONDS
        while self.described(job)["ImportedItemCount"] == 0:
            self.assertLess(time.monotonic(), deadline)
        self.assertEqual(self.status(self.described(waiting[-1])), "IN_PROGRESS")
        self.restart(kill)
        for one in [job, *waiting]:
            one = self.described(one)
            self.assertEqual((one["ImportStatus"], one["FailureCode"]), ("FAILED", "ServerEnded"))
        self.assertEqual(self.send("DescribeTable", TableName="made")["Table"]["TableStatus"], "ACTIVE")
        self.refused("ResourceInUseException", "ImportTable", S3BucketSource={"S3Bucket": "bucket"},
                     InputFormat="DYNAMODB_JSON", TableCreationParameters={"TableName": "made"} | KEY)
        self.send("DeleteTable", TableName="made")
        done = self.wait(self.import_table("made", "many"))
        self.assertEqual(done["ImportedItemCount"], 5 * self.ITEMS)


class BoundsTest(Jobs):
    def test_hostile_names(self):
        self.begin("memory")
        self.make_table("books")
        outside = self.folder / "outside"
        outside.mkdir()
        (outside / "secret.json").write_text('{"Item":{"pk":{"S":"secret"}}}')
        (self.bucket / "linked").symlink_to(outside)
        (self.bucket / "linked.json").symlink_to(outside / "secret.json")
        (self.folder / "s3" / "other").symlink_to(outside)
        before = sorted(str(path) for path in self.folder.rglob("*"))
        for prefix in ("..", "../outside", "a/../../../outside", "/etc", "a\0b", "./a", "a//b", "x" * 300):
            self.refused("ValidationException", "ExportTableToPointInTime", TableArn=arn_of("books"),
                         S3Bucket="bucket", S3Prefix=prefix)
            self.refused("ValidationException", "ImportTable", InputFormat="DYNAMODB_JSON",
                         S3BucketSource={"S3Bucket": "bucket", "S3KeyPrefix": prefix},
                         TableCreationParameters={"TableName": "made"} | KEY)
        for bucket in ("..", "../s3", "/tmp", "a/b", "bucket/", ""):
            self.refused("ValidationException", "ExportTableToPointInTime", TableArn=arn_of("books"), S3Bucket=bucket)
        failed = self.wait(self.export("books", S3Prefix="linked"), "FAILED")
        self.assertEqual(failed["FailureCode"], "S3AccessDenied")
        failed = self.wait(self.export("books", S3Bucket="other"), "FAILED")
        self.assertEqual(failed["FailureCode"], "S3NoSuchBucket")
        for number, prefix in enumerate(("linked", "linked/", "linked.json")):
            done = self.wait(self.import_table(f"made{number}", prefix))
            self.assertEqual((done["ImportedItemCount"], done["ErrorCount"]), (0, 0))
        self.assertEqual(sorted(str(path) for path in self.folder.rglob("*")), before)

    def test_folder_in_the_data_is_refused(self):
        folder = tempfile.mkdtemp(prefix="magneto-jobs-")
        self.addCleanup(shutil.rmtree, folder)
        for data, objects in ((folder, folder), (folder + "/data", folder), (folder, folder + "/s3")):
            os.makedirs(objects, exist_ok=True)
            done = subprocess.run([BINARY, "--port", "0", "--data-dir", data, "--s3-dir", objects],
                                  capture_output=True, text=True, timeout=60, check=False)
            self.assertEqual(done.returncode, 2)
            self.assertIn("--s3-dir", done.stderr)

    def test_full_answers_while_jobs_run(self):
        self.begin("memory")
        self.make_table("big")
        self.fill("big", 4000, 2000)
        jobs = [self.export("big") for _ in range(20)]
        self.send("PutItem", TableName="big", Item={"pk": {"S": "k0"}, "v": {"S": "late"}})
        for job in jobs:
            self.assertEqual(self.wait(job)["ItemCount"], 4000)
        values = {item["v"]["S"] for item in self.read_export(self.described(jobs[-1])) if item["pk"]["S"] == "k0"}
        self.assertEqual(values, {"x" * 2000})
        page = self.send("ListExports", MaxResults=15)
        self.assertEqual(len(page["ExportSummaries"]), 15)
        rest = self.send("ListExports", MaxResults=15, NextToken=page["NextToken"])
        self.assertEqual(len(rest["ExportSummaries"]), 5)
        self.assertNotIn("NextToken", rest)

    def test_callers_apart(self):
        """By --isolate, and by namespace."""
        self.begin("disk", "--isolate=credentials")
        self.as_caller("one")
        self.make_table("books")
        self.send("PutItem", TableName="books", Item={"pk": {"S": "of one"}})
        mine = self.wait(self.export("books"))
        self.assertEqual([item["pk"]["S"] for item in self.read_export(mine)], ["of one"])
        (self.bucket / "in.json").write_text('{"Item":{"pk":{"S":"put"}}}')
        made = self.wait(self.import_table("made", "in"))
        self.assertEqual(self.send("Scan", TableName="made")["Count"], 1)
        self.as_caller("other")
        self.refused("ExportNotFoundException", "DescribeExport", ExportArn=mine["ExportArn"])
        self.refused("ImportNotFoundException", "DescribeImport", ImportArn=made["ImportArn"])
        self.assertEqual(self.send("ListExports"), {"ExportSummaries": []})
        self.refused("TableNotFoundException", "ExportTableToPointInTime", TableArn=arn_of("books"), S3Bucket="bucket")
        self.refused("ResourceNotFoundException", "DescribeTable", TableName="made")
        self.wait(self.import_table("made", "in"))
        self.restart(kill=True)
        self.as_caller("one")
        self.assertEqual(self.described(mine), mine)
        self.assertEqual(len(self.send("ListImports")["ImportSummaryList"]), 1)

    def as_caller(self, key):
        self.connection = Signed(self.server.endpoint, key)
        self.addCleanup(self.connection.close)

    def test_without_the_flag(self):
        server = Server(BINARY, "memory", "--auth=off")
        self.addCleanup(server.remove)
        server.start()
        self.connect(server)
        self.make_table("books")
        body = self.refused("ValidationException", "ExportTableToPointInTime", TableArn=arn_of("books"),
                            S3Bucket="bucket")
        self.assertIn("--s3-dir", body["message"])
        self.assertEqual(self.send("ListExports"), {"ExportSummaries": []})


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]])

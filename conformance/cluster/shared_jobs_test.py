"""shared_jobs_test.py <binary>: imports and bulk operations on servers that share a store.

A job runs on the server that was asked for it. Every server describes, lists and cancels it. It fails if its server is killed.
"""

import json
import os
import pathlib
import shutil
import sys
import tempfile
import time
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))

from bulk_jobs_case import BINARY, PATIENCE_SECONDS, Jobs, arn_of  # noqa: E402
from cluster.shared_servers import SharedCluster  # noqa: E402
from wire import Connection  # noqa: E402

MANY = 200_000  # items, so many that a job runs for seconds


class SharedJobsTest(Jobs):
    def begin(self, *_):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="magneto-jobs-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.bucket = self.folder / "s3" / "bucket"
        self.bucket.mkdir(parents=True)
        self.cluster = SharedCluster(BINARY, f"--s3-dir={self.folder / 's3'}")
        self.addCleanup(self.cluster.remove)
        self.connections = [Connection(server.port) for server in self.cluster.servers]
        for connection in self.connections:
            self.addCleanup(connection.close)
        self.connection = self.connections[0]

    def write_items(self, name, count):
        with open(self.bucket / name, "w", encoding="utf-8") as file:
            for number in range(count):
                file.write(json.dumps({"Item": {"pk": {"S": f"k{number}"}}}) + "\n")

    def start_puts(self, table):
        return self.send("StartBulkPutItems", TableName=table,
                         InputS3Configuration={"S3Bucket": "bucket", "S3KeyPrefix": "many.json", "InputFormat": "DYNAMODB_JSON"},
                         OutputS3Configuration={"S3Bucket": "bucket", "OutputType": ["ERROR"], "S3KeyPrefix": "told"},
                         )["BulkOperationDescription"]

    def of_puts(self, connection, job):
        return connection.send("DescribeBulkOperation", BulkOperationArn=job["BulkOperationArn"])["BulkOperationDescription"]

    def await_puts(self, connection, job, *statuses):
        deadline = time.monotonic() + PATIENCE_SECONDS
        while (found := self.of_puts(connection, job))["BulkOperationStatus"] not in statuses:
            self.assertLess(time.monotonic(), deadline, found)
            time.sleep(0.02)
        return found

    def test_any_server_describes_an_import(self):
        self.begin()
        self.write_items("few.json", 100)
        job = self.import_table("books", "few.json", ClientToken="t")
        for self.connection in self.connections:
            done = self.wait(job)
            self.assertEqual(done["ImportedItemCount"], 100)
            listed = self.send("ListImports", TableArn=arn_of("books"))["ImportSummaryList"]
            self.assertEqual([one["ImportArn"] for one in listed], [job["ImportArn"]])
            self.assertEqual(self.import_table("books", "few.json", ClientToken="t")["ImportArn"], job["ImportArn"])
            self.assertEqual(self.send("DescribeTable", TableName="books")["Table"]["ItemCount"], 100)

    def test_any_server_cancels_a_bulk_operation(self):
        self.begin()
        self.write_items("many.json", MANY)
        self.make_table("books", recoverable=False)
        job = self.start_puts("books")
        self.connections[1].send("CancelBulkOperation", BulkOperationArn=job["BulkOperationArn"])
        for connection in self.connections:
            self.await_puts(connection, job, "CANCELLED")
        self.assertLess(self.send("DescribeTable", TableName="books")["Table"]["ItemCount"], MANY)

    def test_a_job_fails_when_its_server_is_killed(self):
        self.begin()
        self.write_items("many.json", MANY)
        self.make_table("books", recoverable=False)
        job = self.start_puts("books")
        self.assertEqual(self.of_puts(self.connections[1], job)["BulkOperationStatus"], "IN_PROGRESS")
        self.cluster.servers[0].kill()
        for connection in self.connections[1:]:
            self.await_puts(connection, job, "FAILED")
        self.cluster.servers[0].start()
        restarted = Connection(self.cluster.servers[0].port)
        self.addCleanup(restarted.close)
        self.await_puts(restarted, job, "FAILED")


if __name__ == "__main__":
    del sys.argv[1]
    unittest.main(verbosity=2)

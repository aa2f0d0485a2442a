"""Exports and imports over moto's server, if there is one: `moto_server`, or the program that MOTO_SERVER names.

bulk_s3_moto_test.py <magneto>
"""

import gzip
import json
import os
import shutil
import socket
import subprocess
import sys
import time
import unittest

import boto3

from bulk_jobs_case import BINARY, Jobs
from held_port import HeldPort
from with_server import Server

MOTO = os.environ.get("MOTO_SERVER") or shutil.which("moto_server")
LEFT_OUT = 77
KEY = {"aws_access_key_id": "any", "aws_secret_access_key": "any"}


class MotoTest(Jobs):
    def start(self, engine):
        held = HeldPort()
        self.addCleanup(held.close)
        port = held.number
        moto = subprocess.Popen([MOTO, "-H", "127.0.0.1", "-p", str(port)], stdout=subprocess.DEVNULL,
                                stderr=subprocess.DEVNULL)
        self.addCleanup(moto.wait)
        self.addCleanup(moto.terminate)
        deadline = time.monotonic() + 120
        while True:
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            self.assertLess(time.monotonic(), deadline, "moto's server does not listen")
            time.sleep(0.05)
        url = f"http://127.0.0.1:{port}"
        self.s3 = boto3.client("s3", endpoint_url=url, region_name="us-east-1", **KEY)
        self.s3.create_bucket(Bucket="bucket")
        self.server = Server(BINARY, engine, "--auth=off", f"--s3-endpoint={url}")
        self.addCleanup(self.server.remove)
        self.server.start()
        self.connect(self.server)

    def read(self, key):
        return self.s3.get_object(Bucket="bucket", Key=key)["Body"].read()

    def items(self, table):
        found, start = [], {}
        while True:
            page = self.send("Scan", TableName=table, **start)
            found += page["Items"]
            if "LastEvaluatedKey" not in page:
                return sorted(found, key=lambda item: item["pk"]["S"])
            start = {"ExclusiveStartKey": page["LastEvaluatedKey"]}

    def check_round_trip(self, engine):
        self.start(engine)
        self.make_table("books")
        self.fill("books", 400, 3000)
        for kind, encryption in (("DYNAMODB_JSON", {"S3SseAlgorithm": "AES256"}), ("ION", {})):
            job = self.wait(self.export("books", ExportFormat=kind, S3Prefix="a b/\u00fc+%&", **encryption))
            summary = json.loads(self.read(job["ExportManifest"]))
            lines = 0
            for line in self.read(summary["manifestFilesS3Key"]).decode().splitlines():
                entry = json.loads(line)
                lines += len(gzip.decompress(self.read(entry["dataFileS3Key"])).decode().splitlines())
                head = self.s3.head_object(Bucket="bucket", Key=entry["dataFileS3Key"])
                self.assertEqual(head["ETag"], f'"{entry["etag"]}"')
                self.assertEqual(head.get("ServerSideEncryption"), encryption.get("S3SseAlgorithm"))
            self.assertEqual((lines, summary["itemCount"]), (400, 400))
            prefix = job["ExportManifest"].rpartition("/")[0] + "/data/"
            done = self.wait(self.import_table(f"back_{kind}", prefix, InputFormat=kind, InputCompressionType="GZIP"))
            self.assertEqual((done["ImportedItemCount"], done["ErrorCount"]), (400, 0))
            self.assertEqual(self.items(f"back_{kind}"), self.items("books"))

    def test_round_trips(self):
        for engine in ("memory", "disk"):
            with self.subTest(engine):
                self.check_round_trip(engine)

    def test_pages_of_keys_and_large_objects(self):
        self.start("memory")
        for number in range(1_050):
            self.s3.put_object(Bucket="bucket", Key=f"in/{number}", Body=b'{"Item":{"pk":{"S":"k%d"}}}' % number)
        big = b"".join(b'{"Item":{"pk":{"S":"big%d"},"v":{"S":"%s"}}}\n' % (number, b"x" * 1000) for number in range(20_000))
        self.s3.put_object(Bucket="bucket", Key="in/ \u20ac<&>", Body=big)
        done = self.wait(self.import_table("made", "in/"))
        self.assertEqual((done["ImportedItemCount"], done["ErrorCount"]), (21_050, 0))

    def test_no_bucket(self):
        self.start("memory")
        self.make_table("books")
        for job in (self.export("books", S3Bucket="none"),
                    self.import_table("made", "in/", S3BucketSource={"S3Bucket": "none"})):
            self.assertEqual(self.wait(job, "FAILED")["FailureCode"], "S3NoSuchBucket")
        self.assertEqual(self.wait(self.import_table("made2", "in/"))["ImportedItemCount"], 0)


if __name__ == "__main__":
    if MOTO is None:
        print("left out: there is no moto_server (pip install 'moto[server]')")
        sys.exit(LEFT_OUT)
    unittest.main(argv=sys.argv[:1] + sys.argv[2:], verbosity=2)

"""Kinesis streaming destinations against moto's server, if there is one: `moto_server`, or the program that
MOTO_SERVER names.

deliveries_moto_test.py <magneto>
"""

import json
import os
import shutil
import socket
import subprocess
import sys
import unittest

import boto3

from deliveries_case import Deliveries, Writers, wait_until
from held_port import HeldPort

MOTO = os.environ.get("MOTO_SERVER") or shutil.which("moto_server")
LEFT_OUT = 77


class MotoTest(Deliveries):
    def begin_with_moto(self, engine):
        held = HeldPort()
        self.addCleanup(held.close)
        port = held.number
        moto = subprocess.Popen([MOTO, "-H", "127.0.0.1", "-p", str(port)], stdout=subprocess.DEVNULL,
                                stderr=subprocess.DEVNULL)
        self.addCleanup(moto.wait)
        self.addCleanup(moto.terminate)
        wait_until(lambda: self.listens(port), "moto's server does not listen")
        url = f"http://127.0.0.1:{port}"
        self.client = boto3.client("kinesis", endpoint_url=url, region_name="us-east-1", aws_access_key_id="any",
                                   aws_secret_access_key="any")
        self.client.create_stream(StreamName="orders", ShardCount=3)
        self.client.get_waiter("stream_exists").wait(StreamName="orders", WaiterConfig={"Delay": 1})
        self.arn = self.client.describe_stream_summary(StreamName="orders")["StreamDescriptionSummary"]["StreamARN"]
        self.start_server(engine, f"--kinesis-endpoint={url}")

    @staticmethod
    def listens(port):
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", port)) == 0

    def records(self):
        """Of all shards, each in its order."""
        found = []
        for shard in self.client.list_shards(StreamName="orders")["Shards"]:
            iterator = self.client.get_shard_iterator(StreamName="orders", ShardId=shard["ShardId"],
                                                      ShardIteratorType="TRIM_HORIZON")["ShardIterator"]
            while True:
                page = self.client.get_records(ShardIterator=iterator, Limit=1000)
                found += [json.loads(record["Data"]) for record in page["Records"]]
                if not page["Records"]:
                    break
                iterator = page["NextShardIterator"]
        return found

    def test_order(self):
        for engine in ("memory", "disk"):
            with self.subTest(engine):
                self.begin_with_moto(engine)
                self.make_table(stream=None)
                self.send("EnableKinesisStreamingDestination", TableName="tab", StreamArn=self.arn)
                self.await_status("ACTIVE")
                writers = Writers(self.server.port, threads=4, items=5, rounds=25)
                writers.join()
                wait_until(lambda: len(self.records()) >= 4 * 5 * 25, "not all came")
                versions = {}
                for record in self.records():
                    image = record["dynamodb"]["NewImage"]
                    versions.setdefault(image["pk"]["S"], []).append(int(image["v"]["N"]))
                self.assertEqual(versions, {key: list(range(1, 26)) for key in writers.acknowledged})
                self.send("DisableKinesisStreamingDestination", TableName="tab", StreamArn=self.arn)
                self.await_status("DISABLED")

    def test_no_such_stream(self):
        self.begin_with_moto("memory")
        self.make_table(stream=None)
        self.send("EnableKinesisStreamingDestination", TableName="tab", StreamArn=self.arn.replace("orders", "others"))
        self.await_status("ENABLE_FAILED")


if __name__ == "__main__":
    if not MOTO:
        print("left out: there is no moto_server (pip install 'moto[server]')")
        sys.exit(LEFT_OUT)
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]])

"""schema_test.py <binary>: the server starts with tables that files describe, or refuses them and changes nothing."""

import contextlib
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

import boto3

from with_server import Server

TABLE = {"TableName": "orders", "BillingMode": "PAY_PER_REQUEST",
         "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
         "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}]}

TEMPLATE = """
Parameters: {Stage: {Type: String, Default: dev}}
Resources:
  Orders:
    Type: AWS::DynamoDB::Table
    Properties:
      TableName: !Sub orders-${Stage}
      BillingMode: PAY_PER_REQUEST
      AttributeDefinitions: [{AttributeName: pk, AttributeType: S}]
      KeySchema: [{AttributeName: pk, KeyType: HASH}]
      TimeToLiveSpecification: {AttributeName: gone, Enabled: true}
"""

SERVERLESS = """
service: shop
provider: {name: aws}
resources:
  Resources:
    Orders:
      Type: AWS::DynamoDB::Table
      Properties:
        TableName: ${self:service}-orders-${sls:stage}
        BillingMode: PAY_PER_REQUEST
        AttributeDefinitions: [{AttributeName: pk, AttributeType: S}]
        KeySchema: [{AttributeName: pk, KeyType: HASH}]
"""

TERRAFORM = {"format_version": "1.2", "planned_values": {"root_module": {"resources": [
    {"mode": "managed", "type": "aws_dynamodb_table", "values": {
        "name": "orders", "hash_key": "pk", "billing_mode": "PAY_PER_REQUEST",
        "attribute": [{"name": "pk", "type": "S"}]}},
    {"mode": "managed", "type": "aws_dynamodb_table_item", "values": {
        "table_name": "orders", "hash_key": "pk", "item": "{\"pk\": {\"S\": \"first\"}}"}}]}}}


ITEMS = 200_000  # a second's work, of some 10 MB
PART_BYTES = 1 << 20
PARTS_ARE_DELETED = b"the unfinished tables were deleted: orders, second"


class SchemaTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def write(self, name, content):
        path = self.folder / name
        path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
        return str(path)

    def start(self, engine, *flags):
        server = Server(BINARY, engine, *flags)
        self.addCleanup(server.remove)
        server.start()
        return server

    def client(self, server, region="us-east-1"):
        return boto3.client("dynamodb", endpoint_url=server.endpoint, region_name=region,
                            aws_access_key_id="any", aws_secret_access_key="any")

    def refusal(self, *flags):
        done = subprocess.run([BINARY, "--port", "0", *flags], capture_output=True, text=True, timeout=60)
        self.assertNotEqual(done.returncode, 0)
        self.assertEqual(done.stdout, "")
        return done.stderr

    def test_each_form_makes_its_tables(self):
        forms = [("t.json", TABLE, "orders"), ("template.yaml", TEMPLATE, "orders-dev"),
                 ("serverless.yml", SERVERLESS, "shop-orders-dev"), ("plan.json", TERRAFORM, "orders")]
        for name, content, table in forms:
            with self.subTest(name):
                server = self.start("memory", "--schema", self.write(name, content), "--control-plane-delay-ms", "200")
                dynamodb = self.client(server)
                self.assertEqual(dynamodb.list_tables()["TableNames"], [table])
                self.assertEqual(dynamodb.describe_table(TableName=table)["Table"]["TableStatus"], "ACTIVE")
                self.assertEqual(dynamodb.scan(TableName=table)["Count"], 1 if name == "plan.json" else 0)

    def test_what_is_there_stays(self):
        path = self.write("t.json", TABLE)
        self.write("orders.items.json", '{"pk": {"S": "a"}}\n{"pk": {"S": "b"}}\n')
        server = self.start("disk", "--schema", path)
        self.client(server).delete_item(TableName="orders", Key={"pk": {"S": "a"}})
        server.stop()
        server.start()
        self.assertEqual(self.client(server).scan(TableName="orders")["Items"], [{"pk": {"S": "b"}}])
        server.stop()
        other = dict(TABLE, BillingMode="PROVISIONED",
                     ProvisionedThroughput={"ReadCapacityUnits": 1, "WriteCapacityUnits": 1})
        told = self.refusal("--data-dir", server.data_folder, "--schema", self.write("t.json", other),
                            "--schema", self.write("u.json", dict(TABLE, TableName="another")))
        self.assertIn('BillingModeSummary.BillingMode is "PAY_PER_REQUEST", in the file "PROVISIONED"', told)
        self.write("t.json", TABLE)
        server.start()
        self.assertEqual(self.client(server).list_tables()["TableNames"], ["orders"])

    def start_after_part(self, server, flags):
        """Kills it as soon as a part of the items is written, however fast it is, and starts it with other flags."""
        filling = server.flags
        for _ in range(20):
            server.flags = filling
            server.launch()
            self.wait_for_part(server)
            server.kill()
            server.flags = flags
            if PARTS_ARE_DELETED in self.told_by_start(server):
                return
            server.stop()
            shutil.rmtree(server.data_folder)  # this process stood still meanwhile, and the fill has ended
        self.fail("it was always killed too late")

    @staticmethod
    def told_by_start(server):
        with tempfile.TemporaryFile() as server.errors:
            server.start()
            server.errors.seek(0)
            told = server.errors.read()
        server.errors = None
        return told

    def wait_for_part(self, server):
        deadline = time.monotonic() + 120
        written = least = self.log_bytes(server)
        while written < least + PART_BYTES and not server.is_ready():
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.001)
            written = self.log_bytes(server)
            least = min(least, written)

    @staticmethod
    def log_bytes(server):
        total = 0
        for path in pathlib.Path(server.data_folder).rglob("*.log"):
            with contextlib.suppress(FileNotFoundError):  # one that is no longer needed
                total += path.stat().st_size
        return total

    def count(self, server, table):
        pages = self.client(server).get_paginator("scan").paginate(TableName=table, Select="COUNT")
        return sum(page["Count"] for page in pages)

    def test_a_start_that_is_killed_leaves_no_part(self):
        path = self.write("t.json", [TABLE, dict(TABLE, TableName="second")])
        self.write("orders.items.jsonl", "".join(f'{{"pk": {{"S": "{n}"}}}}\n' for n in range(ITEMS)))
        self.write("second.items.json", '[{"pk": {"S": "a"}}]')
        for flags in ([], ["--isolate", "region", "--schema-parameter", "AWS::Region=eu-west-1"]):
            with self.subTest(flags):
                server = Server(BINARY, "disk", "--schema", path, *flags)
                self.addCleanup(server.remove)
                self.start_after_part(server, ["--isolate", "region"])
                for region in ("us-east-1", "eu-west-1"):
                    self.assertEqual(self.client(server, region).list_tables()["TableNames"], [])
                server.stop()
                server.flags = ["--schema", path]
                self.start_after_part(server, ["--schema", path])
                self.assertEqual(self.count(server, "orders"), ITEMS)
                self.assertEqual(self.count(server, "second"), 1)
                server.stop()
                self.assertNotIn(PARTS_ARE_DELETED, self.told_by_start(server))
                server.stop()

    def test_parameters_and_regions(self):
        path = self.write("template.yaml", TEMPLATE)
        server = self.start("memory", "--isolate", "region", "--schema", path, "--schema-parameter", "Stage=test",
                            "--schema-parameter", "AWS::Region=eu-west-1")
        self.assertEqual(self.client(server, "eu-west-1").list_tables()["TableNames"], ["orders-test"])
        self.assertEqual(self.client(server).list_tables()["TableNames"], [])
        self.assertIn("--isolate none", self.refusal("--isolate", "credentials", "--schema", path))
        self.assertIn("Stagee", self.refusal("--schema", path, "--schema-parameter", "Stagee=test"))

    def first_line(self, *flags):
        started = subprocess.Popen([BINARY, "--port", "0", *flags], stdout=subprocess.PIPE, text=True)
        self.addCleanup(started.stdout.close)
        self.addCleanup(started.wait)
        self.addCleanup(started.kill)
        return started.stdout.readline()

    def test_the_start_names_the_tables(self):
        path = self.write("t.json", [TABLE, dict(TABLE, TableName="sessions")])
        self.assertRegex(self.first_line("--schema", path), f", in memory, 2 tables from {path}: orders, sessions\n$")
        server = self.start("disk", "--schema", path)
        server.stop()
        self.assertRegex(self.first_line("--data-dir", server.data_folder, "--schema", path),
                         fr", 2 tables from {path} \(2 were there already\): orders, sessions\n$")
        self.assertRegex(self.first_line(), ", in memory\n$")

    def test_what_would_be_served_without_its_tables_is_refused(self):
        (self.folder / "terraform").mkdir()
        main = self.write("terraform/main.tf", 'resource "aws_dynamodb_table" "t" {}')
        commands = "terraform plan -out p && terraform show -json p > plan.json"
        self.assertIn(commands, self.refusal("--schema", main))
        self.assertIn(commands, self.refusal("--schema", str(self.folder / "terraform")))
        os.mkfifo(self.folder / "pipe")
        self.assertIn("a pipe without a writing process", self.refusal("--schema", str(self.folder / "pipe")))
        wrong = TEMPLATE.replace("KeyType", "KeyTyp")
        self.assertIn("unknown member KeyTyp; did you mean KeyType?", self.refusal("--schema", self.write("t.yaml", wrong)))

    def test_a_pipe_with_a_writer_is_read(self):
        with subprocess.Popen(["cat", self.write("t.json", TABLE)], stdout=subprocess.PIPE) as writer:
            server = subprocess.Popen([BINARY, "--port", "0", "--schema", "/dev/stdin"], stdin=writer.stdout,
                                      stdout=subprocess.PIPE, text=True)
            self.addCleanup(server.stdout.close)
            self.addCleanup(server.wait)
            self.addCleanup(server.kill)
            self.assertIn("1 table from /dev/stdin: orders", server.stdout.readline())

    def test_refusals_name_the_place(self):
        self.assertIn("t.yaml:2: ", self.refusal("--schema", self.write("t.yaml", "a: 1\nb: [}\n")))
        told = self.refusal("--schema", self.write("t.json", dict(TABLE, KeySchema=[])))
        self.assertIn("t.json:1: table orders is refused by CreateTable: ", told)


if __name__ == "__main__":
    BINARY = sys.argv.pop(1)
    unittest.main(verbosity=2)

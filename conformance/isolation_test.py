"""isolation_test.py <binary>: with --isolate, callers have tables of their own, also after kill -9."""

import json
import os
import pathlib
import sys
import tempfile
import unittest
import urllib.request

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "python"))

import boto3

from requests_of_steps import table_request
from with_server import Server, client_environment

TABLE = table_request("Roles", {"key": "Film", "stream": "NEW_IMAGE"})
TARGET = "DynamoDB_20120810."


class IsolationTest(unittest.TestCase):
    def start(self, engine, *flags):
        self.server = Server(BINARY, engine, *flags)
        self.addCleanup(self.server.remove)
        self.server.errors = tempfile.TemporaryFile("w+")
        self.addCleanup(self.server.errors.close)
        self.server.start()
        os.environ.update(client_environment(self.server.endpoint))

    def client(self, key, region="us-east-1", service="dynamodb"):
        client = boto3.client(service, endpoint_url=self.server.endpoint, region_name=region,
                              aws_access_key_id=key, aws_secret_access_key="any")
        self.addCleanup(client.close)
        return client

    def tables(self, *caller):
        return self.client(*caller).list_tables()["TableNames"]

    def owner(self, *caller):
        answer = self.client(*caller).get_item(TableName="Roles", Key={"Film": {"S": "Comet"}})
        return answer.get("Item", {}).get("Owner", {}).get("S")

    def fill(self, *caller):
        client = self.client(*caller)
        client.create_table(**TABLE)
        client.put_item(TableName="Roles", Item={"Film": {"S": "Comet"}, "Owner": {"S": "/".join(caller)}})

    def log(self):
        self.server.errors.seek(0)
        return self.server.errors.read()

    def post(self, path, operation, body, headers):
        request = urllib.request.Request(self.server.endpoint + path, json.dumps(body).encode(), {
            "Content-Type": "application/x-amz-json-1.0", "X-Amz-Target": TARGET + operation} | headers)
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer)

    def test_each_key_and_region_has_tables_that_survive_a_killed_process(self):
        callers = [("one", "us-east-1"), ("two", "us-east-1"), ("one", "eu-west-2")]
        self.start("disk", "--isolate=credentials")
        for caller in callers:
            self.assertEqual(self.tables(*caller), [])
            self.fill(*caller)
        for _ in range(2):
            self.server.kill()
            self.server.start()
            for caller in callers:
                self.assertEqual(self.tables(*caller), ["Roles"])
                self.assertEqual(self.owner(*caller), "/".join(caller))
                streams = self.client(*caller, "dynamodbstreams")
                self.assertEqual(len(streams.list_streams()["Streams"]), 1)
            self.assertEqual(self.tables("nobody"), [])
        self.client("one").delete_table(TableName="Roles")
        self.server.kill()
        self.server.start()
        self.assertEqual([self.tables(*caller) for caller in callers], [[], ["Roles"], ["Roles"]])
        self.server.kill()
        self.server.flags = []
        self.server.start()
        self.assertEqual(self.tables("two"), [])

    def test_regions(self):
        self.start("memory", "--isolate=region")
        self.fill("one", "us-east-1")
        self.assertEqual(self.tables("two"), ["Roles"])
        self.assertEqual(self.tables("one", "eu-west-2"), [])

    def test_nothing_is_isolated_by_default(self):
        self.start("memory")
        self.fill("one", "us-east-1")
        self.assertEqual(self.tables("two", "eu-west-2"), ["Roles"])

    def test_a_presigned_request_has_the_tables_of_its_key(self):
        self.start("memory", "--isolate=credentials")
        self.fill("my_key+", "us-east-1")
        query = ("/?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential="
                 "{}%2F20260101%2Fus-east-1%2Fdynamodb%2Faws4_request")
        for key, tables in (("my_key%2B", ["Roles"]), ("my%5fkey+", ["Roles"]), ("other", [])):
            self.assertEqual(self.post(query.format(key), "ListTables", {}, {}), {"TableNames": tables})

    def test_a_missed_table_of_others_is_one_line_of_the_log(self):
        self.start("memory", "--isolate=credentials")
        self.fill("one", "us-east-1")
        client = self.client("two", "eu-west-2")
        for _ in range(20):
            with self.assertRaises(client.exceptions.ResourceNotFoundException):
                client.describe_table(TableName="Roles")
        with self.assertRaises(client.exceptions.ResourceNotFoundException):
            client.describe_table(TableName="NobodyHasIt")
        lines = self.log().splitlines()
        self.assertIn("access key 'two' in region 'eu-west-2' has no table 'Roles', but there is one of "
                      "access key 'one' in region 'us-east-1'", lines[0])
        self.assertLess(len(lines), 10)
        self.assertNotIn("NobodyHasIt", self.log())


if __name__ == "__main__":
    BINARY = sys.argv.pop(1)
    unittest.main(verbosity=2)

"""Tables with a server that holds them and their keys to their units (--enforce-throughput --control-token=proof)."""

import json
import os
import pathlib
import sys
import time
import unittest
import urllib.error
import urllib.request

import boto3
import botocore.config

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

from table_case import TableCase

UNITS = {"ReadCapacityUnits": 5, "WriteCapacityUnits": 5}
LARGE = {"PK": {"S": "large"}, "Data": {"S": "x" * 40_000}}  # 40 units to write, 10 to read
SMALL = {"PK": {"S": "small"}}
ALWAYS_SECONDS = 6.9  # the 35 units beyond the first second's 5 take 7 seconds
AT_MOST_SECONDS = 120
KEY_WRITES = 1_000  # a second, of one partition key


class ThroughputTest(TableCase):
    def setUp(self):
        super().setUp()
        self.client = boto3.client(
            "dynamodb", endpoint_url=os.environ["MAGNETO_ENDPOINT"],
            config=botocore.config.Config(retries={"total_max_attempts": 1}))
        self.addCleanup(self.client.close)
        for name, more in {"Held": {"BillingMode": "PROVISIONED", "ProvisionedThroughput": UNITS},
                           "Free": {"BillingMode": "PAY_PER_REQUEST"}}.items():
            self.client.create_table(
                TableName=name, **more,
                KeySchema=[{"AttributeName": "PK", "KeyType": "HASH"}],
                AttributeDefinitions=[{"AttributeName": "PK", "AttributeType": "S"}])
            self.addCleanup(self.client.delete_table, TableName=name)

    def test_a_write_waits_for_units(self):
        start = time.monotonic()
        self.client.put_item(TableName="Held", Item=LARGE)
        refused = self.refusal("put_item", TableName="Held", Item=SMALL)
        self.assertEqual(refused["Error"]["Code"], "ProvisionedThroughputExceededException")
        self.assertEqual(refused["ResponseMetadata"]["HTTPStatusCode"], 400)
        with self.assertRaises(self.client.exceptions.ProvisionedThroughputExceededException):
            self.client.delete_item(TableName="Held", Key=SMALL)

        batch = {"Held": [{"PutRequest": {"Item": SMALL}}], "Free": [{"PutRequest": {"Item": SMALL}}]}
        unprocessed = self.client.batch_write_item(RequestItems=batch)["UnprocessedItems"]
        self.assertEqual(unprocessed, {"Held": batch["Held"]})
        while True:
            try:
                unprocessed = self.client.batch_write_item(RequestItems=unprocessed)["UnprocessedItems"]
            except self.client.exceptions.ProvisionedThroughputExceededException:
                self.assertLess(time.monotonic() - start, AT_MOST_SECONDS)
                time.sleep(0.1)
                continue
            break
        self.assertEqual(unprocessed, {})
        self.assertGreater(time.monotonic() - start, ALWAYS_SECONDS)
        self.assertEqual(self.client.get_item(TableName="Held", Key=SMALL)["Item"], SMALL)

    def test_tables_on_demand_do_not_wait(self):
        for _ in range(10):
            self.client.put_item(TableName="Free", Item=LARGE)


def send(path, body, method="POST", **headers):
    """The server's answer to JSON, without a client library."""
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(os.environ["MAGNETO_ENDPOINT"] + path, data, headers, method=method)
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            text = answer.read()
            return answer.status, json.loads(text) if text else None
    except urllib.error.HTTPError as error:
        return error.code, json.loads(error.read())


def call(operation, body):
    return send("/", body, **{
        "X-Amz-Target": "DynamoDB_20120810." + operation, "Content-Type": "application/x-amz-json-1.0",
        "X-Amz-Date": "20260101T000000Z",
        "Authorization": "AWS4-HMAC-SHA256 Credential=key/20260101/us-east-1/dynamodb/aws4_request, "
                         "SignedHeaders=host;x-amz-date, Signature=" + "0" * 64})


def control(method, setting, body=None):
    status, answer = send("/_/namespaces/main/" + setting, body, method, Authorization="Bearer proof")
    assert status < 300, (status, answer)
    return answer


class HotKeyTest(TableCase):
    def setUp(self):
        super().setUp()
        self.client = self.connect(1)
        made = self.make("Hot", ProvisionedThroughput={"ReadCapacityUnits": 10, "WriteCapacityUnits": 10_000})
        self.arn = made["TableArn"]
        self.addCleanup(control, "DELETE", "clock")

    def connect(self, attempts):
        client = boto3.client("dynamodb", endpoint_url=os.environ["MAGNETO_ENDPOINT"],
                              config=botocore.config.Config(retries={"total_max_attempts": attempts, "mode": "standard"}))
        self.addCleanup(client.close)
        return client

    def make(self, name, **more):
        status, made = call("CreateTable", {
            "TableName": name, "KeySchema": [{"AttributeName": "PK", "KeyType": "HASH"}],
            "AttributeDefinitions": [{"AttributeName": "PK", "AttributeType": "S"}], **more})
        self.assertEqual(status, 200, made)
        self.addCleanup(self.client.delete_table, TableName=name)
        return made["TableDescription"]

    def put(self, key, table="Hot"):
        return call("PutItem", {"TableName": table, "Item": {"PK": {"S": key}}})

    def test_one_key_at_1001_writes_a_second(self):
        self.client.update_contributor_insights(TableName="Hot", ContributorInsightsAction="ENABLE")
        control("PUT", "clock", {"frozen": True})
        for _ in range(KEY_WRITES):
            self.assertEqual(self.put("hot"), (200, {}))
        status, refused = self.put("hot")
        self.assertEqual((status, refused["__type"].rpartition("#")[2]), (400, "ProvisionedThroughputExceededException"))
        self.assertEqual(refused["ThrottlingReasons"],
                         [{"reason": "TableWriteKeyRangeThroughputExceeded", "resource": self.arn}])
        with self.assertRaises(self.client.exceptions.ProvisionedThroughputExceededException):
            self.client.put_item(TableName="Hot", Item={"PK": {"S": "hot"}})
        for number in range(2 * KEY_WRITES):
            self.assertEqual(self.put(f"cold{number}"), (200, {}))
        (place,) = control("GET", "insights")["insights"]
        self.assertEqual(place["throttled"]["partition_keys"], [{"key": {"PK": {"S": "hot"}}, "count": 2, "error": 0}])
        control("PUT", "clock", {"advance": "1s"})
        self.assertEqual(self.put("hot"), (200, {}))

    def test_by_a_clock_that_runs(self):
        self.make_items()
        start = time.monotonic()
        self.client.transact_write_items(TransactItems=[  # 6,224 units
            {"Put": {"TableName": "Items", "Item": {"PK": {"S": "hot"}, "SK": {"N": str(number)}, "Data": {"S": "x" * 398_000}}}}
            for number in range(8)])
        hot = {"TableName": "Items", "Key": {"PK": {"S": "hot"}, "SK": {"N": "9"}}}
        self.assertEqual(self.refusal("delete_item", **hot)["Error"]["Code"], "ProvisionedThroughputExceededException")
        self.client.delete_item(TableName="Items", Key={"PK": {"S": "cold"}, "SK": {"N": "9"}})
        while True:
            try:
                self.client.delete_item(**hot)
                break
            except self.client.exceptions.ProvisionedThroughputExceededException:
                self.assertLess(time.monotonic() - start, AT_MOST_SECONDS)
                time.sleep(0.05)
        self.assertGreater(time.monotonic() - start, 4.9)

    def make_items(self):
        names = {"PK": ("S", "HASH"), "SK": ("N", "RANGE")}
        return self.make("Items", ProvisionedThroughput={"ReadCapacityUnits": 10, "WriteCapacityUnits": 10_000},
                         KeySchema=[{"AttributeName": name, "KeyType": role} for name, (_, role) in names.items()],
                         AttributeDefinitions=[{"AttributeName": name, "AttributeType": kind}
                                               for name, (kind, _) in names.items()])

    def test_a_client_waits_for_the_maximum_of_an_on_demand_table(self):
        arn = self.make("Slow", BillingMode="PAY_PER_REQUEST", OnDemandThroughput={"MaxWriteRequestUnits": 3})["TableArn"]
        client = self.connect(20)
        answers = [client.put_item(TableName="Slow", Item={"PK": {"S": str(number)}}) for number in range(7)]
        self.assertGreater(sum(answer["ResponseMetadata"]["RetryAttempts"] for answer in answers), 0)
        control("PUT", "clock", {"frozen": True})
        statuses = [self.put(str(number), "Slow")[0] for number in range(4)]
        self.assertEqual(statuses[-1], 400)
        self.assertEqual(self.put("more", "Slow"), (400, {
            "__type": "com.amazon.coral.availability#ThrottlingException",
            "message": "Throughput exceeds the maximum OnDemandThroughput configured on table or index",
            "throttlingReasons": [{"reason": "TableWriteMaxOnDemandThroughputExceeded", "resource": arn}]}))
        self.assertEqual(self.refusal("put_item", TableName="Slow", Item=SMALL)["Error"]["Code"], "ThrottlingException")


if __name__ == "__main__":
    unittest.main(verbosity=2)

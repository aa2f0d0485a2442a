"""The base of tests with boto3: tables made and removed, reading, errors, and checks for every table."""

import os
import unittest

import boto3
import botocore.config
import botocore.exceptions

from requests_of_steps import expand_items, from_value, parse_key, table_request
from streams import StreamConsumer, connect_streams

SHORT_ERRORS = {"VE": "ValidationException", "CCF": "ConditionalCheckFailedException"}
SHORT_REASONS = {"ok": "None", "CCF": "ConditionalCheckFailed", "VE": "ValidationError"}


def connect(connections=10):
    """A client whose requests and answers carry plain Python values. Judging requests is the server's part."""
    resource = boto3.resource(
        "dynamodb",
        endpoint_url=os.environ["MAGNETO_ENDPOINT"],
        config=botocore.config.Config(retries={"mode": "standard", "max_attempts": 1},
                                      parameter_validation=False, max_pool_connections=connections),
    )
    return resource.meta.client


def sample(kind):
    return {"S": "sample", "N": 1, "B": b"sample"}[kind]


class TableCase(unittest.TestCase):
    maxDiff = None
    connections = 1

    def setUp(self):
        self.client = connect(self.connections)
        self.addCleanup(self.client.close)
        self.streams = None

    def stream_of(self, table):
        """A consumer of a table's stream, from its beginning."""
        if self.streams is None:
            self.streams = connect_streams()
            self.addCleanup(self.streams.close)
        arn = self.client.describe_table(TableName=table)["Table"]["LatestStreamArn"]
        return StreamConsumer(self.streams, arn)

    def create_tables(self, tables):
        for name, table in tables.items():
            self.client.create_table(**table_request(name, table))
            self.addCleanup(self.client.delete_table, TableName=name)
            self.client.get_waiter("table_exists").wait(TableName=name)

    def fill(self, items):
        for table, rows in items.items():
            rows = list(expand_items(rows))
            for start in range(0, len(rows), 25):
                requests = [{"PutRequest": {"Item": item}} for item in rows[start:start + 25]]
                answer = self.client.batch_write_item(RequestItems={table: requests})
                self.assertEqual(answer["UnprocessedItems"], {})

    def read_pages(self, operation, request):
        """All pages of a query or scan."""
        pages = [getattr(self.client, operation)(**request)]
        while "LastEvaluatedKey" in pages[-1]:
            start = pages[-1]["LastEvaluatedKey"]
            pages.append(getattr(self.client, operation)(**request, ExclusiveStartKey=start))
        return pages

    def read_all(self, operation, **request):
        pages = self.read_pages(operation, request)
        return [from_value(item) for page in pages for item in page["Items"]]

    def refusal(self, operation, **request):
        """The response of a request that is refused; one that succeeds fails the test."""
        with self.assertRaises(botocore.exceptions.ClientError) as caught:
            getattr(self.client, operation)(**request)
        return caught.exception.response

    def assert_refused(self, error, operation, **request):
        self.assertEqual(self.refusal(operation, **request)["Error"]["Code"], SHORT_ERRORS[error])

    def snapshot(self, tables):
        """Everything readable, to see that nothing changed."""
        contents = {}
        for name, table in tables.items():
            contents[name] = self.read_all("scan", TableName=name, ConsistentRead=True)
            for index in [*table.get("global", {}), *table.get("local", {})]:
                contents[f"{name}.{index}"] = self.read_all("scan", TableName=name, IndexName=index)
            if "stream" in table:
                contents[f"stream of {name}"] = [change.event_id for change in self.stream_of(name).poll()]
        return contents

    def check_table(self, name, table, tables):
        """Checks (a) to (d) and (f), which every table must pass."""
        key = parse_key(table["key"])
        whole = {attribute: sample(kind) for attribute, kind in key}
        before = self.snapshot(tables)
        if len(key) == 2:  # (a)
            self.assert_refused("VE", "put_item", TableName=name, Item={key[0][0]: whole[key[0][0]]})
        self.check_queries(name, table)
        for attribute, kind in key:  # (d)
            self.assert_refused(
                "VE", "update_item", TableName=name, Key=whole, UpdateExpression="SET #a = :v",
                ExpressionAttributeNames={"#a": attribute}, ExpressionAttributeValues={":v": sample(kind)})
        self.check_rejected_writes(name, key)
        self.assertEqual(self.snapshot(tables), before)

    def check_queries(self, name, table):
        indexes = {None: table["key"], **table.get("global", {}), **table.get("local", {})}
        for index, text in indexes.items():
            key = parse_key(text)
            request = {"TableName": name, "KeyConditionExpression": "#a = :v"}
            request |= {"IndexName": index} if index else {}
            for attribute, kind in [("NoKeyAtAll", "S"), *key[1:]]:  # (b)
                self.assert_refused(
                    "VE", "query", **request, ExpressionAttributeNames={"#a": attribute},
                    ExpressionAttributeValues={":v": sample(kind)})
            if index in table.get("global", {}):  # (c)
                self.assert_refused(
                    "VE", "query", **request, ConsistentRead=True,
                    ExpressionAttributeNames={"#a": key[0][0]},
                    ExpressionAttributeValues={":v": sample(key[0][1])})

    def check_rejected_writes(self, name, key):  # (f)
        for item in self.client.scan(TableName=name, Limit=1)["Items"]:
            present = {attribute: item[attribute] for attribute, _ in key}
            request = {
                "TableName": name,
                "ConditionExpression": "attribute_not_exists(#k)",
                "ExpressionAttributeNames": {"#k": key[0][0]},
            }
            self.assert_refused("CCF", "put_item", **request, Item=present | {"Changed": True})
            self.assert_refused("CCF", "delete_item", **request, Key=present)
            self.assert_refused("CCF", "update_item", **request, Key=present,
                                UpdateExpression="SET Changed = :t ADD Counted :one",
                                ExpressionAttributeValues={":t": True, ":one": 1})

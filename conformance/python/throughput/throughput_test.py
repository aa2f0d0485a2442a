"""Provisioned tables with a server that holds them to their units (--enforce-throughput)."""

import os
import pathlib
import sys
import time
import unittest

import boto3
import botocore.config

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

from table_case import TableCase

UNITS = {"ReadCapacityUnits": 5, "WriteCapacityUnits": 5}
LARGE = {"PK": {"S": "large"}, "Data": {"S": "x" * 40_000}}  # 40 units to write, 10 to read
SMALL = {"PK": {"S": "small"}}
ALWAYS_SECONDS = 6.9  # what 40 units leave after the first second's 5 take 7 seconds
AT_MOST_SECONDS = 60


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


if __name__ == "__main__":
    unittest.main(verbosity=2)

"""boto3's waiters, with a server whose tables take their time (--control-plane-delay-ms)."""

import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

from requests_of_steps import table_request
from table_case import TableCase

SOON = {"Delay": 1, "MaxAttempts": 60}
TABLE = {"TableName": "Slow"}


class WaitersTest(TableCase):
    def test_a_table_comes_and_goes(self):
        created = self.client.create_table(**table_request("Slow", {"key": "PK"}))
        self.assertEqual(created["TableDescription"]["TableStatus"], "CREATING")
        refused = self.refusal("put_item", **TABLE, Item={"PK": "a"})
        self.assertEqual(refused["Error"]["Code"], "ResourceNotFoundException")
        self.client.get_waiter("table_exists").wait(**TABLE, WaiterConfig=SOON)
        self.assertEqual(self.client.describe_table(**TABLE)["Table"]["TableStatus"], "ACTIVE")
        self.client.put_item(**TABLE, Item={"PK": "a"})

        deleted = self.client.delete_table(**TABLE)
        self.assertEqual(deleted["TableDescription"]["TableStatus"], "DELETING")
        self.client.get_waiter("table_not_exists").wait(**TABLE, WaiterConfig=SOON)
        self.assertEqual(self.client.list_tables()["TableNames"], [])

    def test_a_table_that_never_comes(self):
        waiter = self.client.get_waiter("table_exists")
        with self.assertRaisesRegex(Exception, "Max attempts exceeded"):
            waiter.wait(TableName="Nothing", WaiterConfig={"Delay": 0, "MaxAttempts": 3})


if __name__ == "__main__":
    unittest.main(verbosity=2)

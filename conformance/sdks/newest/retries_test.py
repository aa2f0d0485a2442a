"""boto3 as it is by default: four calls, further apart where the answer asks for that. The server has a control token."""

import json
import os
import time
import unittest
import urllib.request

import boto3
from botocore.exceptions import ClientError

ENDPOINT = os.environ["MAGNETO_ENDPOINT"]


def control(method, path, body=None):
    request = urllib.request.Request(f"{ENDPOINT}/_/namespaces/main/{path}", json.dumps(body or {}).encode(),
                                     {"Authorization": "Bearer proof"}, method=method)
    with urllib.request.urlopen(request, timeout=60) as answer:
        return json.load(answer)


class RetriesTest(unittest.TestCase):
    def setUp(self):
        self.client = boto3.client("dynamodb", endpoint_url=ENDPOINT)
        self.addCleanup(self.client.close)
        self.addCleanup(control, "DELETE", "faults")

    def hits(self, **fault):
        """How many calls a client makes that always fails, and the seconds that they take."""
        control("POST", "faults", {"operations": ["ListTables"], "fault": fault})
        begun = time.monotonic()
        with self.assertRaises(ClientError) as refusal:
            self.client.list_tables()
        self.assertEqual(refusal.exception.response["Error"]["Code"], fault["error"])
        (rule,) = control("GET", "faults")["rules"]
        return rule["hits"], time.monotonic() - begun

    def test_stops_after_four_calls(self):
        self.assertEqual(self.hits(error="InternalServerError")[0], 4)

    def test_waits_as_long_as_the_answer_asks(self):
        calls, seconds = self.hits(error="InternalServerError", retry_after="700ms")
        self.assertEqual(calls, 4)
        self.assertGreater(seconds, 2.1)

    def test_succeeds_with_the_fourth_call(self):
        control("POST", "faults", {"operations": ["ListTables"], "count": 3, "fault": {"error": "InternalServerError"}})
        self.assertEqual(self.client.list_tables()["ResponseMetadata"]["RetryAttempts"], 3)


if __name__ == "__main__":
    unittest.main(verbosity=2)

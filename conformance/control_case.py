"""The base of tests of control settings: one namespace, whose settings are reset before each test."""

import os
import sys
import tempfile
import time

import boto3
from botocore.config import Config

from control_server import WithServer

STREAMING = {"StreamEnabled": True, "StreamViewType": "NEW_AND_OLD_IMAGES"}
PATIENCE_SECONDS = 120


def on_demand(name, *attributes, **more):
    """A request for a table whose keys are strings. Further attributes are only defined."""
    return {"TableName": name, "BillingMode": "PAY_PER_REQUEST",
            "AttributeDefinitions": [{"AttributeName": attribute, "AttributeType": "S"} for attribute in attributes],
            "KeySchema": key_schema(*attributes[:1] if "GlobalSecondaryIndexes" in more else attributes), **more}


def key_schema(*attributes):
    return [{"AttributeName": attribute, "KeyType": role} for attribute, role in zip(attributes, ("HASH", "RANGE"))]


def global_index(name, *attributes):
    return {"IndexName": name, "KeySchema": key_schema(*attributes), "Projection": {"ProjectionType": "ALL"}}


def every_namespace(case):
    """The tests of `case`, which are of main in memory, also of main on disk and of a fork of that."""
    module = sys.modules[case.__module__]
    for suffix, members in (("OnDisk", {"is_on_disk": True}), ("InFork", {"is_on_disk": True, "space": "fork"})):
        name = case.__name__ + suffix
        setattr(module, name, type(name, (case,), {"__module__": case.__module__, **members}))
    return case


class ControlCase(WithServer):
    space = "main"
    is_on_disk = False
    flags = ("--control-token", "proof")
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        if cls.is_on_disk:
            cls.flags = (*cls.flags, "--data-dir", os.path.join(cls.folder.name, "data"))
        super().setUpClass()
        cls.server.token = "proof"

    def setUp(self):
        if self.space != "main":
            self.server.call("CreateTable", on_demand("OfParent", "pk"))
            self.made(name=self.space, **{"from": {"namespace": "main"}})
        self.addCleanup(self.bring_back)
        self.client = self.connect()

    def bring_back(self):
        for space in {"main", self.space}:
            for setting in ("faults", "clock", "consistency", "journal"):
                self.server.control("DELETE", f"namespaces/{space}/{setting}")
            self.server.control("PUT", f"namespaces/{space}/journal", {"on": False, "bodies": False})
            status, answer = self.server.control("POST", f"namespaces/{space}/reset")
            self.assertEqual(status, 200, answer)

    def connect(self, service="dynamodb", attempts=1, space=None):
        """A client whose access key names the namespace."""
        client = boto3.client(
            service, endpoint_url=f"http://127.0.0.1:{self.server.port}", region_name="us-east-1",
            aws_access_key_id=space or self.space, aws_secret_access_key="any",
            config=Config(retries={"mode": "standard", "total_max_attempts": attempts}, max_pool_connections=20,
                          connect_timeout=60, read_timeout=60))
        self.addCleanup(client.close)
        return client

    def control(self, method, path, body=None, status=200, space=None):
        got, answer = self.server.control(method, f"namespaces/{space or self.space}/{path}", body)
        self.assertEqual(got, status, (method, path, body, answer))
        return answer

    def settle(self):
        self.control("POST", "settle", {"timeout": "2m"})

    def put(self, table, **attributes):
        self.client.put_item(TableName=table, Item={name: as_value(value) for name, value in attributes.items()})

    def get(self, table, consistent=True, client=None, **key):
        """The plain attributes of an item, or None."""
        answer = (client or self.client).get_item(
            TableName=table, Key={name: as_value(value) for name, value in key.items()}, ConsistentRead=consistent)
        return plain(answer.get("Item"))

    def scan(self, table, **request):
        return [plain(item) for item in self.client.scan(TableName=table, **request)["Items"]]

    def wait_until(self, holds, what):
        deadline = time.monotonic() + PATIENCE_SECONDS
        while not holds():
            self.assertLess(time.monotonic(), deadline, what)
            time.sleep(0.01)


def as_value(value):
    return {"N": str(value)} if isinstance(value, (int, float)) else {"S": value}


def plain(item):
    """An item of strings and numbers."""
    if item is None:
        return None
    return {name: value["S"] if "S" in value else int(value["N"]) for name, value in item.items()}

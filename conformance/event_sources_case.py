"""The common part of the suites of event source mappings: a server with mappings to a stand-in's functions."""

import json
import os
import tempfile
import unittest

from deliveries_case import BINARY, KEY, wait_until
from function_stand_in import FunctionStandIn
from wire import Connection
from with_server import Server

STREAM = {"StreamEnabled": True, "StreamViewType": "NEW_AND_OLD_IMAGES"}


def failed(body=b'{"errorMessage":"no","errorType":"Error"}', header=True):
    return 200, {"X-Amz-Function-Error": "Unhandled"} if header else {}, body


def versions(records):
    """Of each item: its versions in the order in which they came."""
    found = {}
    for record in records:
        image = record["dynamodb"].get("NewImage")
        if image:
            found.setdefault(image["pk"]["S"], []).append(int(image["v"]["N"]))
    return found


class EventSources(unittest.TestCase):
    """A server with mappings to a stand-in's functions."""

    def begin(self, *mappings, engine="memory", flags=(), table=True):
        self.functions = FunctionStandIn()
        self.functions.start()
        self.addCleanup(self.functions.stop)
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.failures = os.path.join(self.folder.name, "failures.jsonl")
        self.file = os.path.join(self.folder.name, "mappings.json")
        self.write_mappings(*mappings)
        self.server = Server(BINARY, engine, "--auth=off", "--ttl-delay-ms=0", "--event-sources", self.file, *flags)
        self.server.errors = tempfile.TemporaryFile()
        self.addCleanup(self.server.errors.close)
        self.addCleanup(self.server.remove)
        self.server.start()
        self.connect()
        if table:
            self.make_table()

    def write_mappings(self, *mappings):
        mappings = [self.with_places(mapping) for mapping in mappings]
        least = {"TableName": "tab", "FunctionName": "f", "StartingPosition": "TRIM_HORIZON"}
        with open(self.file, "w", encoding="utf-8") as file:
            json.dump({"Endpoint": self.functions.url,
                       "EventSourceMappings": [least | mapping for mapping in mappings]}, file)

    def with_places(self, mapping):
        places = {"FILE": f"file://{self.failures}", "URL": f"{self.functions.url}/failures"}
        if "OnFailure" not in mapping:
            return mapping
        mapping = dict(mapping)
        mapping["DestinationConfig"] = {"OnFailure": {"Destination": places[mapping.pop("OnFailure")]}}
        return mapping

    def connect(self):
        self.connection = Connection(self.server.port)
        self.addCleanup(self.connection.close)

    def send(self, operation, **request):
        return self.connection.send(operation, **request)

    def make_table(self, table="tab"):
        self.send("CreateTable", TableName=table, StreamSpecification=STREAM, **KEY)

    def put(self, key, version=1, table="tab", **more):
        self.send("PutItem", TableName=table, Item={"pk": {"S": key}, "v": {"N": str(version)}} | more)

    def await_records(self, count, function="f"):
        wait_until(lambda: len(self.functions.records(function)) >= count,
                   f"{len(self.functions.records(function))} of {count} records; {self.log()[-2000:]}")
        return self.functions.records(function)

    def left_out(self):
        if not os.path.exists(self.failures):
            return []
        with open(self.failures, encoding="utf-8") as file:
            return [json.loads(line) for line in file]

    def log(self):
        self.server.errors.seek(0)
        return self.server.errors.read().decode()

    def restart(self, kill=True):
        if kill:
            self.server.kill()
        else:
            self.assertEqual(self.server.stop(), 0)
        self.server.start()
        self.connect()

"""Event source mappings, where the clock is changed and main restored by the control interface.

event_source_settings_test.py <magneto> [test ...]
"""

import json
import os
import sys
import tempfile
import unittest

import control_server
from deliveries_case import wait_until
from event_sources_case import STREAM, failed
from function_stand_in import FunctionStandIn
from wire import Connection


class SettingsTest(unittest.TestCase):
    """With the control interface."""

    def begin(self, data=None, **more):
        self.functions = FunctionStandIn()
        self.functions.start()
        self.addCleanup(self.functions.stop)
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        path = os.path.join(folder.name, "mappings.json")
        text = json.dumps({"Endpoint": self.functions.url, "EventSourceMappings": [
            {"TableName": "Tab", "FunctionName": "f", "StartingPosition": "TRIM_HORIZON"} | more]})
        with open(path, "w", encoding="utf-8") as file:
            file.write(text.replace("FAILURES", f"{self.functions.url}/failures"))
        self.server = control_server.Server("--auth=off", "--partitions=1", "--event-sources", path,
                                            *(("--data-dir", data) if data else ()))
        self.addCleanup(self.server.stop)
        self.connection = Connection(self.server.port)
        self.addCleanup(self.connection.close)
        self.connection.send("CreateTable", StreamSpecification=STREAM, **control_server.TABLE)

    def put(self, key):
        self.connection.send("PutItem", TableName="Tab", Item={"pk": {"S": key}})

    def keys(self):
        return [record["dynamodb"]["Keys"]["pk"]["S"] for record in self.functions.records()]

    def control(self, method, path, body):
        self.assertIn(self.server.control(method, path, body)[0], (200, 201, 204))

    def test_records_get_too_old(self):
        self.begin(MaximumRecordAgeInSeconds=60)
        self.functions.answer = lambda *_: failed()
        self.put("old")
        wait_until(lambda: len(self.functions.calls) > 1, "it was not tried again")
        self.control("PUT", "namespaces/main/clock", {"advance": "61s"})
        self.put("new")
        self.functions.answer = lambda *_: (200, {}, b"null")
        wait_until(lambda: "new" in self.keys(), "the next did not come")
        calls = len(self.functions.calls)
        self.assertEqual(self.keys()[-1], "new")
        self.put("newer")
        wait_until(lambda: self.keys()[-1] == "newer", "the next did not come")
        self.assertEqual(len(self.functions.calls), calls + 1)

    def test_what_is_left_out_is_told_before_what_follows(self):
        self.begin(MaximumRecordAgeInSeconds=60, DestinationConfig={"OnFailure": {"Destination": "FAILURES"}})
        self.functions.takes_failures = False
        self.functions.answer = lambda *_: failed()
        self.put("old")
        wait_until(lambda: self.functions.calls, "it was not tried")
        self.control("PUT", "namespaces/main/clock", {"advance": "61s"})
        wait_until(lambda: self.functions.refused_failures > 1, "it was not told again")
        self.functions.answer = lambda *_: (200, {}, b"null")
        self.put("new")
        refused = self.functions.refused_failures
        wait_until(lambda: self.functions.refused_failures > refused, "it was not told again")
        self.assertNotIn("new", self.keys())
        self.functions.takes_failures = True
        wait_until(lambda: "new" in self.keys(), "the next did not come")
        told, = self.functions.failures
        self.assertEqual(told["requestContext"]["condition"], "RecordAgeExceeded")
        self.assertEqual(told["DDBStreamBatchInfo"]["batchSize"], 1)

    def test_shards_follow_each_other(self):
        """Those of a day, each after its parent."""
        self.begin(ParallelizationFactor=2)
        for number in range(6):
            self.put(f"x{number}")
            self.control("PUT", "namespaces/main/clock", {"advance": "250m"})
            wait_until(lambda n=number: f"x{n}" in self.keys(), "it did not come")
        self.assertEqual(self.keys(), [f"x{number}" for number in range(6)])

    def test_a_restored_main(self):
        """Nothing comes again, but where the clock was set back all may."""
        for on_disk in (False, True):
            with self.subTest(on_disk=on_disk):
                folder = tempfile.TemporaryDirectory()
                self.addCleanup(folder.cleanup)  # when the server has ended
                self.begin(folder.name if on_disk else None)
                self.restore_main()

    def restore_main(self):
        self.put("before")
        wait_until(lambda: self.keys() == ["before"], self.keys())
        self.control("POST", "snapshots", {"name": "seeded"})
        self.put("between")
        wait_until(lambda: len(self.keys()) == 2, "nothing came")
        self.control("POST", "namespaces/main/restore", {"snapshot": "seeded"})
        self.put("after")
        wait_until(lambda: "after" in self.keys(), "nothing came")
        self.assertEqual(self.keys(), ["before", "between", "after"])
        self.control("PUT", "namespaces/main/clock", {"advance": "1h"})
        self.put("late")
        wait_until(lambda: "late" in self.keys(), "nothing came")
        self.control("POST", "namespaces/main/restore", {"snapshot": "seeded"})
        self.control("DELETE", "namespaces/main/clock", None)
        self.put("last")
        wait_until(lambda: "last" in self.keys(), "nothing came")
        self.assertEqual(self.keys()[:4], ["before", "between", "after", "late"])
        self.assertIn(self.keys()[4:], (["last"], ["before", "last"]))

    def make_table(self):
        self.connection.send("CreateTable", StreamSpecification=STREAM, **control_server.TABLE)

    def test_latest_after_a_restore(self):
        """With LATEST, new records arrive after a restore, and all records of a table that was made after a reset."""
        self.begin(StartingPosition="LATEST")
        self.put("before")
        wait_until(lambda: self.keys() == ["before"], self.keys())
        self.control("POST", "snapshots", {"name": "seeded"})
        wanted = ["before"]
        for number in range(4):
            self.control("POST", "namespaces/main/reset", {})
            self.make_table()
            self.put(f"made{number}")
            wanted.append(f"made{number}")
            wait_until(lambda: self.keys() == wanted, self.keys)
            self.control("POST", "namespaces/main/restore", {"snapshot": "seeded"})
            self.put(f"restored{number}")
            wanted.append(f"restored{number}")
            wait_until(lambda: self.keys() == wanted, self.keys)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]])

"""shared_feeds_test.py <binary>: what one of several servers does for all of them: deliveries, event sources, throughput.

Clients write on two servers, while the one that sends is killed. Every change must arrive, and those of an item in order.
"""

import json
import os
import sys
import tempfile
import time
import unittest
import urllib.request

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))

from cluster.shared_servers import SharedCluster  # noqa: E402
from deliveries_case import BINARY, KEY, Deliveries, Writers, wait_until  # noqa: E402
from event_sources_case import STREAM, versions  # noqa: E402
from function_stand_in import FunctionStandIn  # noqa: E402
from kinesis_stand_in import KinesisStandIn  # noqa: E402
from wire import Connection, Refused  # noqa: E402

ROUNDS = 60
LAST = {f"{name}{thread}-{item}": ROUNDS for name in "bc" for thread in range(2) for item in range(3)}


class SharedCase(Deliveries):
    def begin_cluster(self, *flags):
        self.cluster = SharedCluster(BINARY, *flags)
        self.addCleanup(self.cluster.remove)
        self.connections = [Connection(server.port) for server in self.cluster.servers]
        for connection in self.connections:
            self.addCleanup(connection.close)
        self.connection = self.connections[1]

    def write_while_the_leader_changes(self):
        """The first server leads, because it joined first. Then each of the others does."""
        writers = [Writers(server.port, threads=2, items=3, rounds=ROUNDS, name=name)
                   for server, name in zip(self.cluster.servers[1:], "bc")]
        self.cluster.servers[0].kill()
        self.cluster.servers[0].start()
        for of_server in writers:
            of_server.join()
        self.assertEqual(writers[0].acknowledged | writers[1].acknowledged, LAST)


class DeliveriesTest(SharedCase):
    def begin(self, *_):
        self.kinesis = KinesisStandIn("a", "b")
        self.kinesis.start()
        self.addCleanup(self.kinesis.stop)
        self.begin_cluster(f"--kinesis-endpoint={self.kinesis.url}")

    def test_every_change_arrives_when_the_leader_is_killed(self):
        self.begin()
        self.make_table()
        self.write_while_the_leader_changes()
        wait_until(lambda: len({(key, data) for key, data in self.kinesis.streams["a"]}) >= sum(LAST.values()),
                   f"{len(self.kinesis.streams['a'])} records")
        self.check_order("a", LAST, once=False)

    def test_a_server_that_ends_hands_over_without_a_record_twice(self):
        self.begin()
        self.make_table()
        for server in range(2):
            self.connections[2].send("PutItem", TableName="tab", Item={"pk": {"S": "x"}, "v": {"N": str(server + 1)}})
            self.await_records(server + 1)
            self.assertEqual(self.cluster.servers[server].stop(), 0)
        self.connections[2].send("PutItem", TableName="tab", Item={"pk": {"S": "x"}, "v": {"N": "3"}})
        self.await_records(3)
        self.check_order("a", {"x": 3}, once=True)

    def test_any_server_changes_destinations(self):
        self.begin()
        self.connections[0].send("CreateTable", TableName="tab", **KEY)
        for stream, number in (("a", 1), ("b", 2), ("b", 0)):
            self.connection = self.connections[number]
            self.enable(stream=stream)
            for self.connection in self.connections:  # the leader's change reaches one server after the other
                self.await_status("ACTIVE")
            before = len(self.kinesis.records(stream))
            for version, connection in enumerate(self.connections):
                connection.send("PutItem", TableName="tab", Item={"pk": {"S": stream + str(number)}, "v": {"N": str(version + 1)}})
            self.await_records(before + 3, stream)
            self.connection = self.connections[(number + 1) % 3]
            self.disable(stream=stream)
            self.await_status("DISABLED")
            self.connection.send("PutItem", TableName="tab", Item={"pk": {"S": "nobody"}, "v": {"N": str(number)}})
        self.check_order("a", {"a1": 3}, once=True)
        self.check_order("b", {"b2": 3, "b0": 3}, once=True)


class EventSourcesTest(SharedCase):
    def begin(self, *mappings):
        self.functions = FunctionStandIn()
        self.functions.start()
        self.addCleanup(self.functions.stop)
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        file = os.path.join(folder.name, "mappings.json")
        with open(file, "w", encoding="utf-8") as out:
            json.dump({"Endpoint": self.functions.url, "EventSourceMappings": [
                {"TableName": "tab", "StartingPosition": "TRIM_HORIZON"} | mapping for mapping in mappings]}, out)
        self.begin_cluster("--event-sources", file)

    def test_every_change_arrives_when_the_leader_is_killed(self):
        self.begin({"FunctionName": "f"}, {"FunctionName": "g", "StartingPosition": "LATEST", "ParallelizationFactor": 4})
        self.connection.send("CreateTable", TableName="tab", StreamSpecification=STREAM, **KEY)
        self.write_while_the_leader_changes()
        for function in "fg":
            def found(function=function):
                return {item: list(dict.fromkeys(seen)) for item, seen in versions(self.functions.records(function)).items()}
            wait_until(lambda found=found: sum(map(len, found().values())) >= sum(LAST.values()), found)
            self.assertEqual(found(), {item: list(range(1, last + 1)) for item, last in LAST.items()})


class ThroughputTest(SharedCase):
    def test_each_server_allows_its_part(self):
        """A meter begins with the units of a second."""
        self.begin_cluster("--enforce-throughput")
        self.connection.send("CreateTable", TableName="tab", **(KEY | {"BillingMode": "PROVISIONED", "ProvisionedThroughput": {
            "ReadCapacityUnits": 30, "WriteCapacityUnits": 30}}))
        for number, connection in enumerate(self.connections):
            begin = time.monotonic()
            taken = self.put_until_refused(connection, str(number))
            most = 10 * (time.monotonic() - begin + 1)  # of a third of 30
            self.assertLessEqual(taken, most + 1)
            self.assertGreaterEqual(taken, 10)
        for server in self.cluster.servers[:2]:
            self.assertEqual(server.stop(), 0)
        wait_until(lambda: self.metric("magneto_store_servers") == 1, "the servers are still there")
        # As many units as one server alone gathers in three seconds.
        time.sleep(3)
        self.assertGreaterEqual(self.put_until_refused(self.connections[2], "alone"), 80)

    def metric(self, name):
        with urllib.request.urlopen(self.cluster.servers[2].endpoint + "/metrics") as answer:
            lines = answer.read().decode().splitlines()
        return next(float(line.split()[1]) for line in lines if line.startswith(name + " "))

    def put_until_refused(self, connection, key):
        taken = 0
        with self.assertRaises(Refused) as caught:
            while taken < 1000:
                connection.send("PutItem", TableName="tab", Item={"pk": {"S": f"{key}-{taken}"}, "v": {"N": "1"}})
                taken += 1
        self.assertEqual(caught.exception.type, "ProvisionedThroughputExceededException")
        return taken


if __name__ == "__main__":
    del sys.argv[1]
    unittest.main(verbosity=2)

"""shared_test.py <binary> [seconds]: three servers that use one store at the same time behave as one.

Clients send to any of the servers, while one of them is killed, is ended, or is stopped for longer than its lease, while
connections to PostgreSQL are lost, or while its primary is lost and its standby promoted. Every item must behave as one
register, and transactions must have a serial order. Tables, indexes and streams are the same on all servers.
"""

import os
import random
import signal
import sys
import time
import unittest

import boto3

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))

import linear_order_test  # noqa: E402
import serial_order_test  # noqa: E402
from cluster import take_overs_test  # noqa: E402
from cluster.shared_servers import SharedCluster  # noqa: E402
from cluster.two_servers import LEASE_SECONDS, REPLACED  # noqa: E402
from concurrent_clients import ConcurrentClientsCase, connect  # noqa: E402
from wire import Connection  # noqa: E402
from with_server import client_environment  # noqa: E402

KEY = [{"AttributeName": "Id", "KeyType": "HASH"}]
ID = {"AttributeName": "Id", "AttributeType": "S"}
TABLE = {"TableName": "Shared", "BillingMode": "PAY_PER_REQUEST", "KeySchema": KEY, "AttributeDefinitions": [ID]}
INDEX = {"IndexName": "Index", "KeySchema": [{"AttributeName": "G", "KeyType": "HASH"}], "Projection": {"ProjectionType": "ALL"}}


class LinearTest(take_overs_test.ClusterCase):
    """Each item is a register, whichever server is asked."""

    def begin(self, **options):
        self.cluster = SharedCluster(BINARY, **options)
        self.addCleanup(self.cluster.remove)
        connection = Connection(self.cluster.active.port)
        connection.send("CreateTable", **TABLE | {"TableName": linear_order_test.TABLE})
        connection.close()

    def test_a_server_is_killed(self):
        self.begin()

        def disturb():
            server = self.cluster.any()
            server.kill()
            server.start()

        self.play(3, disturb)

    def test_a_server_ends(self):
        self.begin()

        def disturb():
            server = self.cluster.any()
            self.assertEqual(server.stop(), 0)
            server.start()

        self.play(2, disturb)

    def test_a_server_is_stopped_and_wakes_up(self):
        self.begin()

        def disturb():
            server = self.cluster.any()
            os.kill(server.process_id, signal.SIGSTOP)
            time.sleep(2 * LEASE_SECONDS)
            os.kill(server.process_id, signal.SIGCONT)
            self.assertEqual(server.wait(), REPLACED)
            server.start()

        self.play(2, disturb)

    def test_connections_are_terminated(self):
        self.begin()

        def disturb():
            for _ in range(20):
                self.cluster.postgres.terminate_connections(50)
                time.sleep(0.02)

        self.play(2, disturb)

    def test_the_primary_is_killed_and_its_standby_promoted(self):
        self.begin(has_standby=True)

        def disturb():
            self.cluster.fail_over()
            for server in self.cluster.servers:
                if server.has_ended():
                    server.start()

        self.play(1, disturb)


class OrderClient(serial_order_test.OrderClient):
    """Keeps to one server; each client has another one."""

    meets_waiting_servers = True
    endpoints = ()

    def __init__(self, _, name, items):
        super().__init__(random.choice(self.endpoints), name, items)


class SerialTest(serial_order_test.SerialOrderCase):
    client = OrderClient

    def test_transactions_of_all_servers(self):
        self.binary = BINARY
        cluster = SharedCluster(BINARY)
        self.addCleanup(cluster.remove)
        self.server = cluster.active
        OrderClient.endpoints = [server.endpoint for server in cluster.servers]
        os.environ.update(client_environment(self.server.endpoint))
        self.connection = connect(self.server.endpoint)
        for name in serial_order_test.TABLES:
            self.connection.create_table(TableName=name, BillingMode="PAY_PER_REQUEST", KeySchema=KEY,
                                         AttributeDefinitions=[ID])

        def disturb():
            cluster.servers[2].kill()
            cluster.servers[2].start()

        committed = sum(self.play_round(number, disturb) for number in range(4))
        print(f"{committed} transactions and writes in a serial order")


class SameEverywhereTest(unittest.TestCase):
    """What one server has answered, all of them know."""

    def setUp(self):
        self.cluster = SharedCluster(BINARY)
        self.addCleanup(self.cluster.remove)
        os.environ.update(client_environment(self.cluster.active.endpoint))
        self.clients = [connect(server.endpoint) for server in self.cluster.servers]

    def test_tables_and_items(self):
        first, second, third = self.clients
        for number in range(5):
            first.create_table(**TABLE)
            for client in self.clients:
                client.put_item(TableName="Shared", Item={"Id": {"S": "a"}, "N": {"N": str(number)}})
            self.assertEqual(third.describe_table(TableName="Shared")["Table"]["ItemCount"], 1)
            second.delete_table(TableName="Shared")
            for client in self.clients:
                self.assertEqual(client.list_tables()["TableNames"], [])
                with self.assertRaises(client.exceptions.ResourceNotFoundException):
                    client.get_item(TableName="Shared", Key={"Id": {"S": "a"}})

    def test_an_index_is_exact_on_all_servers(self):
        first, second, third = self.clients
        first.create_table(**TABLE)
        for number in range(100):
            self.clients[number % 3].put_item(TableName="Shared", Item={"Id": {"S": str(number)}, "G": {"S": str(number % 5)}})
        second.update_table(TableName="Shared", AttributeDefinitions=[ID, {"AttributeName": "G", "AttributeType": "S"}],
                            GlobalSecondaryIndexUpdates=[{"Create": INDEX}])
        deadline = time.monotonic() + 60
        while third.describe_table(TableName="Shared")["Table"]["GlobalSecondaryIndexes"][0]["IndexStatus"] != "ACTIVE":
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.01)
        for number in range(100, 150):
            self.clients[number % 3].put_item(TableName="Shared", Item={"Id": {"S": str(number)}, "G": {"S": str(number % 5)}})
            self.clients[(number + 1) % 3].delete_item(TableName="Shared", Key={"Id": {"S": str(number - 100)}})
            found = self.clients[(number + 2) % 3].query(
                TableName="Shared", IndexName="Index", KeyConditionExpression="G = :g",
                ExpressionAttributeValues={":g": {"S": str(number % 5)}}, Select="COUNT")
            self.assertEqual(found["Count"], 20)
        described = first.describe_table(TableName="Shared")["Table"]
        self.assertEqual(described["ItemCount"], 100)
        self.assertEqual(described["GlobalSecondaryIndexes"][0]["ItemCount"], 100)

    def test_a_stream_has_each_change_once_and_in_order(self):
        self.clients[0].create_table(**TABLE, StreamSpecification={"StreamEnabled": True, "StreamViewType": "NEW_IMAGE"})
        arn = self.clients[1].describe_table(TableName="Shared")["Table"]["LatestStreamArn"]
        for number in range(300):
            self.clients[number % 3].put_item(TableName="Shared", Item={"Id": {"S": str(number % 4)}, "N": {"N": str(number)}})
        found = {}
        streams = [take_stream(server.endpoint) for server in self.cluster.servers]
        iterators = [streams[0].get_shard_iterator(StreamArn=arn, ShardId=shard["ShardId"], ShardIteratorType="TRIM_HORIZON")
                     ["ShardIterator"] for shard in streams[2].describe_stream(StreamArn=arn)["StreamDescription"]["Shards"]]
        deadline = time.monotonic() + 60
        while sum(map(len, found.values())) < 300:
            self.assertLess(time.monotonic(), deadline)
            for index, iterator in enumerate(iterators):
                answer = random.choice(streams).get_records(ShardIterator=iterator)
                iterators[index] = answer["NextShardIterator"]
                for record in answer["Records"]:
                    image = record["dynamodb"]["NewImage"]
                    found.setdefault(image["Id"]["S"], []).append(int(image["N"]["N"]))
        self.assertEqual(found, {str(item): list(range(item, 300, 4)) for item in range(4)})

    def test_what_needs_the_store_alone_is_refused(self):
        self.clients[0].create_table(**TABLE)
        for client in self.clients:
            with self.assertRaisesRegex(client.exceptions.ClientError, "--shared"):
                client.create_backup(TableName="Shared", BackupName="Backup")
            with self.assertRaisesRegex(client.exceptions.ClientError, "--shared"):
                client.update_table(TableName="Shared", ReplicaUpdates=[{"Create": {"RegionName": "us-east-2"}}])


def take_stream(endpoint):
    return boto3.client("dynamodbstreams", endpoint_url=endpoint)


if __name__ == "__main__":
    BINARY = sys.argv.pop(1)
    take_overs_test.BINARY = BINARY
    take_overs_test.SECONDS = float(sys.argv.pop(1)) if len(sys.argv) > 1 and sys.argv[1].replace(".", "").isdigit() else 2.0
    ConcurrentClientsCase.binary = BINARY
    unittest.main(verbosity=2)

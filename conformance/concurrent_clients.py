"""Clients in threads of their own against one server, which may be killed in their midst."""

import os
import random
import sys
import time
import unittest

import boto3
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError

from serial_order import COMMITTED, REFUSED
from side_by_side import side_by_side
from wire import PATIENCE_SECONDS
from with_server import Server, client_environment

ENOUGH_STEPS = 100  # of all clients, before what disturbs them and after it
CANCELLED = ("TransactionCanceledException", "TransactionConflictException")


def connect(endpoint):
    return boto3.client("dynamodb", endpoint_url=endpoint, config=Config(
        retries={"total_max_attempts": 1}, connect_timeout=120, read_timeout=120))


class Client:
    """Sends random requests, one after the other, and records their results."""

    meets_waiting_servers = False  # they answer 503

    def __init__(self, endpoint, name):
        self.name = name
        self.steps = []
        self.random = random.Random(name)
        self.connection = connect(endpoint)

    def run(self, stop):
        while not stop.is_set():
            self.act()

    def act(self):
        raise NotImplementedError

    def next_name(self):
        return f"{self.name}.{len(self.steps)}"

    def send(self, step, request):
        """Keeps `step`, sets its outcome and when it was answered, and returns the answer, if there is one."""
        self.steps.append(step)
        try:
            answer = request()
            step.outcome = COMMITTED
        except ClientError as error:
            if self.meets_waiting_servers and error.response["ResponseMetadata"]["HTTPStatusCode"] == 503:
                return None
            if error.response["Error"]["Code"] not in CANCELLED:
                raise
            answer = None
            step.outcome = REFUSED
        except BotoCoreError:
            return None  # the server was killed: the result is unknown
        step.answered = time.monotonic()
        return answer


class ConcurrentClientsCase(unittest.TestCase):
    binary = None
    seconds = 2.0

    def start(self, engine, tables):
        """A server with tables whose key is the string Id."""
        self.serve(Server(self.binary, engine), tables)

    def serve(self, server, tables):
        self.server = server
        self.addCleanup(self.server.remove)
        self.server.start()
        os.environ.update(client_environment(self.server.endpoint))
        self.connection = connect(self.server.endpoint)
        self.addCleanup(self.connection.close)
        for table in tables:
            self.connection.create_table(
                TableName=table, BillingMode="PAY_PER_REQUEST",
                AttributeDefinitions=[{"AttributeName": "Id", "AttributeType": "S"}],
                KeySchema=[{"AttributeName": "Id", "KeyType": "HASH"}])

    def kill_and_start(self):
        self.server.kill()
        self.server.start()

    def wait_for_steps(self, clients, count):
        """Waits until the clients have taken `count` more steps."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        wanted = sum(len(client.steps) for client in clients) + count
        while sum(len(client.steps) for client in clients) < wanted:
            self.assertLess(time.monotonic(), deadline, "the clients do not come on")
            time.sleep(0.01)

    def play(self, clients, disturb):
        """The steps of clients at work, with `disturb` in the middle."""
        with side_by_side([client.run for client in clients]):
            self.wait_for_steps(clients, ENOUGH_STEPS)
            time.sleep(self.seconds * random.uniform(0.3, 0.7))
            disturb()
            time.sleep(self.seconds * 0.3)
            self.wait_for_steps(clients, ENOUGH_STEPS)
        for client in clients:
            client.connection.close()
        return [step for client in clients for step in client.steps]


def main():
    """<binary> [seconds of a round]"""
    ConcurrentClientsCase.binary = sys.argv.pop(1)
    if len(sys.argv) > 1 and sys.argv[1].replace(".", "").isdigit():
        ConcurrentClientsCase.seconds = float(sys.argv.pop(1))
    unittest.main(verbosity=2)

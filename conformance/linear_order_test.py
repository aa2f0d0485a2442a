"""linear_order_test.py <binary> [seconds]: every item behaves as one register, also over kill -9.

Clients in threads of their own write, count, compare and read the same few items, each by every operation that can, in
rounds. On disk the server is killed in the middle of each round and started again. With fault rules (fault_rules.py) requests
are refused, which must leave no trace, and lose their answers, which may leave one at any later moment.
"""

import random
import sys
import time
import unittest

from fault_rules import FaultRules, is_by_a_rule, rules_of_all_kinds
from fault_rules import FLAGS as CONTROL_FLAGS
from linear_order import NotLinearizable, Request, check
from side_by_side import side_by_side
from wire import PATIENCE_SECONDS, Connection, Lost, Refused
from with_server import Server

CLIENTS = 6
ITEMS = 4  # of each round
TABLE = "Registers"
CUTS = 0.002  # of the requests, in each way: requests without an answer make the search long
CONFLICTS = ("TransactionConflictException", "TransactionCanceledException", "ReplicatedWriteConflictException")
REGIONS = ("us-east-1", "us-west-2", "eu-west-1")


def put(version):
    return lambda state: ((version, 1), state)


def put_if(version, expected):
    """`expected`: the version that must be there; None: no item."""
    return lambda state: ((version, 1), True) if (state and state[0]) == expected else (state, False)


def delete(state):
    return None, state


def delete_if(expected):
    return lambda state: (None, True) if (state and state[0]) == expected else (state, False)


def count(state):
    """The version goes with the first count."""
    following = (state[0], state[1] + 1) if state else (None, 1)
    return following, following


def read(state):
    return state, state


class CheckerTest(unittest.TestCase):
    """The checker itself finds what is wrong."""

    def refuses(self, *requests, first=None):
        with self.assertRaises(NotLinearizable):
            check(requests, first)

    def test_one_after_the_other(self):
        check([Request("a", 0, put("1"), 1, None), Request("b", 2, read, 3, ("1", 1)),
               Request("c", 4, count, 5, ("1", 2)), Request("d", 6, delete, 7, ("1", 2))], None)

    def test_an_old_read(self):
        self.refuses(Request("a", 0, put("1"), 1, None), Request("b", 2, read, 3, None))
        check([Request("a", 0, put("1"), 3, None), Request("b", 2, read, 3, None)], None)

    def test_a_read_that_goes_back(self):
        write = Request("a", 0, put("1"), 9, None)
        self.refuses(write, Request("b", 1, read, 2, ("1", 1)), Request("c", 3, read, 4, None))
        check([write, Request("b", 1, read, 2, None), Request("c", 3, read, 4, ("1", 1))], None)

    def test_a_lost_count(self):
        self.refuses(Request("a", 0, count, 9, (None, 1)), Request("b", 0, count, 9, (None, 1)))
        check([Request("a", 0, count, 9, (None, 2)), Request("b", 0, count, 9, (None, 1))], None)

    def test_two_winners(self):
        won = [Request(name, 0, put_if(name, "old"), 9, True) for name in ("a", "b")]
        self.refuses(*won, first=("old", 1))
        won[1].answer = False
        check(won, ("old", 1))

    def test_a_condition_that_failed_for_nothing(self):
        self.refuses(Request("a", 0, delete_if("old"), 1, False), first=("old", 1))

    def test_what_was_never_answered(self):
        lost = Request("a", 0, put("1"))
        check([lost], None)
        check([lost, Request("b", 5, read, 6, None)], None)
        check([lost, Request("b", 5, read, 6, None), Request("c", 7, read, 8, ("1", 1))], None)
        self.refuses(lost, Request("b", 5, read, 6, ("1", 1)), Request("c", 7, read, 8, None))
        self.refuses(lost, Request("b", 5, read, 6, ("2", 1)))

    def test_many_at_a_time(self):
        counts = [Request(f"a{number}", 0, count, 9, (None, 8 - number)) for number in range(8)]
        check(counts, None)
        counts[3].answer = (None, 1)
        self.refuses(*counts)


class Client:
    """Sends random requests, one after the other, and records their results by item."""

    def __init__(self, port, name, items, region=None):
        self.port = port
        self.region = region
        self.name = name
        self.items = items
        self.requests = {item: [] for item in items}
        self.seen = dict.fromkeys(items)  # the version of each
        self.random = random.Random(name)
        self.number = 0
        self.connection = None

    def run(self, stop):
        self.connection = Connection(self.port, region=self.region)
        while not stop.is_set():
            try:
                self.one()
            except Lost:
                self.reconnect()
        self.connection.close()

    def reconnect(self):
        self.connection.close()
        deadline = time.monotonic() + PATIENCE_SECONDS
        while True:
            try:
                self.connection = Connection(self.port, region=self.region)
                return
            except Lost:
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.005)

    def one(self):
        self.number += 1
        name, item = f"{self.name}.{self.number}", self.random.choice(self.items)
        kinds = (self._put, self._put_if, self._put_if, self._delete, self._delete_if, self._count, self._count,
                 self._get, self._get, self._batch_get, self._query)
        if self.region is None:  # strongly consistent tables of several regions take no transactions
            kinds += self._transact, self._transact_get
        send, carry_out = self.random.choice(kinds)(name, item)
        request = Request(name, time.monotonic(), carry_out)
        if carry_out is not read:
            self.requests[item].append(request)
        try:
            request.answer = send()
        except Refused as error:
            if error.type not in CONFLICTS and not is_by_a_rule(error):
                raise
            if carry_out is not read:
                self.requests[item].remove(request)
            return
        request.answered = time.monotonic()
        if carry_out is read:
            self.requests[item].append(request)
            self.seen[item] = request.answer and request.answer[0]

    def _send_if(self, operation, item, **request):
        """Whether the condition held."""
        expected = self.seen[item]
        if expected is None:
            request["ConditionExpression"] = "attribute_not_exists(V)"
        else:
            request |= {"ConditionExpression": "V = :v", "ExpressionAttributeValues": {":v": {"S": expected}}}
        try:
            self.connection.send(operation, TableName=TABLE, **request)
            return True
        except Refused as error:
            if error.type != "ConditionalCheckFailedException":
                raise
            return False

    def _put(self, name, item):
        return lambda: state_of(self.connection.send(
            "PutItem", TableName=TABLE, Item=new_item(item, name), ReturnValues="ALL_OLD").get("Attributes")), put(name)

    def _put_if(self, name, item):
        return (lambda: self._send_if("PutItem", item, Item=new_item(item, name)), put_if(name, self.seen[item]))

    def _delete(self, _, item):
        return lambda: state_of(self.connection.send(
            "DeleteItem", TableName=TABLE, Key=key(item), ReturnValues="ALL_OLD").get("Attributes")), delete

    def _delete_if(self, _, item):
        return lambda: self._send_if("DeleteItem", item, Key=key(item)), delete_if(self.seen[item])

    def _count(self, _, item):
        return lambda: state_of(self.connection.send("UpdateItem", **increment(item), ReturnValues="ALL_NEW")[
            "Attributes"]), count

    def _transact(self, name, item):
        expected = self.seen[item]
        condition = ({"ConditionExpression": "attribute_not_exists(V)"} if expected is None else
                     {"ConditionExpression": "V = :v", "ExpressionAttributeValues": {":v": {"S": expected}}})
        action = {"Put": {"TableName": TABLE, "Item": new_item(item, name)} | condition}

        def send():
            try:
                self.connection.send("TransactWriteItems", TransactItems=[action], ClientRequestToken=name)
                return True
            except Refused as error:
                reasons = [reason["Code"] for reason in error.body.get("CancellationReasons", ())]
                if reasons != ["ConditionalCheckFailed"]:
                    raise
                return False

        return send, put_if(name, expected)

    def _get(self, _, item):
        return lambda: state_of(self.connection.send(
            "GetItem", TableName=TABLE, Key=key(item), ConsistentRead=True).get("Item")), read

    def _batch_get(self, _, item):
        return lambda: state_of(*self.connection.send("BatchGetItem", RequestItems={
            TABLE: {"Keys": [key(item)], "ConsistentRead": True}})["Responses"][TABLE]), read

    def _query(self, _, item):
        return lambda: state_of(*self.connection.send(
            "Query", TableName=TABLE, KeyConditionExpression="Id = :i", ConsistentRead=True,
            ExpressionAttributeValues={":i": {"S": item}})["Items"]), read

    def _transact_get(self, _, item):
        return lambda: state_of(self.connection.send("TransactGetItems", TransactItems=[
            {"Get": {"TableName": TABLE, "Key": key(item)}}])["Responses"][0].get("Item")), read


def key(item):
    return {"Id": {"S": item}}


def new_item(item, version):
    return key(item) | {"V": {"S": version}, "C": {"N": "1"}}


def state_of(item=None):
    return item and (item["V"]["S"] if "V" in item else None, int(item["C"]["N"]))


def increment(item):
    return {"TableName": TABLE, "Key": key(item), "UpdateExpression": "ADD C :one",
            "ExpressionAttributeValues": {":one": {"N": "1"}}}


class LinearOrderTest(unittest.TestCase):
    regions = (None,)

    def start(self, engine, *flags):
        self.server = Server(BINARY, engine, "--auth", "off", *flags)
        self.addCleanup(self.server.remove)
        self.server.start()
        connection = Connection(self.server.port, region=self.regions[0])
        connection.send("CreateTable", TableName=TABLE, BillingMode="PAY_PER_REQUEST",
                        AttributeDefinitions=[{"AttributeName": "Id", "AttributeType": "S"}],
                        KeySchema=[{"AttributeName": "Id", "KeyType": "HASH"}])
        connection.close()

    def add_rules(self):
        FaultRules(self.server.port).add(rules_of_all_kinds(CUTS), [TABLE], random.randrange(10 ** 6))

    def kill_and_start_with_rules(self):
        self.note_hits()
        self.kill_and_start()
        self.add_rules()

    def note_hits(self):
        for name, hits in FaultRules(self.server.port).hits().items():
            self.hits[name] = self.hits.get(name, 0) + hits

    def play_with_rules(self, rounds, disturb):
        self.hits = {}
        self.add_rules()
        self.play_rounds(rounds, disturb)
        self.note_hits()
        print(self.hits)
        self.assertGreater(self.hits["drop before"] + self.hits["drop after"] + self.hits["truncate"], 0)
        self.assertGreater(self.hits["error InternalServerError"], 0)

    def wait_for_requests(self, clients):
        """Until the clients have made a hundred more."""
        def made():
            return sum(len(requests) for client in clients for requests in client.requests.values())

        deadline = time.monotonic() + PATIENCE_SECONDS
        wanted = made() + 100
        while made() < wanted:
            self.assertLess(time.monotonic(), deadline, "the clients do not come on")
            time.sleep(0.01)

    def play(self, number, disturb):
        """One round: clients at work, and `disturb` in the middle. How many requests were answered."""
        items = [f"{number}-{index}" for index in range(ITEMS)]
        clients = [Client(self.server.port, f"r{number}c{index}", items, self.regions[index % len(self.regions)])
                   for index in range(CLIENTS)]
        with side_by_side([client.run for client in clients]):
            self.wait_for_requests(clients)
            time.sleep(SECONDS * random.uniform(0.3, 0.7))
            disturb()
            time.sleep(SECONDS * 0.3)
            self.wait_for_requests(clients)
        requests = {item: [request for client in clients for request in client.requests[item]] for item in items}
        for item in items:
            check(requests[item], None)
        return sum(request.answered < float("inf") for item in items for request in requests[item])

    def play_rounds(self, rounds, disturb):
        answered = sum(self.play(number, disturb) for number in range(rounds))
        print(f"{answered} requests in a linear order")
        self.assertGreater(answered, 100)

    def kill_and_start(self):
        self.server.kill()
        self.server.start()

    def test_in_memory(self):
        self.start("memory")
        self.play_rounds(2, lambda: None)

    def test_on_disk_over_kills(self):
        self.start("disk")
        self.play_rounds(3, self.kill_and_start)

    def test_on_disk_with_synced_writes(self):
        self.start("disk", "--fsync")
        self.play_rounds(2, self.kill_and_start)

    def test_in_memory_with_fault_rules(self):
        self.start("memory", *CONTROL_FLAGS)
        self.play_with_rules(2, lambda: None)

    def test_on_disk_over_kills_with_fault_rules(self):
        self.start("disk", *CONTROL_FLAGS)
        self.play_with_rules(3, self.kill_and_start_with_rules)


class StrongOrderTest(LinearOrderTest):
    """The same item in three regions is one register: of MultiRegionConsistency STRONG."""

    regions = REGIONS

    def start(self, engine, *flags):
        super().start(engine, "--isolate", "region", *flags)
        connection = Connection(self.server.port, region=REGIONS[0])
        connection.send("UpdateTable", TableName=TABLE, MultiRegionConsistency="STRONG",
                        ReplicaUpdates=[{"Create": {"RegionName": region}} for region in REGIONS[1:]])
        deadline = time.monotonic() + PATIENCE_SECONDS
        while any(one["ReplicaStatus"] != "ACTIVE" for one in connection.send("DescribeTable", TableName=TABLE)["Table"]["Replicas"]):
            self.assertLess(time.monotonic(), deadline, "the replicas do not become ACTIVE")
            time.sleep(0.01)
        connection.close()


if __name__ == "__main__":
    BINARY = sys.argv.pop(1)
    SECONDS = float(sys.argv.pop(1)) if len(sys.argv) > 1 and sys.argv[1].replace(".", "").isdigit() else 2.0
    unittest.main(verbosity=2)

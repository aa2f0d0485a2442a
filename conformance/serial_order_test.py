"""serial_order_test.py <binary> [seconds]: transactions have a serial order, also over kill -9.

Clients in separate threads send random transactions, writes and reads over few items of two tables, in rounds. On
disk the server is killed in the middle of each round and started again. Clients then send their open transactions
again with their tokens, and each must take effect once.
"""

import time
import unittest

from concurrent_clients import Client, ConcurrentClientsCase, main
from serial_order import COMMITTED, REFUSED, UNKNOWN, NoSerialOrder, Step, check

TABLES = ("Ledger", "Journal")
CLIENTS = 5
ITEMS = 6  # of each table and round
APPEND = {
    "UpdateExpression": "SET Writers = list_append(if_not_exists(Writers, :none), :name)",
}


class CheckerTest(unittest.TestCase):
    """The checker itself finds what is wrong."""

    def history(self):
        return [Step("a", 0, 1, ("x", "y"), outcome=COMMITTED), Step("b", 2, 3, ("x", "y"), outcome=COMMITTED)]

    def refuses(self, steps, final):
        with self.assertRaises(NoSerialOrder):
            check(steps, final)

    def test_a_serial_history_passes(self):
        check(self.history() + [Step("r", 0.5, 2.5, reads={"x": ["a"], "y": ["a"]}, outcome=COMMITTED)],
              {"x": ["a", "b"], "y": ["a", "b"]})

    def test_half_a_transaction(self):
        self.refuses(self.history(), {"x": ["a", "b"], "y": ["a"]})

    def test_a_lost_write_and_one_too_many(self):
        self.refuses(self.history(), {"x": ["a"], "y": ["a"]})
        self.refuses(self.history(), {"x": ["a", "b", "b"], "y": ["a", "b"]})
        self.refuses(self.history()[:1], {"x": ["a", "b"], "y": ["a", "b"]})

    def test_opposite_orders(self):
        steps = [Step("a", 0, 5, ("x", "y"), outcome=COMMITTED), Step("b", 0, 5, ("x", "y"), outcome=COMMITTED)]
        self.refuses(steps, {"x": ["a", "b"], "y": ["b", "a"]})

    def test_real_time(self):
        self.refuses(self.history(), {"x": ["b", "a"], "y": ["b", "a"]})
        self.refuses(self.history() + [Step("r", 4, 5, reads={"x": ["a"]}, outcome=COMMITTED)],
                     {"x": ["a", "b"], "y": ["a", "b"]})

    def test_a_torn_read(self):
        steps = [Step("a", 0, 9, ("x", "y"), outcome=COMMITTED),
                 Step("r", 0, 9, reads={"x": ["a"], "y": []}, outcome=COMMITTED)]
        self.refuses(steps, {"x": ["a"], "y": ["a"]})

    def test_a_check_that_did_not_hold(self):
        steps = self.history()
        steps[1].writes, steps[1].checks = ("y",), {"x": []}
        self.refuses(steps, {"x": ["a"], "y": ["a", "b"]})
        steps[1].checks = {"x": ["a"]}
        check(steps, {"x": ["a"], "y": ["a", "b"]})

    def test_two_that_checked_what_the_other_wrote(self):
        self.refuses([Step("a", 0, 5, ("x",), checks={"y": []}, outcome=COMMITTED),
                      Step("b", 0, 5, ("y",), checks={"x": []}, outcome=COMMITTED)], {"x": ["a"], "y": ["b"]})

    def test_what_was_refused_or_is_unknown(self):
        self.refuses([Step("a", 0, 1, ("x",), outcome=REFUSED)], {"x": ["a"]})
        check([Step("a", 0, writes=("x",)), Step("b", 0, writes=("y",))], {"x": ["a"], "y": []})


class OrderClient(Client):
    def __init__(self, endpoint, name, items):
        super().__init__(endpoint, name)
        self.items = items

    def act(self):
        choose = self.random.random()
        if choose < 0.3:
            self.transact()
        elif choose < 0.5:
            self.transact_checked()
        elif choose < 0.7:
            self.update()
        elif choose < 0.9:
            self.read_together()
        else:
            self.read(*self._some_items(1))

    def _some_items(self, most):
        return tuple(self.random.sample(self.items, self.random.randint(1, most)))

    def _new_step(self, **members):
        return Step(self.next_name(), time.monotonic(), **members)

    def transact(self):
        step = self._new_step(writes=self._some_items(4))
        self.send(step, lambda: self.connection.transact_write_items(**transaction(step)))

    def transact_checked(self):
        """Writes some items if another one is as it was a moment ago."""
        item, *others = self.random.sample(self.items, self.random.randint(2, 3))
        seen = self.read(item)
        if seen is not None:
            step = self._new_step(writes=tuple(others), checks={item: seen})
            self.send(step, lambda: self.connection.transact_write_items(**transaction(step)))

    def update(self):
        step = self._new_step(writes=self._some_items(1))
        self.send(step, lambda: self.connection.update_item(**append_to(step.writes[0], step.name)))

    def read_together(self):
        step = self._new_step()
        items = self._some_items(4)
        answer = self.send(step, lambda: self.connection.transact_get_items(
            TransactItems=[{"Get": where(item)} for item in items]))
        if answer:
            step.reads = {item: names_in(part) for item, part in zip(items, answer["Responses"])}

    def read(self, item):
        """The list; None if there is no answer."""
        step = self._new_step()
        answer = self.send(step, lambda: self.connection.get_item(**where(item), ConsistentRead=True))
        if answer:
            step.reads = {item: names_in(answer)}
        return step.reads.get(item)


def where(item):
    table, key = item
    return {"TableName": table, "Key": {"Id": {"S": key}}}


def append_to(item, name):
    values = {":none": {"L": []}, ":name": {"L": [{"S": name}]}}
    return where(item) | APPEND | {"ExpressionAttributeValues": values}


def transaction(step):
    actions = [{"Update": append_to(item, step.name)} for item in step.writes]
    actions += [{"ConditionCheck": require(item, names)} for item, names in step.checks.items()]
    return {"TransactItems": actions, "ClientRequestToken": step.name}


def require(item, names):
    if not names:
        return where(item) | {"ConditionExpression": "attribute_not_exists(Writers)"}
    return where(item) | {"ConditionExpression": "Writers = :names",
                          "ExpressionAttributeValues": {":names": {"L": [{"S": name} for name in names]}}}


def names_in(answer):
    return [name["S"] for name in answer.get("Item", {}).get("Writers", {}).get("L", [])]


class SerialOrderCase(ConcurrentClientsCase):
    def play_round(self, number, disturb):
        items = [(table, f"{number}-{index}") for table in TABLES for index in range(ITEMS)]
        steps = self.play(
            [self.client(self.server.endpoint, f"r{number}c{index}", items) for index in range(CLIENTS)], disturb)
        self.repeat_unknown(steps)
        final = {item: names_in(self.connection.get_item(**where(item), ConsistentRead=True)) for item in items}
        check(steps, final)
        return sum(step.outcome == COMMITTED for step in steps)

    client = OrderClient

    def repeat_unknown(self, steps):
        for step in steps:
            if step.outcome != UNKNOWN or (len(step.writes) < 2 and not step.checks):
                continue
            try:
                self.connection.transact_write_items(**transaction(step))
                step.outcome = COMMITTED
            except self.connection.exceptions.TransactionCanceledException:
                self.assertTrue(step.checks)
                step.outcome = REFUSED
            step.answered = time.monotonic()


class SerialOrderTest(SerialOrderCase):
    def test_in_memory(self):
        self.start("memory", TABLES)
        committed = sum(self.play_round(number, lambda: None) for number in range(3))
        print(f"{committed} requests in a serial order")
        self.assertGreater(committed, 100)

    def test_on_disk_over_kills(self):
        self.start("disk", TABLES)
        committed = sum(self.play_round(number, self.kill_and_start) for number in range(4))
        print(f"{committed} requests in a serial order, over 4 kills")
        self.assertGreater(committed, 100)


if __name__ == "__main__":
    main()

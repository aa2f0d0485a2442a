"""A client that creates, changes and deletes tables at random and knows which there must be."""

import random
import threading
import time

from checks import Fault, check_tables
from tables import JOURNAL, LEDGER, STREAM
from wire import PATIENCE_SECONDS, Connection, Lost, Refused

PASSING = [f"Passing{number}" for number in range(4)]


def describe(connection, name):
    """The properties of a table that must survive."""
    table = connection.send("DescribeTable", TableName=name)["Table"]
    to_live = connection.send("DescribeTimeToLive", TableName=name)["TimeToLiveDescription"]
    units = table.get("ProvisionedThroughput", {})
    return {
        "id": table["TableId"],
        "status": table["TableStatus"],
        "indexes": sorted(index["IndexName"] for index in table.get("GlobalSecondaryIndexes", ())),
        "units": (units.get("ReadCapacityUnits", 0), units.get("WriteCapacityUnits", 0)),
        "stream": table.get("StreamSpecification", {}).get("StreamEnabled", False),
        "to_live": to_live.get("AttributeName"),
    }


def describe_all(connection):
    return {name: describe(connection, name) for name in connection.send("ListTables")["TableNames"]}


def wait_until_active(connection, name):
    deadline = time.monotonic() + PATIENCE_SECONDS
    while True:
        table = connection.send("DescribeTable", TableName=name)["Table"]
        parts = [table["TableStatus"]] + [index["IndexStatus"] for index in table.get("GlobalSecondaryIndexes", ())]
        if set(parts) == {"ACTIVE"}:
            return table
        if time.monotonic() > deadline:
            raise Fault(f"{name} did not become active: {parts}")
        time.sleep(0.002)


class TableChanger:
    """`open`: the change under way, as (table, description before, after); None stands for no such table."""

    def __init__(self, seed):
        self.random = random.Random(f"{seed} tables")
        self.tables = {}
        self.filled = {}  # of each passing table: fewest and most items, and the number of the next
        self.open = None
        self.changes = 0
        self.wanted = None  # the next action: "index" or "deletion"
        self.doing = {"index": threading.Event(), "deletion": threading.Event()}
        self._connection = None

    def run(self, port, stop):
        try:
            self._connection = Connection(port)
            while not stop.is_set():
                self._choose()()
        except Lost:
            return
        except Refused as error:
            raise Fault(f"a change of {self.open} was refused: {error}") from error
        finally:
            if self._connection:
                self._connection.close()

    def _choose(self):
        present = [name for name in PASSING if name in self.tables]
        if self.wanted == "index":
            return self._change_index
        if self.wanted == "deletion" and present:
            return self._delete
        choices = {self._change_index: 4, self._raise_units: 2, self._create: 4 * (len(present) < len(PASSING))}
        if present:
            choices |= {self._delete: 3, self._fill: 6, self._enable_expiry: 2}
        return self.random.choices(list(choices), list(choices.values()))[0]

    def _carry_out(self, name, after, operation, **request):
        self.open = (name, self.tables.get(name), after)
        answer = self._connection.send(operation, TableName=name, **request)
        self._accept(name, after)
        self.changes += 1
        return answer

    def _accept(self, name, after):
        self.open = None
        if after is None:
            self.tables.pop(name, None)
            self.filled.pop(name, None)
        else:
            self.tables[name] = after
            if name in PASSING:
                self.filled.setdefault(name, (0, 0, 0))

    def _passing(self):
        return self.random.choice([name for name in PASSING if name in self.tables])

    def _create(self):
        name = self.random.choice([name for name in PASSING if name not in self.tables])
        request = {
            "BillingMode": "PAY_PER_REQUEST",
            "AttributeDefinitions": [{"AttributeName": "Pk", "AttributeType": "S"}],
            "KeySchema": [{"AttributeName": "Pk", "KeyType": "HASH"}],
            "GlobalSecondaryIndexes": [{"IndexName": "ByKey", "Projection": {"ProjectionType": "KEYS_ONLY"},
                                        "KeySchema": [{"AttributeName": "Pk", "KeyType": "HASH"}]}]}
        stream = self.random.random() < 0.5
        if stream:
            request["StreamSpecification"] = STREAM
        after = {"id": None, "status": "ACTIVE", "indexes": ["ByKey"], "units": (0, 0), "stream": stream,
                 "to_live": None}
        answer = self._carry_out(name, after, "CreateTable", **request)
        after["id"] = answer["TableDescription"]["TableId"]
        if (count := self._connection.send("Scan", TableName=name)["Count"]) != 0:
            raise Fault(f"{name} was made anew and has {count} items")

    def _fill(self):
        name = self._passing()
        for _ in range(self.random.randint(1, 8)):
            low, high, first = self.filled[name]
            numbers = range(first, first + 25)
            self.filled[name] = (low, high + 25, first + 25)
            items = [{"Pk": {"S": f"item {number}"}, "Body": {"S": "x" * 200}} for number in numbers]
            self._connection.send("BatchWriteItem", RequestItems={name: [
                {"PutRequest": {"Item": item}} for item in items]})
            self.filled[name] = (low + 25, high + 25, first + 25)

    def _delete(self):
        name = self._passing()
        if self.wanted == "deletion":
            self._announce("deletion")
        self._carry_out(name, None, "DeleteTable")

    def _enable_expiry(self):
        name = self._passing()
        if self.tables[name]["to_live"] is None:
            self._carry_out(name, self.tables[name] | {"to_live": "Expiry"}, "UpdateTimeToLive",
                            TimeToLiveSpecification={"AttributeName": "Expiry", "Enabled": True})

    def _change_index(self):
        name = self.random.choice((LEDGER, JOURNAL))
        wait_until_active(self._connection, name)
        table = self.tables[name]
        if "Extra" in table["indexes"]:
            self._carry_out(name, table | {"indexes": ["ByGroup"]}, "UpdateTable",
                            GlobalSecondaryIndexUpdates=[{"Delete": {"IndexName": "Extra"}}])
            return
        if self.wanted == "index":
            self._announce("index")
        # On V: its entry moves with every change of an item.
        keys = [{"AttributeName": "V", "KeyType": "HASH"}]
        create = {"IndexName": "Extra", "Projection": {"ProjectionType": "ALL"}, "KeySchema": keys}
        if table["units"] != (0, 0):
            create["ProvisionedThroughput"] = {"ReadCapacityUnits": 5, "WriteCapacityUnits": 5}
        self._carry_out(name, table | {"indexes": ["ByGroup", "Extra"]}, "UpdateTable",
                        AttributeDefinitions=[{"AttributeName": "V", "AttributeType": "S"}],
                        GlobalSecondaryIndexUpdates=[{"Create": create}])

    def _raise_units(self):
        wait_until_active(self._connection, JOURNAL)
        table = self.tables[JOURNAL]
        units = (table["units"][0] + 1, table["units"][1] + 2)
        self._carry_out(JOURNAL, table | {"units": units}, "UpdateTable", ProvisionedThroughput={
            "ReadCapacityUnits": units[0], "WriteCapacityUnits": units[1]})

    def _announce(self, what):
        self.wanted = None
        self.doing[what].set()

    # ---- after a crash -------------------------------------------------------------------------

    def check(self, connection, lagging):
        """The tables are those acknowledged; a change whose answer was lost was made or not.

        `lagging`: a global index may be right only later.
        """
        found = describe_all(connection)
        allowed = {name: [description] for name, description in self.tables.items()}
        outcome = None
        if self.open is not None:
            name, before, after = self.open
            if before is None and name in found:
                after["id"] = found[name]["id"]
            allowed[name] = [before, after]
        check_tables(allowed, found)
        if self.open is not None:
            outcome = "applied" if found.get(name) == after else "not applied"
            self._accept(name, found.get(name))
        for name, (low, high, following) in self.filled.items():
            wait_until_active(connection, name)
            count = self._count(connection, name)
            if not low <= count <= high:
                raise Fault(f"{name} has {count} items instead of {low} to {high}")
            self._check_index(connection, name, count, lagging)
            self.filled[name] = (count, count, following)
        return outcome

    @staticmethod
    def _count(connection, name, **index):
        return connection.send("Scan", TableName=name, Select="COUNT", **index)["Count"]

    def _check_index(self, connection, name, wanted, lagging):
        deadline = time.monotonic() + PATIENCE_SECONDS
        while (count := self._count(connection, name, IndexName="ByKey")) != wanted:
            if not lagging or time.monotonic() > deadline:
                raise Fault(f"{name} has {wanted} items, but its index {count}")
            time.sleep(0.01)

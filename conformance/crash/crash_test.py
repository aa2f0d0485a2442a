"""crash_test.py <binary> [--kills N] [--seed S] [--faults | --store]: what was acknowledged survives kill -9, whenever it comes.

Clients write at random, with transactions and tokens, into tables with a local and a global index, a stream and time
to live; another creates, changes and deletes tables. The server is killed at random moments, while it starts, stops,
fills an index or deletes a table, too, and started again on the same directory with other flags.

With --faults, rules of all kinds are on while clients write (../fault_rules.py): requests are refused, delayed, left out of
batches, and lose their answers before and after they are carried out. A client that lost an answer rests until the next check.

With --store the data is in PostgreSQL, and another server takes over from the killed one (../cluster).
"""

import argparse
import collections
import pathlib
import random
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "python"))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

from checks import (Change, Fault, Replay, check_changes, check_counts, check_index, check_items, check_order)
from clients import SHARED, Client
from cluster.store_server import StoreServer
from fault_rules import FLAGS as CONTROL_FLAGS
from fault_rules import FaultRules, PatientConnection, rules_of_all_kinds
from side_by_side import side_by_side
from streams import StreamConsumer
from table_changer import TableChanger, describe, wait_until_active
from tables import (GROUPS, JOURNAL, JOURNAL_REQUEST, LEDGER, LEDGER_REQUEST, PARTITIONS, index_of, key_attributes,
                    key_of)
from wire import PATIENCE_SECONDS, Connection, Streams, all_pages
from with_server import Server

CLIENTS = 4
STATIC_ITEMS = 1500
FLAGS_ANYWHERE = ([], [], ["--memory-budget-mb", "8"], ["--threads", "1"], ["--gsi-delay-ms", "50"])
FLAGS = (*FLAGS_ANYWHERE, ["--fsync"])
MAIN = (LEDGER, JOURNAL)
CUTS = 0.003  # of the requests, in each way


def change_of(table):
    def read(record):
        details = record["dynamodb"]
        by_service = record.get("userIdentity") == {"Type": "Service", "PrincipalId": "dynamodb.amazonaws.com"}
        return Change(key_of(table, details["Keys"]), int(details["SequenceNumber"]), details.get("OldImage"),
                      details.get("NewImage"), by_service)

    return read


class Crashes:
    def __init__(self, binary, seed, faults=False, store=False):
        self.seed = seed
        self.faults = faults
        self.always = ["--auth", "off", "--ttl-delay-ms=0", *CONTROL_FLAGS]
        self.random = random.Random(f"{seed} kills")
        self.choices = FLAGS_ANYWHERE if store else FLAGS
        self.server = StoreServer(binary, *self.always) if store else Server(binary, "disk", *self.always)
        connect = PatientConnection if faults else Connection
        self.clients = [Client(number, seed, connect) for number in range(1, CLIENTS + 1)]
        self.changer = TableChanger(seed)
        self.loader = Client(0, seed)
        self.consumers = {}
        self.replays = {table: Replay() for table in MAIN}
        self.unchecked = collections.defaultdict(list)  # changes since the last check, by key
        self.figures = collections.Counter()
        self.connection = None

    # ---- the life of the server ----------------------------------------------------------------

    def prepare(self):
        self.server.start()
        self.connection = Connection(self.server.port)
        for request in (LEDGER_REQUEST, JOURNAL_REQUEST):
            self.connection.send("CreateTable", **request)
        self.connection.send("UpdateTimeToLive", TableName=LEDGER,
                             TimeToLiveSpecification={"AttributeName": "Expiry", "Enabled": True})
        for table in MAIN:
            wait_until_active(self.connection, table)
            self.changer.tables[table] = describe(self.connection, table)
            stream = self.connection.send("DescribeTable", TableName=table)["Table"]["LatestStreamArn"]
            self.consumers[table] = StreamConsumer(None, stream, change_of(table))
        for first in range(0, STATIC_ITEMS, 25):
            items = [key_attributes((LEDGER, f"static{number % 20}", number)) | {
                "V": {"S": f"static.{number}"}, "G": {"S": f"s{number % 20}"}, "Grade": {"N": str(number % 97)},
                "Count": {"N": "1"}, "Body": {"S": "x" * 200}} for number in range(first, first + 25)]
            self.connection.send("BatchWriteItem", RequestItems={LEDGER: [
                {"PutRequest": {"Item": item}} for item in items]})
            self.loader.apply({key_of(LEDGER, item): item for item in items})
        self.check()

    def play(self):
        """Clients at work until the server is killed; the moment is named."""
        moment = self.random.choice(("at work", "at work", "index", "deletion", "stopping"))
        if moment in self.changer.doing:
            self.changer.doing[moment].clear()
            self.changer.wanted = moment
        works = [lambda stop, client=client: client.run(self.server.port, stop)
                 for client in [*self.clients, self.changer]]
        if self.faults:
            FaultRules(self.server.port).add(rules_of_all_kinds(CUTS), MAIN, self.random.randrange(1 << 32))
        with side_by_side(works):
            time.sleep(self.random.uniform(0.02, 0.8))
            if moment in self.changer.doing:
                self.changer.doing[moment].wait(3)
                time.sleep(self.random.uniform(0, 0.02))
            if moment == "stopping":
                self.server.ask_to_stop()
                time.sleep(self.random.uniform(0, 0.05))
            self.kill(moment)

    def kill(self, moment):
        if self.faults and moment in ("at work", "index", "deletion"):
            for name, hits in FaultRules(self.server.port).hits().items():
                self.figures[f"faults: {name}"] += hits
        self.server.kill()
        self.figures[f"killed: {moment}"] += 1
        self.figures["kills"] += 1

    def start(self):
        self.server.flags = [*self.always, *self.random.choice(self.choices)]
        self.server.start()
        self.connection = Connection(self.server.port)

    def disturb_start(self):
        """Kills starts, before or soon after the server is there."""
        if self.random.random() < 0.4:
            self.server.launch()
            time.sleep(self.random.uniform(0, 0.1))
            self.kill("starting")
        if self.random.random() < 0.2:
            self.server.start()
            time.sleep(self.random.uniform(0, 0.01))
            self.kill("started")

    # ---- what must hold ------------------------------------------------------------------------

    @property
    def indexes_lag(self):
        return "--gsi-delay-ms" in self.server.flags

    def check(self):
        outcome = self.changer.check(self.connection, self.indexes_lag)
        self.note_outcome(outcome, "table changes")
        tables = {table: wait_until_active(self.connection, table) for table in MAIN}
        found = self.read()
        tags = {key: [change.new["V"]["S"] for change in changes if change.new]
                for key, changes in self.unchecked.items()}
        for client in self.clients:
            self.note_outcome(client.settle(found, tags), "writes")
            self.figures["tokens used again"] += client.repeat_tokens(self.connection)
        self.check_writes(self.read())
        for table, description in tables.items():
            for kind in ("LocalSecondaryIndexes", "GlobalSecondaryIndexes"):
                for index in description.get(kind, ()):
                    self.check_index(table, index_of(index, description))

    def note_outcome(self, outcome, of_what):
        if outcome:
            self.figures[f"{of_what} without an answer, {outcome}"] += 1

    def scan(self, table, **request):
        return all_pages(self.connection, "Scan", TableName=table, **request)

    def read(self):
        """The items of the tables, by key, when the streams tell the same."""
        for consumer in self.consumers.values():
            consumer.streams = Streams(self.connection)
        deadline = time.monotonic() + PATIENCE_SECONDS
        while True:
            found = {}
            for table, consumer in self.consumers.items():
                found |= {key_of(table, item): item for item in self.scan(table)}
                for change in consumer.poll():
                    self.replays[table].apply(change)
                    self.unchecked[change.key].append(change)
                    self.figures["records of streams"] += 1
            told = {key: item for replay in self.replays.values() for key, item in replay.items.items()}
            if told == found:
                return found
            if time.monotonic() > deadline:
                check_items(told, found)
            self.figures["reads repeated"] += 1

    def check_writes(self, found):
        expected, now = {}, time.time()
        for client in [self.loader, *self.clients]:
            for key in client.written.keys() | (client.items.keys() & self.unchecked.keys()):
                check_changes(key, client.written.get(key, []), self.unchecked.get(key, []), now)
                if self.unchecked[key] and self.unchecked[key][-1].by_service:
                    client.forget_expired(key)
                    self.figures["expired items"] += 1
                self.unchecked.pop(key)
            client.written = {}
            expected |= client.items
        for key in SHARED:
            acknowledged = set().union(*(client.counted[key] for client in self.clients))
            check_counts(key, self.unchecked.pop(key, []), acknowledged, set())
            for client in self.clients:
                client.counted[key] = set()
        if self.unchecked:
            raise Fault(f"the streams tell of items that nobody wrote: {sorted(map(str, self.unchecked))[:5]}")
        check_items(expected, found, SHARED)

    def check_index(self, table, index):
        deadline = time.monotonic() + PATIENCE_SECONDS
        while True:
            before = self.scan(table)
            scanned = self.scan(table, IndexName=index.name)
            queried = self.query_all(table, index) if index.sort else scanned
            if before == self.scan(table):
                try:
                    check_index(before, scanned, index)
                    check_index(before, queried, index)
                    self.figures["indexes compared"] += 1
                    return
                except Fault:
                    if not self.indexes_lag or time.monotonic() > deadline:
                        raise
            time.sleep(0.01)

    def query_all(self, table, index):
        """The entries of all partitions of an index, each partition in its order."""
        if index.partition == "G":
            values = [f"g{number}" for number in range(GROUPS)] + [f"s{number}" for number in range(20)]
        else:
            values = [f"p{number}" for number in range(PARTITIONS)] + [f"static{number}" for number in range(20)]
            values += ["shared"] + [f"expiring-{client.name}" for client in self.clients]
        found = []
        for value in values:
            entries = all_pages(
                self.connection, "Query", TableName=table, IndexName=index.name, KeyConditionExpression="#p = :p",
                ExpressionAttributeNames={"#p": index.partition}, ExpressionAttributeValues={":p": {"S": value}})
            check_order(entries, index)
            found += entries
        return found

    def check_end(self):
        """Everything that is over has expired, the counts are exact, and a clean end keeps all of it."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while any(float(item.get("Expiry", {"N": "inf"})["N"]) < int(time.time()) for item in self.scan(LEDGER)):
            if time.monotonic() > deadline:
                raise Fault("what should have expired is still there")
            time.sleep(0.05)
        self.check()
        for table in MAIN:
            # Items still expire meanwhile.
            while (described := wait_until_active(self.connection, table))["ItemCount"] != (count := len(self.scan(table))):
                if time.monotonic() > deadline:
                    raise Fault(f"{table} has {count} items, but its description says {described['ItemCount']}")
                time.sleep(0.05)
        if (code := self.server.stop()) != 0:
            raise Fault(f"the server ended with {code}")
        self.start()
        self.check()
        if (code := self.server.stop()) != 0:
            raise Fault(f"the server ended with {code}")

    def run(self, kills):
        self.prepare()
        while self.figures["kills"] < kills:
            self.play()
            self.disturb_start()
            self.start()
            self.check()
            if kills > 20:
                print(f"{self.figures['kills']} kills", flush=True)
        self.check_end()
        self.figures["acknowledged writes"] = sum(client.acknowledged for client in self.clients)
        self.figures["writes refused as they must be"] = sum(client.refused for client in self.clients)
        self.figures["table changes"] = self.changer.changes
        for name, count in sorted(self.figures.items()):
            print(f"{count:9,} {name}")
        for name in ("acknowledged writes", "table changes", "records of streams", "indexes compared"):
            if self.figures[name] == 0:
                raise Fault(f"there are no {name}")
        if self.faults and not any(self.figures[f"faults: {cut}"] for cut in ("drop before", "drop after", "truncate")):
            raise Fault("no rule has cut anything off")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary")
    parser.add_argument("--kills", type=int, default=10)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 32))
    parser.add_argument("--faults", action="store_true")
    parser.add_argument("--store", action="store_true")
    arguments = parser.parse_args()
    print(f"seed {arguments.seed} (again with --seed {arguments.seed}; threads keep their own time)", flush=True)
    crashes = Crashes(arguments.binary, arguments.seed, arguments.faults, arguments.store)
    started = time.monotonic()
    try:
        crashes.run(arguments.kills)
    except Exception:
        print(f"failed after {crashes.figures['kills']} kills, with {crashes.server.flags}", flush=True)
        raise
    finally:
        crashes.server.remove()
    print(f"{crashes.figures['kills']} kills survived, {time.monotonic() - started:.0f} s")


if __name__ == "__main__":
    sys.exit(main())

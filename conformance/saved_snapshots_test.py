"""Snapshots that a data directory keeps, and main restored from them, under load, over kill -9 and on a full disk.

saved_snapshots_test.py <magneto> <server whose disk can be filled> [--kills N] [--seed S] [--instrumented] [test ...]

An instrumented binary may take any memory.
"""

import argparse
import collections
import contextlib
import os
import pathlib
import random
import signal
import sys
import threading
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "crash"))

from checks import Fault
from growing_counters import OTHER, TAB, TABLES, Caller, Counter, Counters, exact_bounds, read_fork, read_state, require
from saved_snapshots_case import SavedSnapshotsCase
from side_by_side import side_by_side
from snapshot_changer import LONGEST_WAIT_SECONDS
from snapshot_kills import KillsTest
from wire import PATIENCE_SECONDS

__all__ = ["KillsTest"]
FILLER = TABLES[1] | {"TableName": "Filler"}
MEGABYTE = 1 << 20


class Moments:
    """Of the restores of main: how many have begun and ended. One thread restores."""

    def __init__(self):
        self.begun = self.ended = 0


class ReadingWriter:
    """Reads back each of its numbers, and all other ones; every request must be answered."""

    def __init__(self, name, moments):
        self.counters = [Counter(f"{name}.{number}.{kind}", kind == "pair") for kind in ("single", "pair") for number in (1, 2)]
        self.moments = moments
        self.compared = 0

    def run(self, port, stop):
        with contextlib.closing(Caller(port)) as caller:
            while not stop.is_set():
                self.act(caller)

    def act(self, caller):
        for counter in self.counters:
            ended = self.moments.ended
            counter.write(caller)
            for table in (TAB, OTHER)[:1 + counter.is_pair]:
                number = number_in(caller, table, counter.name)
                if self.moments.begun == ended:
                    self.compared += 1
                    if number != counter.acknowledged:
                        raise Fault(f"{counter.name} is {number} in {table}, but {counter.acknowledged} was written")
        caller.send("Query", TableName=TAB, IndexName="ByGroup", KeyConditionExpression="g = :g", Limit=5,
                    ExpressionAttributeValues={":g": {"S": "g1"}})
        caller.send("Scan", TableName=TAB, ConsistentRead=True)


def number_in(caller, table, name):
    answer = caller.send("GetItem", TableName=table, Key={"pk": {"S": name}}, ConsistentRead=True)
    return int(answer["Item"]["n"]["N"]) if "Item" in answer else 0


class LoadTest(SavedSnapshotsCase):
    CLIENTS = 8
    RESTORES = 20
    MEASURED_AFTER = 5
    # The allowed growth of memory, files (tables of the engine) and threads. 2 MB are written between two restores.
    # Threads for requests begin when all others are busy, and stay: at most two kinds for each client.
    MORE = {"memory": (16 * MEGABYTE, 4, 2 * CLIENTS), "disk": (64 * MEGABYTE, 30, 2 * CLIENTS)}

    def resources(self):
        """Resident bytes, open files and threads of the server."""
        process = f"/proc/{self.server.process_id}"
        with open(f"{process}/status", encoding="ascii") as file:
            status = dict(line.split(":", 1) for line in file)
        return int(status["VmRSS"].split()[0]) << 10, len(os.listdir(f"{process}/fd")), int(status["Threads"])

    def wait_for_resources(self, then, more):
        """Returns the server's resources once they hardly exceed `then`: former stores end soon after a restore.

        No client may write meanwhile: the table's stream would grow for as long as this waits.
        """
        deadline = time.monotonic() + LONGEST_WAIT_SECONDS
        while True:
            now = self.resources()
            compared = zip(reversed(now), reversed(then), reversed(more))
            if all(new <= old + allowed for new, old, allowed in compared):
                return now
            self.assertLess(time.monotonic(), deadline, f"memory, files and threads were {then}, and are {now}")
            time.sleep(0.05)

    def restore(self, name, state):
        before = self.counters.acknowledged()
        self.moments.begun += 1
        self.caller.turn("POST", "namespaces/main/restore", {"snapshot": name})
        self.moments.ended += 1
        self.counters.note_restored(exact_bounds(state, before), before)
        for counter in (counter for client in self.clients for counter in client.counters):
            acknowledged = counter.acknowledged
            number = number_in(self.caller, TAB, counter.name)
            self.assertTrue(counter.bounds(acknowledged).allows_number(number), (counter.name, number, counter.bounds(acknowledged)))

    def fill(self, turn):
        body = {"S": "x" * 20_000}
        for first in range(0, 100, 25):
            items = [{"pk": {"S": f"{turn}.{number}"}, "b": body} for number in range(first, first + 25)]
            self.caller.send("BatchWriteItem", RequestItems={"Filler": [{"PutRequest": {"Item": item}} for item in items]})

    def take(self, name):
        before = self.counters.acknowledged()
        self.caller.turn("POST", "snapshots", {"name": name})
        bounds = self.counters.bounds(before)
        state = read_fork(self.caller, {"snapshot": name})
        require(bounds, state, f"the snapshot {name}")
        return state

    def play(self, engine):
        self.serve(engine)
        self.caller.send("CreateTable", **FILLER)
        self.moments = Moments()
        self.clients = [ReadingWriter(f"c{number}", self.moments) for number in range(self.CLIENTS)]
        self.counters = Counters([counter for client in self.clients for counter in client.counters])
        with side_by_side([lambda stop, client=client: client.run(self.server.port, stop) for client in self.clients]):
            self.wait_until(lambda: all(self.counters.acknowledged().values()), "the clients do not come on")
            first, later = self.take("first"), self.take("later")
            for turn in range(1, self.RESTORES + 1):
                if turn % 5 == 0:
                    self.caller.turn("DELETE", "snapshots/later")
                    later = self.take("later")
                name, state = ("first", first) if turn % 2 else ("later", later)
                self.restore(name, state)
                self.fill(turn)
                if turn == self.MEASURED_AFTER:
                    then = self.resources()
        self.restore("first", first)
        now = self.wait_for_resources(then, self.MORE[engine][1:] if self.instrumented else self.MORE[engine])
        require(self.counters.bounds(self.counters.acknowledged()), read_state(self.caller), "main")
        compared = sum(client.compared for client in self.clients)
        print(f"{engine}: {compared} numbers read back; memory, files, threads {then}, then {now}", flush=True)
        self.assertGreater(compared, 100)

    def test_main_is_restored_while_clients_write_in_memory(self):
        self.play("memory")

    def test_main_is_restored_while_clients_write_on_disk(self):
        self.play("disk")
        self.assertEqual(self.server.stop(), 0)
        self.server.start()
        self.connect()
        require(self.counters.bounds(self.counters.acknowledged()), read_state(self.caller), "main")
        self.check_directory()


class FullDiskTest(SavedSnapshotsCase):
    ATTEMPTS = 100

    def set_disk(self, full):
        os.kill(self.server.process_id, signal.SIGUSR1 if full else signal.SIGUSR2)

    def fill_disk(self):
        self.set_disk(full=True)
        body = {"S": "x" * 100_000}
        for number in range(4000):
            status, answer = self.caller.call("PutItem", {"TableName": "Filler", "Item": {"pk": {"S": str(number)}, "b": body}})
            if status != 200:
                self.assertEqual(status, 500, answer)
                return
        self.fail("the disk does not fill")

    def require_refusal(self, status, answer):
        self.assertEqual((status, list(answer)), (500, ["error"]), answer)
        self.assertIn("No space left on device", answer["error"])
        self.assertIn(self.server.data_folder, answer["error"])

    def refuse(self, method, path, body, note):
        """Repeats the call until it is refused: removed data leaves space for some. `note` is called after each
        success.
        """
        for _ in range(self.ATTEMPTS):
            status, answer = self.caller.control(method, path, body())
            if status not in (200, 201):
                return self.require_refusal(status, answer)
            note()
            self.fill_disk()
        self.fail(f"{method} {path} is not refused")

    def refuse_all(self):
        def save():
            self.tried += 1
            return {"name": f"tried{self.tried}"}

        self.refuse("POST", "snapshots", save, lambda: self.states.update({f"tried{self.tried}": self.state}))
        for name in list(self.states):
            self.refuse("POST", "namespaces/main/restore", lambda saved=name: {"snapshot": saved},
                        lambda saved=name: setattr(self, "state", self.states[saved]))
            self.refuse("POST", "namespaces", lambda saved=name: {"name": "fork", "from": {"snapshot": saved}},
                        lambda: self.caller.turn("DELETE", "namespaces/fork"))

    def free_disk(self):
        self.set_disk(full=False)
        self.accept(lambda: self.caller.call("PutItem", {"TableName": "Filler", "Item": {"pk": {"S": "free"}}}))

    def accept(self, request):
        """Waits until the call succeeds, which is soon: the writer of tables tries again after a second."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while (answer := request())[0] not in (200, 201):
            self.assertEqual(answer[0], 500, answer)
            self.assertLess(time.monotonic(), deadline, answer)
            time.sleep(0.05)

    def restart(self):
        self.server.kill()
        self.server.start()
        self.connect()
        self.check()
        self.check_directory()

    def check(self):
        self.assertEqual(sorted(self.listed()), sorted(self.states))
        self.assertEqual(self.in_folder("snapshots"), sorted(self.states))
        self.assertEqual(read_state(self.caller), self.state)

    def test_it_refuses_and_goes_on(self):
        self.serve("disk", "--memory-budget-mb", "8", binary=self.full_disk_binary)
        self.caller.send("CreateTable", **FILLER)
        counters = [Counter("single", False), Counter("pair", True)]
        self.states, self.tried = {}, 0
        for turn in range(3):
            for counter in counters:
                counter.write(self.caller)
            self.state = read_state(self.caller)
            self.assertEqual({name: history[-1] for name, history in self.state.items()},
                             {counter.name: counter.acknowledged for counter in counters})
            self.fill_disk()
            self.refuse_all()
            self.check()
            self.assertEqual(read_fork(self.caller, {"namespace": "main"}), self.state)
            if turn == 1:
                self.restart()
            self.free_disk()
            self.accept(lambda name=f"s{turn}": self.caller.control("POST", "snapshots", {"name": name}))
            self.states[f"s{turn}"] = self.state
            for counter in counters:
                counter.write(self.caller)
            self.caller.turn("POST", "namespaces/main/restore", {"snapshot": f"s{turn}"})
            self.restart()
        self.fill_disk()
        self.caller.turn("DELETE", "snapshots/s0")
        del self.states["s0"]
        self.restart()
        for name, state in self.states.items():
            self.assertEqual(read_fork(self.caller, {"snapshot": name}), state)


class AtOnceTest(SavedSnapshotsCase):
    THREADS = 8
    TURNS = 30
    NAMES = ("a", "b", "c")

    def work(self, number):
        chance = random.Random(f"{self.seed} {number}")
        with contextlib.closing(Caller(self.server.port)) as caller:
            for _ in range(self.TURNS):
                self.act(chance, caller, f"fork-{number}")

    def act(self, chance, caller, own):
        name = chance.choice(self.NAMES)
        kind, method, path, body = chance.choice((
            ("save", "POST", "snapshots", {"name": name}),
            ("save", "POST", "snapshots", {"name": name}),
            ("delete", "DELETE", f"snapshots/{name}", None),
            ("restore", "POST", "namespaces/main/restore", {"snapshot": name}),
            ("fork", "POST", "namespaces", {"name": own, "from": {"snapshot": name}})))
        status, answer = caller.control(method, path, body)
        if status not in (200, 201, 404, 409):
            raise Fault(f"{kind} {name}: {status} {answer}")
        with self.lock:
            self.answers[kind, status] += 1
        if (kind, status) == ("fork", 201):
            self.require_whole(read_state(caller, own))
            caller.turn("DELETE", f"namespaces/{own}")

    @staticmethod
    def require_whole(state):
        if state != {"single": (1,), "pair": (1,)}:
            raise Fault(f"a snapshot shows {state}")

    def test_the_same_names_at_once(self):
        self.serve("disk")
        self.lock = threading.Lock()
        self.answers = collections.Counter()
        for counter in (Counter("single", False), Counter("pair", True)):
            counter.write(self.caller)
        with side_by_side([lambda _, number=number: self.work(number) for number in range(self.THREADS)]):
            pass
        print(sorted(self.answers.items()), flush=True)
        for kind, status in (("save", 201), ("save", 409), ("delete", 200), ("delete", 404), ("restore", 200), ("fork", 201)):
            self.assertGreater(self.answers[kind, status], 0, (kind, status))
        names = self.listed()
        self.server.kill()
        self.server.start()
        self.connect()
        self.assertEqual(self.listed(), names)
        self.check_directory()
        self.require_whole(read_state(self.caller))
        for name in names:
            self.require_whole(read_fork(self.caller, {"snapshot": name}))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary")
    parser.add_argument("full_disk_binary")
    parser.add_argument("--kills", type=int, default=SavedSnapshotsCase.kills)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 32))
    parser.add_argument("--instrumented", action="store_true")
    arguments, others = parser.parse_known_args()
    for name, value in vars(arguments).items():
        setattr(SavedSnapshotsCase, name, value)
    print(f"seed {arguments.seed} (again with --seed {arguments.seed}; threads keep their own time)", flush=True)
    unittest.main(argv=[sys.argv[0], *others], verbosity=2)


if __name__ == "__main__":
    main()

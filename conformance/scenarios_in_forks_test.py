"""The scenarios in several forks at once, while the settings of their parent and of forks of theirs change.

scenarios_in_forks_test.py <magneto> [test ...]
"""

import collections
import http.client
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import unittest

from control_server import TABLE, Server
from side_by_side import side_by_side
from with_server import client_environment

HERE = pathlib.Path(__file__).resolve().parent
FORKS = 4
CHANGERS = 3
SEED = 20261123
PAUSE_SECONDS = 0.01  # between changes: the scenarios are to have most of the machine
FAULTS = ({"error": "ThrottlingException"}, {"error": "InternalServerError"}, {"error": "ServiceUnavailable"}, {"drop": "before"},
          {"drop": "after"}, {"truncate": 0.5}, {"latency": "50ms"}, {"unprocessed": 0.5}, {"error": "TransactionCanceledException"})


class Changer:
    """Changes settings of main and of forks that it makes of main and of those in which scenarios are played."""

    def __init__(self, server, number, played):
        self.server = server
        self.random = random.Random(f"{SEED} {number}")
        self.name = f"changed-{number}"
        self.played = played
        self.made = []
        self.changes = collections.Counter()

    def run(self, stop):
        actions = (self.change_clock, self.add_fault, self.lag, self.hold_and_release, self.reset, self.snapshot, self.fork, self.fork,
                   self.drop, self.truncate, self.settle, self.bring_back, self.write, self.write, self.record)
        while not stop.wait(PAUSE_SECONDS):
            action = self.random.choice(actions)
            action()
            self.changes[action.__name__] += 1

    def ask(self, method, path, body=None, allowed=(200, 201)):
        status, answer = self.server.control(method, path, body)
        if status not in allowed:
            raise AssertionError((method, path, body, status, answer))
        return answer

    def some(self):
        """The path of main or of a fork of this one's own."""
        return "namespaces/" + self.random.choice(["main", "main", *self.made])

    def change_clock(self):
        self.ask("PUT", self.some() + "/clock", self.random.choice((
            {"advance": "25h"}, {"advance": "-25h"}, {"advance": "11m", "frozen": True}, {"frozen": False}, {"now": "2042-01-01T00:00:00Z"},
            {"now": "1980-01-01T00:00:00Z"})))

    def add_fault(self):
        self.ask("POST", self.some() + "/faults", {"fault": self.random.choice(FAULTS), "probability": 0.5})

    def lag(self):
        self.ask("PUT", self.some() + "/consistency", {
            "read_staleness": {"probability": 1, "versions": self.random.randint(1, 1000)}, "index_lag": "1h"})

    def hold_and_release(self):
        path = self.some() + "/consistency"
        self.ask("PUT", path, {"read_staleness": "held", "index_lag": "held"})
        self.ask("POST", path + "/release", {"steps": self.random.randint(1, 5)})

    def reset(self):
        self.ask("POST", self.some() + "/reset", allowed=(200, 409))

    def truncate(self):
        self.ask("POST", self.some() + "/truncate", allowed=(200, 409))

    def settle(self):
        self.ask("POST", self.some() + "/settle", {"timeout": "50ms"}, allowed=(200, 409))

    def snapshot(self):
        """Of any, also of one in which a scenario is played; into one of this one's own."""
        of = self.random.choice(["main", *self.played, *self.made])
        self.ask("POST", "snapshots", {"name": self.name, "namespace": of})
        if self.made:
            self.ask("POST", f"namespaces/{self.random.choice(self.made)}/restore", {"snapshot": self.name})
        self.ask("DELETE", "snapshots/" + self.name)

    def fork(self):
        name = f"{self.name}-{sum(self.changes.values())}"
        self.ask("POST", "namespaces", {"name": name, "from": {"namespace": self.random.choice(["main", *self.played, *self.played])}})
        self.made.append(name)
        if len(self.made) > 4:
            self.drop()

    def drop(self):
        if self.made:
            self.ask("DELETE", "namespaces/" + self.made.pop(self.random.randrange(len(self.made))))

    def bring_back(self):
        path = self.some()
        for setting in ("clock", "faults", "consistency", "journal"):
            self.ask("DELETE", f"{path}/{setting}")

    def record(self):
        self.ask("PUT", self.some() + "/journal", {"on": True, "bodies": True, "bytes": 65536})

    def write(self):
        """Writes into every table, with any result that the fault rules allow."""
        space = self.random.choice(["main", *self.made])
        try:
            _, answer = self.server.call("ListTables", {}, key=space)
            self.server.call("CreateTable", TABLE, key=space)
            for table in [*answer.get("TableNames", ()), "Tab"]:
                keys = {"pk", "PK", "id", "Id"}
                item = {name: {"S": f"{self.name} {self.random.random()}"} for name in keys | {"sk", "SK"}}
                self.server.call("PutItem", {"TableName": table, "Item": item}, key=space)
                if self.random.random() < 0.2:
                    self.server.call("DeleteTable", {"TableName": table}, key=space)
        except (ConnectionError, http.client.HTTPException, TimeoutError):
            self.changes["answers lost"] += 1


class ScenariosInForksTest(unittest.TestCase):
    def play(self, *flags):
        server = Server("--ttl-delay-ms=0", *flags)
        self.addCleanup(server.stop)
        # The first data of the forks, so that the scenarios' tables lie above it.
        self.assertEqual(server.call("CreateTable", TABLE)[0], 200)
        for number in range(200):
            self.assertEqual(server.call("PutItem", {"TableName": "Tab", "Item": {"pk": {"S": str(number)}}})[0], 200)
        played = [f"played-{number}" for number in range(FORKS)]
        origins = [{"namespace": "main"}, {"snapshot": "seeded"}, {"namespace": played[0]}, {"namespace": played[2]}]
        self.assertEqual(server.control("POST", "snapshots", {"name": "seeded"})[0], 201)
        for name, origin in zip(played, origins, strict=True):
            status, answer = server.control("POST", "namespaces", {"name": name, "from": origin})
            self.assertEqual(status, 201, answer)
        changers = [Changer(server, number, played) for number in range(CHANGERS)]
        with side_by_side([changer.run for changer in changers]):
            outputs = self.run_scenarios(server, played)
        for name, (code, output) in outputs.items():
            self.assertEqual(code, 0, f"{name}:\n{output}")
            ran = int(re.search(r"^Ran (\d+) tests", output, re.MULTILINE).group(1))
            self.assertEqual(ran, len(list((HERE / "scenarios").glob("*.json"))))
        changes = sum((changer.changes for changer in changers), collections.Counter())
        print(dict(changes))
        for action in ("change_clock", "add_fault", "lag", "hold_and_release", "reset", "snapshot", "fork", "drop", "write", "answers lost"):
            self.assertGreater(changes[action], 0, action)
        # Only the first data of the forks is there.
        for name in played:
            self.assertEqual(server.tables(key=name), ["Tab"])
            self.assertEqual(server.call("Scan", {"TableName": "Tab", "Select": "COUNT"}, key=name)[1]["Count"], 200)

    def run_scenarios(self, server, forks):
        """Exit code and output of each."""
        processes = {}
        with tempfile.TemporaryDirectory() as folder:
            for name in forks:
                environment = client_environment(f"http://127.0.0.1:{server.port}") | {"AWS_ACCESS_KEY_ID": name}
                with open(os.path.join(folder, name), "wb") as output:
                    processes[name] = subprocess.Popen([sys.executable, HERE / "python" / "scenarios_test.py"],
                                                       env=environment, stdout=output, stderr=output)
            codes = {name: process.wait() for name, process in processes.items()}
            return {name: (code, pathlib.Path(folder, name).read_text(encoding="utf-8")) for name, code in codes.items()}

    def test_over_memory(self):
        self.play()

    def test_over_directory(self):
        with tempfile.TemporaryDirectory() as folder:
            self.play("--data-dir", os.path.join(folder, "data"))


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]])

"""Snapshots that a data directory keeps, and main restored from them, over kill -9 at any moment, and SIGTERM."""

import collections
import os
import random
import time

from growing_counters import FLAGS, Caller, Counter, Counters, read_fork, read_state
from saved_snapshots_case import SavedSnapshotsCase
from side_by_side import side_by_side
from snapshot_changer import LONGEST_WAIT_SECONDS, SnapshotChanger
from wire import Lost

WRITERS = 3
PAUSE_SECONDS = 0.004  # after each write, since streams are read from their beginning again and again
OTHER_FLAGS = ([], [], ["--fsync"], ["--memory-budget-mb", "8"], ["--threads", "1"])
MEGABYTE = 1 << 20
MOST_MEGABYTES = 48  # of a store of little data, beside its reserve for a full disk: its logs have 8 each
RESERVE = "reserve"  # the name of that file


class Writer:
    """Writes its two counters in turn."""

    def __init__(self, name):
        self.counters = [Counter(f"{name}.single", False), Counter(f"{name}.pair", True)]

    def run(self, port, stop):
        caller = Caller(port)
        try:
            while not stop.wait(PAUSE_SECONDS):
                for counter in self.counters:
                    counter.write(caller)
        except Lost:
            pass
        finally:
            caller.close()


def bytes_on_disk(folder, beside=()):
    """Of all files below but reserves, each counted once however many links it has, and not if it is `beside` them.

    And their nodes. The server deletes files meanwhile; those take nothing.
    """
    nodes, size = set(beside), 0
    for parent, _, names in os.walk(folder):
        for name in set(names) - {RESERVE}:
            try:
                status = os.stat(os.path.join(parent, name))
            except FileNotFoundError:
                continue
            if status.st_ino not in nodes:
                nodes.add(status.st_ino)
                size += status.st_blocks * 512
    return size, nodes


class KillsTest(SavedSnapshotsCase):
    def setUp(self):
        self.random = random.Random(f"{self.seed} kills")
        self.figures = collections.Counter()
        self.writers = [Writer(f"w{number}") for number in range(WRITERS)]
        marker = Counter("marker", False)
        self.counters = Counters([marker, *(counter for writer in self.writers for counter in writer.counters)])
        self.changer = SnapshotChanger(self.counters, marker, self.seed)
        self.sizes = []

    def play(self):
        """All at work until the server is killed; the moment is named."""
        moment = self.random.choice(("at work", "save", "save", "restore", "restore", "delete", "fork", "stopping"))
        self.changer.wanted = None
        for event in self.changer.doing.values():
            event.clear()
        works = [lambda stop, client=client: client.run(self.server.port, stop) for client in [*self.writers, self.changer]]
        with side_by_side(works):
            time.sleep(self.random.uniform(0.05, 0.8))
            if moment in self.changer.doing:
                self.changer.doing[moment].clear()
                self.changer.wanted = moment
                self.changer.doing[moment].wait(LONGEST_WAIT_SECONDS)
                time.sleep(self.random.uniform(0, 1.5 * self.changer.lasted[moment]))
            if moment == "stopping":
                code = self.server.stop()
                self.assertEqual(code, 0, "the end of the server")
            else:
                self.kill(moment)
        self.figures[f"ended: {moment}"] += 1

    def kill(self, moment):
        self.server.kill()
        self.figures["kills"] += 1
        self.figures[f"killed: {moment}"] += 1

    def start(self):
        self.server.flags = [*FLAGS, *self.random.choice(OTHER_FLAGS)]
        while self.random.random() < 0.3:
            self.server.launch()
            time.sleep(self.random.uniform(0, 0.15))
            self.kill("starting")
        self.server.start()
        self.connect()

    def check(self):
        self.check_directory()
        saved, nodes = bytes_on_disk(os.path.join(self.server.data_folder, "snapshots"))
        self.sizes.append(bytes_on_disk(self.server.data_folder, nodes)[0] / MEGABYTE)
        self.assertLess(self.sizes[-1], MOST_MEGABYTES, self.sizes)
        self.figures["bytes of snapshots at most"] = max(saved, self.figures["bytes of snapshots at most"])
        if outcome := self.changer.settle(self.listed(), read_state(self.caller)):
            self.figures[outcome] += 1
        for name in self.changer.known:
            self.changer.note_read(name, read_fork(self.caller, {"snapshot": name}))
            self.figures["snapshots read after a start"] += 1

    def test_what_was_answered_is_so(self):
        self.serve("disk")
        while self.figures["kills"] < self.kills or not all(self.changer.done.values()):
            try:
                self.play()
                self.start()
                self.check()
                if self.kills > 60:
                    print(f"{self.figures['kills']} kills", flush=True)
            except (AssertionError, RuntimeError):
                print(f"\nseed {self.seed}, {dict(self.figures)}, flags {self.server.flags}", flush=True)
                raise
        self.assertEqual(self.server.stop(), 0)
        self.start()
        self.check()
        for kind, times in self.changer.done.items():
            self.figures[f"answered: {kind}"] = times
        for name, count in sorted(self.figures.items()):
            print(f"{count:9,} {name}")
        self.assertGreater(self.figures["snapshots read after a start"], 0)
        print("MB beside snapshots:", " ".join(f"{size:.1f}" for size in self.sizes))

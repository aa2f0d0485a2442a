"""A client that takes, reads, restores and deletes snapshots of main during other writes, and knows their contents."""

import random
import threading
import time

from checks import Fault
from growing_counters import Caller, allow, exact_bounds, read_fork, require
from wire import Lost

MOST_SNAPSHOTS = 5
LONGEST_WAIT_SECONDS = 120


class SnapshotChanger:
    """`doing`: set when a request of that kind is about to be sent; `wanted`: the kind that is waited for."""

    def __init__(self, counters, marker, seed):
        self.random = random.Random(f"{seed} snapshots")
        self.counters = counters
        self.marker = marker  # a counter of its own: it is written before anything is done
        self.known = {}  # bounds of each counter, by the snapshot's name
        self.doing = {kind: threading.Event() for kind in ("save", "restore", "delete", "fork")}
        self.lasted = {kind: 0.05 for kind in self.doing}  # seconds, of the last one
        self.wanted = None
        self.done = dict.fromkeys(self.doing, 0)
        self._open = None  # (kind, name, acknowledged before) of the unanswered request
        self._number = 0
        self._caller = None

    def run(self, port, stop):
        self._caller = Caller(port)
        try:
            while not stop.is_set():
                self.marker.write(self._caller)
                self._step(self._choose())
        except Lost:
            pass
        finally:
            self._caller.close()

    def _choose(self):
        if self.wanted in ("restore", "delete") and not self.known or self.wanted == "save":
            return "save"
        if self.wanted:
            return self.wanted
        if not self.known:
            return "save"
        return self.random.choice(("save", "save", "restore", "fork", "fork", "delete"))

    def _step(self, kind):
        if kind == "save" and len(self.known) >= MOST_SNAPSHOTS:
            self._step("delete")
        {"save": self._save, "restore": self._restore, "delete": self._delete, "fork": self._fork}[kind]()

    def _send(self, kind, name, acknowledged, request):
        self._open = kind, name, acknowledged
        if self.wanted in (kind, None):
            self.doing[kind].set()
        began = time.monotonic()
        answer = request()
        self.lasted[kind] = time.monotonic() - began
        self._open = None
        self.done[kind] += 1
        return answer

    def _save(self):
        self._number += 1
        name, before = f"s{self._number}", self.counters.acknowledged()
        answer = self._send("save", name, before,
                            lambda: self._caller.turn("POST", "snapshots", {"name": name}))
        self.known[name] = self.counters.bounds(before)
        if not answer["saved"]:
            raise Fault(f"{name} is not saved")
        if self.random.random() < 0.5:
            self._read(name)

    def _read(self, name):
        self.note_read(name, self._send("fork", name, None, lambda: read_fork(self._caller, {"snapshot": name})))

    def note_read(self, name, state):
        """It is within its bounds, and stays as it is."""
        require(self.known[name], state, f"the snapshot {name}")
        self.known[name] = exact_bounds(state, self.known[name])

    def _fork(self):
        if self.known and self.random.random() < 0.5:
            return self._read(self.random.choice(list(self.known)))
        before = self.counters.acknowledged()
        state = self._send("fork", "main", None, lambda: read_fork(self._caller, {"namespace": "main"}))
        require(self.counters.bounds(before), state, "a fork of main")

    def _restore(self):
        name, before = self.random.choice(list(self.known)), self.counters.acknowledged()
        self._send("restore", name, before,
                   lambda: self._caller.turn("POST", "namespaces/main/restore", {"snapshot": name}))
        self.counters.note_restored(self.known[name], before)

    def _delete(self):
        name = self.random.choice(list(self.known))
        self._send("delete", name, None, lambda: self._caller.turn("DELETE", f"snapshots/{name}"))
        del self.known[name]

    # ---- after a crash -------------------------------------------------------------------------

    def settle(self, listed, found):
        """By the names of the snapshots that there are, and the state of main: whether what was open has happened.

        Returns "save made" or the like, or None when nothing was open.
        """
        kind, name, before = self._open or (None, None, None)
        self._open = None
        bounds = self.counters.bounds(self.counters.acknowledged())
        has_happened = None
        if kind == "save":
            has_happened = name in listed
            if has_happened:
                self.known[name] = self.counters.bounds(before)
        elif kind == "delete":
            has_happened = name not in listed
            if has_happened:
                del self.known[name]
        elif kind == "restore":
            restored = self.counters.bounds_if_restored(self.known[name], before)
            has_happened = allow(restored, found)
            if has_happened:
                bounds = restored
        if sorted(listed) != sorted(self.known):
            raise Fault(f"the snapshots are {sorted(listed)}, but should be {sorted(self.known)}; {kind} {name} was under way")
        require(bounds, found, f"main, where {kind} {name} was under way,")
        self.counters.note_found(found)
        return None if has_happened is None else f"{kind} {'made' if has_happened else 'not made'}"

"""The base of tests of snapshots that a data directory keeps."""

import os
import tempfile
import time
import unittest

from growing_counters import FLAGS, TABLES, Caller
from wire import PATIENCE_SECONDS
from with_server import Server

_STORE = {"rocksdb", "files", "reserve"}  # beside spare0, spare1
_HALF_WRITTEN = ("current.new", "MAGNETO.new")  # left by a killed process; the next one writes them again


class SavedSnapshotsCase(unittest.TestCase):
    binary = None
    full_disk_binary = None
    kills = 40
    seed = 0
    instrumented = False

    def serve(self, engine, *flags, binary=None):
        self.server = Server(binary or self.binary, engine, *FLAGS, *flags)
        self.addCleanup(self.server.remove)
        if binary:
            os.environ["FULL_DISK_DIRECTORY"] = self.server.data_folder
            self.server.errors = tempfile.TemporaryFile()  # each refusal
            self.addCleanup(self.server.errors.close)
        self.server.start()
        self.connect()
        for table in TABLES:
            self.caller.send("CreateTable", **table)

    def connect(self):
        self.caller = Caller(self.server.port)
        self.addCleanup(self.caller.close)

    def listed(self):
        snapshots = self.caller.turn("GET", "snapshots")["snapshots"]
        self.assertTrue(all(snapshot["saved"] for snapshot in snapshots), snapshots)
        return [snapshot["name"] for snapshot in snapshots]

    def in_folder(self, *path):
        folder = os.path.join(self.server.data_folder, *path)
        return sorted(os.listdir(folder)) if os.path.isdir(folder) else []

    def check_directory(self):
        """It holds only the current store and the listed snapshots; no fork has ever been made."""
        files = set(self.in_folder()) - {"MAGNETO", "control-token", "snapshots", "stores", *_HALF_WRITTEN}
        if "current" in files:
            with open(os.path.join(self.server.data_folder, "current"), encoding="ascii") as file:
                current = file.read().strip()
            self.assertEqual(files, {"current"})
            self.assertEqual(self.in_folder("stores"), [current])
            files = set(self.in_folder("stores", current))
        else:
            self.assertEqual(self.in_folder("stores"), [])
        self.assertLessEqual({name for name in files if not name.startswith("spare")}, _STORE)
        self.assertEqual(self.in_folder("snapshots"), sorted(self.listed()))
        for name in self.listed():
            self.assertEqual(self.in_folder("snapshots", name), ["note", "rocksdb"])

    def wait_until(self, holds, what):
        deadline = time.monotonic() + PATIENCE_SECONDS
        while not holds():
            self.assertLess(time.monotonic(), deadline, what)
            time.sleep(0.01)

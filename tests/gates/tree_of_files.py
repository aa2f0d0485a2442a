"""The common part of tests of gates: a gate passes a good tree and fails a bad one."""

import os
import tempfile
import unittest


class Tree(unittest.TestCase):
    """A small tree of files to check."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = folder.name

    def write(self, path, text=""):
        full = os.path.join(self.root, path)
        os.makedirs(os.path.dirname(full), exist_ok=True)
        with open(full, "w", encoding="utf-8") as file:
            file.write(text)

    def assert_faults(self, gate, *expected):
        """The gate finds exactly faults that start with these texts."""
        found = [str(fault) for fault in gate.check(self.root)]
        self.assertEqual(len(found), len(expected), found)
        for text, start in zip(found, expected):
            self.assertTrue(text.startswith(start), f"{text!r} does not start with {start!r}")

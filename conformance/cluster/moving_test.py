"""moving_test.py <binary>: magneto copy takes tables into a store and out of it, while clients write and the copy is killed."""

import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))

from cluster.postgres import Postgres  # noqa: E402
from copy_test import CopyCase  # noqa: E402

KILLS = 8


class MovingTest(CopyCase):
    def setUp(self):
        self.binary = BINARY
        super().setUp()
        postgres = Postgres()
        self.addCleanup(postgres.remove)
        postgres.start()
        self.store = ["--store", postgres.url]

    def test_into_a_store(self):
        source, connection = self.start("disk")
        target, _ = self.start("memory", *self.store)
        self.kill_while_clients_write(source, connection, target, KILLS, "in")

    def test_out_of_a_store(self):
        source, connection = self.start("memory", *self.store)
        target, _ = self.start("disk")
        self.kill_while_clients_write(source, connection, target, KILLS, "out")


if __name__ == "__main__":
    BINARY = os.path.abspath(sys.argv.pop(1))
    unittest.main(verbosity=2)

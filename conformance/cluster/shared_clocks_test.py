"""shared_clocks_test.py <binary>: three servers that use one store behave as one, although their clocks differ and jump.

One clock is three seconds behind, another one three seconds ahead. Meanwhile servers are killed, and clocks jump by many
seconds, forth and back. Needs libfaketime (apt-get install faketime).
"""

import os
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))

from cluster.clocks import Clocks  # noqa: E402
from concurrent_clients import connect  # noqa: E402
from cluster.shared_case import TABLE, WIDE, SharedCase, main  # noqa: E402

OFFSETS = (-3, 0, 3)
JUMPS = ((0, 17), (2, -17), (1, 9), (0, -3), (2, 3), (1, 0))  # server, seconds
# A reader that waited for a clock would wait for as long as clocks jump. Leases last one second.
MOST_LAG_SECONDS = 12


class ClocksTest(SharedCase):
    def setUp(self):
        self.clocks = Clocks(*OFFSETS)
        self.addCleanup(self.clocks.remove)
        self.begin(clocks=self.clocks)

    def disturb(self, await_answers):
        for number, (server, offset) in enumerate(JUMPS):
            self.clocks.set(server, offset)
            await_answers()
            if number % 3 == 1:
                self.kill(self.cluster.any())
                await_answers()

    def test_the_clocks_differ(self):
        offsets = []
        for number, server in enumerate(self.cluster.servers):
            before = time.time()
            created = self.create_on(server, f"Own{number}")
            offsets.append(created - before)
            self.clocks.set(number, 40)
            self.assertGreater(self.create_on(server, f"Later{number}") - before, 39)
        for found, wanted in zip(offsets, OFFSETS):
            self.assertGreaterEqual(found, wanted - 0.01)
        self.assertLess(offsets[0] - offsets[2], -3)

    def create_on(self, server, name):
        """When the server says that it made a table."""
        return connect(server.endpoint).create_table(TableName=name, **TABLE)["TableDescription"]["CreationDateTime"].timestamp()

    def test_registers(self):
        answered = self.play_registers(self.disturb) + self.play_registers(self.disturb, WIDE)
        print(f"{answered} requests in a linear order")

    def test_transactions(self):
        committed = self.play_transactions(self.disturb)
        print(f"{committed} transactions and writes in a serial order")

    def test_a_stream(self):
        self.play_stream(self.disturb, most_lag=MOST_LAG_SECONDS)

    def test_tables_that_come_and_go(self):
        passing = self.passing_tables()
        self.play_registers(self.disturb, beside=[one.run for one in passing])
        print(f"{sum(one.lives for one in passing)} tables with indexes")


if __name__ == "__main__":
    main(sys.argv.pop(1))

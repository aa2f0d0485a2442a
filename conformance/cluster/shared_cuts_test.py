"""shared_cuts_test.py <binary>: three servers use one store, and the connections of one to the database are cut.

A cut of one direction, or of both, lasts until the others have gone on without that server, which then must end with exit code
75; or it is shorter than the lease, and the server goes on. Every item must behave as one register, transactions must have a
serial order, and streams must be whole.
"""

import os
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))

from cluster.shared_case import WIDE, SharedCase, main  # noqa: E402
from cluster.shared_servers import metrics_of  # noqa: E402
from cluster.two_servers import LEASE_SECONDS, REPLACED  # noqa: E402
from with_server import START_SECONDS  # noqa: E402

DIRECTIONS = (["to"], ["from"], ["to", "from"])
SHORT_SECONDS = LEASE_SECONDS / 4


class CutsTest(SharedCase):
    def setUp(self):
        self.begin(has_links=True)

    def cut_off(self, directions, await_answers):
        """Until the others have gone on without the server."""
        server = self.cluster.any()
        other = next(one for one in self.cluster.servers if one is not server)
        self.cluster.links[server].cut(*directions)
        deadline = time.monotonic() + START_SECONDS
        while metrics_of(other)["magneto_store_servers"] != 2:
            self.assertLess(time.monotonic(), deadline, "the others do not notice")
            time.sleep(0.01)
        await_answers()
        self.cluster.links[server].heal()
        self.assertEqual(server.wait(), REPLACED)
        server.start()
        await_answers()

    def cut_for_long(self, await_answers):
        for directions in DIRECTIONS:
            self.cut_off(directions, await_answers)

    def cut_for_a_moment(self, await_answers):
        """A busy machine may make it longer than the lease: then the server ends, and is started again."""
        for directions in DIRECTIONS * 2:
            server = self.cluster.any()
            self.cluster.links[server].cut(*directions)
            time.sleep(SHORT_SECONDS)
            self.cluster.links[server].heal()
            await_answers()
            if server.has_ended():
                self.assertEqual(server.wait(), REPLACED)
                server.start()

    def test_registers(self):
        answered = self.play_registers(self.cut_for_long) + self.play_registers(self.cut_for_a_moment)
        print(f"{answered} requests on few items in a linear order")

    def test_many_registers(self):
        answered = self.play_registers(lambda await_answers: self.cut_off(DIRECTIONS[0], await_answers), WIDE)
        answered += self.play_registers(self.cut_for_a_moment, WIDE)
        print(f"{answered} requests on many items in a linear order")

    def test_transactions(self):
        committed = self.play_transactions(self.cut_for_long) + self.play_transactions(self.cut_for_a_moment)
        print(f"{committed} transactions and writes in a serial order")

    def test_a_stream(self):
        self.play_stream(lambda await_answers: (self.cut_for_long(await_answers), self.cut_for_a_moment(await_answers)))

    def test_tables_that_come_and_go(self):
        passing = self.passing_tables()
        self.play_registers(self.cut_for_long, beside=[one.run for one in passing])
        print(f"{sum(one.lives for one in passing)} tables with indexes")


if __name__ == "__main__":
    main(sys.argv.pop(1))

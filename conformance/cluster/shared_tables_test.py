"""shared_tables_test.py <binary>: tables and indexes are made and dropped throughout, on any of three servers that use one store.

Other clients read and write registers, transact, and read a stream meanwhile, and a server is killed, or is ended. Each table
and each index is on all servers when its change is answered, and on none after it was dropped. Indexes hold what the items
say, and DescribeTable counts them.
"""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))

from cluster.shared_case import SharedCase, main  # noqa: E402

LIVES = 3  # of each table, after the last disturbance


class TablesTest(SharedCase):
    def setUp(self):
        self.begin()
        self.passing = self.passing_tables(2)

    def tearDown(self):
        print(f"{self.lives()} tables, {sum(one.indexes for one in self.passing)} indexes, "
              f"{sum(one.writes for one in self.passing)} writes to them")

    def lives(self):
        return sum(one.lives for one in self.passing)

    @property
    def beside(self):
        return [one.run for one in self.passing]

    def disturb(self, await_answers):
        self.await_more(self.lives, LIVES)
        self.kill(self.cluster.any())
        await_answers()
        self.end(self.cluster.any())
        await_answers()
        self.await_more(self.lives, LIVES)

    def test_registers(self):
        print(f"{self.play_registers(self.disturb, beside=self.beside)} requests in a linear order")

    def test_transactions(self):
        print(f"{self.play_transactions(self.disturb, beside=self.beside)} transactions and writes in a serial order")

    def test_a_stream(self):
        self.play_stream(self.disturb, beside=self.beside)


if __name__ == "__main__":
    main(sys.argv.pop(1))

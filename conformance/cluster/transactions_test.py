"""transactions_test.py <binary> [seconds]: transactions have a serial order over the servers of a store that are killed.

Clients keep to the address of one server, which passes them on while the other one is active.
"""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))

import serial_order_test  # noqa: E402
from cluster.store_server import StoreServer  # noqa: E402
from concurrent_clients import main  # noqa: E402


class OrderClient(serial_order_test.OrderClient):
    meets_waiting_servers = True


class TransactionsTest(serial_order_test.SerialOrderCase):
    client = OrderClient

    def test_over_kills(self):
        self.serve(StoreServer(self.binary, "--relay"), serial_order_test.TABLES)
        committed = sum(self.play_round(number, self.kill_and_start) for number in range(4))
        print(f"{committed} requests in a serial order, over 4 kills")
        self.assertGreater(committed, 100)


if __name__ == "__main__":
    main()

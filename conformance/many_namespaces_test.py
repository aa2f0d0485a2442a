"""Ten thousand namespaces leave no memory behind. many_namespaces_test.py <magneto> [test ...]"""

import sys
import threading
import time
import unittest

from control_server import TABLE, WithServer


class ManyTest(WithServer):
    def test_ten_thousand_come_and_go(self):
        def come_and_go(first):
            for number in range(first, 10000, 4):
                name = f"n{number}"
                if self.server.control("POST", "namespaces", {"name": name})[0] != 201:
                    wrong.append(name)
                if number % 10 == 0 and self.server.call("CreateTable", TABLE, namespace=name)[0] != 200:
                    wrong.append(name)
                if self.server.control("DELETE", "namespaces/" + name)[0] != 200:
                    wrong.append(name)
        wrong = []
        come_and_go(9000)
        before = self.server.resident()
        threads = [threading.Thread(target=come_and_go, args=(first,)) for first in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(wrong, [])
        self.assertEqual(self.server.control("GET", "statistics")[1]["namespaces"], 0)
        deadline = time.monotonic() + 60
        while self.server.resident() > before + (64 << 20) and time.monotonic() < deadline:
            time.sleep(0.1)
        self.assertLess(self.server.resident(), before + (64 << 20))


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]])

"""many_forks_test.py <magneto>: many tests at once, each in a fork of its own, against one server."""

import sys
import unittest

import forked_tests
from with_server import Server

TESTS = 200
ROUNDS = 2


class ManyForksTest(unittest.TestCase):
    def play(self, engine, *flags):
        server = Server(BINARY, engine, f"--control-token={forked_tests.TOKEN}", *flags)
        self.addCleanup(server.remove)
        server.start()
        forked_tests.fill_main(server.port)
        for _ in range(ROUNDS):
            times = forked_tests.run_tests(server.port, TESTS)
            self.assertEqual({step: len(times[step]) for step in ("fork", "delete", "test")},
                             {"fork": TESTS, "delete": TESTS, "test": TESTS})
            forked_tests.check_main(server.port)
        self.assertEqual(server.stop(), 0)

    def test_in_memory(self):
        self.play("memory")

    def test_of_a_main_on_disk(self):
        self.play("disk")


if __name__ == "__main__":
    BINARY = sys.argv.pop(1)
    unittest.main(verbosity=2)

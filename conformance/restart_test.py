"""restart_test.py <binary>: what a client was told is written is there after kill -9 and a restart."""

import os
import pathlib
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "python"))

from requests_of_steps import table_request
from table_case import connect
from with_server import Server, client_environment

ROLES = {"key": "Performer, Film", "global": {"FilmIdx": "Film, Performer"},
         "local": {"YearIdx": "Performer, Year:N"}}


class RestartTest(unittest.TestCase):
    def setUp(self):
        self.server = Server(BINARY, "disk")
        self.addCleanup(self.server.remove)
        self.start()

    def start(self):
        self.server.start()
        os.environ.update(client_environment(self.server.endpoint))
        self.client = connect()
        self.addCleanup(self.client.close)

    def kill_and_start(self):
        self.server.kill()
        self.start()

    def read(self):
        """The table and both its indexes, each as sorted film names."""
        answers = [self.client.scan(TableName="Roles", **index)
                   for index in ({}, {"IndexName": "FilmIdx"}, {"IndexName": "YearIdx"})]
        return [sorted(item["Film"] for item in answer["Items"]) for answer in answers]

    def test_acknowledged_writes_survive_a_killed_process(self):
        self.client.create_table(**table_request("Roles", ROLES))
        expected = []
        for turn in range(3):
            for index in range(50):
                film = f"film-{turn}-{index:02d}"
                self.client.put_item(TableName="Roles", Item={
                    "Performer": "Ana", "Film": film, "Year": 1900 + index})
                expected.append(film)
            self.client.delete_item(TableName="Roles", Key={"Performer": "Ana", "Film": expected.pop()})
            self.kill_and_start()
            self.assertEqual(self.read(), [expected] * 3)

    def test_a_table_made_anew_is_empty(self):
        self.client.create_table(**table_request("Roles", ROLES))
        self.client.put_item(TableName="Roles", Item={"Performer": "Ana", "Film": "old", "Year": 1})
        self.client.delete_table(TableName="Roles")
        self.client.get_waiter("table_not_exists").wait(TableName="Roles")
        self.client.create_table(**table_request("Roles", ROLES))
        self.kill_and_start()
        self.assertEqual(self.read(), [[], [], []])

    def test_a_second_process_is_refused(self):
        second = subprocess.run(self.server.command, capture_output=True, text=True, timeout=60, check=False)
        self.assertEqual(second.returncode, 1)
        self.assertEqual(second.stderr.count("\n"), 1, second.stderr)


if __name__ == "__main__":
    BINARY = sys.argv.pop(1)
    unittest.main(verbosity=2)

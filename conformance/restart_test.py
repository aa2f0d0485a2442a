"""restart_test.py <binary>: acknowledged writes survive kill -9 and a restart."""

import os
import pathlib
import subprocess
import sys
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "python"))

from requests_of_steps import table_request
from streams import StreamConsumer, connect_streams
from table_case import connect
from with_server import Server, client_environment

ROLES = {"key": "Performer, Film", "global": {"FilmIdx": "Film, Performer"},
         "local": {"YearIdx": "Performer, Year:N"}}


class RestartTest(unittest.TestCase):
    def setUp(self):
        self.server = Server(BINARY, "disk", "--ttl-delay-ms=0")
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

    def test_time_to_live_goes_on_after_a_killed_process(self):
        self.client.create_table(**table_request("Sess", {"key": "Token", "global": {"UserIdx": "User"}}))
        self.client.put_item(TableName="Sess", Item={"Token": "old", "User": "u", "TTL": int(time.time()) + 2})
        specification = {"AttributeName": "TTL", "Enabled": True}
        self.client.update_time_to_live(TableName="Sess", TimeToLiveSpecification=specification)
        self.client.put_item(TableName="Sess", Item={"Token": "new", "User": "u", "TTL": int(time.time()) + 2})
        self.client.put_item(TableName="Sess", Item={"Token": "late", "User": "u", "TTL": int(time.time()) + 9999})
        self.client.put_item(TableName="Sess", Item={"Token": "ever", "User": "u"})
        self.kill_and_start()
        self.assertEqual(self.client.describe_time_to_live(TableName="Sess")["TimeToLiveDescription"],
                         {"TimeToLiveStatus": "ENABLED", "AttributeName": "TTL"})
        deadline = time.monotonic() + 120
        while self.client.scan(TableName="Sess")["Count"] > 2 and time.monotonic() < deadline:
            time.sleep(0.1)
        for index in ({}, {"IndexName": "UserIdx"}):
            items = self.client.scan(TableName="Sess", **index)["Items"]
            self.assertEqual({item["Token"] for item in items}, {"late", "ever"})

    def test_a_table_made_anew_is_empty(self):
        self.client.create_table(**table_request("Roles", ROLES))
        self.client.put_item(TableName="Roles", Item={"Performer": "Ana", "Film": "old", "Year": 1})
        self.client.delete_table(TableName="Roles")
        self.client.get_waiter("table_not_exists").wait(TableName="Roles")
        self.client.create_table(**table_request("Roles", ROLES))
        self.kill_and_start()
        self.assertEqual(self.read(), [[], [], []])

    def test_a_consumer_of_a_stream_goes_on_where_it_was(self):
        self.client.create_table(**table_request("Roles", ROLES | {"stream": "NEW_AND_OLD_IMAGES"}))
        arn = self.client.describe_table(TableName="Roles")["Table"]["LatestStreamArn"]
        consumer = StreamConsumer(None, arn)
        roles, changes = {}, 0
        for turn in range(4):
            for index in range(50):
                key = {"Performer": f"performer-{index % 7}", "Film": f"film-{index % 20:02d}"}
                if index % 5 == 4:
                    self.client.delete_item(TableName="Roles", Key=key)
                else:
                    self.client.put_item(TableName="Roles", Item=key | {"Year": 1900 + turn + index})
            if turn % 2 == 1:
                self.kill_and_start()
            consumer.streams = connect_streams()
            for change in consumer.poll(limit=10):
                name = (change.key["Performer"], change.key["Film"])
                self.assertEqual(change.old, roles.get(name))
                roles[name] = change.new
                changes += 1
            consumer.streams.close()
            self.kill_and_start()
        found = {(item["Performer"], item["Film"]): item for item in self.client.scan(TableName="Roles")["Items"]}
        self.assertEqual({name: role for name, role in roles.items() if role}, found)
        self.assertGreater(changes, 150)

    def test_a_second_process_is_refused(self):
        second = subprocess.run(self.server.command, capture_output=True, text=True, timeout=60, check=False)
        self.assertEqual(second.returncode, 1)
        self.assertEqual(second.stderr.count("\n"), 1, second.stderr)


if __name__ == "__main__":
    BINARY = sys.argv.pop(1)
    unittest.main(verbosity=2)

"""`magneto replay`: a journal's requests once more, against other servers. replay_test.py <magneto> [test ...]"""

import gzip
import os
import subprocess
import sys
import time
import unittest

from botocore.exceptions import BotoCoreError, ClientError

from control_server import BINARY, Server
from control_case import STREAMING, ControlCase, global_index, on_demand

TABLE = on_demand("Tab", "pk", "sk", "group", GlobalSecondaryIndexes=[global_index("ByGroup", "group", "sk")])
TABLE["KeySchema"].append({"AttributeName": "sk", "KeyType": "RANGE"})


class ReplayTest(ControlCase):
    def setUp(self):
        super().setUp()
        self.other = Server("--control-token", "proof")
        self.addCleanup(self.other.stop)
        self.other.token = "proof"
        self.control("PUT", "journal", {"on": True, "bodies": True})

    def export(self, name="journal.jsonl"):
        """A file with all records."""
        _, _, text = self.server.ask("GET", "/_/namespaces/main/journal?format=jsonl")
        path = os.path.join(self.folder.name, name)
        with (gzip.open if name.endswith(".gz") else open)(path, "wb") as file:
            file.write(text)
        return path

    def replay(self, journal, *flags, to=None, feed=None):
        """Exit status, lines on stdout, text on stderr."""
        environment = {"PATH": os.environ["PATH"], "HOME": self.folder.name,
                       "AWS_ACCESS_KEY_ID": "any", "AWS_SECRET_ACCESS_KEY": "any", "AWS_REGION": "us-east-1"}
        done = subprocess.run([BINARY, "replay", "--journal", journal, "--to", to or f"http://127.0.0.1:{self.other.port}", *flags],
                              capture_output=True, check=False, input=feed, env=environment, timeout=120)
        lines = [line.removeprefix("magneto: ") for line in done.stdout.decode().splitlines()]
        return done.returncode, lines, done.stderr.decode()

    def work(self):
        """Every kind of request, also such as are refused, whose answers hold what differs each time."""
        client, key = self.client, {"pk": {"S": "a"}, "sk": {"S": "k00"}}
        client.create_table(**TABLE, StreamSpecification=STREAMING)
        arn = client.describe_table(TableName="Tab")["Table"]["LatestStreamArn"]
        for number in range(12):
            self.put("Tab", pk="a", sk=f"k{number:02}", group="g", n=number)
        client.update_item(TableName="Tab", Key=key, UpdateExpression="ADD tags :t", ReturnValues="ALL_NEW",
                           ExpressionAttributeValues={":t": {"SS": ["red", "green", "blue"]}})
        client.get_item(TableName="Tab", Key=key)
        request = {"TableName": "Tab", "KeyConditionExpression": "pk = :a", "ExpressionAttributeValues": {":a": {"S": "a"}}, "Limit": 5}
        page = client.query(**request)
        while "LastEvaluatedKey" in page:
            page = client.query(**request, ExclusiveStartKey=page["LastEvaluatedKey"])
        client.scan(TableName="Tab", IndexName="ByGroup")
        page = client.execute_statement(Statement="SELECT * FROM Tab WHERE pk = 'a'", Limit=5)
        while "NextToken" in page:
            page = client.execute_statement(Statement="SELECT * FROM Tab WHERE pk = 'a'", Limit=5, NextToken=page["NextToken"])
        client.batch_get_item(RequestItems={"Tab": {"Keys": [{"pk": {"S": "a"}, "sk": {"S": f"k{number:02}"}} for number in range(8)]}})
        client.batch_write_item(RequestItems={"Tab": [{"DeleteRequest": {"Key": {"pk": {"S": "a"}, "sk": {"S": "k11"}}}}]})
        for _ in range(2):
            client.transact_write_items(ClientRequestToken="once", TransactItems=[
                {"Update": {"TableName": "Tab", "Key": key, "UpdateExpression": "ADD n :n", "ExpressionAttributeValues": {":n": {"N": "5"}}}}])
        for refused in (lambda: client.put_item(TableName="Tab", Item=key, ConditionExpression="attribute_not_exists(pk)"),
                        lambda: client.get_item(TableName="None", Key=key), lambda: client.get_item(TableName="Tab", Key={"pk": {"S": "a"}}),
                        lambda: client.transact_write_items(TransactItems=[{"ConditionCheck": {
                            "TableName": "Tab", "Key": key, "ConditionExpression": "attribute_not_exists(pk)"}}])):
            with self.assertRaises(ClientError):
                refused()
        streams = self.connect("dynamodbstreams")
        for shard in streams.describe_stream(StreamArn=arn)["StreamDescription"]["Shards"]:
            iterator = streams.get_shard_iterator(StreamArn=arn, ShardId=shard["ShardId"], ShardIteratorType="TRIM_HORIZON")
            following = streams.get_records(ShardIterator=iterator["ShardIterator"], Limit=3)["NextShardIterator"]
            streams.get_records(ShardIterator=following, Limit=3)
        return self.control("GET", "journal?limit=10000")["records"]

    def test_a_fresh_server_gives_the_same_answers(self):
        records = self.work()
        self.assertGreater(len(records), 40)
        status, lines, told = self.replay(self.export(), "--show", "1000")
        # Shards are named at random and told by name, so that the records of an item may come by another one.
        self.assertEqual([line for line in lines if " GetRecords: Records" not in line], [], told)
        self.assertEqual(self.other.call("Scan", {"TableName": "Tab"}), (200, self.server.call("Scan", {"TableName": "Tab"})[1]))
        self.assertIn(f"{len(records)} requests were sent; ", told)
        self.assertEqual(status, 1 if lines else 0)

    def test_without_streams_it_ends_with_0_in_every_form_of_the_file(self):
        self.client.create_table(**TABLE)
        self.put("Tab", pk="a", sk="b")
        self.get("Tab", pk="a", sk="b")
        with open(self.export(), "rb") as file:
            text = file.read()
        for number, (journal, feed) in enumerate((
                (self.export(), None), (self.export("journal.jsonl.gz"), None), ("-", text), ("-", gzip.compress(text)))):
            self.assertEqual(self.other.control("POST", "namespaces", {"name": f"n{number}"})[0], 201)
            status, lines, told = self.replay(journal, "--namespace", f"n{number}", feed=feed)
            self.assertEqual((status, lines), (0, []), told)
            self.assertIn("3 requests were sent; 0 answers differ", told)
            self.assertEqual(self.other.tables(namespace=f"n{number}"), ["Tab"])
        self.assertEqual(self.other.tables(), [])

    def test_differences_are_named(self):
        for server in (self.server, self.other):
            server.call("CreateTable", TABLE)
            for number in range(3):
                item = {"pk": {"S": "a"}, "sk": {"S": str(number)}, "n": {"N": str(number)}}
                if server is self.other and number == 1:
                    item |= {"n": {"N": "99"}, "extra": {"BOOL": True}}
                server.call("PutItem", {"TableName": "Tab", "Item": item})
        self.control("DELETE", "journal")
        before = self.control("GET", "journal")["next"]
        for number in range(3):
            self.get("Tab", pk="a", sk=str(number))
        self.client.query(TableName="Tab", KeyConditionExpression="pk = :a", ExpressionAttributeValues={":a": {"S": "a"}})
        with self.assertRaises(ClientError):
            self.client.put_item(TableName="Tab", Item={"pk": {"S": "a"}, "sk": {"S": "1"}}, ConditionExpression="n = :n",
                                 ExpressionAttributeValues={":n": {"N": "99"}})
        journal = self.export()
        status, lines, told = self.replay(journal)
        self.assertEqual(status, 1)
        self.assertEqual(lines, [
            f'#{before + 2} GetItem: Item.n.N is "99" instead of "1"',
            f'#{before + 2} GetItem: Item.extra is {{"BOOL":true}} instead of nothing',
            f'#{before + 4} Query: Items[1].n.N is "99" instead of "1"',
            f'#{before + 4} Query: Items[1].extra is {{"BOOL":true}} instead of nothing',
            f'#{before + 5} PutItem: 200 instead of 400 ConditionalCheckFailedException'])
        self.assertIn("5 requests were sent; 3 answers differ", told)
        status, lines, told = self.replay(journal, "--show", "1")
        self.assertEqual((status, len(lines)), (1, 1))

    def test_exactly_more_differs(self):
        self.client.create_table(**TABLE)
        self.client.describe_table(TableName="Tab")
        journal = self.export()
        status, lines, _ = self.replay(journal, "--exact")
        self.assertEqual(status, 1)
        self.assertTrue(any("TableId" in line for line in lines), lines)
        self.other.control("POST", "namespaces/main/reset")
        self.assertEqual(self.replay(journal)[:2], (0, []))

    def test_what_rules_kept_from_running_is_left_out(self):
        self.client.create_table(**TABLE)
        for count, fault in ((1, {"error": "ThrottlingException"}), (1, {"drop": "before"}), (1, {"drop": "after"})):
            self.control("POST", "faults", {"operations": ["PutItem"], "count": count, "fault": fault}, status=201)
        for number in range(4):
            try:
                self.put("Tab", pk="a", sk=str(number))
            except (ClientError, BotoCoreError):
                self.assertLess(number, 3)
        status, lines, told = self.replay(self.export())
        self.assertEqual((status, lines), (0, []), told)
        self.assertIn("3 requests were sent; 0 answers differ", told)
        self.assertIn("2 requests failed because of a fault rule and were not sent", told)
        items = self.other.call("Scan", {"TableName": "Tab"})[1]["Items"]
        self.assertEqual(sorted(item["sk"]["S"] for item in items), ["2", "3"])

    def test_each_is_sent_once_though_it_fails(self):
        self.client.create_table(**TABLE)
        self.put("Tab", pk="a", sk="b")
        journal = self.export()
        self.other.control("POST", "namespaces/main/faults", {"operations": ["PutItem"], "fault": {"error": "ThrottlingException"}})
        status, lines, _ = self.replay(journal)
        self.assertEqual((status, len(lines)), (1, 1))
        self.assertIn("PutItem: 400 ThrottlingException", lines[0])
        self.assertEqual(self.other.control("GET", "namespaces/main/faults")[1]["rules"][0]["hits"], 1)

    def test_without_bodies_nothing_is_sent(self):
        self.control("PUT", "journal", {"bodies": False})
        self.client.create_table(**TABLE)
        status, lines, told = self.replay(self.export())
        self.assertEqual((status, lines), (0, []))
        self.assertIn('1 request without a body in the journal was not sent: switch "bodies" on', told)
        self.assertEqual(self.other.tables(), [])

    def test_at_the_journals_own_pace(self):
        self.client.create_table(**TABLE)
        time.sleep(1.2)  # the pause that is to be kept
        self.put("Tab", pk="a", sk="b")
        begin = time.monotonic()
        self.assertEqual(self.replay(self.export(), "--speed", "2")[:2], (0, []))
        self.assertGreaterEqual(time.monotonic() - begin, 0.6)

    def test_what_is_wrong_is_told(self):
        self.client.create_table(**TABLE)
        journal = self.export()
        broken = os.path.join(self.folder.name, "broken.jsonl")
        with open(journal, "rb") as whole, open(broken, "wb") as file:
            file.write(whole.read() + b'{"number": 1}\n')
        for path, part in ((broken, "broken.jsonl"), (os.path.join(self.folder.name, "none"), "none")):
            status, lines, told = self.replay(path)
            self.assertEqual((status, lines), (1, []))
            self.assertIn(part, told)
        self.other.control("POST", "namespaces/main/reset")
        status, lines, told = self.replay(journal, to="http://127.0.0.1:1")
        self.assertEqual((status, len(lines)), (1, 1), told)
        self.assertIn("no answer", lines[0])
        for flags in (("--journal", journal), ("--to", "http://127.0.0.1:1"),
                      ("--journal", journal, "--to", "http://127.0.0.1:1", "--speed", "0"),
                      ("--journal", journal, "--to", "http://127.0.0.1:1", "--show", "-1")):
            done = subprocess.run([BINARY, "replay", *flags], capture_output=True, check=False)
            self.assertEqual(done.returncode, 2, done)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]])

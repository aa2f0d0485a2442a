"""C20.22, C20.23 and the cache of C20: a consumer of the stream that writes into the same table, with boto3."""

import itertools
import unittest

from table_case import TableCase

COPIES = 3
DAYS = ("2031-05-02T00:00:00", "2031-05-01T00:00:00")
TABLE = {"key": "PK, SK", "stream": "NEW_IMAGE", "global": {"GSI1": "GSI1PK, GSI1SK"}}


def deal(name, day, brand, category):
    return {"PK": f"DEAL#{name}", "SK": f"DEAL#{name}", "GSI1PK": f"DEALS#{day}", "GSI1SK": f"DEAL#{name}",
            "Brand": brand, "Category": category}


class DealsTest(TableCase):
    def setUp(self):
        super().setUp()
        self.create_tables({"Deals": TABLE})
        self.fill({"Deals": [
            deal("4aX", DAYS[1], "Nut", "Toys"),
            *({"PK": f"BRANDWATCH#{brand}", "SK": f"USER#{user}"}
              for brand, user in (("Zip", "ana"), ("Zip", "bo"), ("Nut", "cy"))),
            *({"PK": f"CATEGORYWATCH#{category}", "SK": f"USER#{user}"}
              for category, user in (("Tech", "ana"), ("Tech", "dee"), ("Toys", "bo"))),
        ]})
        self.consumer = self.stream_of("Deals")
        self.consumer.poll()  # existing items are not news
        self.numbers = itertools.count()

    def collection(self, partition, **request):
        attribute = "GSI1PK" if "IndexName" in request else "PK"
        return self.read_all("query", TableName="Deals", KeyConditionExpression=f"{attribute} = :p",
                             ExpressionAttributeValues={":p": partition}, **request)

    def notify(self, watched, found):
        for watcher in self.collection(watched):
            user, number = watcher["SK"].removeprefix("USER#"), f"MESSAGE#{next(self.numbers):04d}"
            self.client.put_item(TableName="Deals", Item={
                "PK": f"MESSAGES#{user}", "SK": number, "GSI1PK": f"MESSAGES#{user}", "GSI1SK": number,
                "About": f"{watched} {found['PK']}"})

    def refresh_caches(self):
        latest = [item["PK"] for day in DAYS
                  for item in self.collection(f"DEALS#{day}", IndexName="GSI1", ScanIndexForward=False)]
        for copy in range(1, COPIES + 1):
            key = f"DEALSCACHE#{copy}"
            self.client.put_item(TableName="Deals", Item={
                "PK": key, "SK": key, "Deals": [{"Id": name} for name in latest]})

    def follow(self):
        """Polls until the stream is idle; the number of records. What is done for them makes records too."""
        count = 0
        while changes := self.consumer.poll():
            count += len(changes)
            for change in changes:
                if change.event != "INSERT" or not change.key["PK"].startswith("DEAL#"):
                    continue
                self.notify(f"BRANDWATCH#{change.new['Brand']}", change.new)
                self.notify(f"CATEGORYWATCH#{change.new['Category']}", change.new)
                self.refresh_caches()
        return count

    def messages(self, user):
        return sorted(item["About"] for item in self.collection(f"MESSAGES#{user}", IndexName="GSI1"))

    def test_c20_22_each_watcher_gets_one_message(self):
        new = deal("4bA", DAYS[0], "Zip", "Tech")
        self.client.put_item(TableName="Deals", Item=new)
        # The deal, four messages, the caches.
        self.assertEqual(self.follow(), 1 + 4 + COPIES)
        self.assertEqual(self.messages("ana"), ["BRANDWATCH#Zip DEAL#4bA", "CATEGORYWATCH#Tech DEAL#4bA"])
        self.assertEqual(self.messages("bo"), ["BRANDWATCH#Zip DEAL#4bA"])
        self.assertEqual(self.messages("dee"), ["CATEGORYWATCH#Tech DEAL#4bA"])
        self.assertEqual(self.messages("cy"), [])

        # The same deal once more is no change, and a changed one no new deal.
        self.client.put_item(TableName="Deals", Item=new)
        self.client.put_item(TableName="Deals", Item=new | {"Brand": "Nut"})
        self.assertEqual(self.follow(), 1)
        self.assertEqual(self.messages("cy"), [])

    def test_c20_the_caches_follow_new_deals(self):
        for name in ("4bA", "4ba"):
            self.client.put_item(TableName="Deals", Item=deal(name, DAYS[0], "None", "None"))
        # In the end the caches are written again with the same contents, which is no change.
        self.assertEqual(self.follow(), 2 + COPIES)
        for copy in range(1, COPIES + 1):
            key = f"DEALSCACHE#{copy}"
            item = self.client.get_item(TableName="Deals", Key={"PK": key, "SK": key})["Item"]
            self.assertEqual([row["Id"] for row in item["Deals"]], ["DEAL#4ba", "DEAL#4bA", "DEAL#4aX"])


if __name__ == "__main__":
    unittest.main(verbosity=2)

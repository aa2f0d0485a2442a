"""The report of costs, for five applications of ../scenarios. costs_test.py <magneto> [test ...]

All units and prices are worked out by hand. Each item is smaller than 1 KB, so a write costs one unit for the table, two in
a transaction, and one for each index entry that it changes. A page of less than 4 KB costs half a unit, one if it is
strongly consistent.
"""

import csv
import io
import json
import sys
import unittest

from botocore.exceptions import ClientError

from control_case import STREAMING, ControlCase, as_value, global_index, key_schema, on_demand

# us-east-1, US dollars: of a million units on demand, and of a provisioned unit for an hour.
READ, WRITE = 0.125, 0.625
READ_HOUR, WRITE_HOUR = 0.00013, 0.00065
MONTH = 730  # hours
UTILIZATION = 0.7


def on_demand_price(rate, reads, writes):
    """Of a month at `rate` calls a second with so many units each."""
    return rate * MONTH * 3600 / 1e6 * (reads * READ + writes * WRITE)


def provisioned_price(rate, reads, writes):
    return rate / UTILIZATION * MONTH * (reads * READ_HOUR + writes * WRITE_HOUR)


class CostCase(ControlCase):
    def setUp(self):
        super().setUp()
        self.control("PUT", "journal", {"on": True, "bytes": 16 << 20})

    def report(self, **body):
        return self.control("POST", "journal/report", body)

    def text(self, **body):
        status, headers, text = self.server.ask("POST", f"/_/namespaces/{self.space}/journal/report", body)
        self.assertEqual(status, 200, text)
        return headers["Content-Type"], text.decode()

    def query(self, table, condition, index=None, **more):
        """Values in the condition stand as :name=value."""
        words, values = [], {}
        for word in condition.split():
            name, is_value, value = word.partition("=") if word.startswith(":") else (word, "", "")
            if is_value:
                values[name] = as_value(int(value) if value.isdigit() else value)
            words.append(name)
        request = {"TableName": table, "KeyConditionExpression": " ".join(words), "ExpressionAttributeValues": values}
        if index:
            request["IndexName"] = index
        values.update(more.pop("values", {}))
        return self.client.query(**request, **more)

    def check(self, report, rate, wanted):
        """`wanted`: name of a pattern -> (calls, items read, items returned, read units, write units) in all."""
        found = {}
        for row in report["patterns"]:
            found[row["name"]] = tuple(row[name] for name in ("calls", "items_read", "items_returned", "read_units",
                                                               "write_units"))
            reads, writes = row["average"]["read_units"], row["average"]["write_units"]
            self.assertAlmostEqual(row["month"]["on_demand"], on_demand_price(rate, reads, writes), 4, row["name"])
            self.assertAlmostEqual(row["month"]["provisioned"], provisioned_price(rate, reads, writes), 4, row["name"])
        self.assertEqual(found, wanted)
        prices = [row["month"]["on_demand"] for row in report["patterns"]]
        self.assertEqual(prices, sorted(prices, reverse=True))
        self.assertAlmostEqual(report["total"]["month"]["on_demand"], sum(prices), 3)


class ApplicationsTest(CostCase):
    def test_session_store(self):  # C18
        self.client.create_table(**on_demand("Sess", "SessionToken", "Username", GlobalSecondaryIndexes=[
            {**global_index("UserIndex", "Username"), "Projection": {"ProjectionType": "KEYS_ONLY"}}]))
        for token, user in (("t-aaa", "ana"), ("t-bbb", "bo"), ("t-ccc", "cy"), ("t-ddd", "ana")):
            self.client.put_item(TableName="Sess", ConditionExpression="attribute_not_exists(SessionToken)",
                                 Item={"SessionToken": {"S": token}, "Username": {"S": user}, "TTL": {"N": "1900000600"}})
        with self.assertRaises(ClientError):
            self.client.put_item(TableName="Sess", ConditionExpression="attribute_not_exists(SessionToken)",
                                 Item={"SessionToken": {"S": "t-aaa"}})
        for token, now in (("t-aaa", 1900000000), ("t-ccc", 1900000700)):
            self.query("Sess", f"SessionToken = :t={token}", FilterExpression="#ttl > :now",
                       ExpressionAttributeNames={"#ttl": "TTL"}, values={":now": as_value(now)})
        found = self.query("Sess", "Username = :u=ana", "UserIndex")["Items"]
        for item in found:
            self.client.delete_item(TableName="Sess", Key={"SessionToken": item["SessionToken"]})
        report = self.report(calls_per_second=10)
        self.check(report, 10, {
            # Four with an entry of the index, and one that failed: 4 * 2 + 1.
            "PutItem Sess: SessionToken = ?": (5, 0, 0, 0, 9),
            "DeleteItem Sess: SessionToken = ?": (2, 0, 0, 0, 4),
            "Query Sess: SessionToken = ? (filter)": (2, 2, 1, 1, 0),
            "Query Sess/UserIndex: Username = ?": (1, 2, 2, 0.5, 0)})
        # Each second 20 units to delete, 9 / 5 * 10 to put, 5 for each query; a month has 2.628 million seconds:
        # 2.628 * (38 * 0.625 + 10 * 0.125) = 65.70 and, with 0.7, 730 / 0.7 * (38 * 0.00065 + 10 * 0.00013) = 27.114286.
        self.assertEqual(report["total"]["month"], {"on_demand": 65.7, "provisioned": 27.114286})
        self.assertEqual([row["errors"] for row in report["patterns"] if row["operation"] == "PutItem"], [1])
        self.assertEqual((report["requests"], report["other_requests"], report["dropped"]), (10, 1, 0))
        self.assertEqual(report["marks"], [])

    def test_shop(self):  # C19
        self.client.create_table(TableName="Shop", BillingMode="PAY_PER_REQUEST", KeySchema=key_schema("PK", "SK"),
                                 AttributeDefinitions=[{"AttributeName": name, "AttributeType": "S"}
                                                       for name in ("PK", "SK", "GSI1PK", "GSI1SK")],
                                 GlobalSecondaryIndexes=[global_index("GSI1", "GSI1PK", "GSI1SK")])
        order = {"PK": "CUSTOMER#ana", "SK": "#ORDER#3a11", "GSI1PK": "ORDER#3a11", "GSI1SK": "ORDER#3a11"}
        lines = [{"PK": f"ORDER#3a11#ITEM#i{n}", "SK": f"ORDER#3a11#ITEM#i{n}", "GSI1PK": "ORDER#3a11", "GSI1SK": f"ITEM#i{n}"}
                 for n in (1, 2)]
        self.transact({"PK": "CUSTOMER#ana", "SK": "CUSTOMER#ana"}, {"PK": "CUSTOMEREMAIL#a", "SK": "CUSTOMEREMAIL#a"})
        self.transact(order, *lines)
        for n in range(11):
            self.put("Shop", PK="CUSTOMER#ana", SK=f"#ORDER#3a{n:02}", GSI1PK=f"ORDER#3a{n:02}", GSI1SK=f"ORDER#3a{n:02}")
        self.client.update_item(TableName="Shop", Key={"PK": as_value("CUSTOMER#ana"), "SK": as_value("#ORDER#3a11")},
                                UpdateExpression="SET #s = :s", ConditionExpression="attribute_exists(PK)",
                                ExpressionAttributeNames={"#s": "Status"}, ExpressionAttributeValues={":s": as_value("SHIPPED")})
        page = self.query("Shop", "PK = :p=CUSTOMER#ana", ScanIndexForward=False, Limit=11)
        self.query("Shop", "PK = :p=CUSTOMER#ana", ScanIndexForward=False, Limit=11, ExclusiveStartKey=page["LastEvaluatedKey"])
        self.query("Shop", "GSI1PK = :g=ORDER#3a11", "GSI1")
        report = self.report()
        self.check(report, 1, {
            # Two items without an index entry, then three with one: 2 * 2 + 3 * (2 + 1).
            "TransactWriteItems Shop: PK = ? AND SK = ?": (2, 0, 0, 0, 13),
            "PutItem Shop: PK = ? AND SK = ?": (11, 0, 0, 0, 22),
            "UpdateItem Shop: PK = ? AND SK = ?": (1, 0, 0, 0, 2),
            "Query Shop: PK = ?": (2, 13, 13, 1, 0),
            "Query Shop/GSI1: GSI1PK = ?": (1, 3, 3, 0.5, 0)})
        # 2.628 * ((6.5 + 2 + 2) * 0.625 + (0.5 + 0.5) * 0.125).
        self.assertEqual(report["total"]["month"]["on_demand"], 17.57475)
        # Of the keys of the table 11 puts, 2 transactions, 1 update and 2 pages are of ana's partition; 3 others are not.
        self.assertEqual([mark["sentence"] for mark in report["marks"]], [
            'The partition key {"PK":"CUSTOMER#ana"} of Shop has 84% of the uses of all keys: 16.'])

    def transact(self, *items):
        self.client.transact_write_items(TransactItems=[
            {"Put": {"TableName": "Shop", "Item": {name: as_value(value) for name, value in item.items()}}} for item in items])

    def test_deals(self):  # C20
        names = ("PK", "SK", "GSI1PK", "GSI1SK", "UserIndex")
        self.client.create_table(TableName="Deals", BillingMode="PAY_PER_REQUEST", KeySchema=key_schema("PK", "SK"),
                                 AttributeDefinitions=[{"AttributeName": name, "AttributeType": "S"} for name in names],
                                 StreamSpecification=STREAMING, GlobalSecondaryIndexes=[
                                     global_index("GSI1", "GSI1PK", "GSI1SK"), global_index("UserIndex", "UserIndex")])
        for deal, day in (("4ba", "05-02"), ("4aX", "05-01"), ("49q", "04-29")):
            self.put("Deals", PK=f"DEAL#{deal}", SK=f"DEAL#{deal}", GSI1PK=f"DEALS#{day}", GSI1SK=f"DEAL#{deal}")
        self.put("Deals", PK="BRAND#zip", SK="BRAND#zip")
        for user in ("ana", "bo"):
            self.put("Deals", PK=f"USER#{user}", SK=f"USER#{user}", UserIndex=f"USER#{user}")
        self.client.get_item(TableName="Deals", Key={"PK": as_value("FRONTPAGE"), "SK": as_value("FRONTPAGE")})
        for day in ("05-02", "05-01", "04-30", "04-29", "04-28"):
            self.query("Deals", f"GSI1PK = :d=DEALS#{day} AND GSI1SK < :s=DEAL$", "GSI1", ScanIndexForward=False, Limit=25)
        self.client.transact_write_items(TransactItems=[
            {"Put": {"TableName": "Deals", "Item": {"PK": as_value("BRANDLIKE#zip#ana"), "SK": as_value("BRANDLIKE#zip#ana")}}},
            {"Update": {"TableName": "Deals", "Key": {"PK": as_value("BRAND#zip"), "SK": as_value("BRAND#zip")},
                        "UpdateExpression": "ADD LikesCount :one", "ExpressionAttributeValues": {":one": as_value(1)}}}])
        scan = self.client.scan(TableName="Deals", IndexName="UserIndex", ReturnConsumedCapacity="TOTAL")
        report = self.report()
        self.check(report, 1, {
            "TransactWriteItems Deals: PK = ? AND SK = ?": (1, 0, 0, 0, 4),
            # Three deals and two users with an index entry, a brand without: 5 * 2 + 1.
            "PutItem Deals: PK = ? AND SK = ?": (6, 0, 0, 0, 11),
            "GetItem Deals: PK = ? AND SK = ?": (1, 1, 0, 0.5, 0),
            "Query Deals/GSI1: GSI1PK = ? AND GSI1SK < ?": (5, 3, 3, 2.5, 0),
            "Scan Deals/UserIndex": (1, 2, 2, scan["ConsumedCapacity"]["CapacityUnits"], 0)})
        self.assertEqual({(mark["mark"], mark["pattern"]) for mark in report["marks"]},
                         {("scan", "Scan Deals/UserIndex"), ("n_plus_one", "Query Deals/GSI1: GSI1PK = ? AND GSI1SK < ?")})

    def test_login(self):  # D1
        self.client.create_table(TableName="Login", BillingMode="PAY_PER_REQUEST", KeySchema=key_schema("pk", "sk"),
                                 AttributeDefinitions=[{"AttributeName": name, "AttributeType": "S"} for name in ("pk", "sk")],
                                 GlobalSecondaryIndexes=[global_index("Inv", "sk", "pk")])
        for pk, sk in (("USER#1", "EMAIL#a"), ("CHAT#1", "MSG#1"), ("CHAT#1", "MSG#2"), ("SERVER#1", "#METADATA")):
            self.put("Login", pk=pk, sk=sk)
        self.query("Login", "sk = :s=EMAIL#a", "Inv")
        self.query("Login", "pk = :p=CHAT#1 AND begins_with(sk, :s )", values={":s": as_value("MSG#")}, Limit=2)
        self.client.batch_get_item(RequestItems={"Login": {"Keys": [
            {"pk": as_value(f"SERVER#{n}"), "sk": as_value("#METADATA")} for n in (1, 2)]}})
        self.check(self.report(table="Login"), 1, {
            "PutItem Login: pk = ? AND sk = ?": (4, 0, 0, 0, 8),
            "BatchGetItem Login: pk = ? AND sk = ?": (1, 2, 1, 1, 0),
            "Query Login/Inv: sk = ?": (1, 1, 1, 0.5, 0),
            "Query Login: pk = ? AND sk begins_with ?": (1, 2, 2, 0.5, 0)})

    def test_builds(self):  # D2
        self.client.create_table(
            TableName="Forge", BillingMode="PAY_PER_REQUEST", KeySchema=key_schema("entityType", "entityId"),
            AttributeDefinitions=[{"AttributeName": name, "AttributeType": kind} for name, kind in (
                ("entityType", "S"), ("entityId", "S"), ("createdOn", "N"), ("createdById", "N"))],
            LocalSecondaryIndexes=[global_index("ByCreated", "entityType", "createdOn"),
                                   global_index("ByUser", "entityType", "createdById")])
        for n in range(1, 9):
            self.put("Forge", entityType="build", entityId=f"b{n}", createdOn=n, createdById=n % 2)
        self.client.get_item(TableName="Forge", Key={"entityType": as_value("build"), "entityId": as_value("b3")}, ConsistentRead=True)
        self.query("Forge", "entityType = :t=build AND createdOn < :n=8", "ByCreated", ScanIndexForward=False, Limit=6)
        self.query("Forge", "entityType = :t=build AND createdById = :n=1", "ByUser", ConsistentRead=True)
        self.check(self.report(table="Forge"), 1, {
            "PutItem Forge: entityType = ? AND entityId = ?": (8, 0, 0, 0, 24),  # and two local indexes
            "GetItem Forge: entityType = ? AND entityId = ? (consistent)": (1, 1, 1, 1, 0),
            "Query Forge/ByUser: entityType = ? AND createdById = ? (consistent)": (1, 4, 4, 1, 0),
            "Query Forge/ByCreated: entityType = ? AND createdOn < ?": (1, 6, 6, 0.5, 0)})


class FormsTest(CostCase):
    def setUp(self):
        super().setUp()
        self.client.create_table(**on_demand("Tab", "pk"))
        self.put("Tab", pk="a")

    def test_json_csv_and_markdown(self):
        kind, text = self.text()
        self.assertEqual((kind, json.loads(text)["patterns"][0]["name"]), ("application/json", "PutItem Tab: pk = ?"))
        kind, text = self.text(format="csv")
        self.assertEqual(kind, "text/csv; charset=utf-8")
        rows = list(csv.DictReader(io.StringIO(text)))
        self.assertEqual([(row["pattern"], row["calls"], row["month_on_demand"]) for row in rows],
                         [("PutItem Tab: pk = ?", "1", "1.642500"), ("total", "1", "1.642500")])
        kind, text = self.text(format="markdown")
        self.assertEqual(kind, "text/markdown; charset=utf-8")
        self.assertIn("\n| `PutItem Tab: pk = ?` | 1 | 1 | 0 | 0 | 0 | 1 | $1.6425 | $0.6779 |  |\n", text)

    def test_rates_and_records_after_a_number(self):
        number = self.control("GET", "journal")["next"]
        self.get("Tab", pk="a")
        self.assertEqual([row["name"] for row in self.report(after=number)["patterns"]], ["GetItem Tab: pk = ? (consistent)"])
        row = self.report(rates={"PutItem Tab: pk = ?": 100})["patterns"][0]
        self.assertEqual((row["calls_per_second"], row["month"]["on_demand"]), (100, 164.25))

    def test_throttled_calls_cost_nothing(self):
        self.control("POST", "faults", {"operations": ["PutItem"], "count": 3, "fault": {"error": "ThrottlingException"}}, status=201)
        for _ in range(3):
            with self.assertRaises(ClientError):
                self.put("Tab", pk="a")
        (row,) = self.report()["patterns"]
        self.assertEqual((row["calls"], row["errors"], row["throttles"], row["average"]["write_units"]), (4, 3, 3, 1))

    def test_dropped_records_are_named(self):
        self.control("PUT", "journal", {"bytes": 65536})
        for number in range(400):
            self.put("Tab", pk=str(number))
        report = self.report()
        self.assertEqual(report["dropped"] + report["requests"], 402 - report["other_requests"])
        self.assertTrue(any("dropped" in note for note in report["notes"]), report["notes"])
        self.assertIn("dropped", self.text(format="markdown")[1])

    def test_refusals(self):
        path = f"namespaces/{self.space}/journal/report"
        for body, part in (({"since": 1}, "unknown member 'since'"), ({"format": "xml"}, "'format' must be"),
                           ({"region": "x"}, "'prices'"), ({"utilization": 2}, "'utilization'"), ({"rates": 1}, "'rates'"),
                           ({"calls_per_second": True}, "'calls_per_second'"), ({"table": []}, "'table'"),
                           ({"after": 1.5}, "'after'"), ({"prices": {"standard": {"on_demand": {"read": "1"}}}}, "'read'")):
            self.refused(400, "POST", path, body, part)
        self.refused(405, "GET", path)
        self.refused(404, "POST", "namespaces/none/journal/report", {})


class ReplicasTest(CostCase):
    flags = (*CostCase.flags, "--isolate", "region")

    # Two tables, each with a replicated write: 2 * 2.628 * 0.625.
    def test_a_replicated_write_costs_in_each_region(self):
        self.client.create_table(**on_demand("Tab", "pk"), StreamSpecification=STREAMING)
        self.client.update_table(TableName="Tab", ReplicaUpdates=[{"Create": {"RegionName": "us-west-2"}}])
        self.put("Tab", pk="a")
        (row,) = self.report()["patterns"]
        self.assertEqual((row["replicas"], row["write_units"]), (1, 1))
        self.assertEqual(row["month"]["on_demand"], 3.285)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]])

"""boto3's paginators: Query, Scan and ListTables, from a token on too."""

import unittest

from table_case import TableCase


class PagesTest(TableCase):
    def setUp(self):
        super().setUp()
        self.create_tables({name: {"key": "PK, SK", "global": {"Inv": "SK, PK"}} for name in ("Alpha", "Beta", "Gamma")})
        self.fill({"Alpha": [{"$many": 50, "$item": {"PK": "p", "SK": "s%2d", "Number": {"$index": 1}}}]})

    def pages(self, operation, size, **request):
        paging = {"PageSize": size} | request.pop("Paging", {})
        return list(self.client.get_paginator(operation).paginate(**request, PaginationConfig=paging))

    def numbers(self, pages):
        return [int(item["Number"]) for page in pages for item in page["Items"]]

    def test_query(self):
        request = {"TableName": "Alpha", "KeyConditionExpression": "PK = :p", "ExpressionAttributeValues": {":p": "p"}}
        pages = self.pages("query", 20, **request)
        self.assertEqual([page["Count"] for page in pages], [20, 20, 10])
        self.assertEqual(self.numbers(pages), list(range(50)))
        filtered = self.pages("query", 7, **request | {
            "FilterExpression": "#n >= :n", "ExpressionAttributeNames": {"#n": "Number"},
            "ExpressionAttributeValues": {":p": "p", ":n": 48}})
        self.assertEqual(self.numbers(filtered), [48, 49])
        self.assertEqual(len(filtered), 8)

    def test_query_of_an_index_backwards(self):
        request = {"TableName": "Alpha", "IndexName": "Inv", "KeyConditionExpression": "SK = :s",
                   "ExpressionAttributeValues": {":s": "s07"}, "ScanIndexForward": False}
        self.assertEqual(self.numbers(self.pages("query", 1, **request)), [7])

    def test_scan(self):
        pages = self.pages("scan", 20, TableName="Alpha")
        self.assertEqual([page["Count"] for page in pages], [20, 20, 10])
        self.assertEqual(sorted(self.numbers(pages)), list(range(50)))
        whole = self.client.get_paginator("scan").paginate(TableName="Alpha", PaginationConfig={"PageSize": 6}).build_full_result()
        self.assertEqual(len(whole["Items"]), 50)

    def test_from_a_token_on(self):
        first = self.client.get_paginator("scan").paginate(
            TableName="Alpha", PaginationConfig={"PageSize": 8, "MaxItems": 30}).build_full_result()
        self.assertEqual(len(first["Items"]), 30)
        rest = self.pages("scan", 8, TableName="Alpha", Paging={"StartingToken": first["NextToken"]})
        seen = self.numbers([first]) + self.numbers(rest)
        self.assertEqual(sorted(seen), list(range(50)))

    def test_list_tables(self):
        pages = self.pages("list_tables", 1)
        names = [name for page in pages for name in page["TableNames"]]
        self.assertEqual(names, ["Alpha", "Beta", "Gamma"])
        self.assertEqual([len(page["TableNames"]) for page in pages[:3]], [1, 1, 1])


if __name__ == "__main__":
    unittest.main(verbosity=2)

"""A2.4: an item collection is full (a server with --item-collection-limit-mb=1)."""

import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

from table_case import TableCase

FULL = "ItemCollectionSizeLimitExceededException"


def role(film, size=100_000, performer="Ana"):
    """Kept twice, as an item and in the local index: five of 100,000 bytes fit into 1 MiB."""
    return {"Performer": performer, "Film": film, "Year": 2001, "Cover": b"x" * (size - 100)}


class ItemCollectionTest(TableCase):
    def setUp(self):
        super().setUp()
        self.create_tables({
            "RolesL": {"key": "Performer, Film", "local": {"YearIdx": "Performer, Year:N"}},
            "Plain": {"key": "Performer, Film"},
        })
        for index in range(5):
            self.client.put_item(TableName="RolesL", Item=role(f"film-{index}"))

    def films(self):
        found = self.read_all("query", TableName="RolesL", ProjectionExpression="Film",
                              KeyConditionExpression="Performer = :p", ExpressionAttributeValues={":p": "Ana"})
        return [item["Film"] for item in found]

    def assert_full(self, operation, **request):
        error = self.refusal(operation, **request)["Error"]
        self.assertEqual((error["Code"], error["Message"]), (FULL, "Collection size exceeded."))

    def test_a2_4_writes_that_make_it_larger_are_refused(self):
        key = {"Performer": "Ana", "Film": "film-0"}
        self.assert_full("put_item", TableName="RolesL", Item=role("one more"))
        self.assert_full("update_item", TableName="RolesL", Key=key, UpdateExpression="SET Cover = :c",
                         ExpressionAttributeValues={":c": b"x" * 200_000})
        self.assert_full("batch_write_item", RequestItems={"RolesL": [
            {"PutRequest": {"Item": role("alone", performer="Bo")}}, {"PutRequest": {"Item": role("one more")}}]})
        response = self.refusal("transact_write_items", TransactItems=[
            {"Put": {"TableName": "RolesL", "Item": role("alone", performer="Bo")}},
            {"Put": {"TableName": "RolesL", "Item": role("one more")}}])
        self.assertEqual(response["Error"]["Code"], "TransactionCanceledException")
        self.assertEqual([reason["Code"] for reason in response["CancellationReasons"]],
                         ["None", "ItemCollectionSizeLimitExceeded"])
        self.assertEqual(self.films(), [f"film-{index}" for index in range(5)])
        self.assertEqual(self.client.query(TableName="RolesL", KeyConditionExpression="Performer = :p",
                                           ExpressionAttributeValues={":p": "Bo"})["Count"], 0)

    def test_a2_4_a_statement_of_a_batch_is_refused_alone(self):
        insert = "INSERT INTO RolesL VALUE {'Performer': ?, 'Film': ?, 'Year': ?, 'Cover': ?}"
        answer = self.client.batch_execute_statement(Statements=[
            {"Statement": insert, "Parameters": [performer, "new", 2001, b"x" * 90_000]}
            for performer in ("Ana", "Bo")])
        self.assertEqual([response.get("Error", {}).get("Code") for response in answer["Responses"]],
                         ["ItemCollectionSizeLimitExceeded", None])

    def test_a2_4_everything_else_goes_on(self):
        self.client.put_item(TableName="RolesL", Item=role("film-0", performer="Bo"))
        self.client.put_item(TableName="RolesL", Item=role("film-1"))
        for index in range(15):
            self.client.put_item(TableName="Plain", Item=role(f"film-{index}"))
        self.client.delete_item(TableName="RolesL", Key={"Performer": "Ana", "Film": "film-2"})
        self.client.put_item(TableName="RolesL", Item=role("one more"))
        self.assert_full("put_item", TableName="RolesL", Item=role("and another"))
        self.assertEqual(self.films(), ["film-0", "film-1", "film-3", "film-4", "one more"])


if __name__ == "__main__":
    unittest.main(verbosity=2)

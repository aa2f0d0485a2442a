"""PynamoDB on top of the server; it makes and removes its table itself."""

import datetime
import os
import unittest

from pynamodb.attributes import (
    JSONAttribute, ListAttribute, MapAttribute, NumberAttribute, UnicodeAttribute, UnicodeSetAttribute,
    UTCDateTimeAttribute, VersionAttribute)
from pynamodb.connection import Connection
from pynamodb.exceptions import DeleteError, PutError, TransactWriteError, UpdateError
from pynamodb.indexes import AllProjection, GlobalSecondaryIndex, KeysOnlyProjection, LocalSecondaryIndex
from pynamodb.models import Model
from pynamodb.transactions import TransactGet, TransactWrite

ENDPOINT = os.environ["MAGNETO_ENDPOINT"]
REGION = "us-east-1"


class ByCity(GlobalSecondaryIndex):
    class Meta:
        index_name = "by-city"
        billing_mode = "PAY_PER_REQUEST"
        projection = AllProjection()

    city = UnicodeAttribute(hash_key=True)
    age = NumberAttribute(range_key=True)


class ByAge(LocalSecondaryIndex):
    class Meta:
        index_name = "by-age"
        projection = KeysOnlyProjection()

    team = UnicodeAttribute(hash_key=True)
    age = NumberAttribute(range_key=True)


class Address(MapAttribute):
    street = UnicodeAttribute()
    zip = NumberAttribute(null=True)


class Person(Model):
    class Meta:
        table_name = "PynamoPerson"
        host = ENDPOINT
        region = REGION
        billing_mode = "PAY_PER_REQUEST"

    team = UnicodeAttribute(hash_key=True)
    name = UnicodeAttribute(range_key=True)
    city = UnicodeAttribute(null=True)
    age = NumberAttribute(default=0)
    born = UTCDateTimeAttribute(null=True)
    tags = UnicodeSetAttribute(null=True)
    notes = ListAttribute(null=True)
    address = Address(null=True)
    extra = JSONAttribute(null=True)
    version = VersionAttribute()
    by_city = ByCity()
    by_age = ByAge()


def people(count):
    return [Person("red", f"n{index:03d}", city="Rome", age=index) for index in range(count)]


class PynamoTest(unittest.TestCase):
    def setUp(self):
        Person.create_table(wait=True)
        self.addCleanup(Person.delete_table)

    def fill(self, count):
        with Person.batch_write() as batch:
            for person in people(count):
                batch.save(person)

    def test_the_table_it_makes(self):
        self.assertTrue(Person.exists())
        description = Person.describe_table()
        self.assertEqual(description["GlobalSecondaryIndexes"][0]["IndexName"], "by-city")
        self.assertEqual(description["LocalSecondaryIndexes"][0]["IndexName"], "by-age")

    def test_items_with_conditions(self):
        born = datetime.datetime(1990, 1, 2, tzinfo=datetime.timezone.utc)
        ana = Person("red", "ana", city="Oslo", age=30, born=born, tags={"a", "b"},
                     address=Address(street="Elm"), extra={"x": [1, 2]})
        ana.save(Person.name.does_not_exist())
        with self.assertRaises(PutError) as caught:
            Person("red", "ana").save(Person.name.does_not_exist())
        self.assertEqual(caught.exception.cause_response_code, "ConditionalCheckFailedException")

        stored = Person.get("red", "ana", consistent_read=True)
        self.assertEqual((stored.city, stored.age, stored.born, stored.tags, stored.extra, stored.version),
                         ("Oslo", 30, born, {"a", "b"}, {"x": [1, 2]}, 1))
        stored.update(actions=[
            Person.age.add(5), Person.tags.delete({"a"}), Person.address.zip.set(123),
            Person.notes.set((Person.notes | []).append(["hello"])), Person.born.remove()],
            condition=Person.age < 100)
        self.assertEqual((stored.age, stored.tags, stored.address.zip, stored.notes, stored.born, stored.version),
                         (35, {"b"}, 123, ["hello"], None, 2))
        with self.assertRaises(UpdateError):
            ana.update(actions=[Person.age.set(1)])  # its version is old
        with self.assertRaises(DeleteError):
            stored.delete(Person.age > 100)
        stored.delete()
        with self.assertRaises(Person.DoesNotExist):
            Person.get("red", "ana")

    def test_queries_page_by_page(self):
        self.fill(60)
        pages, found, last_key = 0, [], None
        while True:
            page = Person.by_city.query("Rome", ByCity.age >= 10, scan_index_forward=False, limit=20,
                                        last_evaluated_key=last_key)
            found += [person.age for person in page]
            last_key = page.last_evaluated_key
            pages += 1
            if last_key is None:
                break
        self.assertEqual(found, list(range(59, 9, -1)))
        self.assertEqual(pages, 3)
        self.assertEqual([person.name for person in Person.by_age.query("red", ByAge.age < 3, consistent_read=True)],
                         ["n000", "n001", "n002"])
        self.assertEqual(Person.query("red", Person.name.startswith("n01"), page_size=3).next().name, "n010")
        self.assertEqual(Person.count("red", filter_condition=Person.age.between(5, 7)), 3)
        self.assertEqual(sum(1 for _ in Person.scan(Person.city == "Rome", page_size=7)), 60)
        self.assertEqual(sum(sum(1 for _ in Person.scan(segment=segment, total_segments=4)) for segment in range(4)), 60)

    def test_batches(self):
        self.fill(60)
        keys = [("red", person.name) for person in people(60)]
        got = list(Person.batch_get([*keys, ("red", "ghost")], consistent_read=True))
        self.assertEqual(sorted(person.age for person in got), list(range(60)))
        with Person.batch_write() as batch:
            for person in got[:30]:
                batch.delete(person)
        self.assertEqual(Person.count("red"), 30)

    def test_transactions(self):
        self.fill(2)
        connection = Connection(region=REGION, host=ENDPOINT)
        first = Person.get("red", "n000")

        def write():
            with TransactWrite(connection=connection) as transaction:
                transaction.condition_check(Person, "red", "n001", condition=Person.age == 1)
                transaction.save(Person("red", "new", age=9), condition=Person.name.does_not_exist())
                transaction.update(first, actions=[Person.age.add(5)])

        write()
        with self.assertRaises(TransactWriteError) as caught:
            write()
        self.assertEqual(caught.exception.cause_response_code, "TransactionCanceledException")
        self.assertEqual([reason and reason.code for reason in caught.exception.cancellation_reasons],
                         [None, "ConditionalCheckFailed", None])
        with TransactGet(connection=connection) as transaction:
            found = [transaction.get(Person, "red", name) for name in ("n000", "new")]
        self.assertEqual([future.get().age for future in found], [5, 9])


if __name__ == "__main__":
    unittest.main(verbosity=2)

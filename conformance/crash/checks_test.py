"""The checks themselves find what is wrong."""

import unittest

from checks import (Change, Fault, Index, Open, Replay, check_changes, check_counts, check_index, check_items,
                    check_order, check_tables, resolve)

A, B = ("T", "a", None), ("T", "b", None)


def item(version, **members):
    return {"V": {"S": version}} | members


def counted(name, count):
    return item(name, Count={"N": str(count)})


class ChecksTest(unittest.TestCase):
    def refuses(self, check, *arguments):
        with self.assertRaises(Fault):
            check(*arguments)

    def test_items(self):
        check_items({A: item("1"), B: None}, {A: item("1")})
        check_items({A: item("1")}, {A: item("2")}, {A})
        self.refuses(check_items, {A: item("1")}, {})
        self.refuses(check_items, {A: item("2")}, {A: item("1")})
        self.refuses(check_items, {A: None}, {A: item("1")})
        self.refuses(check_items, {}, {A: item("1")})

    def test_an_open_write_is_there_or_not(self):
        write = Open("w", {A: item("1")}, {A: item("2")})
        self.assertEqual(resolve(write, {A: item("1")}, {}), set())
        self.assertEqual(resolve(write, {A: item("2")}, {}), {A})
        self.refuses(resolve, write, {A: item("3")}, {})
        self.refuses(resolve, write, {}, {})

    def test_an_open_transaction_is_there_as_a_whole(self):
        write = Open("w", {A: None, B: item("1")}, {A: item("2"), B: None})
        self.assertEqual(resolve(write, {A: item("2")}, {}), {A, B})
        self.refuses(resolve, write, {A: item("2"), B: item("1")}, {})
        self.refuses(resolve, write, {}, {})
        write.atomic = False
        self.assertEqual(resolve(write, {A: item("2"), B: item("1")}, {}), {A})

    def test_an_open_transaction_on_a_shared_item(self):
        write = Open("w", {A: item("1")}, {A: item("2")}, tagged=(B,))
        self.assertEqual(resolve(write, {A: item("2")}, {B: ["v", "w"]}), {A, B})
        self.refuses(resolve, write, {A: item("2")}, {B: ["v"]})
        self.refuses(resolve, write, {A: item("1")}, {B: ["w"]})

    def test_an_index(self):
        index = Index("I", "G", "Grade", ("Id", "G", "Grade"))
        whole = {"Id": {"S": "a"}, "G": {"S": "g"}, "Grade": {"N": "1"}, "Body": {"S": "text"}}
        entry = {"Id": {"S": "a"}, "G": {"S": "g"}, "Grade": {"N": "1"}}
        sparse = {"Id": {"S": "b"}, "G": {"S": "g"}}
        check_index([whole, sparse], [entry], index)
        check_index([whole, sparse], [whole], Index("All", "G", "Grade"))
        self.refuses(check_index, [whole, sparse], [], index)
        self.refuses(check_index, [whole], [entry, entry], index)
        self.refuses(check_index, [whole], [whole], index)
        self.refuses(check_index, [whole], [entry | {"Grade": {"N": "2"}}], index)
        self.refuses(check_index, [sparse], [entry], index)

    def test_the_order_of_an_index(self):
        index = Index("I", "G", "Grade")
        check_order([{"Grade": {"N": "9"}}, {"Grade": {"N": "10"}}], index)
        self.refuses(check_order, [{"Grade": {"N": "10"}}, {"Grade": {"N": "9"}}], index)

    def test_a_stream(self):
        replay = Replay()
        replay.apply(Change(A, 1, None, item("1")))
        replay.apply(Change(A, 3, item("1"), item("2")))
        replay.apply(Change(B, 2, None, item("1")))
        self.assertEqual(replay.items, {A: item("2"), B: item("1")})
        self.refuses(replay.apply, Change(A, 3, item("2"), item("3")))
        self.refuses(replay.apply, Change(A, 4, item("1"), item("3")))
        self.refuses(replay.apply, Change(A, 5, item("2"), item("2")))
        self.refuses(replay.apply, Change(B, 6, None, item("2")))
        replay.apply(Change(A, 7, item("2"), None))
        self.assertEqual(replay.items, {B: item("1")})

    def test_the_records_of_a_clients_writes(self):
        first, second = Change(A, 1, None, item("1")), Change(A, 2, item("1"), item("2"))
        check_changes(A, [item("1"), item("2")], [first, second], 0)
        self.refuses(check_changes, A, [item("1"), item("2")], [first], 0)
        self.refuses(check_changes, A, [item("1")], [first, second], 0)
        self.refuses(check_changes, A, [item("2"), item("1")], [first, second], 0)

    def test_the_record_of_an_expiry(self):
        old = item("1", Expiry={"N": "100"})
        gone = Change(A, 2, old, None, by_service=True)
        check_changes(A, [old], [Change(A, 1, None, old), gone], 100)
        self.refuses(check_changes, A, [old], [Change(A, 1, None, old), gone], 99)
        self.refuses(check_changes, A, [], [Change(A, 2, item("1"), None, by_service=True)], 99)
        self.refuses(check_changes, A, [old, old], [Change(A, 1, None, old), gone, Change(A, 3, None, old)], 100)

    def test_a_shared_counter(self):
        changes = [Change(A, 1, None, counted("x", 1)), Change(A, 2, counted("x", 1), counted("y", 2))]
        check_counts(A, changes, {"x"}, {"y", "z"})
        self.refuses(check_counts, A, changes, {"x", "z"}, {"y"})
        self.refuses(check_counts, A, changes, {"x"}, {"z"})
        self.refuses(check_counts, A, changes + [Change(A, 3, counted("y", 2), counted("x", 3))], {"x", "y"}, set())
        self.refuses(check_counts, A, [Change(A, 1, None, counted("x", 2))], {"x"}, set())

    def test_tables(self):
        check_tables({"T": ["one"], "U": [None, "new"]}, {"T": "one"})
        check_tables({"T": ["one"], "U": [None, "new"]}, {"T": "one", "U": "new"})
        self.refuses(check_tables, {"T": ["one"]}, {})
        self.refuses(check_tables, {"T": ["one"]}, {"T": "other"})
        self.refuses(check_tables, {"T": ["one"], "U": [None]}, {"T": "one", "U": "new"})
        self.refuses(check_tables, {}, {"T": "one"})


if __name__ == "__main__":
    unittest.main()

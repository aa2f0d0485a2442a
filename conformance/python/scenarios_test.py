"""Plays ../scenarios/*.json with boto3: each file becomes one test. Their form: ../scenarios/README.md."""

import decimal
import json
import pathlib
import unittest

from requests_of_steps import from_value, step_request
from table_case import SHORT_ERRORS, TableCase

SCENARIOS = pathlib.Path(__file__).resolve().parent.parent / "scenarios"


class Scenario(TableCase):
    def play(self, scenario):
        tables = scenario["tables"]
        self.create_tables(tables)
        self.fill(scenario.get("items", {}))
        for name, table in tables.items():
            with self.subTest(check=f"the checks of every table: {name}"):
                self.check_table(name, table, tables)
        self.last_key = None
        for step in scenario["steps"]:
            with self.subTest(check=step["check"]):
                self.play_step(step, tables)
        for name, table in tables.items():
            with self.subTest(check=f"the checks of every table, in the end: {name}"):
                self.check_table(name, table, tables)

    def play_step(self, step, tables):
        operation, request = step_request(step, tables)
        expected = step.get("expect", {})
        if isinstance(expected, str):
            expected = {"error": SHORT_ERRORS[expected]}
        if "error" in expected:
            before = self.snapshot(tables)
            error = self.error_of(operation, **request)
            self.assertEqual(error["Code"], expected["error"])
            self.assertIn(expected.get("says", ""), error["Message"])
            self.assertEqual(self.snapshot(tables), before)  # check (f)
            return
        if step.get("continue"):
            self.assertIsNotNone(self.last_key, "there is no page to continue from")
            request["ExclusiveStartKey"] = self.last_key
        if step.get("allPages"):
            answers = self.read_pages(operation, request)
        else:
            answers = [getattr(self.client, operation)(**request)]
        self.last_key = answers[-1].get("LastEvaluatedKey")
        if operation in ("query", "scan"):
            self.check_counts(step, answers)
        self.check_answer(operation, answers, expected)

    def check_counts(self, step, answers):  # check (e)
        for answer in answers:
            if "filter" in step:
                self.assertGreaterEqual(answer["ScannedCount"], answer["Count"])
            else:
                self.assertEqual(answer["ScannedCount"], answer["Count"])
            if "Items" in answer:
                self.assertEqual(len(answer["Items"]), answer["Count"])

    def check_answer(self, operation, answers, expected):
        answer = from_value({name: value for name, value in answers[-1].items()
                             if name != "ResponseMetadata"})
        items = [from_value(item) for page in answers for item in page.get("Items", [])]
        if operation in ("query", "scan"):
            self.assertEqual("LastEvaluatedKey" in answer, expected.get("more", False), "LastEvaluatedKey")
        found = {
            "more": lambda want: want,  # just checked
            "list": lambda want: columns(items, want),
            "set": lambda want: in_order(columns(items, want)),
            "count": lambda want: sum(page["Count"] for page in answers),
            "scanned": lambda want: sum(page["ScannedCount"] for page in answers),
            "pages": lambda want: len(answers),
            "items": lambda want: items,
            "item": lambda want: answer.get("Item"),
            "attributes": lambda want: answer.get("Attributes"),
            "lastKey": lambda want: answer.get("LastEvaluatedKey"),
            "lastKeyMembers": lambda want: sorted(answer["LastEvaluatedKey"]),
            "responses": lambda want: in_order(answer["Responses"]),
            "answer": lambda want: {path: member_at(answer, path) for path in want},
        }
        for member, want in expected.items():
            sorted_want = in_order(want) if member in ("set", "responses") else want
            self.assertEqual(found[member](want), sorted_want, member)


def columns(items, wanted):
    """Of each wanted attribute (or several, 'a/b') its values over the items that have it."""
    found = {}
    for column in wanted:
        names = column.split("/")
        rows = [[item[name] for name in names] for item in items if set(names) <= set(item)]
        found[column] = [row[0] if len(row) == 1 else "/".join(map(str, row)) for row in rows]
    return found


def in_order(lists):
    return {name: sorted(values, key=lambda value: json.dumps(value, sort_keys=True, default=float))
            for name, values in lists.items()}


def member_at(answer, path):
    for name in path.split("."):
        answer = None if answer is None else answer.get(name)
    return answer


def add_scenarios():
    for path in sorted(SCENARIOS.glob("*.json")):
        scenario = json.loads(path.read_text(encoding="utf-8"), parse_float=decimal.Decimal)

        def test(self, scenario=scenario):
            self.play(scenario)

        test.__doc__ = scenario["title"]
        setattr(Scenario, f"test_{path.stem}", test)


add_scenarios()

if __name__ == "__main__":
    unittest.main(verbosity=2)

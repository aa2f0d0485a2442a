"""Plays ../scenarios/*.json with boto3: each file becomes one test. Their form: ../scenarios/README.md."""

import decimal
import json
import os
import pathlib
import time
import unittest
import urllib.request

from requests_of_steps import READS, from_value, step_request, step_verb, to_value
from table_case import SHORT_ERRORS, SHORT_REASONS, TableCase

SCENARIOS = pathlib.Path(__file__).resolve().parent.parent / "scenarios"
PATIENCE_SECONDS = 120  # with a step that holds eventually
RESTART = os.environ.get("MAGNETO_RESTART")


class Scenario(TableCase):
    def play(self, scenario):
        tables = scenario["tables"]
        self.create_tables(tables)
        self.fill(scenario.get("items", {}))
        for name, table in tables.items():
            with self.subTest(check=f"the checks of every table: {name}"):
                self.check_table(name, table, tables)
        self.last_key = None
        self.unproved = True
        for step in scenario["steps"]:
            self.restart_server(step)
            with self.subTest(check=step["check"]):
                self.play_step(step, tables)
        for name, table in tables.items():
            with self.subTest(check=f"the checks of every table, in the end: {name}"):
                self.check_table(name, table, tables)

    def restart_server(self, next_step):
        """Between a write or a page and the next step, with a server that can: ../with_server.py."""
        if RESTART and (self.unproved or "continue" in next_step):
            urllib.request.urlopen(RESTART, data=b"", timeout=120).close()
        self.unproved = step_verb(next_step) not in READS

    def play_step(self, step, tables):
        deadline = time.monotonic() + (PATIENCE_SECONDS if step.get("eventually") else 0)
        while True:
            try:
                return self.play_step_once(step, tables)
            except AssertionError:
                if time.monotonic() > deadline:
                    raise
            time.sleep(0.1)

    def play_step_once(self, step, tables):
        if "records" in step:
            wanted = from_value(to_value(step["expect"]["records"]))
            return self.assertEqual(self.records_of(step, tables), wanted)
        operation, request = step_request(step, tables)
        expected = step.get("expect", {})
        if isinstance(expected, str):
            expected = {"error": SHORT_ERRORS[expected]}
        if "cancel" in expected:
            expected = {"error": "TransactionCanceledException", **expected}
        if "error" in expected:
            before = self.snapshot(tables)
            response = self.refusal(operation, **request)
            self.assertEqual(response["Error"]["Code"], expected["error"])
            self.assertIn(expected.get("says", ""), response["Error"]["Message"])
            if "cancel" in expected:
                reasons = [reason["Code"] for reason in response["CancellationReasons"]]
                self.assertEqual(reasons, [SHORT_REASONS[reason] for reason in expected["cancel"]])
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

    def records_of(self, step, tables):
        """The records of one item, in order, as a scenario writes them."""
        changes = self.stream_of(step.get("table", next(iter(tables)))).poll()
        return [from_value(change.described()) for change in changes if change.key == to_value(step["records"])]

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
            "anyOrder": lambda want: in_order({"items": items}),
            "item": lambda want: answer.get("Item"),
            "attributes": lambda want: answer.get("Attributes"),
            "lastKey": lambda want: answer.get("LastEvaluatedKey"),
            "lastKeyMembers": lambda want: sorted(answer["LastEvaluatedKey"]),
            "responses": lambda want: in_order(answer["Responses"]),
            "transacted": lambda want: [row.get("Item") for row in answer["Responses"]],
            "answer": lambda want: {path: member_at(answer, path) for path in want},
        }
        for member, want in expected.items():
            if member in ("set", "responses"):
                want = in_order(want)
            elif member == "anyOrder":
                want = in_order({"items": want})
            self.assertEqual(found[member](want), want, member)


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

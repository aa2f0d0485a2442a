"""Fault rules beside writers with a checked history, and a connection that recognizes the errors of rules.

A refused request was not done, and is sent again. A request without an answer is Lost, as after a kill of the server.
"""

import http.client
import json

from wire import Connection, Refused

TOKEN = "proof"
FLAGS = ["--control-token", TOKEN]
BY_A_RULE = "by a rule"  # the message of its errors
WRITES = ["PutItem", "UpdateItem", "DeleteItem", "BatchWriteItem", "TransactWriteItems"]
READS = ["GetItem", "BatchGetItem", "Query", "TransactGetItems"]
TRANSACTIONS = ["TransactWriteItems", "TransactGetItems"]


def rules_of_all_kinds(cuts):
    """As (operations, rule). `cuts`: which part of the requests loses its answer, in each of three ways."""
    return [
        (WRITES + READS, {"probability": 0.05, "fault": {"latency": {"min": "0s", "max": "20ms"}}}),
        (WRITES + READS, {"probability": cuts, "fault": {"drop": "before"}}),
        (WRITES + READS, {"probability": cuts, "fault": {"drop": "after"}}),
        (WRITES + READS, {"probability": cuts, "fault": {"truncate": 0.5}}),
        (WRITES + READS, {"probability": 0.02, "fault": {"error": "InternalServerError", "message": BY_A_RULE}}),
        (WRITES + READS, {"probability": 0.02, "fault": {"error": "ServiceUnavailable", "status": 500, "message": BY_A_RULE}}),
        (WRITES + READS, {"probability": 0.02, "fault": {"error": "ThrottlingException", "message": BY_A_RULE}}),
        (WRITES + READS, {"probability": 0.02, "fault": {"error": "ProvisionedThroughputExceededException", "message": BY_A_RULE}}),
        (TRANSACTIONS, {"probability": 0.05, "fault": {"error": "TransactionCanceledException", "message": BY_A_RULE}}),
        (["BatchWriteItem", "BatchGetItem"], {"probability": 0.2, "fault": {"unprocessed": 0.5}}),
    ]


def is_by_a_rule(error):
    """Whether a rule has refused the request. A batch with every member left out has DynamoDB's own text."""
    message = error.body.get("message", error.body.get("Message"))
    return message == BY_A_RULE or error.type == "ProvisionedThroughputExceededException"


class FaultRules:
    """The fault rules of main, which end with the server."""

    def __init__(self, port):
        self._port = port

    def _ask(self, method, body=None):
        connection = http.client.HTTPConnection("localhost", self._port, timeout=60)
        connection.request(method, "/_/namespaces/main/faults", json.dumps(body) if body else None,
                           {"Authorization": f"Bearer {TOKEN}"})
        answer = connection.getresponse()
        told = json.loads(answer.read())
        connection.close()
        if answer.status not in (200, 201):
            raise RuntimeError(f"{answer.status} {told}")
        return told

    def add(self, rules, tables, seed):
        for number, (operations, rule) in enumerate(rules):
            for table in tables:
                self._ask("POST", rule | {"operations": operations, "table": table, "seed": seed * 100 + number})

    def hits(self):
        """By kind of fault, or by name of the error."""
        found = {}
        for rule in self._ask("GET")["rules"]:
            ((kind, value), *_) = rule["fault"].items()
            name = f"{kind} {value}" if kind in ("error", "drop") else kind
            found[name] = found.get(name, 0) + rule["hits"]
        return found

    def clear(self):
        self._ask("DELETE")


class PatientConnection(Connection):
    """Sends again the requests that a rule has refused or left out of a batch."""

    def send(self, operation, **request):
        while True:
            try:
                answer = super().send(operation, **request)
            except Refused as error:
                if not is_by_a_rule(error):
                    raise
                continue
            if not answer.get("UnprocessedItems"):
                return answer
            request["RequestItems"] = answer["UnprocessedItems"]

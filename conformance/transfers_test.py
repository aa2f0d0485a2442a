"""transfers_test.py <binary> [seconds]: money moves between accounts and is neither made nor lost, also over kill -9.

Clients transfer between the accounts of two tables. Each transfer is one TransactWriteItems that must not overdraw.
Clients also read all accounts at once, and every such reading shows the same total. On disk the server is killed
meanwhile, and clients send their open transfers again with their tokens. At the end every balance is the result of
the committed transfers.
"""

import dataclasses
import math

from botocore.exceptions import ClientError

from concurrent_clients import Client, ConcurrentClientsCase, main
from serial_order import COMMITTED, REFUSED, UNKNOWN

TABLES = ("Current", "Savings")
ACCOUNTS = [(table, f"account-{number}") for table in TABLES for number in range(4)]
DEPOSIT = 100
TOTAL = DEPOSIT * len(ACCOUNTS)
CLIENTS = 5


@dataclasses.dataclass
class Transfer:
    name: str
    source: tuple
    target: tuple
    amount: int
    outcome: str = UNKNOWN
    answered: float = math.inf

    def request(self):
        amount = {":amount": {"N": str(self.amount)}}
        take = where(self.source) | {
            "UpdateExpression": "SET Balance = Balance - :amount", "ConditionExpression": "Balance >= :amount",
            "ExpressionAttributeValues": amount}
        give = where(self.target) | {"UpdateExpression": "ADD Balance :amount", "ExpressionAttributeValues": amount}
        return {"TransactItems": [{"Update": take}, {"Update": give}], "ClientRequestToken": self.name}


@dataclasses.dataclass
class Reading:
    name: str
    total: int = None  # of a reading of all accounts at once
    lowest: int = None
    outcome: str = UNKNOWN
    answered: float = math.inf


class Teller(Client):
    def act(self):
        choose = self.random.random()
        if choose < 0.6:
            self.transfer()
        elif choose < 0.85:
            self.read_all()
        else:
            self.scan()

    def transfer(self):
        source, target = self.random.sample(ACCOUNTS, 2)
        step = Transfer(self.next_name(), source, target, self.random.randint(1, DEPOSIT))
        self.send(step, lambda: self.connection.transact_write_items(**step.request()))

    def read_all(self):
        step = Reading(self.next_name())
        answer = self.send(step, lambda: self.connection.transact_get_items(
            TransactItems=[{"Get": where(account)} for account in ACCOUNTS]))
        if answer:
            balances = [balance_of(part["Item"]) for part in answer["Responses"]]
            step.total, step.lowest = sum(balances), min(balances)

    def scan(self):
        step = Reading(self.next_name())
        answer = self.send(step, lambda: self.connection.scan(
            TableName=self.random.choice(TABLES), ConsistentRead=True))
        if answer:
            step.lowest = min(balance_of(item) for item in answer["Items"])


def where(account):
    table, number = account
    return {"TableName": table, "Key": {"Id": {"S": number}}}


def balance_of(item):
    return int(item["Balance"]["N"])


class TransfersTest(ConcurrentClientsCase):
    def open_accounts(self, engine):
        self.start(engine, TABLES)
        for table, number in ACCOUNTS:
            self.connection.put_item(TableName=table, Item={"Id": {"S": number}, "Balance": {"N": str(DEPOSIT)}})

    def balances(self):
        return {(table, item["Id"]["S"]): balance_of(item)
                for table in TABLES for item in self.connection.scan(TableName=table)["Items"]}

    def repeat_unknown(self, transfers):
        """A token that was honoured is not honoured again; a transfer that was not made may be refused now."""
        for transfer in transfers:
            if transfer.outcome != UNKNOWN:
                continue
            try:
                self.connection.transact_write_items(**transfer.request())
                transfer.outcome = COMMITTED
            except ClientError as error:
                self.assertEqual(error.response["Error"]["Code"], "TransactionCanceledException")
                transfer.outcome = REFUSED

    def play_and_check(self, disturb):
        steps = self.play([Teller(self.server.endpoint, f"teller-{index}") for index in range(CLIENTS)], disturb)
        transfers = [step for step in steps if isinstance(step, Transfer)]
        readings = [step for step in steps if isinstance(step, Reading) and step.lowest is not None]
        self.repeat_unknown(transfers)
        expected = dict.fromkeys(ACCOUNTS, DEPOSIT)
        committed = [transfer for transfer in transfers if transfer.outcome == COMMITTED]
        for transfer in committed:
            expected[transfer.source] -= transfer.amount
            expected[transfer.target] += transfer.amount
        self.assertEqual(self.balances(), expected)
        totals = [reading.total for reading in readings if reading.total is not None]
        self.assertEqual(set(totals), {TOTAL})
        self.assertGreaterEqual(min(reading.lowest for reading in readings), 0)
        print(f"{len(committed)} of {len(transfers)} transfers, {len(totals)} readings of all accounts")
        self.assertGreater(len(committed), 20)
        self.assertGreater(len(totals), 5)

    def test_in_memory(self):
        self.open_accounts("memory")
        self.play_and_check(lambda: None)

    def test_on_disk_over_a_kill(self):
        self.open_accounts("disk")
        self.play_and_check(self.kill_and_start)


if __name__ == "__main__":
    main()

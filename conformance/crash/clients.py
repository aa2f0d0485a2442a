"""A client that writes its own items at random and knows their possible states."""

import random
import time

from checks import Fault, Open, resolve
from tables import GROUPS, JOURNAL, LEDGER, PARTITIONS, key_attributes, where
from wire import Connection, Lost, Refused

SHARED = [(LEDGER, "shared", number) for number in range(4)]
_CONFLICT = "TransactionConflictException"
_FOREVER = 4_000_000_000  # in the year 2096


class Client:
    """One thread uses it at a time. `open` is the request under way. If its answer is lost, its fate is unknown."""

    def __init__(self, number, seed, connect=Connection):
        self.connect = connect
        self.name = f"c{number}"
        self.random = random.Random(f"{seed} {number}")
        self.keys = [(LEDGER, f"p{index % PARTITIONS}", number * 1000 + index) for index in range(18)]
        self.keys += [(JOURNAL, f"{self.name}-{index}", None) for index in range(12)]
        self.items = {}  # by key, as far as acknowledged
        self.expiring = set()  # keys whose items may go by themselves
        self.written = {}  # by key, the item after each change since the last check
        self.counted = {key: set() for key in SHARED}  # names of acknowledged increments
        self.open = None
        self.open_token = None  # the transaction to ask for again
        self.tokens = []  # acknowledged transactions since the last check
        self.acknowledged = 0
        self.refused = 0
        self._number = 0
        self._connection = None

    def run(self, port, stop):
        """Writes until `stop` is set or the server is gone."""
        try:
            self._connection = self.connect(port)
            while not stop.is_set():
                self._choose()()
        except Lost:
            return
        finally:
            if self._connection:
                self._connection.close()

    def _choose(self):
        return self.random.choices(
            (self._put, self._update, self._delete, self._put_if, self._batch, self._transact, self._transact_in_vain,
             self._count, self._put_expiring, self._read),
            (20, 25, 12, 10, 8, 20, 4, 8, 2, 5))[0]

    # ---- what becomes of items -----------------------------------------------------------------

    def _next_name(self):
        self._number += 1
        return f"{self.name}.{self._number}"

    def _some_keys(self, most):
        return self.random.sample(self.keys, self.random.randint(1, most))

    def _new_item(self, key, name):
        item = key_attributes(key) | {"V": {"S": name}, "Count": {"N": "1"}}
        item["Body"] = {"S": "x" * self.random.choice((10, 100, 400, 3000))}
        if self.random.random() < 0.8:
            item["G"] = {"S": f"g{self.random.randrange(GROUPS)}"}
        if self.random.random() < 0.8:
            item["Grade"] = {"N": str(self.random.randrange(-5, 100))}
        if self.random.random() < 0.2:
            item["Expiry"] = {"N": str(_FOREVER)}
        return item

    def _update_of(self, key, name):
        """An update, and the item after it."""
        group, rank = {"S": f"g{self.random.randrange(GROUPS)}"}, {"N": str(self.random.randrange(-5, 100))}
        after = (self.items.get(key) or key_attributes(key)) | {"V": {"S": name}}
        after["Count"] = {"N": str(int(after.get("Count", {"N": "0"})["N"]) + 1)}
        request = where(key) | {"ExpressionAttributeNames": {"#c": "Count"}}
        values = {":v": {"S": name}, ":one": {"N": "1"}}
        if self.random.random() < 0.7:
            request["UpdateExpression"] = "SET V = :v, G = :g, Grade = :r ADD #c :one"
            values |= {":g": group, ":r": rank}
            after |= {"G": group, "Grade": rank}
        else:
            request["UpdateExpression"] = "SET V = :v ADD #c :one REMOVE G"
            after.pop("G", None)
        return request | {"ExpressionAttributeValues": values}, after

    # ---- requests ------------------------------------------------------------------------------

    def _carry_out(self, write, operation, request, refusal=None):
        """Sends a write. `refusal`: the error that it must be refused with."""
        self.open = write
        try:
            answer = self._connection.send(operation, **request)
        except Refused as error:
            if error.status >= 500 or not (error.type == refusal or self._is_conflict(error, write)):
                raise Fault(f"{write.name} was refused: {error}") from error
            self.open = None
            self.refused += 1
            return None
        if refusal:
            raise Fault(f"{write.name} should have been refused with {refusal}")
        self.apply(write.after)
        for key in write.tagged:
            self.counted[key].add(write.name)
        self.open = None
        self.acknowledged += 1
        return answer

    @staticmethod
    def _is_conflict(error, write):
        if error.type == _CONFLICT:
            return bool(write.tagged)
        reasons = {reason["Code"] for reason in error.body.get("CancellationReasons", ())}
        return bool(write.tagged) and reasons <= {"None", "TransactionConflict"}

    def apply(self, after):
        for key, item in after.items():
            if item != self.items.get(key):
                self.written.setdefault(key, []).append(item)
            self.items[key] = item

    def _open(self, name, after, **members):
        return Open(name, {key: self.items.get(key) for key in after}, after, **members)

    def _expect(self, what, wanted, got):
        if wanted != got:
            raise Fault(f"{self.name}: {what} should be {wanted}, but is {got}")

    def _put(self):
        name, key = self._next_name(), self._some_keys(1)[0]
        item = self._new_item(key, name)
        old = self.items.get(key)
        answer = self._carry_out(self._open(name, {key: item}), "PutItem",
                                 {"TableName": key[0], "Item": item, "ReturnValues": "ALL_OLD"})
        self._expect(f"{key} before {name}", old, answer.get("Attributes"))

    def _put_if(self):
        name, key = self._next_name(), self._some_keys(1)[0]
        old, item = self.items.get(key), self._new_item(key, name)
        request = {"TableName": key[0], "Item": item, "ConditionExpression": "attribute_not_exists(V)"}
        holds = old is None
        if old is not None and self.random.random() < 0.7:
            holds = True
            request |= {"ConditionExpression": "V = :v", "ExpressionAttributeValues": {":v": old["V"]}}
        refusal = None if holds else "ConditionalCheckFailedException"
        self._carry_out(self._open(name, {key: item if holds else old}), "PutItem", request, refusal)

    def _update(self):
        name, key = self._next_name(), self._some_keys(1)[0]
        request, after = self._update_of(key, name)
        answer = self._carry_out(self._open(name, {key: after}), "UpdateItem", request | {"ReturnValues": "ALL_NEW"})
        self._expect(f"{key} after {name}", after, answer["Attributes"])

    def _delete(self):
        name, key = self._next_name(), self._some_keys(1)[0]
        old = self.items.get(key)
        answer = self._carry_out(self._open(name, {key: None}), "DeleteItem", where(key) | {"ReturnValues": "ALL_OLD"})
        self._expect(f"{key} before {name}", old, answer.get("Attributes"))

    def _batch(self):
        name = self._next_name()
        after, requests = {}, {}
        for key in self._some_keys(25):
            after[key] = self._new_item(key, name) if self.random.random() < 0.8 else None
            request = ({"DeleteRequest": {"Key": key_attributes(key)}} if after[key] is None else
                       {"PutRequest": {"Item": after[key]}})
            requests.setdefault(key[0], []).append(request)
        answer = self._carry_out(self._open(name, after, atomic=False), "BatchWriteItem", {"RequestItems": requests})
        self._expect(f"what {name} left over", {}, answer["UnprocessedItems"])

    def _actions(self, name):
        """The actions of a transaction, and the items after it."""
        after, actions = {}, []
        for key in self._some_keys(6):
            choice = self.random.random()
            if choice < 0.4:
                after[key] = self._new_item(key, name)
                actions.append({"Put": {"TableName": key[0], "Item": after[key]}})
            elif choice < 0.8:
                request, after[key] = self._update_of(key, name)
                actions.append({"Update": request})
            else:
                after[key] = None
                actions.append({"Delete": where(key)})
        return after, actions

    def _transact(self):
        name = self._next_name()
        after, actions = self._actions(name)
        tagged = ()
        if self.random.random() < 0.3:
            tagged = (self.random.choice(SHARED),)
            actions.append({"Update": increment(tagged[0], name)})
        token = {"TransactItems": actions, "ClientRequestToken": name}
        self.open_token = token
        if self._carry_out(self._open(name, after, tagged=tagged), "TransactWriteItems", token) is not None:
            self.tokens.append(token)
        self.open_token = None

    def _transact_in_vain(self):
        """A condition of the last action fails, so nothing may be applied."""
        name = self._next_name()
        _, actions = self._actions(name)
        taken = list(map(_target, actions))
        free = [key for key in self.keys if where(key) not in taken]
        check = where(self.random.choice(free)) | {
            "ConditionExpression": "V = :v", "ExpressionAttributeValues": {":v": {"S": "nobody"}}}
        request = {"TransactItems": actions + [{"ConditionCheck": check}], "ClientRequestToken": name}
        self._carry_out(self._open(name, {}), "TransactWriteItems", request, "TransactionCanceledException")

    def _count(self):
        name, key = self._next_name(), self.random.choice(SHARED)
        self._carry_out(self._open(name, {}, tagged=(key,)), "UpdateItem", increment(key, name))

    def _put_expiring(self):
        name = self._next_name()
        key = (LEDGER, f"expiring-{self.name}", self._number)
        item = self._new_item(key, name) | {"Expiry": {"N": str(int(time.time()) + self.random.randrange(4))}}
        self.expiring.add(key)
        self._carry_out(self._open(name, {key: item}), "PutItem", {"TableName": LEDGER, "Item": item})
        if self.random.random() < 0.3:
            self._rescue(key, item)

    def _rescue(self, key, item):
        """Moves an expiry away, unless it has come."""
        name = self._next_name()
        after = item | {"V": {"S": name}, "Expiry": {"N": str(_FOREVER)}}
        request = where(key) | {
            "UpdateExpression": "SET V = :v, Expiry = :e", "ConditionExpression": "attribute_exists(V)",
            "ExpressionAttributeValues": {":v": {"S": name}, ":e": {"N": str(_FOREVER)}}}
        write = self._open(name, {key: after})
        self.open = write
        try:
            self._connection.send("UpdateItem", **request)
        except Refused as error:
            if error.type != "ConditionalCheckFailedException" or int(item["Expiry"]["N"]) > time.time():
                raise Fault(f"{name} was refused: {error}") from error
            self.open = None
            return
        self.apply(write.after)
        self.open = None

    # ---- after a crash -------------------------------------------------------------------------

    def settle(self, found, tags):
        """Decides, from the items found and the names in the streams, whether the open write was applied.

        Returns "applied", "not applied" or None if there was none. An open transaction is then sent again.
        """
        write = self.open
        if write is None:
            return None
        # For an item that expired meanwhile, only its stream counts.
        seen = {key: write.after[key] if write.name in tags.get(key, ()) else write.before[key]
                for key in write.after.keys() & self.expiring}
        applied = resolve(write, found | seen, tags)
        self._note({key: write.after[key] for key in applied & write.after.keys()}, write, applied)
        if self.open_token is None:
            self.open = None
        return "applied" if applied else "not applied"

    def repeat_tokens(self, connection):
        """Asks for the transactions since the last check again: they succeed and happen once. How many there were."""
        if self.open_token is not None:
            connection.send("TransactWriteItems", **self.open_token)
            self._note({key: item for key, item in self.open.after.items() if item != self.items.get(key)},
                       self.open, self.open.tagged)
            self.tokens.append(self.open_token)
            self.open = self.open_token = None
        repeated = self.tokens[-20:]
        for token in repeated:
            connection.send("TransactWriteItems", **token)
        if repeated:
            self._require_mismatch(connection, repeated[-1])
        self.tokens = []
        return len(repeated)

    def _require_mismatch(self, connection, token):
        other = {"Put": {"TableName": JOURNAL, "Item": key_attributes((JOURNAL, "nobody", None))}}
        try:
            connection.send("TransactWriteItems", **token | {"TransactItems": [other]})
        except Refused as error:
            self._expect("the refusal of a used token", "IdempotentParameterMismatchException", error.type)
            return
        raise Fault(f"the token {token['ClientRequestToken']} was taken for another transaction")

    def _note(self, after, write, applied):
        self.apply(after)
        for key in write.tagged:
            if key in applied:
                self.counted[key].add(write.name)

    def forget_expired(self, key):
        self.items[key] = None
        self.expiring.discard(key)

    def _read(self):
        key = self._some_keys(1)[0]
        answer = self._connection.send("GetItem", ConsistentRead=True, **where(key))
        self._expect(f"{key}", self.items.get(key), answer.get("Item"))


def _target(action):
    """An action's table and key."""
    (request,) = action.values()
    key = request.get("Key") or {name: request["Item"][name] for name in ("Pk", "Sk") if name in request["Item"]}
    return {"TableName": request["TableName"], "Key": key}


def increment(key, name):
    return where(key) | {
        "UpdateExpression": "SET V = :v ADD #c :one", "ExpressionAttributeNames": {"#c": "Count"},
        "ExpressionAttributeValues": {":v": {"S": name}, ":one": {"N": "1"}}}

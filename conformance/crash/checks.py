"""The rules that must hold after a crash, as functions of acknowledged and found items.

Items are DynamoDB's JSON; a key is (table, partition key, sort key or None). None stands for a missing item.
"""

import collections
import dataclasses
import re


class Fault(AssertionError):
    """A promise was broken. Long bodies, rows of x, are cut short in the message."""

    def __init__(self, message):
        super().__init__(re.sub("x{11,}", "xxx...", message))


@dataclasses.dataclass
class Open:
    """A write whose answer never came. `before` and `after` of each key; `atomic`: all or none."""

    name: str
    before: dict
    after: dict
    atomic: bool = True
    tagged: tuple = ()  # keys that many clients write: the stream shows whether it was applied there


@dataclasses.dataclass
class Index:
    """`partition` and `sort` are attribute names; `projected` is None for all attributes."""

    name: str
    partition: str
    sort: str | None = None
    projected: tuple | None = None

    def entry(self, item):
        """The entry of an item in the index; None if it has none."""
        if self.partition not in item or (self.sort and self.sort not in item):
            return None
        if self.projected is None:
            return item
        return {name: item[name] for name in self.projected if name in item}


def check_items(expected, found, undecided=()):
    """Every item is as expected, and there is no other item. Keys in `undecided` are checked elsewhere."""
    for key in expected.keys() | found.keys():
        if key in undecided:
            continue
        wanted, got = expected.get(key), found.get(key)
        if wanted != got:
            raise Fault(f"{key} should be {wanted}, but is {got}")


def resolve(write, found, tags):
    """The keys of an open write where it was applied. `tags`: of each key, the names of the writes in its stream."""
    applied, missing = set(), set()
    for key, after in write.after.items():
        before, got = write.before[key], found.get(key)
        if got != before and got != after:
            raise Fault(f"{write.name}: {key} was {before}, was to become {after}, but is {got}")
        if before != after:
            (applied if got == after else missing).add(key)
    for key in write.tagged:
        (applied if write.name in tags.get(key, ()) else missing).add(key)
    if write.atomic and applied and missing:
        raise Fault(f"{write.name} was applied to {sorted(applied, key=str)}, but not to {sorted(missing, key=str)}")
    return applied


def check_index(items, entries, index):
    """An index holds exactly the entries of the table's items."""
    wanted = [entry for entry in map(index.entry, items) if entry is not None]
    wanted, got = collections.Counter(map(_text, wanted)), collections.Counter(map(_text, entries))
    if wanted != got:
        missing, extra = list((wanted - got).elements())[:3], list((got - wanted).elements())[:3]
        raise Fault(f"index {index.name}: {sum((wanted - got).values())} entries are missing, as {missing}, "
                    f"{sum((got - wanted).values())} should not be there, as {extra}")


def check_order(entries, index):
    """The entries of one partition come in the order of the sort key, a number."""
    values = [int(entry[index.sort]["N"]) for entry in entries]
    if values != sorted(values):
        raise Fault(f"index {index.name}: entries in the order {values}")


def _text(value):
    if isinstance(value, dict):
        return "{" + ",".join(f"{name}:{_text(value[name])}" for name in sorted(value)) + "}"
    return repr(value)


@dataclasses.dataclass
class Change:
    """One record of a stream."""

    key: tuple
    sequence: int
    old: dict | None
    new: dict | None
    by_service: bool = False


class Replay:
    """The items that follow from a stream's records."""

    def __init__(self):
        self.items = {}
        self._last = {}

    def apply(self, change):
        if change.sequence <= self._last.get(change.key, -1):
            raise Fault(f"stream: {change.key} has record {change.sequence} after {self._last[change.key]}")
        self._last[change.key] = change.sequence
        current = self.items.get(change.key)
        if change.old != current:
            raise Fault(f"stream: {change.key} was {current}, but a record says it was {change.old}")
        if change.old == change.new:
            raise Fault(f"stream: a record of {change.key} tells of no change")
        if change.new is None:
            del self.items[change.key]
        else:
            self.items[change.key] = change.new


def check_changes(key, wanted, changes, now):
    """The records of an item that one client writes are its writes, in order; then it may have expired."""
    got = list(changes)
    if got and got[-1].by_service:
        expired = got.pop()
        expiry = (expired.old or {}).get("Expiry", {"N": "inf"})["N"]
        if expired.new is not None or float(expiry) > now:
            raise Fault(f"stream: {key} expired at {now}, but was to stay until {expiry}")
    if [change.new for change in got] != wanted or any(change.by_service for change in got):
        raise Fault(f"stream: {key} was written {wanted}, but the records say {[change.new for change in got]}")


def check_counts(key, changes, acknowledged, possible):
    """Each acknowledged increment of a shared counter has one record; others are of increments that may be there."""
    names = [change.new["V"]["S"] for change in changes]
    if len(set(names)) != len(names):
        raise Fault(f"{key} was written twice by {[name for name in names if names.count(name) > 1]}")
    if not acknowledged <= set(names):
        raise Fault(f"{key} lost {sorted(acknowledged - set(names))}")
    if not set(names) <= acknowledged | possible:
        raise Fault(f"{key} was written by {sorted(set(names) - acknowledged - possible)}, which were refused")
    for change in changes:
        before = int(change.old["Count"]["N"]) if change.old else 0
        if int(change.new["Count"]["N"]) != before + 1:
            raise Fault(f"{key} was counted from {before} to {change.new['Count']['N']} by {change.new['V']['S']}")


def check_tables(allowed, found):
    """`allowed`: for each name the descriptions a table may have; None among them: it need not be there."""
    for name in found.keys() - allowed.keys():
        raise Fault(f"table {name} is there, and nobody made it: {found[name]}")
    for name, descriptions in allowed.items():
        if found.get(name) not in descriptions:
            raise Fault(f"table {name} should be one of {descriptions}, but is {found.get(name)}")

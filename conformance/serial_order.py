"""Whether a recorded history of transactions has a serial order that keeps real time.

Every write appends its own name to a list in each item that it changes. So the lists at the end show the order of the
writes of an item, and a list that was read shows the writes that its reader saw. These orders, and the pairs in which
one was answered before the other was sent, form a graph. A serial order exists if and only if the graph has no cycle.
"""

import collections
import dataclasses
import itertools
import math

COMMITTED, REFUSED, UNKNOWN = "committed", "refused", "unknown"


@dataclasses.dataclass
class Step:
    """One request. `writes`: the items it appends its name to; `reads`, by item: the lists it saw; `checks`: those it required."""

    name: str
    asked: float
    answered: float = math.inf
    writes: tuple = ()
    reads: dict = dataclasses.field(default_factory=dict)
    checks: dict = dataclasses.field(default_factory=dict)
    outcome: str = UNKNOWN


class NoSerialOrder(AssertionError):
    pass


def check(steps, final):
    """Raises NoSerialOrder, unless `steps` end, in some order that keeps real time, with the lists of `final`."""
    by_name = {step.name: step for step in steps}
    for item, names in final.items():
        if len(set(names)) != len(names):
            raise NoSerialOrder(f"{item} has a write twice: {names}")
        for name in names:
            if name not in by_name or item not in by_name[name].writes:
                raise NoSerialOrder(f"{item} has {name}, which nobody wrote there")
    applied = [step for step in steps if _was_applied(step, final)]
    edges = collections.defaultdict(set)
    for names in final.values():
        for earlier, later in itertools.pairwise(names):
            edges[earlier].add(later)
    for step in applied:
        for item, seen in (step.reads | step.checks).items():
            _add_read(edges, step.name, item, list(seen), final.get(item, []))
    _add_real_time(edges, applied)
    _require_no_cycle(edges)


def _was_applied(step, final):
    if not step.writes:
        return step.outcome == COMMITTED
    places = [step.name in final.get(item, []) for item in step.writes]
    if any(places) and not all(places):
        raise NoSerialOrder(f"{step.name} was applied in part: {dict(zip(step.writes, places))}")
    if step.outcome != UNKNOWN and (step.outcome == COMMITTED) != places[0]:
        raise NoSerialOrder(f"{step.name} was {step.outcome}, but {'is' if places[0] else 'is not'} there")
    return places[0]


def _add_read(edges, reader, item, seen, names):
    if names[:len(seen)] != seen:
        raise NoSerialOrder(f"{reader} saw {seen} in {item}, which came to {names}")
    if seen:
        edges[seen[-1]].add(reader)
    if len(seen) < len(names):
        edges[reader].add(names[len(seen)])


def _add_real_time(edges, steps):
    """Moments in a chain: each step comes after the one where it was asked and before the one where it was answered.

    Of two events at the same time the question goes first: such steps may have either order.
    """
    events = [(step.asked, 0, step.name) for step in steps]
    events += [(step.answered, 1, step.name) for step in steps if step.answered < math.inf]
    moment = None
    for number, (_, is_answer, name) in enumerate(sorted(events)):
        previous, moment = moment, ("moment", number)
        if previous is not None:
            edges[previous].add(moment)
        if is_answer:
            edges[name].add(moment)
        else:
            edges[moment].add(name)


def _require_no_cycle(edges):
    waiting = collections.Counter(later for laters in edges.values() for later in laters)
    ready = [node for node in edges if waiting[node] == 0]
    while ready:
        for later in edges.get(ready.pop(), ()):
            waiting[later] -= 1
            if waiting[later] == 0:
                ready.append(later)
    stuck = sorted(str(node) for node, count in waiting.items() if count > 0 and not isinstance(node, tuple))
    if stuck:
        raise NoSerialOrder(f"no serial order of these: {', '.join(stuck[:20])}")

"""Whether a recorded history of requests on one item is linearizable.

Each request must seem to happen at one moment between its start and its answer. The search is that of Wing and Gong
with the memory of Lowe. It tries the requests that can come next one after the other. It never tries the same set of
done requests with the same state twice. A request without an answer may happen at any later moment, or never.
"""

import dataclasses
import math


@dataclasses.dataclass
class Request:
    """`carry_out` takes the item's state and returns the new state and the answer that belongs to it."""

    name: str
    asked: float
    carry_out: object
    answered: float = math.inf
    answer: object = None


class NotLinearizable(AssertionError):
    pass


def check(requests, first):
    """Raises NotLinearizable unless the requests, on an item that was `first` (hashable), have a linear order."""
    requests = sorted(requests, key=lambda request: request.asked)
    every = sum(1 << number for number, request in enumerate(requests) if request.answered < math.inf)
    tried = set()
    # The set of done requests, as bits, and the state.
    open_ends = [(0, first)]
    furthest = 0
    while open_ends:
        done, state = open_ends.pop()
        if done & every == every:
            return
        if (done, state) in tried:
            continue
        tried.add((done, state))
        furthest = max(furthest, (done & every).bit_count())
        open_ends += _next_steps(requests, done, state)
    raise NotLinearizable(
        f"no order of {every.bit_count()} requests; at most {furthest} fit, up to {_name_around(requests, furthest)}")


def _next_steps(requests, done, state):
    """The ends after one more request that may come next according to all answers."""
    steps = []
    horizon = math.inf  # the first answer to a request that is not done
    number = (~done & (done + 1)).bit_length() - 1  # all before it are done
    while number < len(requests) and requests[number].asked <= horizon:
        request = requests[number]
        if not done >> number & 1:
            horizon = min(horizon, request.answered)
            following, answer = request.carry_out(state)
            if request.answered == math.inf or answer == request.answer:
                steps.append((done | 1 << number, following))
        number += 1
    return steps[::-1]  # the last is tried first


def _name_around(requests, furthest):
    return ", ".join(request.name for request in requests[max(0, furthest - 3):furthest + 6])

"""Clients in threads."""

import contextlib
import threading


@contextlib.contextmanager
def side_by_side(works):
    """Calls each work(stop), in a thread of its own, and sets the event `stop` when the body of `with` has ended.

    Raises what the first work that failed has raised, also where the body fails, maybe because of it.
    """
    stop, failures = threading.Event(), []

    def run(work):
        try:
            work(stop)
        except Exception as error:  # pylint: disable=broad-except
            failures.append(error)

    threads = [threading.Thread(target=run, args=(work,)) for work in works]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        stop.set()
        for thread in threads:
            thread.join()
        if failures:
            raise failures[0]

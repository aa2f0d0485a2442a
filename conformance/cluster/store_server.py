"""Servers over one store that look like one server, to tests that kill a server and start it again."""

import time

from cluster.postgres import new_store
from with_server import START_SECONDS, Server

LEASE_MILLISECONDS = 500  # the shortest that the server takes


class StoreServer:
    """One of two servers is active. To kill it and to start again is to let the other one take over, with the data."""

    def __init__(self, binary, *flags):
        self.binary = binary
        self._next_flags = list(flags)
        self._postgres = new_store("synchronous_commit=on")
        self._processes = []  # the active one first
        self._ended = []  # must be started

    @property
    def _active(self):
        return self._processes[0]

    @property
    def flags(self):
        """Those of the active server. A change counts for the next process that is started, which does not serve at once."""
        return self._active.flags if self._processes else self._next_flags

    @flags.setter
    def flags(self, flags):
        self._next_flags = list(flags)

    @property
    def port(self):
        return self._active.port

    @property
    def endpoint(self):
        return self._active.endpoint

    def start(self):
        if not self._processes:
            self._postgres.start()
            self._processes = [Server(self.binary, "memory") for _ in range(2)]
            self._launch(self._active)
            self._active.wait_until_ready()
            self._launch(self._processes[1])
        self.launch()
        deadline = time.monotonic() + START_SECONDS
        while not any(process.is_ready() for process in self._processes):
            if time.monotonic() > deadline:
                raise RuntimeError("no server takes over")
            time.sleep(0.01)
        self._processes.sort(key=lambda process: not process.is_ready())
        self._active.wait_until_ready()

    def launch(self):
        """Starts what has ended. Either may become active; kill() then ends the first."""
        for process in self._ended:
            self._launch(process)
        self._ended = []

    def _launch(self, process):
        process.flags = ["--store", self._postgres.url, "--lease-ms", str(LEASE_MILLISECONDS), *self._next_flags]
        process.launch()

    def kill(self):
        self._active.kill()
        self._note_end()

    def ask_to_stop(self):
        self._active.ask_to_stop()

    def stop(self):
        code = self._active.stop()
        self._note_end()
        return code

    def _note_end(self):
        self._ended.append(self._active)
        self._processes.reverse()

    def remove(self):
        for process in self._processes:
            process.remove()
        self._postgres.remove()

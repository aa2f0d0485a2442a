"""A connection between a server and PostgreSQL that tests can cut, in one direction or in both."""

import contextlib
import os
import shutil
import socket
import tempfile
import threading

SOCKET = ".s.PGSQL.5432"


class Link:
    """A socket in a folder of its own, in front of that of PostgreSQL. A cut holds bytes back, as a network that drops packets
    does, which are sent again: nothing is lost, and what was sent before the cut arrives after it."""

    def __init__(self, postgres):
        self._target = os.path.join(postgres.folder, SOCKET)
        self.folder = tempfile.mkdtemp(prefix="magneto-link-")
        self._passes = {"to": threading.Event(), "from": threading.Event()}
        self.heal()
        self._sockets = []
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(os.path.join(self.folder, SOCKET))
        self._listener.listen(100)
        threading.Thread(target=self._accept, daemon=True).start()

    def cut(self, *directions):
        """`directions`: "to" and "from" the database."""
        for direction in directions:
            self._passes[direction].clear()

    def heal(self):
        for passes in self._passes.values():
            passes.set()

    def _accept(self):
        with contextlib.suppress(OSError):
            while True:
                server, _ = self._listener.accept()
                threading.Thread(target=self._serve, args=(server,), daemon=True).start()

    def _serve(self, server):
        database = socket.socket(socket.AF_UNIX)
        self._sockets += [server, database]
        try:
            database.connect(self._target)
        except OSError:
            server.close()
            return
        threading.Thread(target=self._pump, args=(database, server, "from"), daemon=True).start()
        self._pump(server, database, "to")

    def _pump(self, source, target, direction):
        with contextlib.suppress(OSError):
            while received := source.recv(1 << 16):
                self._passes[direction].wait()
                target.sendall(received)
        self._passes[direction].wait()
        for end in (source, target):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()

    def remove(self):
        self.heal()
        for end in [self._listener, *self._sockets]:
            end.close()
        shutil.rmtree(self.folder, ignore_errors=True)

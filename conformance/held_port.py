"""A port of this machine that no other program is given, also while nobody listens on it.

A port that was free a moment ago may be another's when it is wanted: of a server that starts again, or of a client, whose
connections have ports of the same range. A socket that is bound and does not listen holds it; who listens there sets
SO_REUSEADDR, as servers do.
"""

import socket


class HeldPort:
    def __init__(self):
        self._socket = socket.socket()
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self._socket.bind(("127.0.0.1", 0))
        self.number = self._socket.getsockname()[1]

    def close(self):
        self._socket.close()

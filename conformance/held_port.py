"""A port of this machine that no other program gets, even while it has no listener.

A free port may soon belong to another program: a server that starts again, or a client, whose connections use the
same range of ports. A bound socket that does not listen holds the port. A listener must set SO_REUSEADDR, as servers
do.
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

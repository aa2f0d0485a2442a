"""Servers that use one store at the same time (--shared), in a PostgreSQL of their own."""

import random

from cluster.postgres import new_store, url_of
from cluster.two_servers import LEASE_SECONDS, Cluster
from with_server import Server


class SharedCluster(Cluster):
    """Three servers, all of which serve."""

    def __init__(self, binary, *flags, count=3, has_standby=False):
        self.postgres = new_store("synchronous_commit=on")
        self.standby = None  # synchronous
        self.servers = []
        self.links = {}
        try:
            self.postgres.start()
            if has_standby:
                self._make_standby()
            url = url_of(self.postgres, self.standby) if self.standby else self.postgres.url
            for _ in range(count):
                self.servers.append(Server(binary, "memory", "--auth", "off", "--store", url, "--shared", "--lease-ms",
                                           str(int(LEASE_SECONDS * 1000)), *flags))
            for server in self.servers:
                server.start()
        except BaseException:
            self.remove()
            raise

    def any(self):
        return random.choice(self.servers)

"""Servers that use one store at the same time (--shared), in a PostgreSQL of their own."""

import random

from cluster.postgres import Postgres, new_store, url_of
from with_server import Server

LEASE_SECONDS = 1.0


class SharedCluster:
    """Three servers, all of which serve."""

    def __init__(self, binary, *flags, count=3, has_standby=False):
        self.postgres = new_store("synchronous_commit=on")
        self.standby = None  # synchronous
        self.servers = []
        try:
            self.postgres.start()
            if has_standby:
                self._make_standby()
            self.url = url_of(self.postgres, self.standby) if self.standby else self.postgres.url
            for _ in range(count):
                self.servers.append(Server(binary, "memory", "--auth", "off", "--store", self.url, "--shared", "--lease-ms",
                                           str(int(LEASE_SECONDS * 1000)), *flags))
            for server in self.servers:
                server.start()
        except BaseException:
            self.remove()
            raise

    @property
    def active(self):
        return self.servers[0]

    @property
    def ports(self):
        return [server.held_port for server in self.servers]

    def any(self):
        return random.choice(self.servers)

    def _make_standby(self):
        self.standby = Postgres("synchronous_commit=on", primary=self.postgres)
        self.standby.start()
        self.postgres.execute("ALTER SYSTEM SET synchronous_standby_names = '*'")
        self.postgres.execute("SELECT pg_reload_conf()")

    def fail_over(self):
        """The primary is killed, and the standby takes its place."""
        self.postgres.kill()
        self.standby.promote()

    def remove(self):
        for server in self.servers:
            server.remove()
        for database in filter(None, [self.standby, self.postgres]):
            database.remove()

"""Two servers over one store in a PostgreSQL of their own: one is active, the other waits."""

from cluster.link import Link
from cluster.postgres import Postgres, new_store, url_of
from with_server import Server

LEASE_SECONDS = 1.0
REPLACED = 75  # the exit code of a server whose store another one has taken over


class Cluster:
    """Two servers over one store."""

    def __init__(self, binary, *flags, of_waiting=(), has_standby=False, has_links=False):
        self.postgres = new_store("synchronous_commit=on")
        self.standby = None  # synchronous
        self.servers = []
        self.links = {}  # by server
        try:
            self.postgres.start()
            if has_standby:
                self._make_standby()
            url = url_of(self.postgres, self.standby) if self.standby else self.postgres.url
            for _ in range(2):
                link = Link(self.postgres) if has_links else None
                server = Server(binary, "memory", "--auth", "off", "--store", url_of(link) if link else url,
                                "--lease-ms", str(int(LEASE_SECONDS * 1000)), *flags)
                self.servers.append(server)
                if link:
                    self.links[server] = link
            self.waiting.flags += of_waiting
            self.active.start()
            self.waiting.launch()
        except BaseException:
            self.remove()
            raise

    @property
    def active(self):
        return self.servers[0]

    @property
    def waiting(self):
        return self.servers[1]

    @property
    def ports(self):
        return [server.held_port for server in self.servers]

    def await_take_over(self):
        """The waiting server becomes the active one. Returns the server that was active."""
        self.waiting.wait_until_ready()
        self.servers.reverse()
        return self.waiting

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
        for link in self.links.values():
            link.remove()
        for database in filter(None, [self.standby, self.postgres]):
            database.remove()

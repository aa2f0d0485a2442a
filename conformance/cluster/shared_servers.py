"""Servers that use one store at the same time (--shared), in a PostgreSQL of their own."""

import http.client
import random

from cluster.link import Link
from cluster.postgres import new_store, url_of
from cluster.two_servers import LEASE_SECONDS, Cluster
from metrics_test import parse
from with_server import START_SECONDS, Server


class SharedCluster(Cluster):
    """Three servers, all of which serve."""

    def __init__(self, binary, *flags, count=3, has_standby=False, has_links=False, lease=LEASE_SECONDS, clocks=None, settings=()):
        """`clocks`: the Clocks of the servers. `settings`: of PostgreSQL."""
        self.postgres = new_store("synchronous_commit=on", *settings)
        self.standby = None  # synchronous
        self.servers = []
        self.links = {}  # by server
        try:
            self.postgres.start()
            if has_standby:
                self._make_standby()
            url = url_of(self.postgres, self.standby) if self.standby else self.postgres.url
            for number in range(count):
                link = Link(self.postgres) if has_links else None
                server = Server(binary, "memory", "--auth", "off", "--store", url_of(link) if link else url, "--shared",
                                "--lease-ms", str(int(lease * 1000)), *flags)
                if clocks:
                    server.environment = clocks.environment(number)
                self.servers.append(server)
                if link:
                    self.links[server] = link
            for server in self.servers:
                server.start()
        except BaseException:
            self.remove()
            raise

    def any(self):
        return random.choice(self.servers)

    def start_ended(self):
        """As a supervisor does. How many had ended."""
        ended = [server for server in self.servers if server.has_ended()]
        for server in ended:
            server.start()
        return len(ended)


def metrics_of(server):
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=START_SECONDS)
    connection.request("GET", "/metrics")
    samples, _ = parse(connection.getresponse().read().decode())
    connection.close()
    return {name: value for (name, labels), value in samples.items() if name.startswith("magneto_store_") and not labels}

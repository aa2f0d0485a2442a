"""portable_test.py <binary>: the portable server, in folders that hold nothing but its file (chroot).

It needs no library of the machine. It finds names by files and DNS, whatever nsswitch.conf says, and reaches PostgreSQL.
"""

import os
import random
import shutil
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import unittest

from cluster.postgres import Postgres
from wire import Connection
from with_server import START_SECONDS

CHROOT = shutil.which("chroot") or "/usr/sbin/chroot"
BINARY = os.path.abspath(sys.argv.pop(1))
NAME = "tables.example"
DNS_PORT = 53
ANSWER = 0x8180  # an answer, with recursion
ADDRESS_RECORD, INTERNET = 1, 1
TABLE = {"BillingMode": "PAY_PER_REQUEST", "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
         "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}]}
ITEM = {"pk": {"S": "a"}, "n": {"N": "1"}}


class NameServer:
    """Answers every question for an address with 127.0.0.1."""

    def __init__(self):
        self.asked = []
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.address = None
        while self.address is None:  # each copy of this test has one of its own
            address = f"127.{random.randrange(1, 255)}.{random.randrange(255)}.{random.randrange(1, 255)}"
            try:
                self._socket.bind((address, DNS_PORT))
                self.address = address
            except OSError as error:
                if error.errno != 98:  # in use
                    raise
        threading.Thread(target=self._run, daemon=True).start()

    def _run(self):
        while True:
            try:
                query, client = self._socket.recvfrom(512)
            except OSError:
                return  # closed
            end = query.index(b"\0", 12) + 1
            question = query[12:end + 4]
            kind, = struct.unpack_from(">H", query, end)
            self.asked.append(_name_in(query[12:end]))
            records = struct.pack(">HHHIH4s", 0xc00c, ADDRESS_RECORD, INTERNET, 60, 4, socket.inet_aton("127.0.0.1")) \
                if kind == ADDRESS_RECORD else b""
            self._socket.sendto(query[:2] + struct.pack(">HHHHH", ANSWER, 1, 1 if records else 0, 0, 0) + question + records, client)

    def close(self):
        self._socket.close()


def _name_in(labels):
    parts, at = [], 0
    while labels[at]:
        parts.append(labels[at + 1:at + 1 + labels[at]].decode())
        at += 1 + labels[at]
    return ".".join(parts)


class PortableTest(unittest.TestCase):
    def setUp(self):
        self.root = tempfile.mkdtemp(prefix="magneto-portable-")
        self.addCleanup(shutil.rmtree, self.root)
        self.ports = {}
        self.put_server(self.root)

    @staticmethod
    def put_server(root):
        shutil.copy2(BINARY, os.path.join(root, "magneto"))

    def write(self, name, text):
        path = os.path.join(self.root, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)

    @staticmethod
    def command(root, *arguments):
        return [CHROOT, root, "/magneto", *arguments]

    def start(self, *flags, root=None):
        """A server on a free port. Returns a connection to it."""
        command = self.command(root or self.root, "--port", "0", "--auth", "off", "--log-level", "warning", *flags)
        # pylint: disable-next=consider-using-with
        server = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={})

        def stop():
            server.terminate()
            self.assertEqual(server.wait(START_SECONDS), 0)
            server.stdout.close()
            server.stderr.close()

        line = server.stdout.readline()
        self.assertIn("listening on", line, line or server.stderr.read())
        self.addCleanup(stop)
        port = int(line.split("localhost:")[1].split(",")[0].split()[0])
        connection = Connection(port)
        self.addCleanup(connection.close)
        self.ports[connection] = port
        return connection

    def fill(self, connection):
        connection.send("CreateTable", TableName="things", **TABLE)
        connection.send("PutItem", TableName="things", Item=ITEM)

    def check(self, connection):
        self.assertEqual(connection.send("GetItem", TableName="things", Key={"pk": ITEM["pk"]})["Item"], ITEM)

    def copy(self, source, target):
        """With a server elsewhere that is called by its name."""
        return subprocess.run(self.command(self.root, "copy", "--from", f"http://{NAME}:{self.ports[source]}",
                                           "--to", f"http://localhost:{self.ports[target]}", "--only", "things"),
                              capture_output=True, text=True, timeout=START_SECONDS, check=False,
                              env={"AWS_ACCESS_KEY_ID": "a", "AWS_SECRET_ACCESS_KEY": "b", "AWS_REGION": "us-east-1"})

    def test_it_needs_no_library(self):
        with open(BINARY, "rb") as file:
            header = file.read(64)
            offset, = struct.unpack_from("<Q", header, 32)
            size, count = struct.unpack_from("<HH", header, 54)
            file.seek(offset)
            kinds = [struct.unpack_from("<I", file.read(size))[0] for _ in range(count)]
        self.assertNotIn(3, kinds, "it names a dynamic loader (PT_INTERP)")

    def test_tables_in_memory_and_in_a_directory(self):
        for flags in ((), ("--data-dir", "/data")):
            with self.subTest(flags=flags):
                connection = self.start(*flags)
                self.fill(connection)
                self.check(connection)

    def test_names_in_the_hosts_file(self):
        self.write("etc/hosts", f"127.0.0.1 localhost {NAME}\n")
        # Modules of a desktop: shared libraries, which this server must not load.
        self.write("etc/nsswitch.conf", "hosts: mymachines resolve [!UNAVAIL=return] mdns4_minimal [NOTFOUND=return] dns\n")
        source, target = self.start("--allowed-hosts", "*"), self.start()
        self.fill(source)
        copied = self.copy(source, target)
        self.assertEqual(copied.returncode, 0, copied.stderr)
        self.check(target)

    def test_names_in_dns(self):
        names = NameServer()
        self.addCleanup(names.close)
        self.write("etc/resolv.conf", f"nameserver {names.address}\n")
        self.write("etc/hosts", "127.0.0.1 localhost\n")
        source, target = self.start("--allowed-hosts", "*"), self.start()
        self.fill(source)
        copied = self.copy(source, target)
        self.assertEqual(copied.returncode, 0, copied.stderr)
        self.assertIn(NAME, names.asked)
        self.check(target)

    def test_an_unknown_name(self):
        self.write("etc/hosts", "127.0.0.1 localhost\n")
        target = self.start()
        copied = self.copy(target, target)
        self.assertNotEqual(copied.returncode, 0)
        self.assertIn(NAME, copied.stderr)

    def test_a_store_in_postgresql(self):
        postgres = Postgres()
        self.addCleanup(postgres.remove)
        postgres.start()
        self.put_server(postgres.folder)
        connection = self.start("--store", "postgres://magneto@/postgres?host=/", root=postgres.folder)
        self.fill(connection)
        self.check(connection)


if __name__ == "__main__":
    if subprocess.run([CHROOT, "/", "/bin/true"], stderr=subprocess.DEVNULL, check=False).returncode != 0:
        print("this needs root, for chroot", file=sys.stderr)
        sys.exit(77)
    unittest.main(verbosity=2)

"""tls_test.py <binary>: HTTPS as clients, operators and attackers find it.

What SDKs see is another suite's: python, javascript and cli run with --tls-self-signed too.
"""

import os
import pathlib
import re
import shutil
import socket
import ssl
import subprocess
import sys
import tempfile
import threading
import time
import unittest

from with_server import Server

HEALTH = b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"
OPERATION = (b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-amz-json-1.0\r\n"
             b"X-Amz-Target: DynamoDB_20120810.DescribeLimits\r\nContent-Length: 2\r\n\r\n{}")
PATIENCE_SECONDS = 120
IDLE_CONNECTIONS = 1000
KILOBYTES_OF_AN_IDLE_ONE = 30


def client_context(authority=None):
    context = ssl.create_default_context(cafile=authority)
    if authority is None:
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
    return context


def connect(port, context=None, name="localhost"):
    plain = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_SECONDS)
    return (context or client_context()).wrap_socket(plain, server_hostname=name)


def answer(connection, request):
    """The status line of the answer and its body."""
    connection.sendall(request)
    received = b""
    while b"\r\n\r\n" not in received:
        piece = connection.recv(1 << 16)
        if not piece:
            raise ConnectionResetError("the server hung up")
        received += piece
    head, _, body = received.partition(b"\r\n\r\n")
    size = int(re.search(rb"(?i)content-length: (\d+)", head).group(1))
    while len(body) < size:
        body += connection.recv(1 << 16)
    return head.split(b"\r\n")[0].decode(), body


def make_pair(folder, name, key="ec"):
    """A certificate and its key, by openssl: the paths."""
    kind = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"] if key == "ec" else ["-newkey", key]
    paths = [os.path.join(folder, f"{name}.{suffix}") for suffix in ("pem", "key")]
    subprocess.run(["openssl", "req", "-x509", *kind, "-noenc", "-subj", f"/CN={name}", "-addext",
                    "subjectAltName=DNS:localhost", "-out", paths[0], "-keyout", paths[1]],
                   check=True, capture_output=True)
    return paths


def served_name(port):
    """The CN of the certificate that a new connection is shown."""
    with connect(port) as connection:
        shown = connection.getpeercert(binary_form=True)
    text = subprocess.run(["openssl", "x509", "-inform", "DER", "-noout", "-subject"], input=shown,
                          check=True, capture_output=True).stdout.decode()
    return text.rpartition("=")[2].strip()


class TlsCase(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="magneto-tls-")
        self.addCleanup(shutil.rmtree, self.folder)
        self.authority = None

    def start(self, *flags):
        server = Server(BINARY, "memory", "--auth=off", *flags)
        server.errors = open(os.path.join(self.folder, "errors"), "w+", encoding="utf-8")
        self.addCleanup(server.errors.close)
        self.addCleanup(server.remove)
        server.start()
        return server

    def start_self_signed(self, *flags):
        server = self.start("--tls-self-signed", *flags)
        self.authority = server.authority
        return server

    def errors(self):
        return pathlib.Path(self.folder, "errors").read_text(encoding="utf-8")

    def wait_for_error(self, text):
        deadline = time.monotonic() + PATIENCE_SECONDS
        while text not in self.errors():
            self.assertLess(time.monotonic(), deadline, self.errors())
            time.sleep(0.05)


class ClientsTest(TlsCase):
    def test_who_trusts_the_file_is_served_by_every_name(self):
        port = self.start_self_signed("--allowed-hosts=db.example").port
        for name in ("localhost", "127.0.0.1", "::1", "db.example"):
            with connect(port, client_context(self.authority), name) as connection:
                self.assertIn("200", answer(connection, HEALTH)[0])
                self.assertIn("200", answer(connection, OPERATION)[0])
                self.assertIn("200", answer(connection, HEALTH)[0])
        with self.assertRaises(ssl.SSLCertVerificationError):
            connect(port, ssl.create_default_context())
        self.wait_for_error("TLS handshake failed")

    def test_versions_and_protocol(self):
        port = self.start_self_signed().port
        for version in (ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3):
            context = client_context(self.authority)
            context.minimum_version = context.maximum_version = version
            context.set_alpn_protocols(["h2", "http/1.1"])
            with connect(port, context) as connection:
                self.assertEqual(connection.selected_alpn_protocol(), "http/1.1")
                self.assertIn("200", answer(connection, OPERATION)[0])
        old = client_context()
        old.set_ciphers("ALL:@SECLEVEL=0")
        old.minimum_version = ssl.TLSVersion.TLSv1
        old.maximum_version = ssl.TLSVersion.TLSv1_1
        with self.assertRaises((ssl.SSLError, ConnectionError)):
            connect(port, old)
        static = client_context()
        static.maximum_version = ssl.TLSVersion.TLSv1_2
        static.set_ciphers("AES128-SHA:AES128-GCM-SHA256")
        with self.assertRaises((ssl.SSLError, ConnectionError)):
            connect(port, static)

    def test_each_other_kind_is_told(self):
        secure = self.start_self_signed()
        with socket.create_connection(("127.0.0.1", secure.port), timeout=PATIENCE_SECONDS) as plain:
            self.assertIn("400", answer(plain, HEALTH)[0])
        self.wait_for_error("use https:// in the client")
        plain = self.start()
        with self.assertRaises((ssl.SSLError, ConnectionError)):
            connect(plain.port)
        self.wait_for_error("use http:// in the client")

    def test_the_end_of_either_side(self):
        port = self.start_self_signed().port
        with connect(port, client_context(self.authority)) as connection:
            connection.sendall(OPERATION.replace(b"Host", b"Connection: close\r\nHost"))
            received = b""
            while piece := connection.recv(1 << 16):  # raises where close_notify is missing
                received += piece
            self.assertIn(b"200 OK", received)
        # Cut off within a record: nothing is answered, and others are served.
        connection = connect(port)
        connection.send(OPERATION[:-1])
        os.close(connection.detach())
        with connect(port) as other:
            self.assertIn("200", answer(other, OPERATION)[0])


class OperatorsTest(TlsCase):
    def refused(self, *flags):
        done = subprocess.run([BINARY, "--port", "0", *flags], capture_output=True, text=True, timeout=PATIENCE_SECONDS,
                              check=False)
        self.assertNotEqual(done.returncode, 0)
        self.assertEqual(done.stdout, "")
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        return done.stderr

    def test_a_pair_that_will_not_do_is_named(self):
        one, one_key = make_pair(self.folder, "one")
        _, two_key = make_pair(self.folder, "two")
        locked = os.path.join(self.folder, "locked.key")
        subprocess.run(["openssl", "pkey", "-in", one_key, "-aes128", "-passout", "pass:secret", "-out", locked],
                       check=True, capture_output=True)
        weak, weak_key = make_pair(self.folder, "weak", key="rsa:1024")
        pipe, damaged = os.path.join(self.folder, "pipe"), os.path.join(self.folder, "damaged.pem")
        os.mkfifo(pipe)
        lines = pathlib.Path(one).read_text(encoding="ascii").splitlines()
        pathlib.Path(damaged).write_text("\n".join([lines[0], "?" + lines[1][1:], *lines[2:]]), encoding="ascii")
        for certificate, key, words in ((one, two_key, "is not the key of"), (one, locked, "has a passphrase"),
                                        (one, "/nonexistent/key", "--tls-key /nonexistent/key: No such file"),
                                        ("/nonexistent/pem", one_key, "--tls-cert /nonexistent/pem: No such file"),
                                        (one, pipe, "it is not a regular file"), (damaged, one_key, "is damaged"),
                                        (one_key, one_key, "holds no certificate"), (one, one, "holds no private key"),
                                        (self.folder, one_key, "cannot read"), (weak, weak_key, "too small")):
            with self.subTest(words):
                self.assertIn(words, self.refused("--tls-cert", certificate, "--tls-key", key))
        self.assertIn("--tls-key", self.refused("--tls-cert", one))
        self.assertIn("--tls-cert", self.refused("--tls-key", one_key))
        self.assertIn("that file exists", self.refused("--tls-self-signed", "--tls-cert", one))
        self.assertIn("that file exists", self.refused("--tls-self-signed", "--tls-cert", pipe))

    def test_what_is_doubtful_is_said(self):
        new, old_key = make_pair(self.folder, "new")
        old = os.path.join(self.folder, "old.pem")
        subprocess.run(["openssl", "x509", "-in", new, "-signkey", old_key, "-days", "-1", "-out", old], check=True,
                       capture_output=True)
        os.chmod(old_key, 0o660)
        server = self.start("--tls-cert", old, "--tls-key", old_key)
        with connect(server.port) as connection:
            self.assertIn("200", answer(connection, HEALTH)[0])
        self.wait_for_error("has expired")
        self.wait_for_error("is open to other users (mode 0660)")

    def test_the_machines_configuration_of_openssl_is_not_read(self):
        configuration = os.path.join(self.folder, "openssl.cnf")
        pathlib.Path(configuration).write_text(
            "openssl_conf = all\n[all]\nssl_conf = modules\n[modules]\nsystem_default = limits\n"
            "[limits]\nMaxProtocol = TLSv1.2\n", encoding="ascii")
        pair = make_pair(self.folder, "pair")
        os.environ["OPENSSL_CONF"] = configuration
        self.addCleanup(os.environ.pop, "OPENSSL_CONF")
        for flags in (("--tls-self-signed",), ("--tls-cert", pair[0], "--tls-key", pair[1])):
            with connect(self.start(*flags).port) as connection:
                self.assertEqual(connection.version(), "TLSv1.3")

    def test_new_files_are_used_and_broken_ones_are_not(self):
        paths = make_pair(self.folder, "first")
        server = self.start("--tls-cert", paths[0], "--tls-key", paths[1])
        kept = connect(server.port)
        self.addCleanup(kept.close)
        self.assertEqual(served_name(server.port), "first")
        for path, other in zip(paths, make_pair(self.folder, "second", key="rsa:2048")):
            os.replace(other, path)
        self.assert_serves(server.port, "second")
        pathlib.Path(paths[0]).write_text("broken", encoding="utf-8")
        self.wait_for_error_while_connecting(server.port, "the previous certificate stays in use")
        warned = self.errors().count("the previous certificate")
        time.sleep(2.5)
        self.assertEqual(served_name(server.port), "second")
        self.assertEqual(self.errors().count("the previous certificate"), warned)
        self.assertIn("200", answer(kept, OPERATION)[0])

    def assert_serves(self, port, name):
        deadline = time.monotonic() + PATIENCE_SECONDS
        while served_name(port) != name:
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.1)

    def wait_for_error_while_connecting(self, port, text):
        deadline = time.monotonic() + PATIENCE_SECONDS
        while text not in self.errors():
            self.assertLess(time.monotonic(), deadline)
            served_name(port)
            time.sleep(0.1)


class AttackersTest(TlsCase):
    def test_slow_handshakes_end_and_others_are_served(self):
        server = self.start_self_signed("--header-timeout-ms=3000")
        hello = self.client_hello()
        slow = []
        for sent in (b"", hello[:1], hello[:60], hello):
            for _ in range(50):
                connection = socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE_SECONDS)
                connection.sendall(sent)
                slow.append(connection)
        with connect(server.port) as connection:
            self.assertIn("200", answer(connection, OPERATION)[0])
        for connection in slow:
            with connection, self.subTest(connection):
                while connection.recv(1 << 16):
                    pass

    @staticmethod
    def client_hello():
        incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        half = client_context().wrap_bio(incoming, outgoing, server_hostname="localhost")
        try:
            half.do_handshake()
        except ssl.SSLWantReadError:
            pass
        return outgoing.read()

    def test_rubbish_of_any_kind(self):
        server = self.start_self_signed()
        hello = self.client_hello()
        for rubbish in (b"\0" * 100, b"\x16", b"\x16\x03\x01\xff\xff" + b"x" * 70000, b"\x16\x03\x01\0\0" * 20000,
                        b"\x80\x2e\x01\x03\x01", b"\x15\x03\x03\0\x02\x02\x28", hello[:-1] + b"\xff", hello * 500,
                        hello + b"\x14\x03\x03\0\x01\x01" * 20000, hello[:5] + b"\0" * 100):
            with socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE_SECONDS) as connection:
                try:
                    connection.sendall(rubbish)
                    connection.shutdown(socket.SHUT_WR)
                    while connection.recv(1 << 16):
                        pass
                except ConnectionError:
                    pass
        with connect(server.port) as connection:
            self.assertIn("200", answer(connection, OPERATION)[0])

    def start_with_large_key(self, *flags):
        certificate, key = make_pair(self.folder, "large", key="rsa:4096")
        return self.start("--tls-cert", certificate, "--tls-key", key, *flags)

    # Were handshakes the acceptor's or the I/O thread's, each answer would wait for a hundred or more of them.
    def test_handshakes_starve_nobody(self):
        server = self.start_with_large_key("--threads=1")
        hello = self.client_hello()
        waiting = []
        with connect(server.port) as at_acceptor, connect(server.port) as elsewhere:
            answer(at_acceptor, HEALTH)
            answer(elsewhere, OPERATION)
            for _ in range(400):
                waiting.append(socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE_SECONDS))
            for connection in waiting:
                connection.sendall(hello)
            last = waiting[-1]
            last.setblocking(False)
            answers = 0
            while not self.has_input(last):
                answer(at_acceptor, HEALTH)
                answer(elsewhere, OPERATION)
                answers += 2
            print(f"{answers} answers beside {len(waiting)} handshakes")
            self.assertGreater(answers, 20)
        for connection in waiting:
            connection.close()

    @staticmethod
    def has_input(connection):
        try:
            return connection.recv(1, socket.MSG_PEEK) != b""
        except BlockingIOError:
            return False

    # At the limit of connections, one that waits for its handshake is not replaced, since it would stay.
    def test_waiting_handshakes_are_bounded(self):
        server = self.start_with_large_key("--max-connections=200")
        hello = self.client_hello()
        with connect(server.port) as first:
            answer(first, OPERATION)
        before = self.resident(server)
        for _ in range(10_000):
            with socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE_SECONDS) as connection:
                try:
                    connection.sendall(hello)
                except ConnectionError:
                    pass
        grown = self.resident(server) - before
        print(f"10,000 handshakes that nobody waits for: {grown / 1024:.1f} MB")
        self.assertLess(grown, 16 * 1024)
        begun = time.monotonic()
        while True:
            try:
                with connect(server.port) as connection:
                    self.assertIn("200", answer(connection, OPERATION)[0])
                break
            except (OSError, ssl.SSLError):
                self.assertLess(time.monotonic() - begun, PATIENCE_SECONDS)
                time.sleep(0.05)

    def test_idle_ones_take_little(self):
        server = self.start_self_signed()
        context = client_context(self.authority)
        with connect(server.port, context) as first:
            answer(first, OPERATION)
            before = self.resident(server)
            idle = [connect(server.port, context) for _ in range(IDLE_CONNECTIONS)]
            for connection in idle:
                answer(connection, OPERATION)
            each = (self.resident(server) - before) / IDLE_CONNECTIONS
            print(f"an idle connection takes {each:.1f} kB")
            for connection in idle:
                connection.close()
            self.assertIn("200", answer(first, OPERATION)[0])
        self.assertLess(each, KILOBYTES_OF_AN_IDLE_ONE)

    @staticmethod
    def resident(server):
        text = pathlib.Path(f"/proc/{server.process_id}/status").read_text(encoding="ascii")
        return int(re.search(r"VmRSS:\s+(\d+)", text).group(1))


if __name__ == "__main__":
    BINARY = sys.argv.pop(1)
    unittest.main(verbosity=2)

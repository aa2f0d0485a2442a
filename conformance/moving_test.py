"""moving_test.py <binary> [--items 1000000]: magneto import and magneto export, as users run and interrupt them.

200,000 items, or the given number, go through each format, by HTTP and from and to a data directory.
"""

import gzip
import json
import os
import pathlib
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "crash"))

from wire import Connection
from with_server import Server, client_environment

TABLE = {"TableName": "t01", "BillingMode": "PAY_PER_REQUEST",
         "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
         "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"},
                                  {"AttributeName": "sk", "AttributeType": "N"}]}
PATIENCE_SECONDS = 300
KILLS = 4
# The memory of an import beside its blocks, and its blocks: 64 MB of records, three times.
MOST_MEGABYTES = 256
FORMATS = {"json-typed": "jsonl", "json-plain": "jsonl", "csv": "csv", "csv of gzip": "csv.gz", "aws": "folder"}


def item(number, plain):
    """An item that each format can carry, with sets and bytes unless it is plain. Some text is awkward."""
    parts = [f'"pk":{{"S":"p{number % 5000}"}}', f'"sk":{{"N":"{number}"}}',
             f'"name":{{"S":"Name, \\"of\\" number {number}\\n"}}', f'"n":{{"N":"{number}.25"}}']
    if number % 3 == 0:
        parts.append('"l":{"L":[{"BOOL":true},{"NULL":true},{"M":{"é":{"S":""}}}]}')
    if number % 3 == 1 and not plain:
        parts.append('"s":{"SS":["a","b,\\n"]},"b":{"B":"AAEC"}')
    return "{" + ",".join(parts) + "}\n"


def plain_of(value):
    (kind, content), = value.items()
    if kind == "N":
        return float(content) if "." in content else int(content)
    if kind == "L":
        return [plain_of(element) for element in content]
    if kind == "M":
        return {name: plain_of(member) for name, member in content.items()}
    return None if kind == "NULL" else content


def lines(path):
    return sorted(pathlib.Path(path).read_bytes().splitlines())


def peak_megabytes(process):
    """Of its memory, so far. What wait4() says of a process counts that of the test with it."""
    status = pathlib.Path(f"/proc/{process.pid}/status").read_text(encoding="ascii")
    return int(status.split("VmHWM:")[1].split()[0]) // 1024


class MovingCase(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="magneto-moving-")
        self.addCleanup(shutil.rmtree, self.folder)
        self.description = self.path("table.json")
        pathlib.Path(self.description).write_text(json.dumps(TABLE), encoding="utf-8")

    def path(self, name):
        return os.path.join(self.folder, name)

    def write_items(self, name, plain=False, count=None):
        path = self.path(name)
        with open(path, "w", encoding="utf-8") as file:
            file.writelines(item(number, plain) for number in range(count or ITEMS))
        return path

    def start_server(self, *flags):
        server = Server(BINARY, "memory", "--auth=off", *flags)
        self.addCleanup(server.remove)
        server.start()
        return server

    def launch(self, command, *arguments, **options):
        return subprocess.Popen([BINARY, command, "--table", "t01", *arguments], stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, text=True, env=client_environment(""), **options)

    def run_command(self, command, *arguments, **options):
        process = self.launch(command, *arguments, **options)
        output, errors = process.communicate(timeout=PATIENCE_SECONDS)
        return process.returncode, output, errors

    def succeed(self, command, *arguments):
        status, _, errors = self.run_command(command, *arguments)
        self.assertEqual(status, 0, errors)
        return errors

    def import_into(self, target, *files, how=()):
        return self.succeed("import", *target, "--create-from", self.description, *how, *files)

    def export_from(self, source, name, how=()):
        path = self.path(name)
        self.succeed("export", *source, "--out", path, *how)
        self.assertFalse(os.path.exists(path + ".part"))
        return path

    def data_directory(self, name):
        return ("--data-dir", self.path(name))


class RoundTripTest(MovingCase):
    def test_every_format_carries_every_item(self):
        for plain in (False, True):
            source = self.data_directory(f"source-{plain}")
            self.import_into(source, self.write_items("items.jsonl", plain))
            expected = lines(self.export_from(source, f"expected-{plain}.jsonl"))
            self.assertEqual(len(expected), ITEMS)
            for name, suffix in FORMATS.items():
                if plain != (name == "json-plain"):
                    continue
                how = ("--format", name.partition(" ")[0])
                path = self.export_from(source, f"all-{plain}.{suffix}", how)
                server = self.start_server()
                for target in (("--to", server.endpoint), self.data_directory(f"copy of {name}")):
                    with self.subTest(name, target=target[0]):
                        self.import_into(target, path, how=how)
                        again = ("--from", target[1]) if target[0] == "--to" else target
                        copy = self.export_from(again, "copy.jsonl", ("--force",))
                        self.assertTrue(lines(copy) == expected)
                server.remove()
                if os.path.isfile(path):
                    os.remove(path)


class LayoutTest(MovingCase):
    """Files as people have them: the CLI's output, a program's dump, an editor's layout."""

    def setUp(self):
        super().setUp()
        self.typed = [json.loads(item(number, False)) for number in range(300)]
        self.plain = [{name: plain_of(value) for name, value in json.loads(item(number, True)).items()} for number in range(300)]

    def write(self, name, text):
        path = self.path(name)
        with (gzip.open if name.endswith(".gz") else open)(path, "wt", encoding="utf-8") as file:
            file.write(text)
        return path

    def refused(self, *arguments):
        target = self.data_directory("refused")
        status, _, errors = self.run_command("import", *target, "--create-from", self.description, *arguments)
        self.assertEqual(status, 1, errors)
        self.assertTrue(errors.startswith("magneto: "), errors)
        return errors

    def test_every_layout_is_read(self):
        for form, items in (("json-typed", self.typed), ("json-plain", self.plain)):
            answer = {"Items": items, "Count": len(items), "ScannedCount": len(items), "ConsumedCapacity": None}
            layouts = {
                "lines": "".join(json.dumps(one) + "\n" for one in items),
                "array": json.dumps(items),
                "pretty array": json.dumps(items, indent=2),
                "pretty objects": "\n".join(json.dumps(one, indent=2) for one in items),
                "answer": json.dumps(answer),
                "pretty answer": json.dumps(answer, indent=4) + "\n",
                "pretty answer.gz": json.dumps(answer, indent=4) + "\n",
                "pages": json.dumps(answer | {"Items": items[:100]}) + "\n" + json.dumps(answer | {"Items": items[100:]}),
            }
            expected = None
            for name, text in layouts.items():
                with self.subTest(name, form=form):
                    target = self.data_directory(f"{form} {name}")
                    told = self.import_into(target, self.write(name, text), how=("--format", form))
                    self.assertIn("300 items were put into table t01", told)
                    found = sorted(lines(self.export_from(target, f"{form} {name}.out")))
                    expected = expected or found
                    self.assertTrue(found == expected)

    def test_what_the_cli_prints_is_read(self):
        server = self.start_server()
        self.import_into(("--to", server.endpoint), self.write("items", "".join(json.dumps(one) + "\n" for one in self.typed)))
        scan = ["aws", "dynamodb", "scan", "--endpoint-url", server.endpoint, "--table-name", "t01", "--output", "json"]
        whole, page = (subprocess.run(scan + limit, check=True, capture_output=True, text=True, env=client_environment(server.endpoint)).stdout
                       for limit in ([], ["--max-items", "100"]))
        copy = self.data_directory("copy")
        warning = "scan.json is one page of a scan: its LastEvaluatedKey or NextToken says that the table has more items"
        self.assertIn(warning, self.import_into(copy, self.write("scan.json", page)))
        self.assertNotIn("one page", self.import_into(copy, self.write("scan.json", whole)))
        self.assertTrue(sorted(lines(self.export_from(copy, "copy.out")))
                        == sorted(lines(self.export_from(("--from", server.endpoint), "all.out"))))

    def test_another_format_is_named(self):
        typed, plain = (json.dumps(items[0]) + "\n" for items in (self.typed, self.plain))
        for form, name, text, words in (
                ("json-typed", "plain", plain, "plain:1: looks like plain JSON: give --format json-plain"),
                ("json-typed", "plain array", f"[\n{plain}]", "plain array:2: looks like plain JSON: give --format json-plain"),
                ("json-plain", "typed", typed, "typed:1: looks like DynamoDB's JSON, with types: give --format json-typed"),
                ("json-typed", "cells", "pk:S,n:N\nx,1\n", "cells:1: looks like CSV: give --format csv"),
                ("json-plain", "cells", "pk:S,n:N\nx,1\n", "cells:1: looks like CSV: give --format csv"),
                ("csv", "typed.gz", typed * 5, "typed.gz:1: looks like DynamoDB's JSON, with types: give --format json-typed"),
                ("csv", "array", json.dumps(self.plain, indent=1), "array:1: looks like plain JSON: give --format json-plain"),
                ("json-typed", "words", "SCANNEDCOUNT 2\n", "words:1: is not a JSON object"),
                ("json-typed", "zeros", "P,K\0\1\2\n", "zeros:1: looks like binary data: give JSON or CSV"),
                ("csv", "zeros", "P,K\0\1\2\n", "zeros:1: looks like binary data: give JSON or CSV")):
            with self.subTest(name, form=form):
                self.assertIn(words, self.refused("--format", form, self.write(name, text)))

    def test_another_encoding_is_named(self):
        """The file that `aws dynamodb scan > scan.json` writes in PowerShell on Windows."""
        text = json.dumps({"Items": self.typed[:2]}, indent=2)
        for encoding in ("utf-16", "utf-16-be"):
            path = self.path(encoding)
            with open(path, "wb") as file:
                file.write(("" if encoding == "utf-16" else "\ufeff").encode(encoding) + text.encode(encoding))
            for form in ("json-typed", "json-plain", "csv"):
                self.assertIn(f"{encoding}:1: looks like UTF-16: save the file as UTF-8", self.refused("--format", form, path))

    def test_a_member_twice_is_refused(self):
        line = json.dumps(self.typed[0])
        for name, text in (("top", line[:-1] + ', "twice": {"S": "a"}, "twice": {"S": "b"}}'),
                           ("nested", line[:-1] + ', "m": {"M": {"twice": {"S": "a"}, "twice": {"S": "b"}}}}'),
                           ("many", line[:-1] + ', "twice": {"S": "a"}' * 100_000 + "}")):
            self.assertIn(f"{name}:1: has the attribute twice twice", self.refused(self.write(name, text)))

    def test_a_value_without_an_end_keeps_what_was_whole(self):
        text = json.dumps(self.typed, indent=2)
        errors = self.refused(self.write("cut", text[:len(text) // 2]))
        self.assertIn("begins a JSON value that has no end", errors)
        self.assertIn("The import stopped; ", errors)

    def test_memory_is_bounded_in_every_layout(self):
        """A document of 100 MB on one line."""
        one = json.dumps(self.typed[0])
        server = self.start_server()
        self.import_into(("--to", server.endpoint), self.write("first", one + "\n"))
        process = self.launch("import", "--to", server.endpoint, "-", stdin=subprocess.PIPE)
        self.addCleanup(process.kill)
        process.stdin.write('{"Items": [' + one)
        thousand = ("," + one) * 1000
        try:
            for _ in range(100 * (1 << 20) // len(thousand)):
                process.stdin.write(thousand)
            process.stdin.flush()
        except BrokenPipeError:
            self.fail(process.communicate()[1])
        peak = peak_megabytes(process)
        _, errors = process.communicate("]}")
        self.assertEqual(process.returncode, 0, errors)
        self.assertLess(peak, MOST_MEGABYTES)


class InterruptionTest(MovingCase):
    def setUp(self):
        super().setUp()
        self.items = self.write_items("items.jsonl")
        self.source = self.data_directory("source")
        self.import_into(self.source, self.items)
        self.expected = lines(self.export_from(self.source, "expected.jsonl"))

    def interrupt(self, number, seconds, *command):
        """Whether the process was still at work."""
        process = self.launch(*command)
        time.sleep(seconds)
        process.send_signal(number)
        process.communicate(timeout=PATIENCE_SECONDS)
        self.assertIn(process.returncode, (0, -number))
        return process.returncode != 0

    def test_import_is_killed_and_done_again(self):
        server = self.start_server()
        for target in (self.data_directory("target"), ("--to", server.endpoint)):
            command = ("import", *target, "--create-from", self.description, self.items)
            interrupted = [self.interrupt(signal.SIGKILL, 0.05 * (kill + 1), *command) for kill in range(KILLS)]
            self.assertTrue(any(interrupted))
            self.import_into(target, self.items)
            again = ("--from", target[1]) if target[0] == "--to" else target
            self.assertTrue(lines(self.export_from(again, "copy.jsonl", ("--force",))) == self.expected)

    def test_export_is_killed_and_done_again(self):
        for form in (("json-typed", "a.jsonl.gz"), ("csv", "a.csv"), ("aws", "a")):
            path = self.path(form[1])
            command = ("export", *self.source, "--format", form[0], "--out", path)
            interrupted = 0
            for kill in range(KILLS):
                for number in (signal.SIGKILL, signal.SIGINT):
                    interrupted += self.interrupt(number, 0.05 * (kill + 1), *command)
                    if os.path.exists(path):
                        self.check_whole(path, form[0])
            self.assertGreater(interrupted, 0)
            self.succeed(*command)
            self.assertEqual([name for name in os.listdir(self.folder) if name.endswith(".part")], [])
            self.check_whole(path, form[0])

    def check_whole(self, path, form):
        copy = self.data_directory("copy")
        self.import_into(copy, path, how=("--format", form))
        self.assertTrue(lines(self.export_from(copy, "copy.jsonl", ("--force",))) == self.expected)
        shutil.rmtree(copy[1])
        if os.path.isdir(path):
            shutil.rmtree(path)
        else:
            os.remove(path)

    def test_a_full_disk_leaves_nothing(self):
        with open("/dev/full", "wb") as full:
            process = subprocess.run([BINARY, "export", "--table", "t01", *self.source, "--out", "-"], stdout=full,
                                     stderr=subprocess.PIPE, text=True, check=False, timeout=PATIENCE_SECONDS)
        self.assertEqual(process.returncode, 1)
        self.assertIn("No space left on device", process.stderr)
        small = self.path("small")
        os.mkdir(small)
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=128k", "none", small], check=False,
                                 capture_output=True)
        if mounted.returncode != 0:
            print("only root can make a small file system: a full disk was not tried with --out FILE", file=sys.stderr)
            return
        self.addCleanup(subprocess.run, ["umount", "--lazy", small], check=True)
        for form, name in (("json-typed", "a.jsonl"), ("csv", "a.csv"), ("aws", "a")):
            status, _, errors = self.run_command("export", *self.source, "--format", form, "--out",
                                                 os.path.join(small, name))
            self.assertEqual(status, 1)
            self.assertIn("No space left on device", errors)
            self.assertEqual(os.listdir(small), [])


class SilentServer(BaseHTTPRequestHandler):
    """A table that takes no item: it reads requests, and never answers."""

    protocol_version = "HTTP/1.1"
    over = threading.Event()

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        if self.headers["X-Amz-Target"].endswith("BatchWriteItem"):
            self.over.wait()
            self.close_connection = True
            return
        body = json.dumps({"Table": TABLE | {"TableStatus": "ACTIVE"}}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class BoundsTest(MovingCase):
    def test_memory_of_an_import_that_gets_nothing_done(self):
        silent = ThreadingHTTPServer(("127.0.0.1", 0), SilentServer)
        self.addCleanup(silent.server_close)
        self.addCleanup(silent.shutdown)
        self.addCleanup(SilentServer.over.set)
        threading.Thread(target=silent.serve_forever, daemon=True).start()
        process = self.launch("import", "--to", f"http://127.0.0.1:{silent.server_port}", "--workers", "256", "-",
                              stdin=subprocess.PIPE)
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        fed = self.feed(process.stdin)
        peak = peak_megabytes(process)
        print(f"{fed} MB were taken, {peak} MB of memory", file=sys.stderr)
        self.assertGreater(fed, 30)
        self.assertLess(peak, MOST_MEGABYTES)

    def feed(self, pipe):
        """Megabytes of long and short lines, until nothing is taken for some seconds."""
        os.set_blocking(pipe.fileno(), False)
        short = "".join(item(number, False) for number in range(8000))
        long = '{"pk":{"S":"p"},"sk":{"N":"1"},"text":{"S":"' + "x" * 300_000 + '"}}\n'
        waiting = memoryview((short + long * 3).encode() * 500)
        fed, last = 0, time.monotonic()
        while time.monotonic() - last < (3 if fed >> 20 > 30 else PATIENCE_SECONDS):
            try:
                fed += os.write(pipe.fileno(), waiting[fed:fed + (1 << 16)])
                last = time.monotonic()
            except BlockingIOError:
                time.sleep(0.01)
        os.set_blocking(pipe.fileno(), True)
        return fed >> 20

    def test_threads_that_cannot_be_made(self):
        server = self.start_server()
        connection = Connection(server.port)
        self.addCleanup(connection.close)
        connection.send("CreateTable", **TABLE)
        items = self.write_items("few.jsonl", count=100)

        def few_addresses():
            resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))

        for command in (("import", "--to", server.endpoint, items),
                        ("export", "--from", server.endpoint, "--out", self.path("out"))):
            status, _, errors = self.run_command(*command, "--workers", "256", preexec_fn=few_addresses)
            self.assertEqual(status, 1, errors)
            self.assertIn("--workers", errors)
            self.assertFalse(os.path.exists(self.path("out.part")))

    def test_nothing_is_made_for_a_directory_that_is_misspelled(self):
        status, _, errors = self.run_command("import", "--data-dir", self.path("typo"), self.description)
        self.assertEqual(status, 1)
        self.assertIn("typo", errors)
        self.assertFalse(os.path.exists(self.path("typo")))

    def test_a_flag_twice_is_refused(self):
        status, _, errors = self.run_command("export", "--table", "a", "--table", "b", "--out", self.path("twice"))
        self.assertEqual(status, 2)
        self.assertIn("--table is given more than once; it takes one value", errors)
        self.assertFalse(os.path.exists(self.path("twice")))


class CertificateTest(MovingCase):
    def test_a_certificate_of_another_name_is_refused(self):
        pair = [self.path("other.pem"), self.path("other.key")]
        subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-noenc",
                        "-subj", "/CN=other", "-addext", "subjectAltName=DNS:other.example,IP:127.0.0.1", "-out",
                        pair[0], "-keyout", pair[1]], check=True, capture_output=True)
        server = self.start_server("--tls-cert", pair[0], "--tls-key", pair[1])
        for host, words in (("localhost", "is for another name (hostname mismatch)"), ("127.0.0.1", "no table t01")):
            status, _, errors = self.run_command("import", "--to", f"https://{host}:{server.port}", "--ca", pair[0],
                                                 self.description)
            self.assertEqual(status, 1)
            self.assertIn(words, errors)


if __name__ == "__main__":
    BINARY = sys.argv.pop(1)
    ITEMS = 200_000
    if "--items" in sys.argv:
        at = sys.argv.index("--items")
        ITEMS = int(sys.argv[at + 1])
        del sys.argv[at:at + 2]
    unittest.main(verbosity=2)

"""readme_test.py <magneto>: the lines of README.md's doors, as they stand.

- "Any Linux": on an archive that docker/tarball makes of the built server. ./dev doors runs the lines on bare Debian 11 and 12.
- "Docker": no engine of Docker is needed. A stand-in, container_stand_in.py, parses the line and starts the image's entry
  point as a process of this machine. So this test shows the flags, the ports and the volumes of the line. It does not
  show the image: conformance/image_test.py runs that where an engine works.
- "Agents": conformance/mcp/pages.test.mjs, with MCP's own client. The other doors have tests of their own.

Two things of a line are changed: the architecture is this machine's, and the port is a free one.
"""

import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.error
import urllib.request

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from container_stand_in import HeldPort  # noqa: E402
from door_case import ARCHITECTURE, BINARY, PACKAGES, PATIENCE, VERSION  # noqa: E402

SOURCES = PACKAGES.parent
SIGNED = "AWS4-HMAC-SHA256 Credential=any/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=00"


def lines_of(page, begin):
    """The indented lines behind the paragraph that begins so."""
    text = (SOURCES / page).read_text(encoding="utf-8")
    return re.search(rf"^{re.escape(begin)}.*?\n\n((?:    .+\n)+)", text, re.M | re.S).group(1).replace("\n    ", "\n").strip()


def ask(port, operation, body=b"{}"):
    """The text of the answer; OSError where nothing listens."""
    request = urllib.request.Request(f"http://127.0.0.1:{port}/", body, {
        "X-Amz-Target": f"DynamoDB_20120810.{operation}", "Content-Type": "application/x-amz-json-1.0",
        "X-Amz-Date": "20260101T000000Z", "Authorization": SIGNED})
    with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
        return answer.read().decode()


class ReadmeTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="magneto-readme-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        held = HeldPort()
        self.addCleanup(held.close)
        self.port = held.number
        self.environment = {name: value for name, value in os.environ.items() if not name.startswith(("AWS_", "MAGNETO_"))}

    def serve(self, lines, **variables):
        """Runs the lines in a shell, and returns it when the server answers."""
        shell = subprocess.Popen(["bash", "-euc", lines], cwd=self.folder, env=self.environment | variables, text=True, stdin=subprocess.DEVNULL,
                                 stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True)
        self.addCleanup(shell.stdout.close)
        self.addCleanup(self.end, shell)
        deadline = time.monotonic() + PATIENCE
        while True:
            try:
                self.assertIn("TableNames", ask(self.port, "ListTables"))
                return shell
            except urllib.error.HTTPError:
                raise
            except OSError:
                self.assertIsNone(shell.poll(), f"{lines}\n{shell.stdout.read() if shell.poll() is not None else ''}")
                self.assertLess(time.monotonic(), deadline, lines)
                time.sleep(0.02)

    def end(self, shell):
        """Sends SIGTERM to all processes of the lines, and waits for the shell."""
        if shell.returncode is None:
            os.killpg(shell.pid, signal.SIGTERM)
            shell.wait(timeout=PATIENCE)

    def expect_no_server(self):
        with self.assertRaises(OSError):
            ask(self.port, "ListTables")

    def test_any_linux(self):
        lines = lines_of("README.md", "**Any Linux**").replace("amd64", ARCHITECTURE)
        self.assertIn(f"tar -xf magneto-{VERSION}-linux-{ARCHITECTURE}.tar.gz\n", lines)
        licences = self.folder / "licences"
        licences.mkdir()
        subprocess.run([SOURCES / "docker" / "tarball", BINARY, licences, f"magneto-{VERSION}-linux-{ARCHITECTURE}", self.folder / "made"], check=True)
        (archive,) = (self.folder / "made").glob("*.tar.gz")
        archive.rename(self.folder / archive.name)
        self.end(self.serve(lines, MAGNETO_PORT=str(self.port)))
        self.expect_no_server()
        self.assertTrue((self.folder / archive.name.removesuffix(".tar.gz") / "README.md").exists())

    def docker(self, line):
        """The line with the stand-in in the place of docker, at the free port of this test."""
        self.assertIn(":8000:8000 ", line)
        programs = self.folder / "bin"
        programs.mkdir(exist_ok=True)
        if not (programs / "docker").exists():
            (programs / "docker").symlink_to(PACKAGES / "container_stand_in.py")
        return self.serve(line.replace(":8000:8000 ", f":{self.port}:8000 "), PATH=f"{programs}:{self.environment['PATH']}",
                          STAND_IN_SERVER=BINARY, STAND_IN_FOLDER=str(self.folder / "stand-in"))

    def test_docker(self):
        line = lines_of("README.md", "**Docker**")
        self.assertTrue(line.startswith("docker run "), line)
        self.end(self.docker(line))
        self.expect_no_server()

    def test_a_volume_keeps_tables(self):
        """Those of docker/README.md: the one behind `docker build`, and the one with a volume."""
        lines = re.findall(r"docker run .*", (SOURCES / "docker" / "README.md").read_text(encoding="utf-8"))
        self.assertEqual(len(lines), 2)
        table = b"""{"TableName": "Tab", "BillingMode": "PAY_PER_REQUEST", "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
                     "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}]}"""
        for line in lines:
            with self.subTest(line):
                shell = self.docker(line)
                ask(self.port, "CreateTable", table)
                self.end(shell)
                self.expect_no_server()
                shell = self.docker(line)
                self.assertEqual(ask(self.port, "ListTables"), '{"TableNames":["Tab"]}' if "-v magneto:/data" in line else '{"TableNames":[]}')
                self.end(shell)

    def test_lines_that_docker_would_not_run(self):
        for line, sentence in (("docker run -p 127.0.0.1:8000:8000 magnetto", "there is no image magnetto"),
                               ("docker run -p 127.0.0.1:8000:8001 magneto", "port 8001 is published, and the server listens on 8000"),
                               ("docker run --publsh 8000:8000 magneto", "--publsh"),
                               ("docker run -p 127.0.0.1:8000:8000 magneto --prt 1", "unknown argument --prt")):
            with self.subTest(line), self.assertRaisesRegex(AssertionError, re.escape(sentence)):
                self.docker(line if ":8000:8000 " in line else f"{line} # :8000:8000 ")


if __name__ == "__main__":
    unittest.main(verbosity=2)

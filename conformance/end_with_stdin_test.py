"""end_with_stdin_test.py <magneto>

With --end-with-stdin the server ends with its standard input, however the process at the other end has ended.
"""

import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.request

from control_server import TABLE

END_SECONDS = 120
SIGNED = "AWS4-HMAC-SHA256 Credential=any/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=00"
# Starts the server as a test does, and passes its process id and its first line on.
STARTER = """
import subprocess, sys
server = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
print(server.pid, server.stdout.readline(), end="", flush=True)
server.wait()
"""


def has_ended(pid):
    try:
        return pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except FileNotFoundError:
        return True


class EndWithStdinTest(unittest.TestCase):
    def start(self, *flags, stdin=subprocess.PIPE, environment=None):
        kept = {name: value for name, value in os.environ.items() if not name.startswith("MAGNETO_")}
        server = subprocess.Popen([BINARY, "--port", "0", *flags], stdin=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                  text=True, env=kept | (environment or {}))
        self.addCleanup(server.__exit__, None, None, None)
        self.addCleanup(server.kill)
        return server, server.stdout.readline()

    def expect_clean_end(self, server):
        _, errors = server.communicate(timeout=END_SECONDS)
        self.assertEqual((server.returncode, errors), (0, ""))

    def call(self, line, operation, body):
        endpoint = line.partition(" on ")[2].partition(",")[0]
        request = urllib.request.Request(endpoint, json.dumps(body).encode(), {
            "X-Amz-Target": f"DynamoDB_20120810.{operation}", "Content-Type": "application/x-amz-json-1.0", "Authorization": SIGNED,
            "X-Amz-Date": "20260101T000000Z"})
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer)

    def test_it_ends_with_the_pipe(self):
        server, line = self.start("--end-with-stdin")
        server.stdin.write("what is written\nis discarded\n")
        server.stdin.flush()
        self.assertEqual(self.call(line, "ListTables", {}), {"TableNames": []})
        self.expect_clean_end(server)

    def test_the_variable_does_the_same(self):
        server, _ = self.start(environment={"MAGNETO_END_WITH_STDIN": "true"})
        self.expect_clean_end(server)

    def test_input_that_has_ended_before_the_start(self):
        server, line = self.start("--end-with-stdin", stdin=subprocess.DEVNULL)
        self.assertIn("listening on", line)
        self.expect_clean_end(server)

    def test_a_signal_at_the_same_time(self):
        """The second signal of a server ends it at once; the end of its input is none."""
        for first in ("signal", "input"):
            server, _ = self.start("--end-with-stdin")
            if first == "signal":
                server.terminate()
                server.stdin.close()
            else:
                server.stdin.close()
                server.terminate()
            server.stdin = None
            _, errors = server.communicate(timeout=END_SECONDS)
            # A server that drains already takes the default effect of the signal.
            self.assertIn(server.returncode, (0,) if first == "signal" else (0, -signal.SIGTERM))
            self.assertEqual(errors, "")

    def test_tables_in_a_folder_are_kept(self):
        with tempfile.TemporaryDirectory(prefix="magneto-stdin-") as folder:
            server, line = self.start("--end-with-stdin", "--data-dir", folder)
            self.call(line, "CreateTable", TABLE)
            self.expect_clean_end(server)
            server, line = self.start("--end-with-stdin", "--data-dir", folder)
            self.assertEqual(self.call(line, "ListTables", {}), {"TableNames": ["Tab"]})
            self.expect_clean_end(server)

    def test_it_ends_after_its_starter_was_killed(self):
        starter = subprocess.Popen([sys.executable, "-c", STARTER, BINARY, "--port", "0", "--end-with-stdin"],
                                   stdout=subprocess.PIPE, text=True)
        pid, _, line = starter.stdout.readline().partition(" ")
        self.assertEqual(self.call(line, "ListTables", {}), {"TableNames": []})
        starter.kill()
        starter.communicate(timeout=END_SECONDS)
        deadline = time.monotonic() + END_SECONDS
        while not has_ended(pid):
            self.assertLess(time.monotonic(), deadline, "the server goes on")
            time.sleep(0.01)

    def test_without_the_flag_it_goes_on(self):
        server, line = self.start()
        server.stdin.close()
        server.stdin = None
        self.assertEqual(self.call(line, "ListTables", {}), {"TableNames": []})
        server.terminate()
        self.expect_clean_end(server)


if __name__ == "__main__":
    BINARY = sys.argv.pop(1)
    unittest.main(verbosity=2)

"""action_test.py <magneto>: the scripts of the packed action, with the files and variables of a runner."""

import functools
import hashlib
import http.server
import io
import os
import pathlib
import platform
import re
import socket
import subprocess
import sys
import tarfile
import threading
import unittest
import urllib.request

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from door_case import ARCHITECTURE, BINARY, PATIENCE, VERSION, DoorCase  # noqa: E402

TARBALL = f"magneto-{VERSION}-linux-{ARCHITECTURE}"


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


class ActionTest(DoorCase):
    door = "action"

    @classmethod
    def install(cls):
        cls.action = cls.packed / "action"
        cls.defaults = dict(re.findall(r"^  ([\w-]+):\n    description: .*\n    default: '?([^'\n]*)'?$",
                                       (cls.action / "action.yml").read_text(encoding="utf-8"), re.M))
        files = cls.folder / "releases" / f"v{VERSION}"
        files.mkdir(parents=True)
        with tarfile.open(files / f"{TARBALL}.tar.gz", "w:gz", compresslevel=1) as archive:
            archive.add(BINARY, f"{TARBALL}/magneto")
            readme = tarfile.TarInfo(f"{TARBALL}/README.md")
            archive.addfile(readme, io.BytesIO())
        cls.sums = files / "SHA256SUMS"
        cls.sums.write_text(f"{'0' * 64}  other.deb\n{cls.sum_of(files / f'{TARBALL}.tar.gz')}  {TARBALL}.tar.gz\n", encoding="utf-8")
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(cls.folder / "releases")))
        cls.addClassCleanup(server.server_close)
        cls.addClassCleanup(server.shutdown)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        cls.releases = f"http://127.0.0.1:{server.server_port}"

    @staticmethod
    def sum_of(path):
        return hashlib.sha256(pathlib.Path(path).read_bytes()).hexdigest()

    def setUp(self):
        self.runner = self.folder / self.id()
        self.runner.mkdir()
        self.files = {name: self.runner / name for name in ("GITHUB_ENV", "GITHUB_OUTPUT", "GITHUB_STATE")}
        for path in self.files.values():
            path.touch()
        self.addCleanup(self.run_script, "post.mjs")

    def values(self, name):
        return dict(line.split("=", 1) for line in self.files[name].read_text(encoding="utf-8").splitlines())

    def run_script(self, script, status="success", **inputs):
        given = self.defaults | {"releases": self.releases, "port": "0", "job-status": status} | inputs
        variables = {f"INPUT_{name.upper()}": str(value) for name, value in given.items()}
        variables |= {name: str(path) for name, path in self.files.items()} | {"RUNNER_TEMP": str(self.runner)}
        variables |= {f"STATE_{name}": value for name, value in self.values("GITHUB_STATE").items()}
        return subprocess.run(["node", self.action / script], env=self.environment | variables, cwd=self.runner, text=True,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False, timeout=PATIENCE)

    def expect_start(self, **inputs):
        done = self.run_script("main.mjs", **inputs)
        self.assertEqual(done.returncode, 0, done.stdout)
        found = self.values("GITHUB_ENV")
        self.assertEqual(self.values("GITHUB_OUTPUT"), {"endpoint": found["MAGNETO_ENDPOINT"]})
        self.assertIn(f"::add-mask::{found['MAGNETO_CONTROL_TOKEN']}\n", done.stdout)
        request = urllib.request.Request(f"{found['MAGNETO_ENDPOINT']}/_/namespaces",
                                         headers={"Authorization": f"Bearer {found['MAGNETO_CONTROL_TOKEN']}"})
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            self.assertEqual(answer.status, 200)

    def expect_problem(self, sentence, **inputs):
        done = self.run_script("main.mjs", **inputs)
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertRegex(done.stdout, rf"(?m)^::error title=Magneto::.*{re.escape(sentence)}")
        self.assertEqual(self.values("GITHUB_ENV"), {})

    def expect_end(self, status):
        done = self.run_script("post.mjs", status)
        self.assertEqual(done.returncode, 0, done.stdout)
        with self.assertRaises(ProcessLookupError):
            os.kill(int(self.values("GITHUB_STATE")["pid"]), 0)
        return done.stdout

    def test_a_release(self):
        self.expect_start()
        self.assertEqual(self.expect_end("success"), "")

    def test_a_job_that_failed_prints_the_log(self):
        self.expect_start(path=BINARY, flags="--no-ui\n--log-level  debug")
        log = self.expect_end("failure")
        self.assertRegex(log, r"(?s)^::group::The log of Magneto\n.*listening on.*\n::endgroup::\n$")

    def test_an_address(self):
        url = f"{self.releases}/v{VERSION}/{TARBALL}.tar.gz"
        self.expect_start(url=url, sha256=self.sum_of(self.sums.parent / f"{TARBALL}.tar.gz").upper())
        self.expect_end("success")

    def test_checksums(self):
        self.expect_problem(f"not {'1' * 64}: the file is damaged", sha256="1" * 64)
        self.expect_problem(f"not {'1' * 64}: the file is damaged", path=BINARY, sha256="1" * 64)
        good = self.sums.read_text(encoding="utf-8")
        for bad, sentence in ((good.replace(self.sum_of(self.sums.parent / f"{TARBALL}.tar.gz"), "2" * 64), f"not {'2' * 64}"),
                              ("", "give it as sha256")):
            self.sums.write_text(bad, encoding="utf-8")
            self.addCleanup(self.sums.write_text, good, encoding="utf-8")
            self.expect_problem(sentence)

    def test_what_is_not_there(self):
        self.expect_problem("answers with 404", version="9.9.9")
        self.expect_problem("cannot be reached", url="http://localhost:1/magneto")
        self.expect_problem("there is no file nothing", path="nothing")

    def test_failing_starts(self):
        with socket.create_server(("127.0.0.1", 0)) as busy:
            port = busy.getsockname()[1]
            self.expect_problem(f"port {port} on 127.0.0.1 is already in use", path=BINARY, port=port)
        self.expect_problem("did you mean --port?", path=BINARY, flags="--prt 1")
        loader = b"/ld-linux-x86-64.so.2\0" if platform.machine() == "x86_64" else b"/ld-linux-aarch64.so.1\0"
        self.expect_problem("cannot be run: ", path=self.broken(loader, loader[:-2] + b"9\0", "loader"))


if __name__ == "__main__":
    unittest.main(verbosity=2)

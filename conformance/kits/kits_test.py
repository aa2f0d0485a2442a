"""kits_test.py <magneto> <docs/kits.md> <kit> [node modules | folder of the SDKs' programs]

Pastes a kit of the documentation into an empty folder and runs it as the documentation says: with a server that the
kit starts, and with one that runs already. Then each of its tests is spoilt, and must fail.
"""

import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.request

HERE = pathlib.Path(__file__).resolve().parent
# kit -> its section, and a word of the block that runs it
KITS = {"pytest": ("pytest", "pytest"), "node": ("Jest, Vitest and node:test", "node --test"),
        "jest": ("Jest, Vitest and node:test", "jest"), "vitest": ("Jest, Vitest and node:test", "vitest"),
        "junit": ("JUnit 5", "mvn"), "go": ("Go", "go test"), "rust": ("Rust", "cargo test")}
# Changes that make each test fail: the item's time is not over, the second call is one too many, and so is the fourth.
SPOILS = ((r"\b25h\b", "1h"), (r"""(\bcount['"]?: )2\b""", r"\g<1>1"), (r"""(\bcount['"]?: )4\b""", r"\g<1>3"))
STOPS = ("pytest", "node")  # the kits with a test of the last spoil
END_SECONDS = 120


def files_of(text):
    """name -> text of each block that has its file's name above it."""
    return dict(re.findall(r"^`([\w./]+)`\n\n```\w+\n(.*?)^```$", text, re.M | re.S))


def commands_of(text):
    return re.findall(r"^```bash\n(.*?)^```$", text, re.M | re.S)


class Kit:
    """The text of one kit."""

    def __init__(self, documentation, name):
        sections = dict(part.split("\n", 1) for part in documentation.split("\n## ")[1:])
        before = sections["Blocks to paste"]
        title, word = KITS[name]
        self.files = files_of(before) | files_of(sections[title])
        (self.command,) = [command for command in commands_of(sections[title]) if word in command]
        (running,) = commands_of(before)
        start, export = running.splitlines()
        self.running = shlex.split(start.rstrip("&").replace("--port 8000", "--port 0"))
        self.environment = dict(word.split("=", 1) for word in shlex.split(export)[1:])


class KitsTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="magneto-kit-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.pids = self.folder / "pids"
        self.pids.touch()
        self.addCleanup(self.end_what_runs)
        programs = self.folder / "bin"
        programs.mkdir()
        magneto = programs / "magneto"
        magneto.write_text(f'#!/bin/sh\necho $$ >>{self.pids}\nexec {shlex.quote(BINARY)} "$@"\n', encoding="utf-8")
        magneto.chmod(0o755)
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("AWS_", "MAGNETO_"))}
        path = [str(programs), *([os.path.dirname(sys.executable)] if NAME == "pytest" else []), kept["PATH"]]
        self.environment = kept | {"PATH": os.pathsep.join(path), "GOTOOLCHAIN": "local", "AWS_CONFIG_FILE": os.devnull,
                                   "AWS_SHARED_CREDENTIALS_FILE": os.devnull, "AWS_EC2_METADATA_DISABLED": "true"}

    def end_what_runs(self):
        for pid in self.running():
            os.kill(pid, 9)

    def running(self):
        """The servers that were started here and have not ended."""
        found = []
        for pid in map(int, self.pids.read_text().split()):
            try:
                state = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
            except FileNotFoundError:
                continue
            if state != "Z":  # it has ended, but its parent has not waited for it
                found.append(pid)
        return found

    def paste(self, files):
        project = self.folder / "project"
        for name, text in files.items():
            path = project / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        if NAME in ("node", "jest", "vitest"):
            (project / "node_modules").symlink_to(pathlib.Path(BROUGHT, "node_modules").resolve())
        if NAME == "rust":  # the versions that were tried, built once for the program of this SDK too
            shutil.copy(HERE.parent / "sdks" / "rust" / "Cargo.lock", project)
            self.environment["CARGO_TARGET_DIR"] = os.path.abspath(os.path.join(BROUGHT, "rust"))
        return project

    def run_kit(self, files, **environment):
        project = self.paste(files)
        done = subprocess.run(["bash", "-euc", KIT.command], cwd=project, env=self.environment | environment, text=True,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        return done.returncode, done.stdout

    def expect_that_servers_end(self):
        self.assertNotEqual(self.pids.read_text(), "", "the kit started no server")
        deadline = time.monotonic() + END_SECONDS
        while self.running() and time.monotonic() < deadline:
            time.sleep(0.05)
        self.assertEqual(self.running(), [], "servers of the kit go on after it")

    def test_with_a_server_of_its_own(self):
        status, output = self.run_kit(KIT.files)
        self.assertEqual(status, 0, output)
        self.expect_that_servers_end()

    def test_with_a_server_that_runs(self):
        (self.folder / "orders.json").write_text(KIT.files["orders.json"], encoding="utf-8")
        server = subprocess.Popen(KIT.running, cwd=self.folder, env=self.environment, stdout=subprocess.PIPE, text=True,
                                  executable=self.folder / "bin" / "magneto")
        try:
            self.use_what_runs(server)
        finally:
            server.terminate()
            server.communicate(timeout=END_SECONDS)
        self.assertEqual(server.returncode, 0)

    def use_what_runs(self, server):
        endpoint = re.search(r"http[^,]+", server.stdout.readline()).group()
        status, output = self.run_kit(KIT.files, **KIT.environment | {"MAGNETO_ENDPOINT": endpoint})
        self.assertEqual(status, 0, output)
        self.assertEqual(self.running(), [server.pid], "the kit started a server of its own")
        asked = urllib.request.Request(f"{endpoint}/_/namespaces",
                                       headers={"Authorization": f"Bearer {KIT.environment['MAGNETO_CONTROL_TOKEN']}"})
        with urllib.request.urlopen(asked, timeout=60) as answer:
            names = [space["name"] for space in json.load(answer)["namespaces"]]
        self.assertEqual(names, ["main"], "forks are left")

    def expect_that_it_fails(self, wrong, instead):
        spoilt = {name: re.sub(wrong, instead, text) for name, text in KIT.files.items()}
        self.assertNotEqual(spoilt, KIT.files)
        status, output = self.run_kit(spoilt)
        self.assertNotEqual(status, 0, output)
        self.expect_that_servers_end()

    def test_an_item_whose_time_is_not_over_fails_its_test(self):
        self.expect_that_it_fails(*SPOILS[0])

    def test_one_call_too_many_fails_its_test(self):
        self.expect_that_it_fails(*SPOILS[1])

    def test_stopping_too_late_fails_its_test(self):
        if NAME in STOPS:
            self.expect_that_it_fails(*SPOILS[2])
        else:
            run = [text for name, text in KIT.files.items() if not name.endswith(".node.js")]  # node:test's alone
            self.assertEqual(re.findall(SPOILS[2][0], "".join(run)), [])


if __name__ == "__main__":
    BINARY = os.path.abspath(sys.argv[1])
    NAME = sys.argv[3]
    KIT = Kit(pathlib.Path(sys.argv[2]).read_text(encoding="utf-8"), NAME)
    BROUGHT = sys.argv[4] if len(sys.argv) > 4 else None
    unittest.main(argv=sys.argv[:1], verbosity=2)

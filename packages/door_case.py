"""What the tests of all packages share: packing, broken servers, the pages of docs, and a probe in each language.

A probe is a small program that starts a server with the flags of its command line, prints the endpoint, waits for a
line on its standard input, stops the server and ends. Where the start fails it prints the kind of the error and its
message on stderr, and ends with 3. Its variable PROBE_BINARY names another server than the package's own.
"""

import os
import pathlib
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import unittest

PACKAGES = pathlib.Path(__file__).resolve().parent
DOCS = PACKAGES.parent / "docs"
VERSION = "0.1.0"
PATIENCE = 120  # seconds
ARCHITECTURE = {"x86_64": "amd64", "aarch64": "arm64"}[os.uname().machine]
BINARY = os.path.abspath(sys.argv.pop(1))


def files_of(text):
    """name -> text of each block that has its file's name above it."""
    return dict(re.findall(r"^`([\w./-]+)`\n\n```\w+\n(.*?)^```$", text, re.M | re.S))


def commands_of(text):
    return re.findall(r"^```bash\n(.*?)^```$", text, re.M | re.S)


def servers_with(marker):
    """The processes of servers, started by a package, whose command line has this word."""
    found = []
    for path in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = path.read_bytes().split(b"\0")
        except OSError:  # it has ended
            continue
        if b"--end-with-stdin" in words and marker.encode() in words:
            found.append(int(path.parent.name))
    return found


class DoorCase(unittest.TestCase):
    """A package, packed and installed once, without the network."""

    door = None  # the word for packages/pack --only
    page = None  # its page in docs
    error = None  # the kind of error that a failing start has
    pack_arguments = ()

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix=f"magneto-{cls.door}-")
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        cls.packed = cls.folder / "packed"
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("AWS_", "MAGNETO_"))}
        cls.environment = kept | {"AWS_CONFIG_FILE": os.devnull, "AWS_SHARED_CREDENTIALS_FILE": os.devnull,
                                  "AWS_EC2_METADATA_DISABLED": "true", "AWS_DEFAULT_REGION": "us-east-1", "HOME": str(cls.folder),
                                  "XDG_CACHE_HOME": str(cls.folder / "cache"), "PYTHONDONTWRITEBYTECODE": "1"}
        cls.pack(cls.packed)
        cls.install()

    @classmethod
    def pack(cls, folder, *more):
        subprocess.run([PACKAGES / "pack", BINARY, ARCHITECTURE, VERSION, folder, "--only", cls.door, *cls.pack_arguments, *more],
                       check=True)

    @classmethod
    def install(cls):
        """Makes `probe` work, and changes `environment` to the user's."""
        raise NotImplementedError

    def probe(self):
        """The command of the probe, without flags."""
        raise NotImplementedError

    def run_command(self, command, cwd=None, **environment):
        done = subprocess.run(command, cwd=cwd or self.folder, env=self.environment | environment, text=True, check=False,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.assertEqual(done.returncode, 0, done.stdout)
        return done.stdout

    def run_page(self, text=None, before=(), **environment):
        """Saves the files of the page into an empty folder, and runs its commands there. Returns what they printed."""
        text = text or (DOCS / self.page).read_text(encoding="utf-8")
        project = pathlib.Path(tempfile.mkdtemp(dir=self.folder))
        for name, content in files_of(text).items():
            path = project / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content, encoding="utf-8")
        commands = [*before, *commands_of(text)]
        return self.run_command(["bash", "-euc", "\n".join(commands)], cwd=project, **environment)

    def start_probe(self, *flags, binary=None):
        environment = self.environment | ({"PROBE_BINARY": str(binary)} if binary else {})
        probe = subprocess.Popen([*self.probe(), *map(str, flags)], cwd=self.folder, env=environment, text=True, stdin=subprocess.PIPE,
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(probe.__exit__, None, None, None)
        self.addCleanup(probe.kill)
        return probe

    def expect_refusal(self, sentence, *flags, **more):
        _, errors = self.start_probe(*flags, **more).communicate(timeout=PATIENCE)
        self.assertIn(self.error, errors)
        self.assertIn(sentence, errors)

    def expect_no_server(self, marker):
        deadline = time.monotonic() + PATIENCE
        while servers_with(marker):
            self.assertLess(time.monotonic(), deadline, "the server goes on")
            time.sleep(0.01)
        self.assertFalse(os.path.exists(marker), "the server did not end cleanly")

    def broken(self, old, new, name):
        """A copy of the server in which these bytes are others."""
        data = pathlib.Path(BINARY).read_bytes()
        self.assertIn(old, data)
        path = self.folder / name
        path.write_bytes(data.replace(old, new))
        path.chmod(0o755)
        return path


class StartCase:
    """How starts fail, and how servers end, in any language. A class beside DoorCase."""

    def test_a_probe_that_ends_stops_its_server(self):
        marker = str(self.folder / "stopped")
        probe = self.start_probe("--port-file", marker)
        self.assertRegex(probe.stdout.readline(), r"^http://localhost:\d+\n$")
        self.assertEqual(len(servers_with(marker)), 1)
        _, errors = probe.communicate("stop\n", timeout=PATIENCE)
        self.assertEqual((probe.returncode, errors), (0, ""))
        self.expect_no_server(marker)

    def test_a_probe_that_is_killed_leaves_no_server(self):
        marker = str(self.folder / "killed")
        probe = self.start_probe("--port-file", marker)
        self.assertRegex(probe.stdout.readline(), r"^http://localhost:\d+\n$")
        self.assertEqual(len(servers_with(marker)), 1)
        probe.kill()
        probe.communicate(timeout=PATIENCE)
        self.expect_no_server(marker)

    def test_a_busy_port(self):
        with socket.create_server(("127.0.0.1", 0)) as busy:
            port = busy.getsockname()[1]
            self.expect_refusal(f"magneto: port {port} on 127.0.0.1 is already in use", "--port", port)

    def test_an_unknown_flag(self):
        self.expect_refusal("unknown argument --prt; did you mean --port?", "--prt", "1")

    def test_a_missing_loader(self):
        loader = b"/ld-linux-x86-64.so.2\0" if ARCHITECTURE == "amd64" else b"/ld-linux-aarch64.so.1\0"
        self.expect_refusal("needs the loader of glibc", binary=self.broken(loader, loader[:-2] + b"9\0", "loader"))

    def test_a_missing_library(self):
        self.expect_refusal("libm.so.9: cannot open shared object file",
                            binary=self.broken(b"\0libm.so.6\0", b"\0libm.so.9\0", "library"))

    def test_another_processor(self):
        """The machine of an ELF file stands behind its type, 3."""
        other = {"amd64": b"\3\0\xf3\0", "arm64": b"\3\0\xf3\0"}[ARCHITECTURE]  # RISC-V
        header = pathlib.Path(BINARY).read_bytes()[:20]
        path = self.broken(header, header[:16] + other, "processor")
        self.expect_refusal("built for another system or processor", binary=path)

    def test_a_binary_that_is_not_there(self):
        self.expect_refusal("No such file or directory", binary=self.folder / "nothing")

    def test_packing_again_gives_the_same_bytes(self):
        again = self.folder / "again"
        self.pack(again)
        found = {path.relative_to(self.packed): path for path in self.packed.rglob("*") if path.is_file()}
        self.assertGreater(len(found), 0)
        for name, path in found.items():
            self.assertEqual(path.read_bytes(), (again / name).read_bytes(), name)
        shutil.rmtree(again)
